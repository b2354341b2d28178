"""What a cell sees of the host's bound names: `tools`, and the calls it makes through it.

Rules
- A call is an object to be awaited; nothing is sent before it is, and one that never was
  is warned of (guest B24). Arguments are bound, converted and checked when the call is
  made (guest E9, E12), against the bindings in force then (guest E18).
- A proxy has no attributes of its own that a binding's name could clash with
  (guest E8): all it knows is kept in `_known`.
- A proxy outlives changes of its namespace: it looks its binding up by name.
"""

from __future__ import annotations

import sys
from collections.abc import Coroutine, Generator, Iterable
from typing import Any, Protocol

from keelbook_guest.codec import argument
from keelbook_guest.protocol import CALLED_NAMESPACE

Binding = dict[str, Any]


class Caller(Protocol):
    """Sends calls to the host; `calls.Calls` is the one there is."""

    depth: int

    def start(self, call: Call) -> Generator[Any, None, Any]:
        """Sends `call`; the iterator that gives its result when it is driven."""

    def forgotten(self, call: Call) -> None:
        """`call` was thrown away without having been awaited."""

    def binding(self, namespace: str, name: str) -> Binding | None:
        """What is bound now."""

    def names(self, namespace: str) -> list[str]:
        """The bindings of a namespace, sorted."""

    def description(self, namespace: str) -> str:
        """What a namespace is for."""

    def owner(self) -> Any:
        """The run that the calling code belongs to."""


class Call(Coroutine[Any, Any, Any]):
    """One governed call: await it once, or wrap it in a task."""

    __slots__ = ("__weakref__", "_iterator", "args", "caller", "name", "namespace", "run", "where")

    def __init__(
        self, caller: Caller, namespace: str, name: str, args: dict[str, Any], where: str
    ) -> None:
        self.caller = caller
        self.namespace = namespace
        self.name = name
        self.args = args
        self.where = where
        self.run = caller.owner()
        self._iterator: Generator[Any, None, Any] | None = None

    @property
    def shown(self) -> str:
        """The call as a reader would write it, without its arguments."""
        return label(self.namespace, self.name)

    def __await__(self) -> Generator[Any, None, Any]:
        if self._iterator is not None:
            raise RuntimeError(f"this call of {self.shown} was already awaited")
        self._iterator = self.caller.start(self)
        return self._iterator

    def send(self, value: Any) -> Any:
        if self._iterator is None:
            self._iterator = self.caller.start(self)
        return self._iterator.send(value)

    def throw(self, *error: Any) -> Any:
        if self._iterator is None:
            self._iterator = iter(())  # type: ignore[assignment]
            raise error[1] if len(error) > 1 and error[1] is not None else error[0]
        return self._iterator.throw(*error)

    def close(self) -> None:
        if self._iterator is not None:
            self._iterator.close()

    def __repr__(self) -> str:
        return f"<call of {self.shown}: await it to run it>"

    def __del__(self) -> None:
        if self._iterator is None and hasattr(self, "where"):
            self.caller.forgotten(self)


