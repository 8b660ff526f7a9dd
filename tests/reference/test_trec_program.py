"""The whole program on small files, with output worked out by hand, and which topics it evaluates."""

from fractions import Fraction

import pytest

from reference.trec.dialect import Dialect
from reference.trec.evaluation import PLACEHOLDER, Choice, evaluate_texts
from reference.trec.measures import Measures, mean
from reference.trec.options import UnsupportedOptionError
from reference.trec.program import Completed, Undefined, trec_eval
from reference.trec.refusal import MissingTopicError, NegativeTopicError, NoCommonTopicError, RepeatedDocumentError
from shared_data import content, needs

OWN_TEST = ("trec_eval.qrels.test.gz", "trec_eval.results.test.gz")
AFTER_9_0 = [Dialect.V10_0, Dialect.CHECKED]

QRELS = b"q 0 junk -2\nq 0 good 1\n"
RUN = b"q Q0 junk 1 2 r\nq Q0 good 2 1 r\n"

# By topic: q1 has a 1, b 0, c -1, e 2; q2 a 1; q3 a 0. The run has e u c b a for q1, and a for q3.
THREE_QRELS = b"q1 0 a 1\nq1 0 b 0\nq1 0 c -1\nq1 0 e 2\nq2 0 a 1\nq3 0 a 0\n"
THREE_RUN = b"q1 Q0 e 1 9 r\nq1 Q0 u 2 8 r\nq1 Q0 c 3 7 r\nq1 Q0 b 4 6 r\nq1 Q0 a 5 5 r\nq3 Q0 a 1 1 r\n"


def outcome(options: str, qrels: bytes = QRELS, run: bytes = RUN, dialect: Dialect = Dialect.V10_0) -> Completed:
    completed = trec_eval(options.split(), qrels, run, dialect)
    assert isinstance(completed, Completed)
    return completed


def values(
    options: str, qrels: bytes = QRELS, run: bytes = RUN, dialect: Dialect = Dialect.V10_0
) -> dict[tuple[str, str], str]:
    """Return what is printed by measure and topic."""
    completed = outcome(options, qrels, run, dialect)
    rows = [line.split("\t") for line in completed.stdout.decode().splitlines()]
    return {(name.strip(), topic): value for name, topic, value in rows}


def reason(options: str, qrels: bytes, run: bytes, dialect: Dialect = Dialect.V10_0) -> str:
    undefined = trec_eval(options.split(), qrels, run, dialect)
    assert isinstance(undefined, Undefined)
    return undefined.reason


@pytest.mark.parametrize("dialect", Dialect)
def test_junk_above_the_only_good_document(dialect: Dialect) -> None:
    completed = outcome("-m map -m P.1 -m recip_rank -m set_recall -m num_rel", dialect=dialect)
    assert completed == Completed(
        0,
        b"num_rel               \tall\t1\n"
        b"map                   \tall\t0.5000\n"
        b"recip_rank            \tall\t0.5000\n"
        b"P_1                   \tall\t0.0000\n"
        b"set_recall            \tall\t1.0000\n",
        b"",
    )


def test_the_same_as_exact_values() -> None:
    found = evaluate_texts(QRELS, RUN, Dialect.V10_0)
    assert found == {b"q": Measures(2, 1, 1, (2,))}
    assert found[b"q"].average_precision == Fraction(1, 2)


def test_each_topic_comes_before_the_summary() -> None:
    printed = outcome("-q -m num_ret -m num_q -m P.5", b"q 0 a 1\np 0 a 0\n", b"q Q0 a 1 1 r\np Q0 a 1 1 r\n").stdout
    rows = [line.split() for line in printed.decode().splitlines()]
    assert rows == [
        ["num_ret", "p", "1"],
        ["P_5", "p", "0.0000"],
        ["num_ret", "q", "1"],
        ["P_5", "q", "0.2000"],
        ["num_q", "all", "2"],
        ["num_ret", "all", "2"],
        ["P_5", "all", "0.1000"],
    ]


