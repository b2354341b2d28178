"""The labelled cases: our own beside this file, the public ones where they are kept.

Rules: a public case is only ever read from outside the repository; most keep their own licences.
Scores are counted as the labels' rules say: found is destructive or unreadable, and on a benign
text that is a false positive; debatable cases are counted apart.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from keelbook.destructive.finding import verdict
from keelbook.destructive.judge import judge

OWN = Path(__file__).with_name("cases.jsonl")
PUBLIC = Path(__file__).resolve().parents[3] / "shared" / "classifier" / "public.jsonl"
FOUND = ("destructive", "unreadable")


@dataclass(frozen=True)
class Case:
    """One line of a corpus."""

    id: str
    dialect: str
    text: str
    expected: str
    kind: str
    source: str
    why: str


def cases(path: Path) -> list[Case]:
    """All cases of a file."""
    return [Case(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


@dataclass
class Score:
    """Of one dialect: counts by label, what was missed, what was wrongly found."""

    counts: Counter[str]
    missed: list[Case]
    wrong: list[Case]
    unsure: list[Case]
    """Benign texts that were called debatable."""

    @property
    def recall(self) -> float:
        """Of the destructive cases, in per cent."""
        return 100 * (1 - len(self.missed) / max(1, self.counts["destructive"]))

    @property
    def false_positives(self) -> float:
        """Of the benign cases, in per cent."""
        return 100 * len(self.wrong) / max(1, self.counts["benign"])


def scores(found: Iterable[Case]) -> dict[str, Score]:
    """By dialect."""
    made: dict[str, Score] = {}
    for case in found:
        score = made.setdefault(case.dialect, Score(Counter(), [], [], []))
        score.counts[case.expected] += 1
        said = verdict(judge(case.text, case.dialect))
        if case.expected == "destructive" and said not in FOUND:
            score.missed.append(case)
        elif case.expected == "benign" and said in FOUND:
            score.wrong.append(case)
        elif case.expected == "benign" and said == "debatable":
            score.unsure.append(case)
    return made


def table(made: dict[str, Score], found: Iterable[Case]) -> str:
    """The scores, and the kinds that are not perfect."""
    lines = ["dialect  destructive  recall  benign  false positives  called debatable"]
    for dialect, score in sorted(made.items()):
        lines.append(
            f"{dialect:<8} {score.counts['destructive']:>11} {score.recall:>6.1f}% "
            f"{score.counts['benign']:>7} {score.false_positives:>14.2f}% {len(score.unsure):>16}"
        )
    totals = Counter((case.dialect, case.kind) for case in found)
    for dialect, score in sorted(made.items()):
        for what, some in (("missed", score.missed), ("wrong", score.wrong)):
            for kind, count in sorted(Counter(case.kind for case in some).items()):
                lines.append(f"  {dialect} {kind}: {count} of {totals[dialect, kind]} {what}")
    return "\n".join(lines)