class BoundCall:
    """`tools.read`: calling it gives a `Call`."""

    __slots__ = ("_known",)

    def __init__(self, caller: Caller, namespace: str, name: str) -> None:
        object.__setattr__(self, "_known", (caller, namespace, name))

    def __call__(self, /, *args: Any, **kwargs: Any) -> Call:
        caller, namespace, name = _known(self)
        return make_call(caller, namespace, name, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        caller, namespace, called = _known(self)
        binding = caller.binding(namespace, called) or {}
        if name in ("__name__", "__qualname__"):
            return called
        if name == "__signature__":
            return signature(binding)
        raise AttributeError(f"{label(namespace, called)} has no attribute {name!r}")

    def __get__(self, instance: object, owner: type | None = None) -> BoundCall:
        return self

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        caller, namespace, name = _known(self)
        binding: Binding = caller.binding(namespace, name) or {}
        return str(binding.get("description", ""))

    def __repr__(self) -> str:
        caller, namespace, name = _known(self)
        binding = caller.binding(namespace, name)
        return f"<{label(namespace, name)}{'' if binding is None else spelled(binding)}>"


class BoundNamespace:
    """`tools`: its attributes are the calls that are bound now."""

    __slots__ = ("_known",)

    def __init__(self, caller: Caller, name: str) -> None:
        object.__setattr__(self, "_known", (caller, name, ""))

    def __getattr__(self, name: str) -> BoundCall:
        caller, namespace, _ = _known(self)
        if caller.binding(namespace, name) is None or name == CALLED_NAMESPACE:
            raise AttributeError(absent(namespace, name, caller.names(namespace)))
        return BoundCall(caller, namespace, name)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{_known(self)[1]} holds what the host offers and cannot be changed")

    def __call__(self, /, *args: Any, **kwargs: Any) -> Call:
        caller, namespace, _ = _known(self)
        if caller.binding(namespace, CALLED_NAMESPACE) is None:
            raise TypeError(f"{namespace} cannot be called; call one of its names")
        return make_call(caller, namespace, CALLED_NAMESPACE, args, kwargs)

    def __dir__(self) -> list[str]:
        caller, namespace, _ = _known(self)
        return [name for name in caller.names(namespace) if name != CALLED_NAMESPACE]

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        caller, namespace, _ = _known(self)
        lines = [caller.description(namespace), ""]
        for name in self.__dir__():
            binding: Binding = caller.binding(namespace, name) or {}
            first = str(binding.get("description", "")).partition("\n")[0]
            lines.append(f"await {label(namespace, name)}{spelled(binding)}")
            lines.append(f"    {first}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        _caller, namespace, _ = _known(self)
        return f"<{namespace}: {', '.join(self.__dir__()) or 'nothing is bound'}>"


def _known(proxy: object) -> tuple[Caller, str, str]:
    known: tuple[Caller, str, str] = object.__getattribute__(proxy, "_known")
    return known


def label(namespace: str, name: str) -> str:
    """`tools.read`, or `agent_message` for a namespace that is itself called."""
    return namespace if name == CALLED_NAMESPACE else f"{namespace}.{name}"


def make_call(
    caller: Caller, namespace: str, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Call:
    """A call with bound and converted arguments. AttributeError or TypeError if they do not fit."""
    binding = caller.binding(namespace, name)
    if binding is None:
        raise AttributeError(absent(namespace, name, caller.names(namespace)))
    bound = bind(label(namespace, name), binding, args, kwargs)
    frame = sys._getframe(2)
    where = f"{frame.f_code.co_filename}:{frame.f_lineno}"
    return Call(caller, namespace, name, argument(bound, "args", caller.depth), where)


def bind(
    shown: str, binding: Binding, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> dict[str, Any]:
    """Arguments by name. TypeError, with the signature spelled out, if they do not fit."""
    parameters = binding["parameters"]
    names = [parameter["name"] for parameter in parameters]
    problem = ""
    if len(args) > len(names):
        problem = f"takes at most {_count(len(names), 'argument')}, got {len(args)}"
    bound = dict(zip(names, args, strict=False))
    for name, value in kwargs.items():
        if problem:
            break
        if name in bound:
            problem = f"got {name!r} twice"
        elif name not in names:
            problem = f"has no parameter {name!r}"
        bound[name] = value
    missing = [p["name"] for p in parameters if p["required"] and p["name"] not in bound]
    if missing and not problem:
        problem = f"misses {', '.join(repr(name) for name in missing)}"
    if problem:
        raise TypeError(f"{shown} {problem}; it is {shown}{spelled(binding)}")
    return bound


def spelled(binding: Binding) -> str:
    """A signature as text: `(path: str, limit: int = ...)`."""
    parts = [
        f"{p['name']}: {p['type']}" + ("" if p["required"] else " = ...")
        for p in binding.get("parameters", [])
    ]
    return f"({', '.join(parts)})"


class _Shown:
    """Stands in a signature for a type or default that only the host knows."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def signature(binding: Binding) -> Any:
    """An `inspect.Signature`; the ellipsis stands for a default the host knows."""
    import inspect

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = []
    for p in sorted(binding.get("parameters", []), key=lambda p: not p["required"]):
        if p["name"].isidentifier():
            default = inspect.Parameter.empty if p["required"] else _Shown("...")
            annotation = _Shown(p["type"])
            parameters.append(
                inspect.Parameter(p["name"], kind, default=default, annotation=annotation)
            )
    return inspect.Signature(parameters)


def absent(namespace: str, name: str, names: Iterable[str]) -> str:
    """Says what there is instead of `name`, closest first."""
    import difflib

    def distance(other: str) -> float:
        return -difflib.SequenceMatcher(None, name, other).ratio()

    there = sorted((other for other in names if other != CALLED_NAMESPACE), key=distance)
    if not there:
        return f"{namespace} has nothing called {name!r}: nothing is bound"
    return f"{namespace} has nothing called {name!r}; there is: {', '.join(there)}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
