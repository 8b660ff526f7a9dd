"""The words for what one input shows."""

from enum import StrEnum


class Verdict(StrEnum):
    """What one input shows of a subject."""

    AGREES = "agrees"
    DIFFERS = "differs"
    """Another value, or a value where a refusal is due."""
    RAISES = "raises"
    """An error where a value is due."""
    CRASHES = "crashes"
    HANGS = "hangs"
    UNDECIDABLE = "undecidable"
    """Right and wrong both lie within the bound."""
    UNSPECIFIED = "unspecified"
    """No promise covers it."""
    UNSUPPORTED = "unsupported"
    """The subject does not offer it."""

    @property
    def is_mismatch(self) -> bool:
        """Whether it speaks against the subject."""
        return self in _MISMATCHES


_MISMATCHES = frozenset({Verdict.DIFFERS, Verdict.RAISES, Verdict.CRASHES, Verdict.HANGS})
