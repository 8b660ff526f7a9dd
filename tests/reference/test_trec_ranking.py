"""Score texts as atof reads them, and the order of the documents."""

import math
import struct
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.trec.dialect import Dialect
from reference.trec.ranking import Scored, ranked, score
from reference.trec.refusal import RepeatedDocumentError, UndefinedBehaviourError

DOUBLES = [Dialect.V10_0, Dialect.CHECKED]


def order(*results: tuple[str, str], dialect: Dialect = Dialect.V10_0) -> str:
    return b"".join(ranked([Scored(docno.encode(), score(text.encode(), dialect)) for docno, text in results])).decode()


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b"1", 1.0),
        (b"+1.5", 1.5),
        (b"-2.", -2.0),
        (b".5", 0.5),
        (b"1e2x", 100.0),
        (b"1e", 1.0),
        (b"1e+", 1.0),
        (b"1,5", 1.0),
        (b"1_0", 1.0),
        (b"x", 0.0),
        (b"", 0.0),
        (b".", 0.0),
        (b"e5", 0.0),
        (b"--1", 0.0),
        (b"0x10", 16.0),
        (b"0X.8p1", 1.0),
        (b"0x1p3", 8.0),
        (b"0x1p", 1.0),
        (b"0x", 0.0),
        (b"0xg", 0.0),
        (b"inf", math.inf),
        (b"-Infinityx", -math.inf),
        (b"in", 0.0),
        (b"1e999", math.inf),
        (b"-0x1p99999", -math.inf),
        ("\u0661".encode(), 0.0),
    ],
)
def test_a_score_is_the_number_that_its_text_starts_with(text: bytes, value: float, dialect: Dialect) -> None:
    assert score(text, dialect) == value


@pytest.mark.parametrize("dialect", Dialect)
def test_zero_keeps_its_sign_and_nan_is_one(dialect: Dialect) -> None:
    assert math.copysign(1, score(b"-0", dialect)) == -1
    assert all(math.isnan(score(text, dialect)) for text in (b"nan", b"-NaN", b"nan(1)x"))


@given(st.floats(allow_nan=False))
def test_a_double_is_read_back(value: float) -> None:
    assert score(repr(value).encode(), Dialect.V10_0) == value
    assert score(value.hex().encode(), Dialect.V10_0) == value


@given(st.floats(allow_nan=False, width=32))
def test_a_single_is_read_back_in_9_0(value: float) -> None:
    assert score(repr(value).encode(), Dialect.V9_0) == value


@given(st.floats(-1e38, 1e38))
def test_in_9_0_a_score_is_a_single(value: float) -> None:
    found = score(repr(value).encode(), Dialect.V9_0)
    assert struct.unpack("f", struct.pack("f", found))[0] == found


def test_in_9_0_a_score_is_rounded_twice() -> None:
    # A little above half way between 1 and the next single 1 + 2^-23: the nearest double is half way, and goes to even.
    text = b"1.00000005960464477540"
    assert score(text, Dialect.V10_0) == 1 + 2.0**-24
    assert score(text, Dialect.V9_0) == 1.0


def test_documents_are_ordered_by_falling_score() -> None:
    assert order(("a", "1"), ("b", "3"), ("c", "2"), ("d", "-1"), ("e", "inf")) == "ebcad"


def test_ties_are_ordered_by_falling_bytes() -> None:
    assert order(("a", "1"), ("c", "1.0"), ("b", "1e0")) == "cba"
    assert order(("A", "1"), ("a", "1")) == "aA"
    assert order(("10", "1"), ("9", "1")) == "910"
    assert order(("z", "1"), ("\u00e9", "1")) == "\u00e9z"
    assert order(("a", "1"), ("ab", "1")) == "aba"
    assert order(("a", "-0"), ("b", "0")) == "ba"
    assert order(("a", "word"), ("b", "0")) == "ba"


@pytest.mark.parametrize(
    ("of_a", "of_b"),
    [
        ("1.0000000000000002", "1"),
        ("16777217", "16777216"),
        ("inf", "1e308"),
        ("1e40", "1e39"),
        ("1e-50", "0"),
        ("1.00000005960464477540", "1"),
    ],
)
def test_scores_that_are_close_tie_in_9_0_only(of_a: str, of_b: str) -> None:
    assert order(("a", of_a), ("b", of_b), dialect=Dialect.V9_0) == "ba"
    for dialect in DOUBLES:
        assert order(("a", of_a), ("b", of_b), dialect=dialect) == "ab"


def test_a_ranking_is_cut_after_it_is_sorted() -> None:
    results = [Scored(b"a", 1.0), Scored(b"b", 3.0), Scored(b"c", 2.0)]
    assert ranked(results, 2) == [b"b", b"c"]
    assert ranked(results, 9) == [b"b", b"c", b"a"]
    assert ranked(results, 0) == []


def test_of_documents_that_are_retrieved_twice_the_first_in_byte_order_is_named() -> None:
    results = [Scored(b"b", 4.0), Scored(b"a", 3.0), Scored(b"b", 2.0), Scored(b"a", 2.0)]
    with pytest.raises(RepeatedDocumentError, match="not two for b'a'") as refused:
        ranked(results)
    assert refused.value.docno == b"a"


def test_a_document_that_is_repeated_below_the_cut_is_not_noticed() -> None:
    assert ranked([Scored(b"b", 4.0), Scored(b"a", 3.0), Scored(b"b", 2.0)], 2) == [b"b", b"a"]


def test_a_nan_score_is_undefined() -> None:
    with pytest.raises(UndefinedBehaviourError, match="NaN"):
        ranked([Scored(b"a", math.nan), Scored(b"b", 1.0)])


results = st.lists(
    st.builds(Scored, st.binary(max_size=2), st.sampled_from([0.0, 1.0, 2.0])), unique_by=lambda r: r.docno
)


@given(results, st.randoms(use_true_random=False))
def test_the_order_of_the_file_does_not_matter(of_topic: list[Scored], order: Random) -> None:
    shuffled = list(of_topic)
    order.shuffle(shuffled)
    assert ranked(shuffled) == ranked(of_topic)


@given(results)
def test_each_document_comes_before_those_with_less(of_topic: list[Scored]) -> None:
    found = ranked(of_topic)
    scores = {result.docno: result.score for result in of_topic}
    assert sorted(found) == sorted(scores)
    for above, below in pairwise(found):
        assert (scores[above], above) > (scores[below], below)
