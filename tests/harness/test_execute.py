"""Whatever a subject does, each of its inputs gets its own outcome, and the run goes on."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import miniature
from harness import execute
from harness.errors import BrokenAdapterError, CancelledRunError, WorkerFailedToStartError, WorkerSlowToStartError
from harness.execute import Executor
from harness.jsontypes import Json
from harness.library import Library
from harness.outcome import Text, from_wire
from harness.subject import Subject, require_installed


@pytest.fixture
def executor(mini: Callable[..., Library]) -> Iterator[Executor]:
    with Executor(subject_of(mini()), miniature.QUICK) as running:
        yield running


def subject_of(library: Library) -> Subject:
    return require_installed(library)


def outcomes(executor: Executor, call: str, numbers: range = range(20)) -> list[Json]:
    batches = executor.split([(n,) for n in numbers])
    return [outcome for _, found in executor.run(call, batches) for outcome in found]


def doubled(numbers: range = range(20), **others: Json) -> list[Json]:
    refusal = {"raises": "ValueError", "message": "5 is refused"}
    right: list[Json] = [refusal if n == 5 else (2.0 * n).hex() for n in numbers]
    if "thirteen" in others:
        right[13] = others["thirteen"]
    return right


@pytest.mark.parametrize(
    "call", ["right", "right_as_numpy", "right_as_array_scalar", "right_as_longdouble", "right_and_noisy"]
)
def test_right_subjects_answer_every_input(executor: Executor, call: str) -> None:
    assert outcomes(executor, call) == doubled()
    assert executor.disturbances == []


def test_an_integer_stays_an_integer(executor: Executor) -> None:
    assert outcomes(executor, "right_as_int", range(3)) == [0, 2, 4]


def test_a_slow_subject_is_not_taken_for_one_that_hangs(executor: Executor) -> None:
    numbers = range(6, 106)  # more than the limit of a batch in all
    assert outcomes(executor, "right_and_slow", numbers) == doubled(numbers)


def test_an_exception_is_an_outcome_of_its_input_alone(executor: Executor) -> None:
    raised = {"raises": "RuntimeError", "message": "thirteen"}
    assert outcomes(executor, "raises_at_13") == doubled(thirteen=raised)


@pytest.mark.parametrize(
    ("call", "how"),
    [
        ("ends_at_13", "exit 7"),
        ("segfaults_at_13", "signal SIGSEGV"),
        ("ends_by_a_nameless_signal_at_13", "signal 40"),
        ("leaves_a_child_and_ends_at_13", "exit 7"),
    ],
)
def test_the_input_that_ends_the_process_is_pinned_down(executor: Executor, call: str, how: str) -> None:
    assert outcomes(executor, call) == doubled(thirteen={"crashed": how})
    assert executor.disturbances == []


def test_the_input_that_hangs_is_pinned_down(executor: Executor) -> None:
    assert outcomes(executor, "hangs_at_13") == doubled(thirteen={"hung": miniature.QUICK.input})


def test_a_subject_that_always_ends_is_given_up(executor: Executor) -> None:
    assert outcomes(executor, "ends_always") == [{"crashed": "exit 3"}] * miniature.QUICK.deaths
    assert executor.gave_up


def test_a_subject_that_always_hangs_is_given_up(executor: Executor) -> None:
    assert outcomes(executor, "hangs_always") == [
        {"hung": limit} for limit in [miniature.QUICK.first_call_again] * miniature.QUICK.deaths
    ]
    assert executor.gave_up


def test_a_process_that_ends_once_is_no_verdict_but_is_reported(
    mini: Callable[..., Library], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RANKDIFF_TEST_ONCE", str(tmp_path / "once"))
    with Executor(subject_of(mini()), miniature.QUICK) as executor:
        assert outcomes(executor, "ends_once") == doubled()
        [disturbance] = executor.disturbances
    assert "exit 9" in disturbance
    assert "ran clean in a fresh one" in disturbance


def test_a_worker_that_is_killed_from_outside_is_replaced(executor: Executor) -> None:
    numbers = range(6, 206)
    batches = executor.split([(n,) for n in numbers])
    found: list[Json] = []
    for _, some in executor.run("right_and_slow", batches):
        if not found:
            assert executor.worker is not None
            os.kill(executor.worker.pid, signal.SIGKILL)
        found += some
    assert found == doubled(numbers)
    assert "signal SIGKILL" in executor.disturbances[0]


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        ("complex_number", "complex"),
        ("nothing", "NoneType"),
        ("truth", "bool"),
    ],
)
def test_what_is_no_number_travels_as_its_type(executor: Executor, call: str, kind: str) -> None:
    for outcome in outcomes(executor, call, range(2)):
        assert isinstance(outcome, dict)
        assert outcome["returned"] == kind


@pytest.mark.parametrize("call", ["text", "hexadecimal_text"])
def test_a_text_travels_as_a_text_and_never_as_a_number(executor: Executor, call: str) -> None:
    for outcome in outcomes(executor, call, range(2)):
        assert isinstance(from_wire(outcome), Text)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("says_it", "twice 0 is 0\n"),
        ("half_a_character", "\udc80"),
        ("as_long_as_a_text_may_be", "\N{GRINNING FACE}" * 10_000),
    ],
)
def test_a_text_travels_to_the_letter(executor: Executor, call: str, text: str) -> None:
    assert [from_wire(outcome) for outcome in outcomes(executor, call, range(1))] == [Text(text)]


def test_a_text_that_is_too_long_is_no_value(executor: Executor) -> None:
    assert outcomes(executor, "longer_than_a_text_may_be", range(1)) == [{"returned": "str", "shown": "'" + "x" * 199}]


def test_many_long_texts_are_no_disturbance(mini: Callable[..., Library]) -> None:
    with Executor(subject_of(mini()), replace(miniature.QUICK, batch=30)) as executor:
        found = outcomes(executor, "as_long_as_a_text_may_be", range(3000))
        assert executor.disturbances == []
    assert len(found) == 3000


@pytest.mark.parametrize("call", ["loses_its_process_at_13", "loses_its_process_at_13_in_place"])
def test_a_process_of_the_adapter_that_ends_is_a_crash_of_its_input_alone(executor: Executor, call: str) -> None:
    assert outcomes(executor, call) == doubled(thirteen={"crashed": "signal SIGILL"})
    assert executor.disturbances == []


def test_a_process_of_the_adapter_that_ends_does_not_end_its_worker(executor: Executor) -> None:
    executor.start()
    assert executor.worker is not None
    before = executor.worker.pid
    outcomes(executor, "loses_its_process_at_13")
    assert executor.worker.pid == before


def test_nan_and_infinity_travel(executor: Executor) -> None:
    assert outcomes(executor, "nan", range(1)) == ["nan"]
    assert outcomes(executor, "infinite", range(1)) == ["inf"]


def test_a_subject_that_exits_politely_raises(executor: Executor) -> None:
    assert outcomes(executor, "exits", range(2)) == [{"raises": "SystemExit", "message": "0"}] * 2


def test_a_subject_that_eats_memory_is_stopped_by_its_limit(mini: Callable[..., Library]) -> None:
    small = replace(miniature.QUICK, memory=2**30)
    with Executor(subject_of(mini()), small) as executor:
        assert outcomes(executor, "eats_memory", range(1)) == [{"raises": "MemoryError", "message": ""}]


@pytest.mark.parametrize(
    ("call", "outcome"),
    [
        ("raises_odd_text", {"raises": "ValueError", "message": "bad \\udc80 name"}),
        ("raises_without_text", {"raises": "Speechless", "message": "(Speechless has no text: RuntimeError)"}),
        ("a_huge_integer", {"returned": "int", "shown": "(int has no text: ValueError)"}),
    ],
)
def test_what_has_no_plain_text_travels_all_the_same(executor: Executor, call: str, outcome: Json) -> None:
    assert outcomes(executor, call, range(1)) == [outcome]


def test_a_value_that_is_nested_too_deep_is_none(executor: Executor) -> None:
    [outcome] = outcomes(executor, "nests", range(1))
    assert "returned" in json.dumps(outcome)
    from_wire(outcome)


def test_a_channel_that_dribbles_does_not_hold_the_run_up(executor: Executor) -> None:
    found = outcomes(executor, "dribbles_at_13")
    assert found[13] == {"hung": miniature.QUICK.input}
    assert found[:13] + found[14:] == doubled()[:13] + doubled()[14:]


def test_a_forked_child_that_comes_back_has_no_say(executor: Executor) -> None:
    assert outcomes(executor, "forks_a_child_that_comes_back") == doubled()


def test_what_a_dead_worker_started_does_not_outlive_it(executor: Executor) -> None:
    executor.start()
    assert executor.worker is not None
    group = executor.worker.pid
    assert outcomes(executor, "leaves_a_child_and_ends_at_13", range(13, 14)) == [{"crashed": "exit 7"}]
    listed = subprocess.run(["ps", "-A", "-o", "pgid=,stat="], stdout=subprocess.PIPE, text=True, check=True).stdout
    left = [line for line in listed.splitlines() if line.split()[0] == str(group) and "Z" not in line.split()[1]]
    assert left == []


def test_an_adapter_that_can_call_nothing_any_more_is_no_outcome_of_an_input(executor: Executor) -> None:
    with pytest.raises(BrokenAdapterError, match="there is nothing left to call"):
        outcomes(executor, "unusable_at_13")


def test_what_disturbed_an_adapter_is_told_in_the_end(executor: Executor) -> None:
    assert outcomes(executor, "disturbed_at_13") == [(2.0 * n).hex() for n in range(20)]
    executor.stop()
    assert executor.disturbances == ["something ended, and was replaced"]


def test_an_unsupported_call_says_so(executor: Executor) -> None:
    reason: Json = {"unsupported": "this subject does not double"}
    assert outcomes(executor, "unsupported", range(2)) == [reason] * 2


def test_a_function_that_the_adapter_lacks_is_no_fault_of_the_subject(executor: Executor) -> None:
    with pytest.raises(BrokenAdapterError, match="the adapter has no function not_there"):
        outcomes(executor, "not_there")


def test_a_batch_with_too_few_values_is_no_answer(executor: Executor) -> None:
    for outcome in outcomes(executor, "too_few", range(3)):
        assert isinstance(outcome, dict)
        assert outcome["message"] == "the adapter returned 0 values for 1 input"


def test_no_worker_outlives_its_executor(mini: Callable[..., Library]) -> None:
    with Executor(subject_of(mini()), miniature.QUICK) as executor:
        executor.start()
        assert executor.worker is not None
        pid = executor.worker.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_the_greeting_proves_what_is_tested(executor: Executor) -> None:
    hello = executor.start()
    assert hello.version == executor.subject.version
    assert all(len(module.sha256) == 64 and Path(module.path).is_file() for module in hello.modules)


@pytest.mark.parametrize(
    ("adapter", "reason"),
    [
        ("adapter_that_does_not_import.py", "No module named 'a_module_that_is_not_there'"),
        ("adapter_that_ends.py", "exit 4; its last words: the last thing that it says"),
        ("no_such_adapter.py", "No such file"),
    ],
)
def test_a_subject_that_does_not_start_says_why(mini: Callable[..., Library], adapter: str, reason: str) -> None:
    with (
        Executor(subject_of(mini(adapter=adapter)), miniature.QUICK) as executor,
        pytest.raises(WorkerFailedToStartError, match=reason) as caught,
    ):
        executor.start()
    assert not isinstance(caught.value, WorkerSlowToStartError)


@pytest.fixture
def slow_to_start(mini: Callable[..., Library], tmp_path: Path) -> Subject:
    """Return a subject whose adapter takes a minute to import, and leaves the file ``begun`` before that."""
    adapter = tmp_path / "slow_to_start.py"
    adapter.write_text(f"import time\nopen({str(tmp_path / 'begun')!r}, 'w').close()\ntime.sleep(60)\n")
    return subject_of(mini(adapter=str(adapter)))


def test_a_subject_that_is_slow_to_start_is_told_from_one_that_cannot(slow_to_start: Subject) -> None:
    hasty = replace(miniature.QUICK, start=0.1)
    with (
        Executor(slow_to_start, hasty) as executor,
        pytest.raises(WorkerSlowToStartError, match=r"does not start: no answer within 0\.1 s"),
    ):
        executor.start()


def test_a_worker_that_is_not_ready_is_ended_at_once_by_another_thread(slow_to_start: Subject, tmp_path: Path) -> None:
    with Executor(slow_to_start, miniature.QUICK) as executor, ThreadPoolExecutor(1) as pool:
        starting = pool.submit(executor.start)
        while not (tmp_path / "begun").exists() and not starting.done():
            time.sleep(0.01)
        executor.cancel()
        error = starting.exception(timeout=10)
    assert isinstance(error, CancelledRunError)


def test_a_run_that_is_cancelled_while_its_worker_is_made_does_not_wait_for_it(
    mini: Callable[..., Library], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    cancelled = Executor(subject_of(mini()), miniature.QUICK)

    class Made:
        """A worker that another thread could not see yet when it cancelled the run."""

        def __init__(self, *_: object, **__: object) -> None:
            cancelled.cancel()

        def start(self) -> None:
            done.append("started")

        def end(self) -> None:
            done.append("ended")

    monkeypatch.setattr(execute, "Worker", Made)
    with pytest.raises(CancelledRunError):
        cancelled.start()
    assert done == ["ended"]


def test_an_environment_of_its_own(
    mini: Callable[..., Library], monkeypatch: pytest.MonkeyPatch, own_cache: Path
) -> None:
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    monkeypatch.setenv("RANKDIFF_TEST_MODE", "left over")
    environment = subject_of(mini()).environment()
    assert "PYTHONPATH" not in environment
    assert "RANKDIFF_TEST_MODE" not in environment
    assert Path(environment["RANKDIFF_TEST_CACHE"]).is_relative_to(own_cache)


def test_modes_do_not_share_compiled_code(mini: Callable[..., Library]) -> None:
    library = mini()
    subjects = [require_installed(library, mode=mode.name) for mode in library.modes]
    assert len({subject.environment()["RANKDIFF_TEST_CACHE"] for subject in subjects}) == 2
