"""What an expression stands for, found without running anything of the user's.

Rules (guest J16, J17)
- Names, attributes, subscripts of exact lists, tuples and dicts by constants, and calls of
  classes or annotated functions (their result's class) are followed; nothing else is.
- Attributes are looked up in `__dict__`s along the MRO: no property, `__getattr__` or
  descriptor of a Python class runs. A property stands for its annotated type.
"""

from __future__ import annotations

import ast
import builtins
import sys
from types import (
    BuiltinFunctionType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

from keelbook_guest.proxies import BoundCall, BoundNamespace

ABSENT = object()
_CONTAINERS = (list, tuple, dict)
_CALLABLES = (
    FunctionType,
    BuiltinFunctionType,
    MethodType,
    MethodDescriptorType,
    WrapperDescriptorType,
    BoundCall,
)


class Instance:
    """Stands for some instance of `kind` that was never made."""

    def __init__(self, kind: type) -> None:
        self.kind = kind


def resolve(expression: str, space: dict[str, Any]) -> Any:
    """The value of `expression`, an `Instance` if only its class is known, or ABSENT."""
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ABSENT
    return _value(tree.body, space)


def _value(node: ast.expr, space: dict[str, Any]) -> Any:
    if isinstance(node, ast.Name):
        found = space.get(node.id, ABSENT)
        return vars(builtins).get(node.id, ABSENT) if found is ABSENT else found
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Attribute):
        owner = _value(node.value, space)
        return ABSENT if owner is ABSENT else attribute(owner, node.attr)
    if isinstance(node, ast.Subscript):
        return _item(_value(node.value, space), node.slice)
    if isinstance(node, ast.Call):
        return _result(_value(node.func, space))
    kinds = {
        ast.List: list,
        ast.ListComp: list,
        ast.Tuple: tuple,
        ast.Dict: dict,
        ast.DictComp: dict,
        ast.Set: set,
        ast.SetComp: set,
        ast.JoinedStr: str,
    }
    kind = kinds.get(type(node))
    return ABSENT if kind is None else Instance(kind)


def _item(owner: Any, index: ast.expr) -> Any:
    if type(owner) not in _CONTAINERS:
        return ABSENT
    try:
        return owner[ast.literal_eval(index)]
    except (ValueError, TypeError, LookupError, RecursionError):
        return ABSENT


def _result(function: Any) -> Any:
    if isinstance(function, type):
        return Instance(function)
    if isinstance(function, MethodType):
        function = function.__func__
    return _annotated(function)


def _annotated(function: Any) -> Any:
    """An instance of the class that a function says it returns."""
    if not isinstance(function, FunctionType):
        return ABSENT
    kind: Any = function.__annotations__.get("return")
    if isinstance(kind, str) and kind.isidentifier():
        kind = function.__globals__.get(kind, vars(builtins).get(kind))
    return Instance(kind) if isinstance(kind, type) else ABSENT


def attribute(owner: Any, name: str) -> Any:
    """An attribute, found statically; ABSENT if that takes running code."""
    if isinstance(owner, Instance):
        return _bound(_in_classes(owner.kind, name), ABSENT)
    kind = type(owner)
    if kind is BoundNamespace:
        return getattr(owner, name, ABSENT)
    if isinstance(owner, type):
        found = _in_classes(owner, name)
        found = _in_classes(kind, name) if found is ABSENT else found
        return getattr(found, "__func__", found) if _is_wrapper(found) else found
    own = _own(owner)
    if name in own and isinstance(owner, ModuleType):
        return own[name]
    found = _in_classes(kind, name)
    if isinstance(found, property):
        return _annotated(found.fget)
    if isinstance(found, (GetSetDescriptorType, MemberDescriptorType)):
        try:
            return found.__get__(owner, kind)
        except Exception:
            return ABSENT
    if name in own:
        return own[name]
    if found is ABSENT and is_from(owner, "pandas", "DataFrame") and name in owner.columns:
        return Instance(sys.modules["pandas"].Series)
    return _bound(found, owner)


def is_from(value: Any, module: str, name: str) -> bool:
    """Whether `value` is of a library's class; the library is not imported for that."""
    kind = getattr(sys.modules.get(module), name, None)
    return isinstance(kind, type) and isinstance(value, kind)


def _bound(found: Any, owner: Any) -> Any:
    if isinstance(found, property):
        return _annotated(found.fget)
    if isinstance(found, FunctionType) and owner is not ABSENT:
        return MethodType(found, owner)
    return getattr(found, "__func__", found) if _is_wrapper(found) else found


def _is_wrapper(found: Any) -> bool:
    return isinstance(found, (staticmethod, classmethod))


def _in_classes(kind: type, name: str) -> Any:
    for base in type.__dict__["__mro__"].__get__(kind):
        names = type.__dict__["__dict__"].__get__(base)
        if name in names:
            return names[name]
    return ABSENT


def _own(owner: Any) -> dict[str, Any]:
    """The instance's own `__dict__`, without asking the instance."""
    try:
        found = object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return {}
    return found if isinstance(found, dict) else {}


def names_of(owner: Any) -> list[str]:
    """The attributes that an object says it has."""
    if isinstance(owner, Instance):
        return dir(owner.kind)
    try:
        found = dir(owner)
    except Exception:
        found = [*_own(owner), *dir(type(owner))]
    return list(filter(_is_text, found))


def _is_text(name: object) -> bool:
    return isinstance(name, str)


def kind_of(value: Any) -> str:
    """A completion's type: function, class, module, instance."""
    if value is ABSENT or isinstance(value, Instance):
        return "instance"
    if isinstance(value, type):
        return "class"
    if isinstance(value, ModuleType):
        return "module"
    return "function" if isinstance(value, _CALLABLES) else "instance"