def test_p_without_cutoffs_has_those_of_its_help() -> None:
    names = [name for name, _ in values("-m P")]
    assert names == [f"P_{n}" for n in (5, 10, 15, 20, 30, 100, 200, 500, 1000)]


def test_cutoffs_are_printed_rising() -> None:
    assert [name for name, _ in values("-m P.10,1,3")] == ["P_1", "P_3", "P_10"]


def test_in_9_0_a_judged_topic_without_results_is_skipped() -> None:
    found = values("-m num_q -m map", THREE_QRELS, THREE_RUN, Dialect.V9_0)
    # q1: (1/1 + 2/5) / 2 = 7/10; q3 has nothing relevant and counts.
    assert found == {("num_q", "all"): "2", ("map", "all"): "0.3500"}


@pytest.mark.parametrize("dialect", AFTER_9_0)
def test_after_9_0_a_judged_topic_without_results_is_an_error_after_what_was_printed(dialect: Dialect) -> None:
    assert outcome("-q -m map", THREE_QRELS, THREE_RUN, dialect) == Completed(
        4, b"map                   \tq1\t0.7000\n", b"trec_eval: result qid 'q2' not found in qrels\n"
    )
    with pytest.raises(MissingTopicError, match="for the judged topic b'q2' were expected"):
        evaluate_texts(THREE_QRELS, THREE_RUN, dialect)


@pytest.mark.parametrize("dialect", Dialect)
def test_with_c_every_judged_topic_counts(dialect: Dialect) -> None:
    found = values("-c -m num_q -m num_rel -m map", THREE_QRELS, THREE_RUN, dialect)
    assert found == {("num_q", "all"): "3", ("num_rel", "all"): "3", ("map", "all"): "0.2333"}


def test_with_c_9_0_does_not_print_a_topic_without_results_and_10_0_does() -> None:
    assert ("map", "q2") not in values("-q -c -m map", THREE_QRELS, THREE_RUN, Dialect.V9_0)
    found = values("-q -c -m num_ret -m map", THREE_QRELS, THREE_RUN, Dialect.V10_0)
    assert found["map", "q2"] == "0.0000"
    assert found["num_ret", "q2"] == "0"


def test_with_c_the_sum_of_num_rel_ignores_the_level() -> None:
    found = values("-q -c -l 2 -m num_rel", THREE_QRELS, THREE_RUN)
    assert [found["num_rel", topic] for topic in ("q1", "q2", "q3", "all")] == ["1", "0", "0", "3"]


@pytest.mark.parametrize("dialect", AFTER_9_0)
def test_with_c_a_topic_without_results_retrieves_a_placeholder(dialect: Dialect) -> None:
    qrels = b"p 0 %b 1\np 0 x 1\nq 0 a 1\n" % PLACEHOLDER
    found = values("-q -c -m num_ret -m num_rel_ret -m map", qrels, b"q Q0 a 1 1 r\n", dialect)
    assert found["num_ret", "p"] == "0"
    assert found["num_rel_ret", "p"] == "1"
    assert found["map", "p"] == "0.5000"


@pytest.mark.parametrize(
    ("level", "expected"), [("2", "1.0000"), ("0", "0.7000"), ("x", "0.7000"), ("-1", "1.1833"), ("-2", "1.6667")]
)
def test_a_level_changes_what_is_relevant(level: str, expected: str) -> None:
    # At 2 only e is: 1/1. At 0 (and for a word) e, b and a: (1 + 2/4 + 3/5) / 3. Below: see the tests of the measures.
    run = b"".join(THREE_RUN.splitlines(keepends=True)[:5])
    qrels = b"".join(THREE_QRELS.splitlines(keepends=True)[:4])
    assert values(f"-l {level} -m map", qrels, run)["map", "all"] == expected


