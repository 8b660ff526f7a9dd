"""The real quality classes of Lucene answer through our probe; skipped where Java or a jar is absent.

The releases are those that ``RANKDIFF_LUCENE_JAR`` names, or that Debian has installed.
"""

import importlib.util
import itertools
import os
import random
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from cases.lucene.real import jars
from harness.errors import RankdiffError
from harness.limits import DEFAULT

FOLDER = Path(jars.__file__).parent
ADAPTER = FOLDER / "adapter.py"

try:
    JAVA, RELEASES, REASON = jars.find_java(), jars.find_releases(), ""
    for each in RELEASES:
        jars.require_runnable(each, JAVA)
except RankdiffError as error:
    JAVA, RELEASES, REASON = jars.Java(Path(), Path(), "0"), (), str(error)

releases = pytest.mark.parametrize(
    "release",
    RELEASES or [pytest.param(None, marks=pytest.mark.skip(reason=REASON))],
    ids=lambda release: release.version if release else "none",
    scope="module",
)

GRADES = ("-2", "-1", "0", "1", "2")
TOKENS = ("-2", "-1", "-0", "0", "00", "0.0", "1", "01", "+1", "2", "3", "10", "127")
NOT_POSITIVE = ("-2", "-1", "-0", "0", "00", "0.0")
"""Those of the tokens whose leading integer is less than 1."""


