"""Walks the steps of a shell text in order and has each command judged.

Rules: what is known of variables, functions, aliases, files and pipes is kept as the text says it;
both branches of a condition are walked. A function's body is judged when it is called, with its
arguments; one that is never called is reported as debatable at most.
"""

from __future__ import annotations

import re

from keelbook.destructive.inquiry import Inquiry
from keelbook.destructive.shell.call import Call, is_unknown
from keelbook.destructive.shell.dispatch import judged
from keelbook.destructive.shell.flow import Dynamic, Flow, flow_of, joined
from keelbook.destructive.shell.grammar import Grammar
from keelbook.destructive.shell.redirects import Redirected, judge_redirects
from keelbook.destructive.shell.rough import Rough
from keelbook.destructive.shell.scope import Expansion, Scope
from keelbook.destructive.shell.steps import Step

_CRADLE = re.compile(
    r"(?im)(?:^|[;&|({]\s*)(?:iex|invoke-expression)\b[\s(&]*.*?\b(?:downloadstring|iwr|irm|invoke-webrequest|"
    r"invoke-restmethod|wget|curl)\b|(?:^|[;&({]\s*)(?:downloadstring\(|iwr\s|irm\s|invoke-webrequest\s|"
    r"invoke-restmethod\s)[^|;]*\|\s*(?:iex|invoke-expression)\b"
)
"""PowerShell's way to run a download, whose brackets are no shell's."""

CALLS = 12
"""Functions that call functions."""

BOUND = 64
"""So many words of a loop are kept."""


def read(inquiry: Inquiry, text: str, context: object = None) -> None:
    """Judges a shell text; ``context`` is the scope it starts in."""
    if _CRADLE.search(text):
        inquiry.report(
            "shell", "remote code", "destructive", text, "runs what comes from the network"
        )
    grammar = Grammar(text, inquiry.tick)
    if isinstance(context, Scope):
        Walk(inquiry, text, grammar.steps, context).part()
    else:
        Walk(inquiry, text, grammar.steps, Scope()).whole()
    if grammar.broken:
        Walk(inquiry, text, Rough(text, inquiry.tick).steps, Scope(), rough=True).whole()


def read_words(inquiry: Inquiry, words: list[str]) -> None:
    """Judges one command whose words are already told apart."""
    text = " ".join(words)
    walk = Walk(inquiry, text, [Step(0, len(text), list(words))], Scope())
    walk.whole()


