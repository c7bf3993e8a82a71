"""What requests say, and the answer to those that are refused: their forms, checked by pydantic."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from cuberails.bots import USUAL

MOST_RECORD_LETTERS = 300_000
"""The longest record: ten times the longest game."""

Short = Annotated[str, Field(max_length=40)]


class _Request(BaseModel):
    """A request that says nothing but what is known."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SeatRequest(_Request):
    """Who plays: `by` is "me" (whoever opens the table), "link" (somebody who gets a link), "open" (somebody who comes
    by the lobby) or "bot"."""

    name: str = Field(default="", max_length=200)
    by: str = Field(default="me", pattern="^(me|link|open|bot)$")
    level: str = Field(default=USUAL, max_length=20)


class TimeRequest(_Request):
    """A time control. `kind` is "live" (a bank of `minutes`, and `increment` seconds besides for each turn) or
    "correspondence" (`days` for each decision). A bot of this level takes the seat of whose time is up."""

    kind: str = Field(pattern="^(live|correspondence)$")
    minutes: int = Field(default=20, ge=1, le=600)
    increment: int = Field(default=30, ge=0, le=3600)
    days: int = Field(default=3, ge=1, le=30)
    level: str = Field(default=USUAL, max_length=20)


class BoardRequest(_Request):
    """A board file: its text, and its name for errors."""

    board_text: str = Field(alias="board")
    board_file: str = Field(default="board file", max_length=200)


class TableRequest(_Request):
    """A table to open: a title and perhaps a board, a record, a moment of another table to continue from, or a lesson.

    `board_source` is the text of a board file, or the digest of a board that this server offers; it names its title, so
    that `title` can be left out. `board_file` is the name of the file, for errors. `at` is a number of actions: the
    table begins where the record or the other table stood after them; at its end unless it is given. The seats of a
    new game are shuffled unless `seating` is "listed"; those of a record or another table stay in their order. `lesson`
    is the key of a title whose guided first game is wanted; the first of `seats` can name the learner. `help` says
    whether people may ask for hints at the table: they may unless it is false, or the table is forked from one without
    help whose game is not over yet. A "public" table is shown to everybody. One with seats that are "open" waits for
    people in the lobby, until its host starts it, or all its seats are taken if it starts when it is "full"; at an
    "invited" one only people can take a seat whom the host has invited, to begin with the `people_of` a table of his.
    Without a `time_control` everybody takes the time that they want. A `rated` game counts for the ratings of those
    with accounts and of the bots; there is no help.
    """

    title: Short = ""
    board_source: str = Field(default="", alias="board")
    board_file: str = Field(default="board file", max_length=200)
    seats: list[SeatRequest] = Field(default_factory=list, max_length=8)
    seating: str = Field(default="shuffled", pattern="^(shuffled|listed)$")
    options: dict[str, Short] = Field(default_factory=dict, max_length=20)
    record: str = Field(default="", max_length=MOST_RECORD_LETTERS)
    fork: Short = ""
    lesson: Short = ""
    at: int | None = None
    help: bool | None = None
    visibility: str = Field(default="unlisted", pattern="^(unlisted|public|invited)$")
    people_of: Short = ""
    starts: str = Field(default="host", pattern="^(host|full)$")
    time_control: TimeRequest | None = None
    rated: bool = False


class ActRequest(_Request):
    """An action of a seat at a sequence number."""

    seat: int
    seq: int
    action: str = Field(max_length=80)


class UndoRequest(_Request):
    """Undo, or redo, to the position after `to` actions; without it, to the nearest own decision."""

    seat: int
    seq: int
    to: int | None = None


class AnswerRequest(_Request):
    """Whether a seat agrees to go back."""

    seat: int
    seq: int
    agree: bool


class PlayerRequest(_Request):
    """The level of the bot that plays a seat; empty for the person whose seat it is."""

    level: str = Field("", max_length=20)


class AnalysisRequest(_Request):
    """How much an analysis may search: quick or deep."""

    budget: str = Field("quick", max_length=20)


class OrderRequest(_Request):
    """A standing order for a seat: a limit for bids, or actions of which the first possible one is wanted."""

    seat: int
    kind: Short
    stage: str = Field(max_length=100)
    actions: list[Annotated[str, Field(max_length=80)]] = Field(default_factory=list, max_length=10)
    limit: int = 0


class NameRequest(_Request):
    """What somebody wants to be called."""

    name: str = Field(max_length=200)


