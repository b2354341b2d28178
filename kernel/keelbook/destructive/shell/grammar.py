"""From a shell text to its steps, with tree-sitter's grammar of bash.

Rules: a node that holds an error is read like any other, so that what stands beside the error is
seen. Nodes deeper than ``LEVELS`` are put off and read afterwards from the top, so the depth of a
text never becomes the depth of our stack.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from time import thread_time
from typing import TYPE_CHECKING

from keelbook.destructive.shell.quoting import braced, unescaped
from keelbook.destructive.shell.steps import Output, Redirect, Step, Word
from keelbook.destructive.shell.word_nodes import WORDS, WordNodes

if TYPE_CHECKING:
    from tree_sitter import Language, Node

LEVELS = 40
"""Nodes inside nodes that are read at once."""

SHORT = 1500
"""A text of fewer bytes is parsed without looking at the clock."""

CHUNK = 64 * 1024

PIPE = 200
"""A pipeline of more makes the parser take all memory there is."""

PARSING = 0.1
"""Seconds for the parser; some texts make it try every way there is."""

_SPECIAL = re.compile(r"[\\{]")


@cache
def _language() -> Language:
    """tree-sitter is imported when the first shell text is read."""
    import tree_sitter
    import tree_sitter_bash

    return tree_sitter.Language(tree_sitter_bash.language())


def _parsed(raw: bytes, seconds: float) -> Node | None:
    """The root of the tree; None when parsing took longer than this."""
    from tree_sitter import Parser

    parser = Parser(_language())
    if len(raw) < SHORT:
        return parser.parse(raw).root_node
    if _longest_pipe(raw) > PIPE:
        return None
    deadline = thread_time() + seconds
    try:
        tree = parser.parse(
            lambda byte, _: raw[byte : byte + CHUNK],
            progress_callback=lambda *_: thread_time() > deadline,
        )
    except ValueError:
        return None
    return tree.root_node


def _longest_pipe(raw: bytes) -> int:
    """How many commands one pipeline may have."""
    if raw.count(b"|") <= PIPE:
        return 0
    longest = count = 0
    for piece in re.split(rb"[;&\n]", raw):
        count += piece.count(b"|")
        longest = max(longest, count)
        if piece.strip() and not piece.rstrip().endswith(b"|"):
            count = 0
    return longest


class Grammar(WordNodes):
    """The steps of one text; ``broken`` says that the grammar found errors in it."""

    def __init__(self, text: str, tick: Callable[[], None]) -> None:
        super().__init__(text, tick)
        self.steps: list[Step] = []
        self._level = 0
        self._put_off: list[Node] = []
        self._moves = "cd " in text or "pushd" in text
        root = _parsed(self.raw, PARSING)
        self.broken = root is None or root.has_error
        if root is not None:
            self._inner(root, None)
        while self._put_off:
            self._statement(self._put_off.pop(), None)

    def _step(self, node: Node) -> Step:
        return Step(self.place(node.start_byte), self.place(node.end_byte))

    def _add(self, step: Step) -> tuple[int, ...]:
        self.steps.append(step)
        return (len(self.steps) - 1,)

    # ------------------------------------------------------------ statements

    def _statement(self, node: Node, feeds: tuple[int, ...] | None) -> tuple[int, ...]:
        """Adds the steps of a node; the steps whose outputs are its own."""
        if self._level >= LEVELS:
            self._put_off.append(node)
            return ()
        self.tick()
        self._level += 1
        outer, self.feeds = self.feeds, feeds
        try:
            return _STATEMENTS.get(node.type, Grammar._inner)(self, node, feeds)
        finally:
            self._level -= 1
            self.feeds = outer

    def _inner(self, node: Node, feeds: tuple[int, ...] | None) -> tuple[int, ...]:
        """A compound: what stands in it, one after the other."""
        finals: tuple[int, ...] = ()
        loose: list[Node] = []
        for child in node.children:
            kind = child.type
            if kind == "command_name" or (loose and kind in WORDS):
                loose.append(child)
            elif kind in WORDS:
                self.word(child)
            elif child.is_named and kind != "comment":
                finals += self._loose(loose)
                finals += self._statement(child, feeds)
        return finals + self._loose(loose)

    def _subshell(self, node: Node, feeds: tuple[int, ...] | None) -> tuple[int, ...]:
        """Where it begins and ends matters to ``cd`` only."""
        if not self._moves:
            return self._inner(node, feeds)
        self._add(Step(0, 0, mark="("))
        finals = self._inner(node, feeds)
        self._add(Step(0, 0, mark=")"))
        return finals

    def _loose(self, nodes: list[Node]) -> tuple[int, ...]:
        """The words of a command that an error tore out of its node."""
        if not nodes:
            return ()
        words = [word for node in nodes for word in self.words(node)]
        step = self._step(nodes[0])
        step.end = self.place(nodes[-1].end_byte)
        step.words = words
        nodes.clear()
        return self._add(step)

    def _pipeline(self, node: Node, feeds: tuple[int, ...] | None) -> tuple[int, ...]:
        finals = feeds
        for child in node.children:
            if child.is_named and child.type != "comment":
                finals = self._statement(child, finals)
        return finals or ()

    def _command(self, node: Node, feeds: tuple[int, ...] | None) -> tuple[int, ...]:
        step = self._step(node)
        step.feeds = feeds
        extra: list[Node] = []
        for child in node.children:
            kind = child.type
            if kind == "word":
                text = self.source(child)
                step.words += braced(unescaped(text)) if _SPECIAL.search(text) else [text]
            elif kind == "variable_assignment":
                step.assignments.append(self._assigned(child))
            elif not self._redirected(child, step, extra):
                step.words += self.words(child)
        return self._finished(step, extra)

    def _finished(self, step: Step, extra: list[Node]) -> tuple[int, ...]:
        """Adds a command; what follows a heredoc on its line is fed by it."""
        finals = self._add(step)
        for node in extra:
            found = self._statement(node, finals if node.type == "pipeline" else None)
            finals = found if node.type == "pipeline" else finals + found
        return finals

    def _declared(self, node: Node, feeds: tuple[int, ...] | None) -> tuple[int, ...]:
        step = self._step(node)
        for child in node.children:
            if child.type == "variable_assignment":
                step.assignments.append(self._assigned(child))
            elif not child.is_named:
                step.words.append(child.type)
            else:
                step.words += self.words(child)
        return self._add(step)

    def _assignment(self, node: Node, feeds: tuple[int, ...] | None) -> tuple[int, ...]:
        step = self._step(node)
        parts = [node] if node.type == "variable_assignment" else node.named_children
        step.assignments = [self._assigned(part) for part in parts]
        return self._add(step)

    def _assigned(self, node: Node) -> tuple[str, list[Word]]:
        children = node.children
        if not children:
            return "", []
        name = self.source(children[0])
        if len(children) > 1 and children[1].type == "+=":
            name += "+"
        if len(children) < 3:
            return name, [""]
        value = children[-1]
        if value.type == "array":
            return name, [word for child in value.named_children for word in self.words(child)]
        return name, [self.word(value)]

    def _for(self, node: Node, feeds: tuple[int, ...] | None) -> tuple[int, ...]:
        step, bodies = self._step(node), []
        for child in node.named_children:
            if child.type == "variable_name" and not step.loop:
                step.loop = self.source(child)
            elif child.type in WORDS:
                step.words += self.words(child)
            else:
                bodies.append(child)
        self._add(step)
        finals: tuple[int, ...] = ()
        for body in bodies:
            finals += self._statement(body, feeds)
        return finals

    def _function(self, node: Node, feeds: tuple[int, ...] | None) -> tuple[int, ...]:
        step = self._step(node)
        named = node.named_children
        step.function = self.source(named[0]) if named else ""
        self._add(step)
        for body in named[1:]:
            self._statement(body, None)
        step.body = len(self.steps)
        return ()

    def _with_redirects(self, node: Node, feeds: tuple[int, ...] | None) -> tuple[int, ...]:
        children = [child for child in node.children if child.is_named]
        step = self._step(node)
        extra: list[Node] = []
        command = children[0] if children and children[0].type == "command" else None
        if command is not None:
            place = len(self.steps)
            before = self._command(command, feeds)
            if len(before) == 1 and before[0] >= place:
                step = self.steps.pop()
                step.end = self.place(node.end_byte)
            for child in children[1:]:
                if not self._redirected(child, step, extra):
                    step.words += self.words(child)
            return self._finished(step, extra)
        bodies = [child for child in children if not self._redirected(child, step, extra)]
        source = feeds if step.feeds is None else step.feeds
        finals: tuple[int, ...] = ()
        if step.here is not None:
            finals = source = self._add(Step(step.start, step.end, ["cat"], here=step.here))
        if bodies:
            finals = ()
            step.block = True
        for body in bodies:
            finals += self._statement(body, source)
        step.here, step.feeds = None, finals if step.block else source
        if any(redirect.operator != "<" for redirect in step.redirects) or not step.block:
            return self._finished(step, extra)
        for node in extra:
            finals += self._statement(node, finals)
        return finals

    def inside(self, node: Node, feeds: tuple[int, ...] | None) -> tuple[int, ...]:
        if self._level >= LEVELS:
            self._put_off.extend(child for child in node.children if child.is_named)
            return ()
        self._level += 1
        try:
            return self._subshell(node, feeds)
        finally:
            self._level -= 1

    # ------------------------------------------------------------ redirections

    def _redirected(self, node: Node, step: Step, extra: list[Node]) -> bool:
        """Puts a redirection into its step; False when the node is none."""
        kind = node.type
        if kind == "file_redirect":
            self._to_file(node, step)
        elif kind == "herestring_redirect":
            step.here = self.word(node.children[-1])
        elif kind == "heredoc_redirect":
            self._heredoc(node, step, extra)
        elif kind == "ERROR":
            if node.named_child_count and node.named_children[0].type not in WORDS:
                extra.append(node)
            else:
                return node.named_child_count == 0
        else:
            return kind in ("comment", "`") or (not node.is_named and kind not in ("{", "}"))
        return True

    def _to_file(self, node: Node, step: Step) -> None:
        number, operator = "", ""
        target: Word | None = None
        for child in node.children:
            if child.type == "file_descriptor":
                number = self.source(child)
            elif not child.is_named:
                operator = child.type
            elif target is None:
                target = self.word(child)
            else:
                step.words += self.words(child)
        if target is None:
            return
        part = target[0] if not isinstance(target, str) else None
        if operator == "<" and isinstance(part, Output) and part.process:
            step.feeds = part.steps
        step.redirects.append(Redirect(operator, target, number))

    def _heredoc(self, node: Node, step: Step, extra: list[Node]) -> None:
        raw = False
        for child in node.children:
            kind = child.type
            if kind == "heredoc_start":
                raw = bool(re.search(r"['\"\\]", self.source(child)))
            elif kind == "heredoc_body":
                text = self.source(child)
                step.here = text if raw or not child.child_count else self.pieces(child, False)
            elif kind == "file_redirect":
                self._to_file(child, step)
            elif kind in WORDS:
                step.words += self.words(child)
            elif child.is_named and kind != "heredoc_end":
                extra.append(child)


_Handler = Callable[[Grammar, "Node", "tuple[int, ...] | None"], "tuple[int, ...]"]
_STATEMENTS: dict[str, _Handler] = {
    "pipeline": Grammar._pipeline,
    "command": Grammar._command,
    "declaration_command": Grammar._declared,
    "variable_assignment": Grammar._assignment,
    "variable_assignments": Grammar._assignment,
    "for_statement": Grammar._for,
    "function_definition": Grammar._function,
    "subshell": Grammar._subshell,
    "redirected_statement": Grammar._with_redirects,
}