def load(environment: dict[str, str], patch: pytest.MonkeyPatch) -> ModuleType:
    """Return an adapter of its own, that reads this environment."""
    patch.delenv("RANKDIFF_LUCENE_SHADOW", raising=False)
    for name, value in environment.items():
        patch.setenv(name, value)
    spec = importlib.util.spec_from_file_location("rankdiff_adapter", ADAPTER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("classes")


@pytest.fixture(scope="module")
def lucene(release: jars.Release, classes: Path) -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        adapter = load(jars.adapter_environment(release, JAVA, classes), patch)
        yield adapter
        adapter.end()


@pytest.fixture(scope="module")
def corrected(release: jars.Release, classes: Path) -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        adapter = load(
            jars.adapter_environment(release, JAVA, classes, FOLDER.parent / "patches" / "leading-digits"), patch
        )
        yield adapter
        adapter.end()


def one(answers: list[Any]) -> Any:
    """Return the only answer, or raise it if it is an error."""
    [answer] = answers
    if isinstance(answer, Exception):
        raise answer
    return answer


def documented(tokens: tuple[str, ...]) -> list[int]:
    """Return maxRecall and relevance by trec_eval's rule, for tokens that are integers."""
    relevant = [int(int(token) >= 1) for token in tokens]
    return [sum(relevant), *relevant]


def tokens_of(adapter: Any, assignments: list[tuple[str, ...]]) -> list[list[int]]:
    found: list[list[int]] = adapter.judge_tokens_batch([[list(tokens)] for tokens in assignments])
    return found


# --- what answers ----------------------------------------------------------------------------------------------


@releases
def test_the_release_says_itself_which_one_it_is(release: jars.Release, lucene: Any) -> None:
    said = lucene.platform()
    assert (said["version"], said["TrecJudge"]) == (release.version, release.jar.name)
    assert (said["sha256"], said["assertions"]) == (release.sha256, "on and off")


@releases
def test_the_proof_names_the_jar_and_its_hash(release: jars.Release, lucene: Any) -> None:
    named = {entry["name"]: entry for entry in lucene.proof()}
    assert named[release.jar.name]["sha256"] == release.sha256
    assert "Probe" in named


@releases
def test_a_shadow_says_that_it_answers_and_not_the_jar(release: jars.Release, corrected: Any) -> None:
    said = corrected.platform()
    assert (said["TrecJudge"], said["QualityStats"]) == ("shadow", release.jar.name)


# --- the judge -------------------------------------------------------------------------------------------------


@releases
@pytest.mark.parametrize("assertions", [True, False])
def test_a_negative_grade_is_judged_relevant(lucene: Any, assertions: bool) -> None:  # noqa: FBT001
    qrels = "q 0 d1 1\nq 0 d2 -2\nq 0 d3 0\nq 0 d4 -1\n"
    assert lucene.judge_batch([[qrels, [["q", ["d1", "d2", "d3", "d4"]]], assertions]]) == [[[3, [1, 1, 0, 1]]]]


@releases
def test_of_625_assignments_544_are_judged_wrong(lucene: Any) -> None:
    # Right are those without -2 and -1: 3^4 = 81 of 5^4.
    assignments = list(itertools.product(GRADES, repeat=4))
    found = tokens_of(lucene, assignments)
    assert sum(x != documented(tokens) for x, tokens in zip(found, assignments, strict=True)) == 544


@releases
def test_the_corrected_judge_has_all_625_right(corrected: Any) -> None:
    assignments = list(itertools.product(GRADES, repeat=4))
    assert tokens_of(corrected, assignments) == [documented(tokens) for tokens in assignments]


@releases
def test_of_78125_assignments_all_but_those_of_0_1_2_are_judged_wrong(lucene: Any) -> None:
    assignments = list(itertools.product(GRADES, repeat=7))
    found = tokens_of(lucene, assignments)
    wrong = sum(x != documented(tokens) for x, tokens in zip(found, assignments, strict=True))
    assert wrong == 5**7 - 3**7


@releases
def test_a_single_token_is_relevant_unless_it_is_0(lucene: Any) -> None:
    assert tokens_of(lucene, [(token,) for token in TOKENS]) == [[int(t != "0")] * 2 for t in TOKENS]


@releases
def test_the_corrected_judge_reads_a_token_as_atol_does(corrected: Any) -> None:
    more = ("x", "+0", "1x", "0x1", "-1x", "+", "--1", "1.5", ".5", "99999999999999999999", "\uff11")
    right = [int(token not in NOT_POSITIVE) for token in TOKENS] + [0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0]
    assert tokens_of(corrected, [(token,) for token in (*TOKENS, *more)]) == [[bit] * 2 for bit in right]


@releases
@pytest.mark.parametrize(
    ("qrels", "query", "document", "found"),
    [
        ("", "q", "d", [0, [0]]),
        ("q 0 d 1", "q", "d", [1, [1]]),
        ("q 0 d 1\rq 0 e 1\r", "q", "e", [2, [1]]),
        ("q\t0\td\t1\t\n", "q", "d", [1, [1]]),
        ("q 0 d 1\nq 0 d 0\n", "q", "d", [1, [1]]),
        ("  # c\nq 0 d% 1\n", "q", "d%", [1, [1]]),
        ("q 0 \u00e9\u6587\U0001f600 1\n", "q", "\u00e9\u6587\U0001f600", [1, [1]]),
        ("\ufeffq 0 d 1\n", "\ufeffq", "d", [1, [1]]),
        ("q 0 d\u0085e 1\n", "q", "d\u0085e", [1, [1]]),
        ("q 0 d 1\n", "q\t", "d", [0, [0]]),
    ],
)
def test_a_line_reaches_the_judge_as_it_is(lucene: Any, qrels: str, query: str, document: str, found: object) -> None:
    assert lucene.judge_batch([[qrels, [[query, [document]]], True]]) == [[found]]


@releases
def test_several_queries_are_answered_in_order(lucene: Any) -> None:
    qrels = "q 0 d 1\np 0 e 1\np 0 f 2\n"
    assert lucene.judge_batch([[qrels, [["p", ["f", "d", "e"]], ["q", []], ["r", ["d"]]], False]]) == [
        [[2, [1, 0, 1]], [1, []], [0, [0]]]
    ]


@releases
def test_a_fifth_field_is_an_error_only_where_assertions_are_on(lucene: Any) -> None:
    with pytest.raises(AssertionError, match=r"^wrong format: q 0 d 1 x  next: x$"):
        one(lucene.judge_batch([["q 0 d 1 x\n", [["q", ["d"]]], True]]))
    assert lucene.judge_batch([["q 0 d 1 x\n", [["q", ["d"]]], False]]) == [[[1, [1]]]]


@releases
def test_too_few_fields_are_an_error_without_a_message(lucene: Any) -> None:
    with pytest.raises(Exception, match=r"^$") as caught:
        one(lucene.judge_batch([["q 0 d\n", [], False]]))
    assert type(caught.value).__name__ == "NoSuchElementException"


@releases
def test_validation_prints_queries_as_given_and_judgements_sorted(lucene: Any) -> None:
    qrels = "".join(f"q{k} 0 d 1\n" for k in range(5))
    text = (
        "WARNING: 2 queries have no judgments! - \n   b\n   a\n"
        "WARNING: 4 judgments match no query! - \n   q0\n   q1\n   q3\n   q4\n"
    )
    inputs = [[qrels, ["b", "q2", "a"], True], ["q 0 d 1", ["q"], True]]
    assert lucene.validate_batch(inputs) == [[0, text], [1, ""]]


@releases
def test_the_corrected_judge_validates_as_the_real_one_does(lucene: Any, corrected: Any) -> None:
    inputs = [["q 0 d 1\np 0 d 1\n", ["b", "q", "b", "q"], True], ["q 0 d 0\n", ["q"], False]]
    assert corrected.validate_batch(inputs) == lucene.validate_batch(inputs)


# --- the statistics --------------------------------------------------------------------------------------------


@releases
def test_the_statistics_are_those_of_the_definitions(lucene: Any) -> None:
    # Relevant at ranks 2 and 3, of 4 known: AP (1/2 + 2/3) / 4.
    after = [2 / n for n in range(4, 21)]
    [[*found, precision]] = lucene.stats_batch([[4, [0, 1, 1]]])
    assert found == [3.0, 2.0, 4.0, pytest.approx((1 / 2 + 2 / 3) / 4, rel=1e-15), 0.5, 0.5]
    assert precision == pytest.approx([0.0, 0.5, 2 / 3, *after], rel=1e-15)


@releases
def test_a_double_that_is_no_number_comes_back(lucene: Any) -> None:
    [found] = lucene.stats_batch([[float("inf"), [1]]])
    assert found[2:4] == [float("inf"), 0.0]


@releases
def test_the_average_leaves_out_what_has_no_relevant_document(lucene: Any) -> None:
    [found] = lucene.average_batch([[[[1, [1]], [0, [0, 0]]], True]])
    assert found[:6] == [1.0] * 6


@releases
def test_the_precisions_of_an_average_are_extrapolated_beyond_its_mean_length(lucene: Any) -> None:
    # 1 and 3 ranks, so 2 in the mean: P@2 is (1/2 + 1/2) / 2, and P@4 is taken as P@2 * 2 / 4, not as (1/4 + 1/4) / 2.
    queries = [[1, [1]], [1, [0, 1, 0]]]
    assert lucene.mean_precisions_batch([[queries, 4, True]]) == [[0.5, 0.5, pytest.approx(1 / 3), 0.25]]


@releases
def test_an_average_of_nothing_good_is_an_error_only_where_assertions_are_on(lucene: Any) -> None:
    with pytest.raises(AssertionError, match=r'^Fishy: no "good" queries!$'):
        one(lucene.average_batch([[[[0, [0]]], True]]))
    [found] = lucene.average_batch([[[[0, [0]]], False]])
    assert found[3] != found[3]


@releases
def test_the_log_is_laid_out_with_title_prefix_and_padding(lucene: Any) -> None:
    [text] = lucene.log_batch([[[[2, [0, 1, 1]]], "title", 1, "> ", True]])
    lines = text.split("\n")
    assert lines[:4] == ["", "title", "> Search Seconds:         0.000", "> DocName Seconds:        0.000"]
    assert lines[-4:] == ["> Precision At 1:         0.000", "> Precision At 2:         0.500", "", ""]


@releases
def test_the_log_of_several_is_that_of_their_average(lucene: Any) -> None:
    [text] = lucene.log_batch([[[[1, [1]], [1, [0]]], "", 0, "", True]])
    assert "MRR:                    0.500\n" in text


@releases
def test_a_rank_that_does_not_follow_is_refused(lucene: Any) -> None:
    with pytest.raises(Exception, match=r"^point 2 illegal after 0\.0 points!$") as caught:
        one(lucene.add_result_batch([[1, [[2, 1]]]]))
    assert type(caught.value).__name__ == "IllegalArgumentException"
    assert lucene.add_result_batch([[1, [[1, 1]]]]) == lucene.stats_batch([[1, [1]]])


@releases
def test_precision_is_asked_for_at_any_rank(lucene: Any) -> None:
    assert lucene.precision_at_batch([[1, [1, 0], 2], [1, [1, 0], 4]]) == [0.5, 0.25]
    with pytest.raises(Exception, match=r"^n=21 - but it must be in \[1,20\] range!$"):
        one(lucene.precision_at_batch([[1, [1], 21]]))


@releases
def test_a_number_beyond_an_int_of_java_is_unsupported(lucene: Any) -> None:
    with pytest.raises(lucene.Unsupported, match="an int of Java was expected"):
        lucene.precision_at_batch([[1, [1], 2**31]])


WORKED = "q 0 junk -2\nq 0 good 1\n"
"""By the rule, good is the one relevant document; it is ranked second."""


@releases
def test_the_worked_example_is_scored_as_if_junk_were_relevant(lucene: Any) -> None:
    assert lucene.scored_batch([[WORKED, "q", ["junk", "good"], True]]) == lucene.stats_batch([[2, [1, 1]]])


@releases
def test_the_corrected_judge_scores_the_worked_example_right(corrected: Any) -> None:
    assert corrected.scored_batch([[WORKED, "q", ["junk", "good"], True]]) == corrected.stats_batch([[1, [0, 1]]])


# --- end to end ------------------------------------------------------------------------------------------------


@pytest.fixture
def whole(lucene: Any) -> Any:
    try:
        lucene.require_end_to_end()
    except lucene.Unsupported as error:
        pytest.skip(str(error))
    return lucene


@releases
def test_the_benchmark_is_fed_by_a_real_index_in_the_given_order(whole: Any) -> None:
    documents = [f"d{k}" for k in range(30)]
    random.Random(1).shuffle(documents)  # noqa: S311
    qrels = f"q 0 {documents[3]} 1\nq 0 {documents[7]} 1\nq 0 absent 1\n"
    relevant = [int(k in (3, 7)) for k in range(30)]
    assert whole.benchmark_batch([[qrels, documents]]) == whole.stats_batch([[3, relevant]])


@releases
def test_the_benchmark_scores_the_worked_example_as_if_junk_were_relevant(whole: Any) -> None:
    assert whole.benchmark_batch([[WORKED, ["junk", "good"]]]) == whole.stats_batch([[2, [1, 1]]])


@releases
def test_the_benchmark_of_nothing_retrieved_has_no_points(whole: Any) -> None:
    assert whole.benchmark_batch([[WORKED, []]]) == whole.stats_batch([[2, []]])


@releases
def test_the_log_of_the_benchmark_is_that_of_the_statistics(whole: Any) -> None:
    [text] = whole.benchmark_log_batch([[WORKED, ["junk", "good"]]])
    [log] = whole.log_batch([[[[2, [1, 1]]], "q Stats:", 1, "  ", False]])
    assert text == "q  -  body:wanted\n" + log


@releases
def test_the_query_driver_prints_the_summary_of_the_average(whole: Any) -> None:
    summary = whole.log_batch([[[[2, [1, 1]]], "SUMMARY", 2, "  ", False]])
    assert whole.query_driver_batch([[WORKED, ["junk", "good"]]]) == summary


@releases
def test_the_query_driver_reads_names_beyond_ascii(whole: Any) -> None:
    summary = whole.log_batch([[[[1, [0, 1]]], "SUMMARY", 2, "  ", False]])
    assert whole.query_driver_batch([["q 0 \u6587 1\n", ["a", "\u6587"]]]) == summary


@releases
def test_what_lucene_throws_end_to_end_is_raised(whole: Any) -> None:
    for call in (whole.benchmark_batch, whole.benchmark_log_batch, whole.query_driver_batch):
        with pytest.raises(Exception, match=r"^$") as caught:
            one(call([["q 0 d\n", ["d"]]]))
        assert type(caught.value).__name__ == "NoSuchElementException"


@releases
def test_without_its_other_jars_a_release_is_unsupported_end_to_end(
    release: jars.Release, classes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = jars.adapter_environment(release, JAVA, classes)
    adapter: Any = load({**environment, "RANKDIFF_LUCENE_CLASSPATH": str(release.jar)}, monkeypatch)
    with pytest.raises(adapter.Unsupported, match="core"):
        adapter.benchmark_batch([[WORKED, ["junk"]]])


# --- the process -----------------------------------------------------------------------------------------------


@releases
def test_many_long_answers_do_not_block_the_requests(lucene: Any) -> None:
    documents = [f"d{k}" for k in range(3000)]
    inputs = [["q 0 d1 1\n", [["q", documents]], True]] * 400
    assert lucene.judge_batch(inputs) == [[[1, [int(k == 1) for k in range(3000)]]]] * 400


@releases
def test_assertions_on_and_off_may_be_mixed_in_a_batch(lucene: Any) -> None:
    inputs = [["q 0 d 1" + " x" * k, [["q", ["d"]]], k == 0] for k in (0, 1, 0, 1)]
    assert lucene.judge_batch(inputs) == [[[1, [1]]]] * 4


@releases
def test_a_jvm_that_is_killed_in_the_middle_is_told_and_replaced(lucene: Any) -> None:
    tokens_of(lucene, [("1",)])
    pid = lucene.running["Probe", True].process.pid
    os.kill(pid, signal.SIGSTOP)  # it takes in what its pipe holds, and no more
    killer = threading.Timer(0.3, os.kill, (pid, signal.SIGKILL))
    killer.start()
    with pytest.raises(lucene.Crashed, match=r"^the JVM ended with signal SIGKILL"):
        tokens_of(lucene, [("1",) * 7] * 20_000)
    killer.join()
    assert tokens_of(lucene, [("1",)]) == [[1, 1]]


@releases
def test_a_jvm_that_crashes_once_is_replaced_and_told_in_the_end(lucene: Any) -> None:
    tokens_of(lucene, [("1",)])
    os.kill(lucene.running["Probe", True].process.pid, signal.SIGSEGV)
    lucene.running["Probe", True].process.wait(60)
    assert tokens_of(lucene, [("1",)]) == [[1, 1]]
    assert any("the JVM ended with signal SIGABRT" in each for each in lucene.disturbances())


def in_a_process(do: str) -> "subprocess.CompletedProcess[str]":
    """Run Python code in a process of its own that has loaded the adapter."""
    load_it = (
        "import importlib.util, os, resource\n"
        f"spec = importlib.util.spec_from_file_location('rankdiff_adapter', {str(ADAPTER)!r})\n"
        "adapter = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(adapter)\n"
    )
    return subprocess.run([sys.executable, "-c", load_it + do], capture_output=True, text=True, check=False)


@releases
@pytest.mark.usefixtures("lucene")
def test_java_runs_and_compiles_within_the_address_space_of_a_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RANKDIFF_LUCENE_CLASSES", str(tmp_path))  # nothing is compiled there yet
    limit = f"resource.setrlimit(resource.RLIMIT_AS, ({DEFAULT.memory}, {DEFAULT.memory}))\n"
    done = in_a_process(limit + "print(adapter.judge_tokens_batch([[['1', '0']]]))")
    assert (done.stdout, done.stderr) == ("[[1, 1, 0]]\n", "")


@releases
def test_a_jvm_does_not_outlive_an_adapter_that_is_killed(lucene: Any) -> None:
    lucene.platform()  # everything is compiled now
    done = in_a_process(
        "adapter.platform(); print(adapter.running['Probe', True].process.pid, flush=True); os.kill(os.getpid(), 9)"
    )
    deadline = time.monotonic() + 20
    while is_alive(int(done.stdout)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_alive(int(done.stdout))


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/status")
    return not (status.exists() and "State:\tZ" in status.read_text())


@releases
def test_options_in_the_users_environment_do_not_reach_java(
    release: jars.Release, classes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-XX:NoSuchOption")
    monkeypatch.setenv("_JAVA_OPTIONS", "-XX:NoSuchOption")
    adapter: Any = load(jars.adapter_environment(release, JAVA, classes), monkeypatch)
    assert tokens_of(adapter, [("1",)]) == [[1, 1]]
    adapter.end()


@releases
def test_a_program_that_is_no_java_is_refused(
    release: jars.Release, classes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    echo = tmp_path / "java"
    echo.write_text("#!/bin/sh\nexec cat\n")
    echo.chmod(0o755)
    environment = jars.adapter_environment(release, JAVA, classes)
    adapter: Any = load({**environment, "RANKDIFF_LUCENE_JAVA": str(echo)}, monkeypatch)
    with pytest.raises(adapter.Unusable, match="an answer to request 0 was expected"):
        tokens_of(adapter, [("1",)])


@releases
def test_after_an_answer_to_another_request_a_new_jvm_is_asked_and_that_is_told_in_the_end(lucene: Any) -> None:
    tokens_of(lucene, [("1",)])
    lucene.running["Probe", True].asked += 1
    lucene.running["Probe", True].requests.write(b"0\tT\t1\n")
    assert tokens_of(lucene, [("1",)]) == [[1, 1]]
    assert any("an answer to request" in each for each in lucene.disturbances())


@releases
def test_a_jar_that_is_newer_than_java_says_which_one_it_needs(
    release: jars.Release, classes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = tmp_path / "newer.jar"
    with zipfile.ZipFile(release.jar) as old, zipfile.ZipFile(newer, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            is_class = name.endswith(".class")
            new.writestr(name, content[:6] + (44 + 99).to_bytes(2, "big") + content[8:] if is_class else content)
    environment = jars.adapter_environment(release, JAVA, classes)
    adapter: Any = load({**environment, "RANKDIFF_LUCENE_CLASSPATH": str(newer)}, monkeypatch)
    with pytest.raises(adapter.Unusable, match="the jar needs Java 99 or newer"):
        tokens_of(adapter, [("1",)])
