"""inspect.signature of the compiled classes: that of their __init__.

Which methods of C inspect takes for an __init__ differs from one version of Python to the next; what a
class says itself counts in all of them.
"""

from __future__ import annotations

_METHOD_OF_C = type(str.join)


class OfInit:
    """`__signature__` of a class; a subclass with an __init__ of its own has none here."""

    def __get__(self, instance: object, owner: type) -> object:
        init = next(vars(c)["__init__"] for c in owner.__mro__ if "__init__" in vars(c))
        if instance is not None or type(init) is not _METHOD_OF_C:
            raise AttributeError("__signature__")
        import inspect

        whole = inspect.signature(init)
        return whole.replace(parameters=list(whole.parameters.values())[1:])


def add_to(module: object) -> None:
    """All classes of a module."""
    for thing in vars(module).values():
        if isinstance(thing, type):
            thing.__signature__ = OfInit()  # type: ignore[attr-defined]
