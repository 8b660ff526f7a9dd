"""What Lucene's TrecJudge takes for relevant, against the rule of the format that it reads."""

import functools
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from hypothesis import strategies as st

from cases.lucene import scripts
from cases.lucene.impact import IMPACT
from harness.case import Case, Contract, Domain, Script
from harness.enumeration import choice, mapped, sequence
from harness.expected import Each, Exactly, Expected, Refusal, Unspecified
from reference.trec.dialect import Dialect
from reference.trec.grade import integer, is_relevant
from reference.trec.refusal import IntegerError

TEXT_ZERO = 'any text but "0" is relevant'

DOCUMENTATION = "the javadoc of org.apache.lucene.benchmark.quality.trec.TrecJudge and of its constructor"

GRADES = ("-2", "-1", "0", "1", "2")
"""The grades of the TREC Web track up to 2: -2 is spam."""

SPELLINGS = ("-2", "-1", "-0", "0", "00", "1", "01", "+1", "2", "3", "10", "127")
"""Integers, some of them spelt in an unusual way."""

ODD_TOKENS = (
    *("0.0", "0.", "-0.0", "0.5", ".5", "1.0", "1.5", "1x", "0x1", "1e0", "1,5"),
    *("rel", "x", "yes", "no", "true", "false", "null", "NaN", "-", "+", "--", "+-1"),
    *("\N{FULLWIDTH DIGIT ONE}", "\N{ARABIC-INDIC DIGIT ZERO}", "9223372036854775808"),
)
"""What stands where a grade should, and is no integer, or none that a C long can hold."""


class Judged(NamedTuple):
    """The qrels of one query.

    Attributes
    ----------
    grades
        The text of each document's grade, in the order of the lines.
    """

    grades: tuple[str, ...]


def relevance(grades: Sequence[str], dialect: Dialect = Dialect.V10_0) -> list[bool]:
    """Return whether each document is relevant, by the text of its grade.

    Raises
    ------
    IntegerError
        If the dialect refuses a text.
    """
    return [is_relevant(integer(grade.encode(), dialect)) for grade in grades]


def by_rule(relevant: Sequence[bool]) -> Each:
    """Return what is asked of the judge: how many documents are relevant, then whether each one is."""
    return Each((_count(sum(relevant)), *(_count(int(one)) for one in relevant)))


def by_text(x: Judged) -> Each:
    """Return what comes of comparing each grade with the text 0."""
    return by_rule([grade != "0" for grade in x.grades])


def by_dialect(dialect: Dialect) -> Callable[[Judged], Expected]:
    """Return the reading of one dialect of trec_eval."""

    def reading(x: Judged) -> Expected:
        try:
            return by_rule(relevance(x.grades, dialect))
        except IntegerError:
            return Refusal()

    return reading


def _count(n: int) -> Exactly:
    return COUNTS[n] if n < len(COUNTS) else Exactly(Fraction(n))


COUNTS = tuple(Exactly(Fraction(n)) for n in range(64))

_documented = by_dialect(Dialect.V10_0)


@functools.lru_cache(4096)
def _kind(grade: str) -> tuple[bool, bool]:
    return grade != "0", int(grade) > 0


def _alike(x: Judged) -> tuple[tuple[bool, bool], ...]:
    return tuple(map(_kind, x.grades))


def assignments(documents: int, *, thorough: bool = False) -> Domain[Judged]:
    """Return all assignments of the grades -2 to 2 to up to that many documents."""
    return _texts("grades -2 to 2", GRADES, documents, thorough=thorough)


def _texts(name: str, texts: Sequence[str], documents: int, *, thorough: bool = False) -> Domain[Judged]:
    """Return all assignments of texts to up to that many documents."""
    return Domain(
        name=name,
        parameters={"documents": documents},
        inputs=mapped(Judged, sequence(choice(texts), documents, at_least=1)),
        counts=lambda: {n: len(texts) ** n for n in range(1, documents + 1)},
        thorough=thorough,
    )