class VisibleRequest(_Request):
    """Whether others see what somebody has played."""

    visible: bool


class ChatRequest(_Request):
    """What somebody says; `seat` is who speaks, for those who have several."""

    text: str = Field(max_length=2000)
    seat: int | None = None


class NoteRequest(_Request):
    """What somebody notes about a table, for nobody else; empty to forget it."""

    text: str = Field(max_length=5000)


class JoinRequest(_Request):
    """Under which name somebody takes a free seat."""

    name: str = Field(default="", max_length=200)


class InviteRequest(_Request):
    """Whom the host invites: somebody from the list of people, or whoever has this name there or as an account."""

    person: Short = ""
    name: str = Field(default="", max_length=200)


class FriendRequest(_Request):
    """Whether somebody is to be your friend: to ask or agree, or to end or refuse it."""

    friend: bool


class UnseatRequest(_Request):
    """A seat at an open table, which is to be free again."""

    seat: int


class ReportRequest(_Request):
    """A line of the chat, by its number, or 0 for something else about whoever sits there; and why."""

    line: int = Field(default=0, ge=0)
    reason: str = Field(default="", max_length=500)


class SeatReportRequest(UnseatRequest):
    """Whoever has a seat at an open table, and why they are reported."""

    reason: str = Field(default="", max_length=500)


class BlockRequest(_Request):
    """Whether somebody is to be muted (their chat is hidden), or blocked; "" for neither."""

    kind: str = Field(pattern="^(muted|blocked|)$")


class StartRequest(_Request):
    """The level of the bots that take the seats which are still free when a table starts."""

    level: str = Field(default=USUAL, max_length=20)


class WayRequest(_Request):
    """A way to be called: its kind, and the address of a webhook, or of a device's push subscription with its keys.

    Mail comes for each call, or with a `digest_hour` (UTC) once a day.
    """

    kind: str = Field(pattern="^(push|mail|discord|slack|json)$")
    target: str = Field(default="", max_length=1000)
    digest_hour: int = Field(default=-1, ge=-1, le=23)
    keys: dict[str, str] = Field(default_factory=dict, max_length=5)
    label: str = Field(default="", max_length=200)


class MuteRequest(_Request):
    """Whether somebody does not want to be called about a table."""

    muted: bool


class AskPasskeyRequest(_Request):
    """A passkey to make for a new account of this name, to add to one's own, or, without either, to sign in with."""

    purpose: str = Field(alias="for", pattern="^(sign-up|sign-in|add)$")
    name: str = Field(default="", max_length=200)


class PasskeyRequest(_Request):
    """What a device answered; `state` is what it was asked with. `bring`: what this browser plays comes along."""

    state: str = Field(max_length=200)
    credential: dict[str, Any]
    name: str = Field(default="", max_length=200)
    bring: bool = True


class PasswordRequest(_Request):
    """A name, or an address, and a password."""

    name: str = Field(max_length=254)
    password: str = Field(max_length=200)
    bring: bool = True


class NewPasswordRequest(_Request):
    """Another password in place of the `old` one, which is "" if there is none; an empty one for none."""

    password: str = Field(max_length=200)
    old: str = Field(default="", max_length=200)


class EmailRequest(_Request):
    """An address for mail."""

    email: str = Field(max_length=254)


class LinkRequest(_Request):
    """The secret of a link that came by mail; a `name` for a new account."""

    token: str = Field(max_length=64)
    name: str = Field(default="", max_length=200)
    bring: bool = True


class RemoveRequest(_Request):
    """A passkey to remove, or a device to sign out; with "others", all devices but this one."""

    id: str = Field(max_length=1400, pattern=r"^[\w~-]+$")


class PersonRequest(_Request):
    """Somebody, as the pages for admins name them."""

    person: str = Field(max_length=64, pattern=r"^[\w@~-]+$")


class BanRequest(PersonRequest):
    """Whom an admin bans, why, and for how many days: 0 for good."""

    reason: str = Field(default="", max_length=300)
    days: int = Field(default=0, ge=0, le=3650)


class OtherNameRequest(PersonRequest):
    """What somebody is to be called, or is called."""

    name: str = Field(default="", max_length=200)


class RefusalBody(BaseModel):
    """Nothing was changed: a word for programs, a sentence for people, and the table as it stands, if there is one."""

    error: str
    message: str
    table: dict[str, Any] | None = None


REFUSALS: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": RefusalBody, "description": "Refused; nothing was changed."}
}
"""How requests describe what they answer to whoever they refuse."""
