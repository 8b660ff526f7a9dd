"""What became of one input, from the subject before to the subject after."""

import math
import re
from enum import StrEnum

from harness.compare import Ruling
from harness.outcome import Crashed, Hung, Outcome, Raised, Returned, Value
from harness.verdict import Verdict


class Transition(StrEnum):
    """What a proposed change does to one input; an undecidable value may be the right one."""

    BROKEN = "broken"
    """Right before, wrong after; or offered before and no longer."""
    ADDED_WRONG = "added wrong"
    """Not offered before, wrong after."""
    CHANGED_WRONG = "changed though wrong"
    """Wrong before and after, with another value."""
    STILL_WRONG = "still wrong"
    """Wrong before and after, with the same value."""
    CHANGED_RIGHT = "changed though right"
    """Right before and after, with another value within the bound."""
    CHANGED_UNDECIDED = "changed, undecided"
    """Wrong before; after, right and wrong both lie within the bound."""
    CHANGED_UNSPECIFIED = "changed, unspecified"
    """Another value, where nothing says which is right."""
    FIXED = "fixed"
    """Wrong before, right after."""
    ADDED = "added"
    """Not offered before, right after."""
    UNCHANGED = "unchanged"

    @property
    def is_better(self) -> bool:
        """Whether it speaks for the change."""
        return self in {Transition.FIXED, Transition.ADDED}

    @property
    def is_worse(self) -> bool:
        """Whether it speaks against the change."""
        return self in {Transition.BROKEN, Transition.ADDED_WRONG}

    @property
    def is_decisive(self) -> bool:
        """Whether it decides what a comparison comes to."""
        return self.is_better or self.is_worse

    @property
    def is_change(self) -> bool:
        """Whether the subject does something else than before."""
        return self not in {Transition.UNCHANGED, Transition.STILL_WRONG}

    @property
    def is_told(self) -> bool:
        """Whether a person wants to see an input of it: what is neither better nor unchanged."""
        return not self.is_better and self is not Transition.UNCHANGED


def transition(before: tuple[Outcome, Ruling], after: tuple[Outcome, Ruling]) -> Transition:
    """Return what became of one input, by its outcomes and the rulings on them."""
    same = is_same(before[0], after[0])
    match before[1].verdict, after[1].verdict:
        case Verdict.UNSPECIFIED, _ if after[1].verdict is not Verdict.UNSUPPORTED:
            return _of_unspecified(after[1].verdict, same=same)
        case Verdict.UNSUPPORTED, Verdict.UNSUPPORTED:
            return Transition.UNCHANGED
        case Verdict.UNSUPPORTED, Verdict.UNSPECIFIED:
            return Transition.CHANGED_UNSPECIFIED
        case Verdict.UNSUPPORTED, other:
            return Transition.ADDED_WRONG if other.is_mismatch else Transition.ADDED
        case _, Verdict.UNSUPPORTED:
            return Transition.BROKEN
        case old, new if old.is_mismatch and new.is_mismatch:
            return Transition.STILL_WRONG if same else Transition.CHANGED_WRONG
        case old, new if old.is_mismatch:
            return Transition.CHANGED_UNDECIDED if new is Verdict.UNDECIDABLE else Transition.FIXED
        case _, new if new.is_mismatch:
            return Transition.BROKEN
        case _:
            return Transition.UNCHANGED if same else Transition.CHANGED_RIGHT


def _of_unspecified(after: Verdict, *, same: bool) -> Transition:
    """Return it where nothing says what is right; but a process that ends or hangs is wrong whatever is promised."""
    if same:
        return Transition.UNCHANGED
    return Transition.BROKEN if after in {Verdict.CRASHES, Verdict.HANGS} else Transition.CHANGED_UNSPECIFIED


def is_same(before: Outcome, after: Outcome) -> bool:
    """Return whether two outcomes are the same to a user: to the last bit of a float, NaN and the sign of 0 included.

    An integer is the same as the float of that value. The message of an exception is no part of an outcome here, nor an
    address in what an object prints, nor how long it hung.
    """
    match before, after:
        case Value(tuple() as parts), Value(tuple() as others):
            return len(parts) == len(others) and all(map(is_same, parts, others))
        case Value(float() | int() as x), Value(float() | int() as y):
            return (x == y or (x != x and y != y)) and _sign(x) == _sign(y)  # noqa: PLR0124 - NaN
        case Raised(error, _), Raised(other, _):
            return error == other
        case Returned(kind, shown), Returned(other, text):
            return kind == other and ADDRESS.sub("", shown) == ADDRESS.sub("", text)
        case Hung(), Hung():
            return True
        case Crashed(how), Crashed(other):
            return how == other
        case Value(), Value():
            return False
        case _:
            return before == after


def _sign(x: float) -> float:
    return math.copysign(1, x) if x == 0 else 0


ADDRESS = re.compile(r"\b0x[0-9a-f]+\b")