def _describe(x: Judged) -> str:
    if len(x.grades) == 1:
        return f"one document of grade {x.grades[0]}"
    return f"qrels {{{', '.join(f'd{i}: {grade}' for i, grade in enumerate(x.grades))}}}"


def _validate_integers(x: Judged) -> None:
    _validate(x)
    for grade in x.grades:
        if not re.fullmatch(r"[+-]?[0-9]{1,18}", grade):
            raise ValueError(f"an integer in ASCII digits, at most 18 of them, was expected, not {grade!r}")


def _validate(x: Judged) -> None:
    if not x.grades:
        raise ValueError("at least one grade was expected")
    for grade in x.grades:
        if not re.fullmatch(r"[^\x00- ]+", grade):
            raise ValueError(f"the text of a grade, without white space, was expected, not {grade!r}")


def _script(x: Judged) -> Script:
    relevant = relevance(x.grades)
    return scripts.judge(
        scripts.qrels(x.grades),
        [("q", [f"d{i}" for i in range(len(x.grades))])],
        right=[[sum(relevant), [int(one) for one in relevant]]],
        why="A grade of at least 1 is relevant.",
        input=_describe(x),
    )


def _integer_texts() -> st.SearchStrategy[Judged]:
    spelt = st.builds(
        lambda sign, zeros, n: f"{sign}{'0' * zeros}{n}", st.sampled_from(["", "-", "+"]), st.integers(0, 3), GRADE
    )
    return st.lists(spelt, min_size=1, max_size=20).map(lambda grades: Judged(tuple(grades)))


GRADE = st.integers(0, 5) | st.integers(0, 10**12)

VALUES = "how many documents are relevant, then whether each one is (1) or not (0)"

RELEVANCE = Case(
    name="lucene/relevance",
    contract=Contract(
        says="TrecJudge judges 'based on Trec format for judgements'. In that format the grade is an integer: "
        "trec_eval describes it as 'a non-negative integer less than 128, or -1 (unjudged)', reads any, and at its "
        "default relevance level takes a document for relevant if it is at least 1; in the qrels of TREC's Web track "
        "-2 is spam",
        source=f"{DOCUMENTATION}; the package documents itself as 'for benchmarking TREC collections with TREC QRels'; "
        "trec_eval -h, 'Rel_info_file format', and its default relevance level of 1",
        upstream="the comparison with the text 0 came with the class (LUCENE-836, 2007), and nothing that was said "
        "about it mentions negative grades. The constructor's javadoc calls the column 'is-relevant' and shows 1 and 0 "
        "only, so a maintainer may hold that a negative grade is outside what it reads",
    ),
    input_type=Judged,
    call="judge_tokens",
    expected=_documented,
    conventions={TEXT_ZERO: by_text},
    domains=(
        assignments(4),
        _texts("spellings of an integer", SPELLINGS, 2),
        assignments(7, thorough=True),
    ),
    describe=_describe,
    script=_script,
    alike=_alike,
    beyond=_integer_texts(),
    validate=_validate_integers,
    values=VALUES,
    impact=IMPACT,
)

RELEVANCE_ODD_TOKENS = Case(
    name="lucene/relevance-odd-tokens",
    contract=Contract(
        says="the fourth column, 'is-relevant', is 1 or 0, and says nothing of another text; the format asks for an "
        "integer. What TrecJudge does with another text is shown beside what each dialect of trec_eval does, and "
        "accuses nobody",
        source=f"{DOCUMENTATION}; trec_eval -h, 'Rel_info_file format'",
    ),
    input_type=Judged,
    call="judge_tokens",
    expected=lambda _: Unspecified("Lucene documents integers only, and the format asks for one"),
    conventions={
        TEXT_ZERO: by_text,
        **{f"as trec_eval {dialect.value}": by_dialect(dialect) for dialect in Dialect},
    },
    domains=(_texts("odd tokens", ODD_TOKENS, 2),),
    describe=_describe,
    script=_script,
    validate=_validate,
    values=VALUES,
)
