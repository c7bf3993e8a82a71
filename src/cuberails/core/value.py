"""Values that can be pickled, interpreted and compiled alike."""

from __future__ import annotations

from inspect import signature
from typing import Final

from cuberails.core import mypyc_attr

_parameters: Final[dict[type, list[str]]] = {}


@mypyc_attr(allow_interpreted_subclasses=True)
class Value:
    """An object that is made anew from its attributes: each parameter of its class has an attribute of its name.

    mypyc cannot make an object of a compiled class without calling it, so pickles must call it too.
    """

    def __reduce__(self) -> tuple[object, ...]:
        cls = type(self)
        names = _parameters.get(cls)
        if names is None:
            names = _parameters[cls] = list(signature(cls).parameters)
        return cls, tuple([getattr(self, name) for name in names])
