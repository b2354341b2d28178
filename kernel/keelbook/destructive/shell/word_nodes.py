"""From the nodes of tree-sitter's bash grammar that are words to words.

Rules: what stands in quotes is taken from between the nodes, for the grammar gives a gap to its
neighbour. Commands inside a word become steps first, so that the word can name them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from keelbook.destructive.shell.quoting import braced, from_ansi, from_double, unescaped
from keelbook.destructive.shell.steps import Output, Template, Variable, Word

if TYPE_CHECKING:
    from tree_sitter import Node

WORDS = {"word", "number", "string", "raw_string", "ansi_c_string", "concatenation", "regex",
          "simple_expansion", "expansion", "command_substitution", "process_substitution",
          "arithmetic_expansion", "translated_string", "brace_expression", "extglob_pattern",
          "test_operator", "special_variable_name", "variable_name"}  # fmt: skip
_EXPANSION = re.compile(r"\$\{([!#]?)([A-Za-z_]\w*|[0-9]+|[@*#?$!-])(\[[^\]]*\])?(.*)\}", re.DOTALL)


class WordNodes:
    """The text of one tree, and its words. ``inside`` is for whoever reads statements."""

    def __init__(self, text: str, tick: Callable[[], None]) -> None:
        self.tick = tick
        self.text = text
        # A NUL ends the text for the parser, which then tries to go on in every way there is.
        self.raw = text.encode().replace(b"\0", b" ")
        self._plain = len(self.raw) == len(text)
        self.feeds: tuple[int, ...] | None = None
        """What the command whose words are read gets as its input."""

    def inside(self, node: Node, feeds: tuple[int, ...] | None) -> tuple[int, ...]:
        """Adds the steps of a substitution; the steps whose outputs are its own."""
        return ()

    def string(self, start: int, end: int) -> str:
        if self._plain:
            return self.text[start:end]
        return self.raw[start:end].decode("utf-8", "replace")

    def source(self, node: Node) -> str:
        return self.string(node.start_byte, node.end_byte)

    def place(self, byte: int) -> int:
        if self._plain:
            return byte
        return len(self.raw[:byte].decode("utf-8", "ignore"))

    def words(self, node: Node) -> list[Word]:
        """More than one word when there are braces to expand."""
        word = self.word(node)
        if isinstance(word, str) and node.type != "string" and node.type != "raw_string":
            source = self.source(node)
            if "{" in source and "'" not in source and '"' not in source:
                return [*braced(word)]
        return [word]

    def word(self, node: Node, quoted: bool = False) -> Word:
        self.tick()
        kind = node.type
        if kind in ("word", "extglob_pattern", "number", "heredoc_content"):
            return unescaped(self.source(node))
        if kind == "command_name" and node.child_count:
            return self.word(node.children[0])
        if kind == "string":
            return self.pieces(node, True)
        if kind == "raw_string":
            return self.source(node)[1:-1]
        if kind == "ansi_c_string":
            return from_ansi(self.source(node)[2:-1])
        if kind == "concatenation":
            return self.joined([self.word(child) for child in node.children if child.type != "$"])
        if kind == "simple_expansion":
            return (Variable(self.source(node).strip()[1:], quoted),)
        if kind == "expansion":
            return self._expansion(node, quoted)
        if kind in ("command_substitution", "process_substitution"):
            return self._output(node, quoted)
        if kind == "ERROR" and node.named_child_count:
            return self.joined([self.word(child) for child in node.named_children])
        for child in node.children:
            self.harvest(child)
        return unescaped(self.source(node))

    def joined(self, words: list[Word]) -> Word:
        if all(isinstance(word, str) for word in words):
            return "".join(word for word in words if isinstance(word, str))
        parts: list[str | Variable | Output] = []
        for word in words:
            if isinstance(word, str):
                parts.append(word)
            else:
                parts.extend(word)
        return tuple(parts)

    def pieces(self, node: Node, string: bool) -> Word:
        """A double-quoted string or a heredoc's body: text between expansions."""
        end = node.end_byte
        at = node.start_byte
        if string:
            at += 1
            last = node.children[-1]
            end -= last.type == '"' and not last.is_missing
        parts: list[Word] = []
        for child in node.children:
            if child.type in ("string_content", "heredoc_content") or not child.is_named:
                continue
            parts.append(from_double(self.string(at, child.start_byte)))
            source = self.source(child)
            parts.append(source[: len(source) - len(source.lstrip())])
            parts.append(self.word(child, True))
            at = child.end_byte
        parts.append(from_double(self.string(at, max(at, end))))
        return self.joined(parts)

    def _expansion(self, node: Node, quoted: bool) -> Template:
        found = _EXPANSION.fullmatch(self.source(node).strip())
        if not found:
            self.harvest(node)
            return (Variable("", quoted),)
        change = found[4]
        default: Word | None = None
        if change.startswith((":-", "-", ":=", "=", ":+", "+")):
            last = node.named_children[-1]
            default = self.word(last) if last.start_byte > node.start_byte + 2 else ""
        else:
            self.harvest(node)
        index = (found[3] or "")[1:-1]
        return (Variable(found[2], quoted, found[1] + change, default, index),)

    def _output(self, node: Node, quoted: bool) -> Template:
        process = node.type == "process_substitution"
        opening = node.children[0].type if node.child_count else ""
        feeds = self.feeds if opening.startswith(">") else None
        named = [child for child in node.children if child.is_named]
        if len(named) == 1 and named[0].type == "file_redirect":
            return ("",)
        return (Output(self.inside(node, feeds), quoted, process),)

    def harvest(self, node: Node) -> None:
        """The commands in what is otherwise only arithmetic or a pattern."""
        waiting = [node]
        while waiting:
            node = waiting.pop()
            if node.type in ("command_substitution", "process_substitution"):
                self.inside(node, None)
            elif node.child_count:
                waiting.extend(reversed(node.children))
