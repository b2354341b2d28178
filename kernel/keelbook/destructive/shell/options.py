"""The words of a command, told apart: options, their values, operands.

Rules: nothing is known of a tool but which of its options take the next word. ``--`` ends the
options. Letters of a short cluster count each; the whole cluster counts too.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

CLUSTER = 6
"""A longer word with one dash is no cluster of letters."""


class Arguments:
    """One reading of a command's words.

    ``operands`` are what is left when options and the declared values are gone; ``strict`` also
    leaves out each word after an option nobody declared, for it may be that option's value. With
    ``clusters`` the tool knows no long options of one dash, so that any such word is letters.
    """

    __slots__ = ("flags", "operands", "strict", "values")

    def __init__(
        self, words: Sequence[str], valued: Set[str] = frozenset(), *, clusters: bool = False
    ) -> None:
        self.flags: set[str] = set()
        self.operands: list[str] = []
        self.strict: list[str] = []
        self.values: dict[str, str] = {}
        waiting, doubtful, ended = "", False, False
        for word in words:
            if waiting:
                self.values[waiting] = word
                waiting = ""
            elif ended or word[:1] != "-" or word == "-":
                self.operands.append(word)
                if not doubtful:
                    self.strict.append(word)
                doubtful = False
            elif word == "--":
                ended = True
                doubtful = False
            else:
                waiting = self._option(word, valued, clusters)
                doubtful = not waiting and "=" not in word

    def _option(self, word: str, valued: Set[str], clusters: bool) -> str:
        """Takes an option; its name when the next word is its value."""
        name, equals, value = word.partition("=")
        self.flags.add(name)
        if equals:
            self.values[name] = value
            return ""
        if word in valued:
            return word
        if word[1] == "-" or len(word) == 2:
            return ""
        if word[:2] in valued:
            self.flags.add(word[:2])
            self.values[word[:2]] = word[2:]
            return ""
        return self._cluster(word, valued) if clusters or len(word) <= CLUSTER else ""

    def _cluster(self, word: str, valued: Set[str]) -> str:
        for at, letter in enumerate(word[1:], 2):
            option = "-" + letter
            self.flags.add(option)
            if option in valued and at > 2:
                if at == len(word):
                    return option
                self.values[option] = word[at:]
                return ""
        return ""

    def has(self, *names: str) -> bool:
        """Whether one of the options was given, as written."""
        flags = self.flags
        return any(name in flags for name in names)

    def begins(self, *names: str) -> bool:
        """The same, and a beginning of a long one counts, as GNU's tools take it."""
        for flag in self.flags:
            for name in names:
                if flag == name or (len(flag) > 3 and flag[1] == "-" and name.startswith(flag)):
                    return True
        return False

    def value(self, *names: str) -> str | None:
        """The value of the first of these options that has one."""
        for name in names:
            found = self.values.get(name)
            if found is not None:
                return found
        return None
