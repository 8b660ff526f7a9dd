"""Grade texts in each dialect, and the relevance rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.trec.dialect import Dialect, UnknownVersionError
from reference.trec.grade import LARGEST, SMALLEST, PartialInteger, integer, is_relevant, relevance_value
from reference.trec.refusal import IntegerError

RELEVANT = b"1 01 +1 2 3 10 127 128 255 1000 100000 1.0 1.5 1e0 1e3 1e-5 1x 01x 1,5 1_0".split()
NOT_RELEVANT = b"0 00 0.0 -0 +0 0.5 0.9 .5 0. -0.0 -0.9 0x1 0X10 0b1 0e5 0L".split()
WORDS = [*b"x rel yes no true null NaN inf O - -- + ++1 +-1 .5".split(), "\u0661".encode(), "\uff11".encode()]
UNJUDGED = b"-1 -2 -127 -128 -129 -1.9".split()


@pytest.mark.parametrize("dialect", [Dialect.V9_0, Dialect.V10_0])
def test_text_is_worth_the_integer_it_starts_with_and_else_0(dialect: Dialect) -> None:
    assert all(is_relevant(integer(text, dialect)) for text in RELEVANT)
    assert not any(is_relevant(integer(text, dialect)) for text in NOT_RELEVANT)
    assert [integer(text, dialect) for text in WORDS] == [0] * len(WORDS)
    assert [integer(text, dialect) for text in UNJUDGED] == [-1, -2, -127, -128, -129, -1]


@pytest.mark.parametrize("dialect", [Dialect.V9_0, Dialect.V10_0])
def test_an_integer_beyond_64_bits_is_the_nearest_within(dialect: Dialect) -> None:
    assert integer(b"9223372036854775807", dialect) == LARGEST == 2**63 - 1
    assert integer(b"9223372036854775808", dialect) == LARGEST
    assert integer(b"-9223372036854775808", dialect) == SMALLEST == -(2**63)
    assert integer(b"-9223372036854775809x", dialect) == SMALLEST


@pytest.mark.parametrize("dialect", Dialect)
def test_digits_are_counted_without_leading_zeros(dialect: Dialect) -> None:
    assert integer(b"0" * 10_000 + b"12", dialect) == 12


def test_a_number_of_many_digits_is_saturated_without_being_read() -> None:
    assert integer(b"9" * 100_000, Dialect.V10_0) == LARGEST
    assert integer(b"-" + b"9" * 100_000, Dialect.V10_0) == SMALLEST


@pytest.mark.parametrize("text", WORDS)
def test_the_checked_dialect_refuses_what_has_no_leading_integer(text: bytes) -> None:
    with pytest.raises(IntegerError, match="an integer was expected") as refused:
        integer(text, Dialect.CHECKED)
    assert refused.value.text == text
    assert not refused.value.out_of_range


@pytest.mark.parametrize("text", [b"9223372036854775808", b"-9223372036854775809", b"9223372036854775808x"])
def test_the_checked_dialect_refuses_what_is_beyond_64_bits(text: bytes) -> None:
    with pytest.raises(IntegerError, match="from -2") as refused:
        integer(text, Dialect.CHECKED)
    assert refused.value.out_of_range


def test_the_checked_dialect_warns_of_what_follows_an_integer() -> None:
    warned: list[PartialInteger] = []
    for text in b"0.0 1.5 1x 0x1 1e3 -1.9".split():
        integer(text, Dialect.CHECKED, warned.append)
    assert [partial.value for partial in warned] == [0, 1, 1, 0, 1, -1]
    assert [partial.text for partial in warned] == b"0.0 1.5 1x 0x1 1e3 -1.9".split()


def test_a_whole_integer_is_nothing_to_warn_of() -> None:
    warned: list[PartialInteger] = []
    assert [integer(text, Dialect.CHECKED, warned.append) for text in b"-2 +1 00 -0 127 1000".split()] == [
        -2, 1, 0, 0, 127, 1000,
    ]  # fmt: skip
    assert warned == []


def test_the_other_dialects_warn_of_nothing() -> None:
    warned: list[PartialInteger] = []
    for dialect in (Dialect.V9_0, Dialect.V10_0):
        integer(b"1.5", dialect, warned.append)
    assert warned == []


@given(st.integers(SMALLEST, LARGEST), st.sampled_from(Dialect))
def test_an_integer_of_64_bits_is_read_back(value: int, dialect: Dialect) -> None:
    assert integer(str(value).encode(), dialect) == value


@given(st.binary(max_size=25), st.sampled_from([Dialect.V9_0, Dialect.V10_0]))
def test_every_text_has_a_grade_of_64_bits(text: bytes, dialect: Dialect) -> None:
    assert SMALLEST <= integer(text, dialect) <= LARGEST


@given(st.text("-+ 0123456789.ex", max_size=8).map(str.encode))
def test_the_checked_dialect_refuses_or_agrees(text: bytes) -> None:
    try:
        value = integer(text, Dialect.CHECKED)
    except IntegerError:
        assert integer(text, Dialect.V10_0) == 0
    else:
        assert value == integer(text, Dialect.V10_0)


def test_a_document_is_relevant_from_the_level_on() -> None:
    assert [is_relevant(grade) for grade in (3, 2, 1, 0, -1, -2, None)] == [True] * 3 + [False] * 4
    assert [is_relevant(grade, 2) for grade in (3, 2, 1, 0, -1, -2, None)] == [True] * 2 + [False] * 5
    assert [is_relevant(grade, 0) for grade in (1, 0, -1, -2, None)] == [True] * 2 + [False] * 3


def test_a_level_below_0_reaches_what_is_not_judged() -> None:
    assert [is_relevant(grade, -1) for grade in (0, None, -1, -2)] == [True, True, False, False]
    assert [is_relevant(grade, -2) for grade in (0, None, -1, -9)] == [True] * 4


def test_a_negative_grade_of_any_size_is_one_kind_of_unjudged() -> None:
    assert {relevance_value(grade) for grade in (-1, -2, -128, SMALLEST)} == {-2}
    assert relevance_value(None) == -1


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("trec_eval version 9.0.4", Dialect.V9_0),
        ("9.0.7", Dialect.V9_0),
        ("9.0", Dialect.V9_0),
        ("trec_eval version 10.0-rc3\n", Dialect.V10_0),
        ("10.0", Dialect.V10_0),
        ("checked", Dialect.CHECKED),
    ],
)
def test_a_version_names_its_dialect(text: str, dialect: Dialect) -> None:
    assert Dialect.of_version(text) is dialect


@pytest.mark.parametrize("text", ["", "8.1", "9.1", "10.1", "11.0", "9.0a", "latest", "trec_eval"])
def test_an_unknown_version_is_refused(text: str) -> None:
    with pytest.raises(UnknownVersionError, match="was expected"):
        Dialect.of_version(text)


@pytest.mark.parametrize("dialect", Dialect)
def test_a_dialect_is_found_by_its_own_name(dialect: Dialect) -> None:
    assert Dialect.of_version(dialect.value) is dialect
