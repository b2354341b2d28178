"""Whether the filter of a DELETE or UPDATE filters anything.

Rules: a filter that holds for every row, as far as its own text says, is none. What sqlglot cannot
parse in Postgres' dialect is tried in MySQL's and T-SQL's; what none can is taken for a filter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from keelbook.destructive.sql.lexer import Token

if TYPE_CHECKING:
    from sqlglot import exp

TOKENS = 400
"""A longer filter is not parsed."""

NESTING = 60
"""Nor one with more parentheses inside each other."""

DIALECTS = ("postgres", "mysql", "tsql")


def filters(condition: Sequence[Token], text: str) -> bool:
    """Whether the condition leaves out any row. ``text`` is what the tokens were made from."""
    if not condition:
        return False
    if _is_plain(condition):
        return True
    if len(condition) > TOKENS or _nesting(condition) > NESTING:
        return not any(token.text in ("1", "true", "TRUE") for token in condition)
    parsed = _parsed(text[condition[0].start : condition[-1].end])
    return parsed is None or _truth(parsed) is not True


def _is_plain(condition: Sequence[Token]) -> bool:
    """``column = value`` needs no parser."""
    if len(condition) != 3:
        return False
    left, middle, right = condition
    return (
        left.kind in ("word", "name")
        and middle.text in ("=", "<", "<=")
        and (right.kind in ("number", "string") or right.text == "?" or right.text[:1] in ":@$%")
        and left.upper not in ("TRUE", "FALSE")
    )


def _nesting(condition: Sequence[Token]) -> int:
    depth = deepest = 0
    for token in condition:
        if token.text == "(":
            depth += 1
            deepest = max(deepest, depth)
        elif token.text == ")":
            depth -= 1
    return deepest


def _parsed(text: str) -> exp.Expr | None:
    import sqlglot
    from sqlglot import errors, exp

    for dialect in DIALECTS:
        try:
            found: Any = sqlglot.parse_one(f"SELECT 1 WHERE {text}", read=dialect)
        except (errors.SqlglotError, RecursionError, ValueError, AttributeError):
            continue
        where = found.args.get("where") if isinstance(found, exp.Select) else None
        if where is not None:
            condition: exp.Expr = where.this
            return condition
    return None


def _truth(node: exp.Expr, depth: int = 0) -> bool | None:
    """True or False when the condition is so for every row; None when it depends on the row."""
    from sqlglot import exp

    if depth > NESTING:
        return None
    if isinstance(node, exp.Paren):
        return _truth(node.this, depth + 1)
    if isinstance(node, exp.Not):
        inner = _truth(node.this, depth + 1)
        return None if inner is None else not inner
    if isinstance(node, exp.And | exp.Or):
        sides = (_truth(node.left, depth + 1), _truth(node.right, depth + 1))
        decides = isinstance(node, exp.Or)
        if decides in sides:
            return decides
        if None not in sides:
            return not decides
        return True if decides and _complements(node.left, node.right) else None
    if isinstance(node, exp.Exists):
        query = node.this
        return True if isinstance(query, exp.Select) and not _reads(query) else None
    return _comparison(node)


def _reads(query: exp.Select) -> bool:
    """Whether it has a FROM, whatever this sqlglot calls it."""
    return bool(query.args.get("from_") or query.args.get("from"))


def _complements(left: exp.Expr, right: exp.Expr) -> bool:
    """``x IS NULL OR x IS NOT NULL``."""
    from sqlglot import exp

    for one, other in ((left, right), (right, left)):
        if isinstance(other, exp.Not) and other.this == one:
            return True
        if isinstance(other, exp.Is) and isinstance(one, exp.Is) and one.this == other.this:
            return True
    return False


def _comparison(node: exp.Expr) -> bool | None:
    from sqlglot import exp

    if isinstance(node, exp.Is | exp.Not) and isinstance(node.this, exp.Column | exp.Is):
        return None
    if isinstance(node, exp.Like | exp.ILike):
        pattern = _value(node.expression)
        return True if isinstance(pattern, str) and set(pattern) == {"%"} else None
    if isinstance(node, exp.In):
        needle, items = _value(node.this), [_value(item) for item in node.expressions]
        return True if needle is not None and needle in items else None
    if isinstance(node, exp.Between):
        low, value, high = (_value(node.args[key]) for key in ("low", "this", "high"))
        if isinstance(low, float) and isinstance(value, float) and isinstance(high, float):
            return low <= value <= high
        return None
    if isinstance(node, exp.EQ | exp.NEQ | exp.GT | exp.GTE | exp.LT | exp.LTE | exp.NullSafeEQ):
        return _compared(node)
    value = _value(node)
    if isinstance(value, float):
        return value != 0
    return None


def _compared(node: Any) -> bool | None:
    from sqlglot import exp

    left, right = _value(node.left), _value(node.right)
    if left is not None and right is not None and type(left) is type(right):
        if isinstance(node, exp.EQ | exp.NullSafeEQ):
            return left == right
        if isinstance(node, exp.NEQ):
            return left != right
        order: Any = (left, right)
        return {
            exp.GT: order[0] > order[1], exp.GTE: order[0] >= order[1],
            exp.LT: order[0] < order[1], exp.LTE: order[0] <= order[1],
        }.get(type(node))  # fmt: skip
    if node.left == node.right and isinstance(node, exp.EQ | exp.GTE | exp.LTE):
        return True
    key = isinstance(node.left, exp.Column) and node.left.name.lower().endswith("id")
    positive = isinstance(right, float) and right <= 0
    if key and positive and isinstance(node, exp.GT | exp.GTE | exp.NEQ):
        return True
    return None


def _value(node: exp.Expr | None) -> float | str | None:
    """The value of a literal, or of arithmetic on literals."""
    from sqlglot import exp

    if isinstance(node, exp.Paren):
        return _value(node.this)
    if isinstance(node, exp.Boolean):
        return float(bool(node.this))
    if isinstance(node, exp.Literal):
        if node.is_string:
            return str(node.this)
        try:
            return float(node.this)
        except ValueError:
            return None
    if isinstance(node, exp.Neg):
        inner = _value(node.this)
        return -inner if isinstance(inner, float) else None
    if isinstance(node, exp.Add | exp.Sub | exp.Mul):
        left, right = _value(node.left), _value(node.right)
        if isinstance(left, float) and isinstance(right, float):
            if isinstance(node, exp.Add):
                return left + right
            return left - right if isinstance(node, exp.Sub) else left * right
    return None
