"""Everything about accounts that a server offers, put together."""

from __future__ import annotations

from fastapi import FastAPI

from cuberails.server.club.account_api import OwnAccounts, add_account
from cuberails.server.club.account_pages import add_account_pages
from cuberails.server.club.chores import Chores
from cuberails.server.club.entrance import Entrance
from cuberails.server.club.mail import Mailer
from cuberails.server.club.maillinks import MailLinks
from cuberails.server.club.outside_login import Provider, add_outside_login
from cuberails.server.club.passkeys import Passkeys
from cuberails.server.club.passwords import Passwords
from cuberails.server.club.sign_in_api import add_sign_in
from cuberails.server.limits import Limits
from cuberails.server.settings import Settings


def add_accounts(app: FastAPI, settings: Settings, entrance: Entrance, chores: Chores, limits: Limits) -> None:
    passkeys = Passkeys(entrance.tables.store, entrance.tables.identities)
    passwords, links = Passwords(), MailLinks(entrance.accounts, Mailer(settings), settings.home)
    own = OwnAccounts(entrance, passkeys, passwords, links, settings.oidc_issuer)
    add_sign_in(app, entrance, passkeys, passwords, links, limits)
    add_account(app, own, chores, limits)
    add_account_pages(app, own, settings.oidc_name if settings.oidc_issuer else "")
    if settings.oidc_issuer:
        add_outside_login(app, Provider(settings), entrance, limits)
