"""What is known of Lucene's judge in numbers, of the equivalent in Python and of every release that is installed."""

from collections.abc import Iterator
from typing import Any

import pytest

from cases.lucene.average import AVERAGE, Mean
from cases.lucene.end_to_end import END_TO_END, Searched
from cases.lucene.judging import GRADES, RELEVANCE, RELEVANCE_ODD_TOKENS, TEXT_ZERO, Judged, assignments
from cases.lucene.library import LIBRARY
from harness.certificate import Instance
from harness.execute import Executor
from harness.exhaust import Watch, exhaust
from harness.limits import DEFAULT
from harness.outcome import Outcome, Value, from_wire
from harness.replay import replay
from harness.subject import Subject
from present import present
from shared_data import content, needs

SUBJECTS = [subject for mode in ("equivalent", "real") for subject in present(LIBRARY, mode)]
CORRECTED = present(LIBRARY, "corrected")


def name(subject: Subject) -> str:
    return f"{subject.mode.name}-{subject.version}"


def running(subject: Subject) -> Iterator[Executor]:
    with Executor(subject, DEFAULT) as executor:
        yield executor


@pytest.fixture(scope="module", params=SUBJECTS, ids=name)
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    yield from running(request.param)


def or_none(subjects: list[Subject]) -> list[Any]:
    """Return the subjects, or what makes a test say why it is skipped."""
    skip = pytest.mark.skip(reason="needs Java and Lucene's benchmark jar")
    return list(subjects) or [pytest.param(None, marks=skip)]


@pytest.fixture(scope="module", params=or_none(CORRECTED), ids=lambda subject: name(subject) if subject else "none")
def corrected(request: pytest.FixtureRequest) -> Iterator[Executor]:
    yield from running(request.param)


REAL = [subject for subject in SUBJECTS if subject.mode.name == "real"]


@pytest.fixture(scope="module", params=or_none(REAL), ids=lambda subject: name(subject) if subject else "none")
def real(request: pytest.FixtureRequest) -> Iterator[Executor]:
    yield from running(request.param)


def numbers(outcome: Outcome) -> list[float]:
    """Return the numbers of a list."""
    assert isinstance(outcome, Value)
    assert isinstance(outcome.value, tuple)
    found = [part.value for part in outcome.value if isinstance(part, Value)]
    return [number for number in found if not isinstance(number, tuple)]


def judged(executor: Executor, *grades: str) -> list[float]:
    """Return how many documents are relevant, then whether each one is."""
    return numbers(from_wire(executor.one("judge_tokens", (grades,))))


def seen(executor: Executor, x: Searched) -> Instance:
    [instance] = replay(END_TO_END, executor, [x])
    return instance


THIRTEEN = ("-2", "-1", "-0", "0", "00", "0.0", "1", "01", "+1", "2", "3", "10", "127")


def right(token: str) -> int:
    """Return whether a token is relevant by the integer that it starts with: all of these start with one."""
    return int(int(token.partition(".")[0]) >= 1)


def test_10_of_26_checks_of_13_tokens_differ(executor: Executor) -> None:
    wrong = [
        (token, k) for token in THIRTEEN for k, found in enumerate(judged(executor, token)) if found != right(token)
    ]
    assert len(wrong) == 10
    assert {token for token, _ in wrong} == {"-2", "-1", "00", "0.0", "-0"}


def test_three_of_four_documents_are_relevant_where_one_is(executor: Executor) -> None:
    assert judged(executor, "1", "-2", "0", "-1") == [3, 1, 1, 0, 1]


def test_544_of_625_and_75938_of_78125_assignments_are_judged_wrongly_all_by_the_text(executor: Executor) -> None:
    certificate = exhaust(RELEVANCE, assignments(7), executor, Watch())
    assert certificate.exhausted
    wrong = dict(sorted(certificate.tally.causes[TEXT_ZERO].items()))
    assert (wrong[4], wrong[7]) == (544, 75938)
    assert (certificate.tally.by_size[4].total(), certificate.tally.by_size[7].total()) == (625, 78125)
    # Right are those without a negative grade: 3 of the 5 grades.
    assert wrong == {n: 5**n - 3**n for n in range(1, 8)}
    assert set(certificate.tally.causes) == {TEXT_ZERO}


def test_an_assignment_is_judged_wrongly_exactly_if_a_grade_is_negative(executor: Executor) -> None:
    for instance in replay(RELEVANCE, executor, list(assignments(4).inputs)):
        negative = any(grade.startswith("-") for grade in instance.x[0])
        assert instance.ruling.verdict.is_mismatch is negative