def test_with_j_documents_without_a_grade_of_at_least_0_leave_the_ranking() -> None:
    found = values("-q -c -J -m num_ret -m map", THREE_QRELS, THREE_RUN)
    # e b a are left: (1/1 + 2/3) / 2.
    assert found["num_ret", "q1"] == "3"
    assert found["map", "q1"] == "0.8333"


def test_a_ranking_is_cut_before_documents_leave_it() -> None:
    found = values("-q -c -J -M 2 -m num_ret -m map", THREE_QRELS, THREE_RUN)
    assert found["num_ret", "q1"] == "1"
    assert found["map", "q1"] == "0.5000"


def test_a_choice_is_an_option() -> None:
    choice = Choice(level=2, depth=2, judged_only=True, every_judged_topic=True)
    found = evaluate_texts(THREE_QRELS, THREE_RUN, Dialect.V10_0, choice)
    assert found[b"q1"] == Measures(1, 1, 1, (1,))
    assert list(found) == [b"q1", b"q2", b"q3"]


def test_a_topic_without_judgements_is_ignored() -> None:
    assert list(evaluate_texts(QRELS, RUN + b"zz Q0 a 1 1 r\n", Dialect.V10_0)) == [b"q"]


@pytest.mark.parametrize("options", ["-m map", "-c -m map"])
def test_in_9_0_no_common_topic_is_an_error(options: str) -> None:
    assert outcome(options, b"p 0 a 1\n", RUN, Dialect.V9_0) == Completed(
        7, b"", b"trec_eval: No queries with both results and relevance info\n"
    )
    with pytest.raises(NoCommonTopicError):
        evaluate_texts(b"p 0 a 1\n", RUN, Dialect.V9_0)


@pytest.mark.parametrize("dialect", Dialect)
def test_a_document_twice_in_the_run_is_named_before_one_in_the_qrels(dialect: Dialect) -> None:
    qrels = b"q 0 a 1\nq 0 a 1\n"
    assert outcome("-m P.5 -m map", qrels, b"q Q0 b 1 2 r\nq Q0 b 1 1 r\n", dialect) == Completed(
        4, b"", b"trec_eval.form_res_qrels: duplicate docs btrec_eval: Can't calculate measure 'map'\n"
    )
    assert outcome("-m P.5", qrels, RUN, dialect) == Completed(
        4, b"", b"trec_eval.form_res_rels: duplicate docs a\ntrec_eval: Can't calculate measure 'P'\n"
    )
    with pytest.raises(RepeatedDocumentError, match="in the qrels, not two for b'a'"):
        evaluate_texts(qrels, RUN, dialect)


@pytest.mark.parametrize("dialect", Dialect)
def test_without_a_measure_to_calculate_a_document_may_be_there_twice(dialect: Dialect) -> None:
    assert values("-q -m num_q", b"q 0 a 1\nq 0 a 1\n", RUN, dialect) == {("num_q", "all"): "1"}


@pytest.mark.parametrize("dialect", Dialect)
def test_a_first_topic_of_negative_grades_is_an_error(dialect: Dialect) -> None:
    assert outcome("-m num_ret", b"q 0 a -1\nq 0 b -2\n", RUN, dialect) == Completed(
        4, b"", b"trec_eval: Can't calculate measure 'num_ret'\n"
    )
    with pytest.raises(NegativeTopicError):
        evaluate_texts(b"q 0 a -1\n", RUN, dialect)


@pytest.mark.parametrize("dialect", Dialect)
def test_a_later_topic_of_negative_grades_has_nothing_relevant_or_is_undefined(dialect: Dialect) -> None:
    run = b"p Q0 a 1 1 r\n" + RUN
    assert values("-q -m map", b"p 0 a 1\nq 0 a -1\n", run, dialect)["map", "q"] == "0.0000"
    assert "without a grade of at least -1" in reason("-q -m map", b"p 0 a 1\nq 0 a -2\n", run, dialect)


