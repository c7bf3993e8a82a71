"""What every title is made of: the contract, hexes, auctions, board files, games, records, menus.

Pure: standard library only, no files, no screens, no network. The same source runs interpreted or compiled by mypyc.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

# What only type checkers and the compiler need of other packages. This module itself is never compiled.
if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
    from typing_extensions import TypeVar as TypeVar
else:
    import typing

    def mypyc_attr(**attributes):
        """Tells mypyc how to compile a class; interpreted it changes nothing.

        `free_list_len=1` keeps the memory of one object for the next: good for phases, of which every step makes one.
        """
        return lambda cls: cls

    def TypeVar(name, *, default=None, **settings):
        """A type variable with a default, which Python itself knows from 3.13 on."""
        return typing.TypeVar(name, **settings)