class Walk:
    """One text's steps, its scope and the outputs so far."""

    def __init__(
        self, inquiry: Inquiry, text: str, steps: list[Step], scope: Scope, *, rough: bool = False
    ) -> None:
        self.inquiry = inquiry
        self.scope = scope
        self._text = text
        self._steps = steps
        self._outputs: dict[int, Flow | None] = {}
        self._expansion = Expansion(scope, self._outputs)
        self._folders: list[str] = []
        self._rough = rough

    def whole(self) -> None:
        """Everything, and then the functions nobody called."""
        self._range(0, len(self._steps))
        scope = self.scope
        for name in scope.functions.keys() - scope.called:
            self.inquiry.soft = True
            self._function(name, [])
        self.inquiry.soft = False

    def part(self) -> None:
        """Everything, as a piece of a text that goes on."""
        self._range(0, len(self._steps))

    def _range(self, start: int, end: int) -> None:
        at = start
        while at < end:
            self.inquiry.tick()
            step = self._steps[at]
            if step.function:
                self._define(step.function, at + 1, step.body)
                at = max(step.body, at + 1)
            elif step.mark:
                self._bracket(step.mark)
                at += 1
            else:
                self._outputs[at] = self._step(step)
                at += 1

    def _step(self, step: Step) -> Flow | None:
        words = step.words
        plain = all(type(word) is str for word in words)
        argv = [str(word) for word in words] if plain else self._expansion.words(words)
        if step.loop:
            self.scope.assign(step.loop, argv[:BOUND])
            return None
        if not plain and words and not argv:
            return None
        stdin, fed = self._input(step)
        for name, value in step.assignments:
            self.scope.assign(name, self._expansion.words(value) or [""])
        call = None
        if argv:
            call = Call(
                self, argv, lambda: self._text[step.start : step.end], (step.start, step.end),
                stdin=stdin, fed=fed,
            )  # fmt: skip
        output = stdin if step.block else self.run(call) if call is not None else None
        if step.redirects:
            targets = [
                Redirected(each.operator, each.number, self._expansion.text(each.target))
                for each in step.redirects
            ]
            call = call or Call(
                self, [">"], lambda: self._text[step.start : step.end], (step.start, step.end)
            )
            judge_redirects(call, targets, output, bare=not (argv or step.block or self._rough))
        return output

    def _input(self, step: Step) -> tuple[Flow | None, bool]:
        if step.here is not None:
            return flow_of(self._expansion.text(step.here)), True
        for redirect in step.redirects:
            if redirect.operator == "<":
                target = self._expansion.text(redirect.target)
                if isinstance(target, Dynamic):
                    return target.flow, True
                return self.scope.files.get(target), True
        if step.feeds is not None:
            return joined([self._outputs.get(each) for each in step.feeds]), True
        return None, False

    # ------------------------------------------------------------ what judges ask for

    def run(self, call: Call) -> Flow | None:
        """Judges one command; what is known of its output."""
        self.inquiry.tick()
        word = call.words[0]
        if isinstance(word, Dynamic) and is_unknown(word):
            _unknown(call, word)
            return None
        scope = self.scope
        if scope.functions or scope.aliases:
            name = word.rsplit("/", 1)[-1]
            if name in scope.functions and name not in scope.calling:
                return self._function(name, list(call.words[1:]))
            if name in scope.aliases and name not in scope.calling:
                scope.calling.append(name)
                call.read_shell(" ".join([scope.aliases[name], *call.words[1:]]), name)
                scope.calling.pop()
                return None
        return judged(call)

    def read(self, text: str, via: tuple[str, ...], call: Call, scope: Scope) -> None:
        """Judges a text inside this one."""
        self.inquiry.inside(via, call.span).read("shell", text, scope)

    def _define(self, name: str, start: int, end: int) -> None:
        def body() -> Flow | None:
            self._range(start, end)
            places = (at for at in range(start, end) if at in self._outputs)
            return joined([self._outputs[at] for at in places])

        self.scope.functions[name] = body
        piped = [self._steps[at] for at in range(start, end) if self._steps[at].words == [name]]
        if len(piped) > 1 and any(step.feeds for step in piped):
            text = self._text[piped[0].start : piped[-1].end]
            self.inquiry.report(
                "shell", "processes", "destructive", text, "starts itself twice, without end",
                span=(piped[0].start, piped[-1].end),
            )  # fmt: skip

    def _function(self, name: str, words: list[str]) -> Flow | None:
        scope = self.scope
        scope.called.add(name)
        if len(scope.calling) >= CALLS:
            return None
        before, scope.positional = scope.positional, words
        scope.calling.append(name)
        output = scope.functions[name]()
        scope.calling.pop()
        scope.positional = before
        return output

    def _bracket(self, mark: str) -> None:
        """A subshell's ``cd`` ends with it."""
        if mark == "(":
            self._folders.append(self.scope.folder)
        elif self._folders:
            self.scope.folder = self._folders.pop()


def _unknown(call: Call, word: Dynamic) -> None:
    flow = word.flow
    if flow is not None and flow.origin == "download":
        call.destroys("remote code", "runs what comes from the network")
    elif call.given.has("-rf", "-fr", "-Rf", "-fR", "--force", "--no-preserve-root"):
        call.destroys("files", "runs a command that is not known, with force")
    else:
        call.may_lose("unknown code", "runs a command that is not known before it runs")