@pytest.mark.parametrize("grade", [10**7 + 1, 2**31, 2**63 - 1, 10**30])
def test_a_huge_grade_is_undefined_and_takes_no_memory(grade: int) -> None:
    assert "8 bytes of memory" in reason("-m map", b"q 0 good %d\n" % grade, RUN)


@pytest.mark.parametrize("grade", [10**6, 10**7])
def test_a_large_grade_is_a_grade(grade: int) -> None:
    assert values("-m map", b"q 0 good %d\n" % grade)["map", "all"] == "0.5000"


@pytest.mark.parametrize(
    ("options", "qrels", "run", "words"),
    [
        ("-m map", b"q 0 a 1\n# c\n", RUN, "a comment as the last line"),
        ("-m map", b"q 0 \0 1\n", RUN, "NUL byte in the qrels"),
        ("-m map", QRELS, b"q Q0 \0 1 1 r\n", "NUL byte in the run"),
        ("-m map", QRELS, b"\n", "without a result"),
        ("-m map", QRELS, b"q Q0 good 1 nan r\n", "NaN"),
        ("-M -1 -m map", QRELS, RUN, "negative length"),
    ],
)
def test_where_the_c_program_has_no_behaviour_the_reason_is_given(
    options: str, qrels: bytes, run: bytes, words: str
) -> None:
    assert words in reason(options, qrels, run)


def test_what_is_undefined_after_an_error_does_not_matter() -> None:
    assert outcome("-m map", b"q 0 a\n", b"\0").status == 2


@pytest.mark.parametrize("dialect", Dialect)
def test_files_that_cannot_be_read_are_named(dialect: Dialect) -> None:
    def stderr(qrels: bytes, run: bytes) -> bytes:
        completed = trec_eval(["-m", "map"], qrels, run, dialect, names=("my.qrels", "my.run"))
        assert isinstance(completed, Completed)
        assert (completed.status, completed.stdout) == (2, b"")
        return completed.stderr

    assert stderr(b"", b"") == (
        b"trec_eval.get_qrels: Cannot read qrels file 'my.qrels'\ntrec_eval: Quit in file 'my.qrels'\n"
    )
    assert stderr(QRELS, b"") == (
        b"trec_eval.get_results: Cannot read results file 'my.run'\ntrec_eval: Quit in file 'my.run'\n"
    )
    assert stderr(b"q 0\n", b"") == b"trec_eval.get_qrels: Malformed line 1\ntrec_eval: Quit in file 'my.qrels'\n"
    assert stderr(QRELS, b"q\n") == b"trec_eval.get_results: Malformed line 1\ntrec_eval: Quit in file 'my.run'\n"


def test_the_checked_dialect_warns_of_a_partial_grade_and_refuses_a_word() -> None:
    assert outcome("-m num_rel", b"q 0 b 0\nq 0 a 1x\n", RUN, Dialect.CHECKED) == Completed(
        0, b"num_rel               \tall\t1\n", b"Warning, value `1x' partially read as `1'.\n"
    )
    assert outcome("-m num_rel", b"q 0 b x\nq 0 a 1x\n", RUN, Dialect.CHECKED) == Completed(
        2,
        b"",
        b"Warning, value `1x' partially read as `1'.\n"
        b"Error: value `x' could not be parsed.\n"
        b"trec_eval: Unusable relevance level 'x'\n"
        b"trec_eval: Quit in file 'q'\n",
    )
    assert outcome("-m num_rel", b"q 0 b 9223372036854775808\n", RUN, Dialect.CHECKED).stderr == (
        b"Error: value `9223372036854775808' out of range.\n"
        b"trec_eval: Unusable relevance level '9223372036854775808'\n"
        b"trec_eval: Quit in file 'q'\n"
    )


