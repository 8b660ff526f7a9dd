"""How versions of trec_eval differ in what they read and evaluate.

Three are told apart. *9.0* is 9.0.4 to 9.0.8. *10.0* is the release of June 2026, whose CHANGELOG says *Support for '#'
comment lines in TREC-format runs and qrels files* and *-c mode now prints out skipped queries in -q mode*. *checked* is
a development branch after it, as of 2026-06-30, which checks the text of an integer. It calls itself 10.0-rc3, as 10.0
does, so the text of a version never says *checked*.
"""

import enum
import re

_RELEASE = re.compile(r"(?:trec_eval version )?(9\.0|10\.0)(?:\.\d+)?(?:-?rc\d+)?")


class UnknownVersionError(ValueError):
    """A version of trec_eval whose behaviour was not measured."""

    def __init__(self, text: str) -> None:
        super().__init__(
            f"a version 9.0 or 10.0 of trec_eval was expected, as `trec_eval -v` prints it, or 'checked', not {text!r}"
        )


class Dialect(enum.Enum):
    """A group of versions that behave alike."""

    V9_0 = "9.0"
    V10_0 = "10.0"
    CHECKED = "checked"

    @classmethod
    def of_version(cls, text: str) -> "Dialect":
        """Return the dialect of what ``trec_eval -v`` prints, such as ``trec_eval version 9.0.7`` or ``10.0-rc3``.

        ``checked`` names itself; no version text does, since that branch prints what 10.0 prints.

        Raises
        ------
        UnknownVersionError
            If it is another version, or none.
        """
        text = text.strip()
        if text == cls.CHECKED.value:
            return cls.CHECKED
        release = _RELEASE.fullmatch(text)
        if release is None:
            raise UnknownVersionError(text)
        return cls(release[1])

    @property
    def skips_comments(self) -> bool:
        """Whether a line that starts with ``#`` is a comment. In 9.0 it is a line like any other."""
        return self is not Dialect.V9_0

    @property
    def rounds_scores_to_float32(self) -> bool:
        """Whether a score is kept in single precision, so that close scores become ties.

        The help of 9.0 says *sim (a float)*, that of 10.0 *sim (a double)*.
        """
        return self is Dialect.V9_0

    @property
    def evaluates_every_judged_topic(self) -> bool:
        """Whether a judged topic without results is an error, or with ``-c`` a topic with nothing retrieved.

        In 9.0 it is skipped; with ``-c`` it still counts in the means.
        """
        return self is not Dialect.V9_0

    @property
    def checks_integers(self) -> bool:
        """Whether text that is no integer is refused, and text that only starts with one is warned about."""
        return self is Dialect.CHECKED
