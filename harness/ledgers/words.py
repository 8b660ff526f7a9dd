"""What only a person can say of a divergence: where upstream talks about it, what is known, when to look again."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from harness.errors import AcceptError
from harness.ledger import UNREPORTED, Entry, is_link

SOON = timedelta(days=182)
"""When to look again, if nothing else is said."""

Ask = Callable[[str], str]
"""Asks a question and returns the answer. It raises EOFError where nobody answers."""


@dataclass(frozen=True, slots=True)
class Words:
    """What a person says of an entry.

    Attributes
    ----------
    upstream
        A link to where upstream talks about it, or ``unreported``.
    says
        What is known of it, in a line.
    review
        When somebody should look again.
    """

    upstream: str
    says: str
    review: date

    def __post_init__(self) -> None:
        """Refuse what a ledger could not hold.

        Raises
        ------
        AcceptError
            If the link is none, or the reason is not one line of text.
        """
        if not is_link(self.upstream):
            raise AcceptError(f"--upstream: a link (https://...) or {UNREPORTED!r} was expected, not {self.upstream!r}")
        if not is_reason(self.says):
            raise AcceptError(f"--says: the reason, in a line, was expected, not {self.says!r}")


def is_reason(text: str) -> bool:
    """Return whether a text is one line that says something."""
    return bool(text.strip()) and text.isprintable()


def asked(ask: Ask, today: date, before: Entry | None, *, is_end: bool = False) -> Words:
    """Return what a person answers; an empty answer keeps what the entry says, if there is one.

    Parameters
    ----------
    is_end
        Whether they are about the end of an entry, which nobody has to look at again.

    Raises
    ------
    AcceptError
        If nobody answers.
    """
    link = f"Where upstream talks about it (https://... or {UNREPORTED})"
    reason = "Why it ends, in a line" if is_end else "What is known of it, in a line"
    day = str(before.review if before else today + SOON)
    try:
        upstream = _answer(ask, link, before.upstream if before else "", is_link, f"no link, and not {UNREPORTED!r}")
        says = _answer(ask, reason, before.says if before else "", is_reason, "no reason in one line")
        review = day if is_end else _answer(ask, "When to look again", day, _is_day, "no date such as 2027-05-31")
    except EOFError as error:
        raise AcceptError("an answer was expected; nothing was written") from error
    return Words(upstream, says, date.fromisoformat(review))


def agreed(ask: Ask, question: str) -> bool:
    """Return whether a person says yes; nobody's answer is a no."""
    try:
        return ask(f"{question} [y/N] ").strip().lower() in {"y", "yes"}
    except EOFError:
        return False


def _answer(ask: Ask, question: str, default: str, is_right: Callable[[str], bool], fault: str) -> str:
    """Ask until the answer is one, and say what is wrong with it where it is none."""
    head = again = f"{question} [{default}]: " if default else f"{question}: "
    while not is_right(answer := ask(head).strip() or default):
        head = f"{answer!r} is {fault}. {again}"
    return answer


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
