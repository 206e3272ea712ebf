"""What is wrong with a document, as an exception."""

from __future__ import annotations

from typing import NamedTuple, Sequence, Tuple


class Problem(NamedTuple):
    """One thing that is wrong: where, what was found, what was expected."""

    place: str
    found: str
    expected: str

    def __str__(self) -> str:
        return f"{self.place}: {self.found}, expected {self.expected}"


class DocumentError(ValueError):
    """A document that is refused, with everything that is wrong with it."""

    def __init__(self, problems: Sequence[Tuple[str, str, str]]) -> None:
        super().__init__(list(problems))
        self.problems: Tuple[Problem, ...] = tuple(Problem(*problem) for problem in problems)

    @property
    def place(self) -> str:
        """Where the first problem is."""
        return self.problems[0].place

    @property
    def found(self) -> str:
        """What was found there."""
        return self.problems[0].found

    @property
    def expected(self) -> str:
        """What was expected in its place."""
        return self.problems[0].expected

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))
