"""The talk before a ledger is changed: what would be written is shown, and the words for it are asked for."""

from collections.abc import Callable, Sequence
from datetime import date

from harness.errors import AcceptError
from harness.ledgers.accepting import by_cause, worded
from harness.ledgers.changes import Change
from harness.ledgers.words import Ask, Words, agreed, asked
from harness.ledgers.writing import shown


def agree(
    planned: Sequence[Change], words: Words | None, today: date, say: Callable[[str], None], ask: Ask
) -> list[Change]:
    """Show what would change, and return it with a person's words; what that person does not agree to is left out.

    Parameters
    ----------
    words
        What the command line says; without it, a person is asked.

    Raises
    ------
    AcceptError
        If the command line has one link and one reason for more than one cause, or nobody answers.
    """
    causes = by_cause(planned)
    if words is None:
        return [change for each in causes for change in _talked_over(each, today, say, ask)]
    if len(causes) > 1:
        names = "; ".join(repr(_cause(each)) for each in causes)
        raise AcceptError(f"one link and one reason are about one divergence; name it with --cause: {names}")
    done = [change for each in causes for change in worded(each, words)]
    _show(done, say)
    return done


def _talked_over(changes: Sequence[Change], today: date, say: Callable[[str], None], ask: Ask) -> list[Change]:
    """Return the changes of one cause with a person's words; nothing where that person does not agree."""
    _show(changes, say)
    mine = list(changes)
    if left := [change for change in changes if change.after]:
        entry, is_end = left[-1].after, left[-1].is_end
        before = entry if entry and entry.says and not is_end else None
        mine = worded(changes, asked(ask, today, before, is_end=is_end))
        _show(mine, say)
    return mine if agreed(ask, "Write this to the ledger?") else []


def _cause(changes: Sequence[Change]) -> str:
    entry = changes[0].after or changes[0].before
    return entry.cause if entry else ""


def _show(changes: Sequence[Change], say: Callable[[str], None]) -> None:
    for change in changes:
        say("\n".join(shown(change)))