def test_the_checked_dialect_checks_the_numbers_of_options() -> None:
    assert outcome("-m map -l x", dialect=Dialect.CHECKED) == Completed(
        1, b"", b"Error: value `x' could not be parsed.\ntrec_eval: Unusable relevance level 'x'\n"
    )
    assert outcome("-M 2x -m map -M y", dialect=Dialect.CHECKED) == Completed(
        1,
        b"",
        b"Warning, value `2x' partially read as `2'.\n"
        b"Error: value `y' could not be parsed.\n"
        b"trec_eval: Invalid maximum number of documents per topic 'y'\n",
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("", "a measure"),
        ("-m ndcg", "one of the measures"),
        ("-m official", "one of the measures"),
        ("-m map.3", "map without a parameter"),
        ("-m P.5 -m P.1", "one -m P"),
        ("-m P.0", "positive cutoffs"),
        ("-m P.5,5", "without duplicates"),
        ("-m P.x", "positive cutoffs"),
        ("-m P.", "one of the measures"),
        ("-m map -N 7", "one of the options"),
        ("-m map extra", "an option was expected"),
        ("-m", "one of the options"),
    ],
)
def test_what_is_not_implemented_is_refused(options: str, words: str) -> None:
    with pytest.raises(UnsupportedOptionError, match=words):
        trec_eval(options.split(), QRELS, RUN, Dialect.V10_0)


def test_options_may_be_joined() -> None:
    assert outcome("-qcmmap -l1") == outcome("-q -c -m map -l 1")


@pytest.mark.parametrize("dialect", Dialect)
@needs(*OWN_TEST)
def test_the_files_that_trec_eval_tests_itself_with(dialect: Dialect) -> None:
    qrels, run = map(content, OWN_TEST)
    found = values(
        "-m num_q -m num_ret -m num_rel -m num_rel_ret -m map -m Rprec -m recip_rank -m P", qrels, run, dialect
    )
    # From test/out.test of trec_eval.
    assert " ".join(found.values()) == (
        "3 1500 561 131 0.1785 0.2174 0.4064 0.2667 0.3000 0.3111 0.3667 0.3333 0.2467 0.1600 0.0873 0.0437"
    )


@pytest.mark.parametrize(
    ("ranks", "relevant", "exact", "expected"),
    [
        # The exact value is a double here, and would be printed as 0.0938; the sum of three quotients is below it.
        ((2, 3, 9), 16, Fraction(3, 32), "0.0937"),
        ((4, 5, 10), 8, Fraction(19, 160), "0.1187"),
        ((2, 8, 10), 24, Fraction(7, 160), "0.0438"),
    ],
)
def test_a_half_way_average_precision_is_printed_as_trec_eval_was_seen_to(
    ranks: tuple[int, ...], relevant: int, exact: Fraction, expected: str
) -> None:
    retrieved = b"".join(b"q 0 d%d 1\n" % rank for rank in ranks)
    missed = b"".join(b"q 0 u%d 1\n" % i for i in range(relevant - len(ranks)))
    run = b"".join(b"q Q0 d%d %d %d r\n" % (rank, rank, 100 - rank) for rank in range(1, 13))
    assert evaluate_texts(retrieved + missed, run, Dialect.V10_0)[b"q"].average_precision == exact
    assert values("-m map", retrieved + missed, run)["map", "all"] == expected


def test_a_half_way_mean_is_printed_as_trec_eval_was_seen_to() -> None:
    # (1/3 + 1/4 + 1/6 + 1/8) / 4 = 7/32 = 0.21875, which a sum without rounding prints as 0.2188.
    ranks = (3, 4, 6, 8)
    qrels = b"".join(b"q%d 0 d%d 1\n" % (rank, rank) for rank in ranks)
    run = b"".join(b"q%d Q0 d%d 0 %d r\n" % (topic, rank, 100 - rank) for topic in ranks for rank in range(1, 9))
    assert mean(found.reciprocal_rank for found in evaluate_texts(qrels, run, Dialect.V10_0).values()) == Fraction(
        7, 32
    )
    assert values("-m recip_rank", qrels, run)["recip_rank", "all"] == "0.2187"