def test_the_smallest_qrels_that_is_judged_wrongly_is_one_line(executor: Executor) -> None:
    certificate = exhaust(RELEVANCE, assignments(4), executor, Watch())
    assert certificate.smallest is not None
    assert certificate.smallest[1].x == Judged(("-2",))


def test_a_text_that_is_no_integer_accuses_nobody(executor: Executor) -> None:
    certificate = exhaust(RELEVANCE_ODD_TOKENS, RELEVANCE_ODD_TOKENS.domains[0], executor, Watch())
    assert certificate.tally.mismatches() == 0
    assert certificate.tally.readings[TEXT_ZERO] == certificate.inputs


def test_the_mean_precision_is_extrapolated_from_the_mean_length(executor: Executor) -> None:
    x = Mean(((1, (1,)), (1, (0, 0, 0, 1))), 4, assertions=True)
    [instance] = replay(AVERAGE, executor, [x])
    # P@3 is 1/3 and 0, P@4 is 1/4 and 1/4. The lists are 2.5 long in the mean; P@2 is 1/2 and 0, so 1/4 in the mean.
    assert instance.expected_shown == "[1/2, 1/4, 1/6, 1/4]"
    assert numbers(instance.outcome) == [0.5, 0.25, pytest.approx(2.5 / 4 / 3), 2.5 / 4 / 4]


JUNK_FIRST = Searched(("-2", "1"))


def test_end_to_end_junk_counts_in_the_statistics_in_the_log_and_in_the_summary(real: Executor) -> None:
    # Points, good points, max good points, AP, MRR, recall, P@1.
    instance = seen(real, JUNK_FIRST)
    assert instance.observed_shown == f"[{', '.join(['[2, 2, 2, 1, 1, 1, 1]'] * 3)}]"
    assert instance.expected_shown == f"[{', '.join(['[2, 1, 1, 1/2, 1/2, 1, 0]'] * 3)}]"
    assert instance.ruling.follows == (TEXT_ZERO,)


def test_with_our_judge_before_the_jar_nothing_differs_end_to_end(corrected: Executor) -> None:
    for domain in END_TO_END.domains:
        assert exhaust(END_TO_END, domain, corrected, Watch()).tally.mismatches() == 0


def test_with_our_judge_before_the_jar_no_token_and_no_assignment_differs(corrected: Executor) -> None:
    assert [judged(corrected, token) for token in THIRTEEN] == [[right(token)] * 2 for token in THIRTEEN]
    assert judged(corrected, "1", "-2", "0", "-1") == [1, 1, 0, 0, 0]
    certificate = exhaust(RELEVANCE, assignments(7), corrected, Watch())
    assert certificate.exhausted
    assert certificate.tally.mismatches() == 0


def test_the_grades_are_those_of_the_report() -> None:
    assert GRADES == ("-2", "-1", "0", "1", "2")


def by_topic(qrels: str) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for line in qrels.splitlines():
        topic, _, document, grade = line.split()
        found.setdefault(topic, {})[document] = int(grade)
    return found


def counts(executor: Executor, qrels: str) -> tuple[list[int], list[int]]:
    """Return how many relevant documents each topic has: by the judge, and by the rule."""
    topics = by_topic(qrels)
    answer = from_wire(executor.one("judge", (qrels, [[topic, []] for topic in topics], True)))
    assert isinstance(answer, Value)
    assert isinstance(answer.value, tuple)
    counted = [int(numbers(part)[0]) for part in answer.value]
    return counted, [sum(grade >= 1 for grade in grades.values()) for grades in topics.values()]


WEB_2012 = "qrels.web.151-200.txt.gz"


@needs(WEB_2012)
def test_in_48_of_50_topics_of_the_web_track_2012_the_judge_counts_too_many(executor: Executor) -> None:
    counted, documented = counts(executor, content(WEB_2012).decode())
    assert (sum(counted), sum(documented)) == (4381, 3523)
    assert (len(counted), sum(a != b for a, b in zip(counted, documented, strict=True))) == (50, 48)


@needs(WEB_2012)
def test_with_our_judge_before_the_jar_every_topic_of_the_web_track_2012_is_right(corrected: Executor) -> None:
    counted, documented = counts(corrected, content(WEB_2012).decode())
    assert counted == documented
