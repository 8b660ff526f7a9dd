"""An interrupt is noticed, wherever it comes."""

import os
import signal
import sys
import time

import pytest

from harness import interrupts


class Finalised:
    """Interrupts the process while it is finalised, when Python ignores what is raised."""

    def __del__(self) -> None:
        os.kill(os.getpid(), signal.SIGINT)


def wait() -> None:
    thing = Finalised()
    del thing
    time.sleep(10)


def test_one_that_comes_while_an_object_is_finalised_is_not_lost() -> None:
    with pytest.raises(KeyboardInterrupt), interrupts.noticed():
        wait()


def is_interrupted_by(ending: signal.Signals) -> bool:
    try:
        signal.raise_signal(ending)
    except KeyboardInterrupt:
        return True
    return False


ENDINGS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.mark.parametrize("ending", ENDINGS)
def test_whatever_ends_a_run_is_an_interrupt(ending: signal.Signals) -> None:
    with pytest.raises(KeyboardInterrupt), interrupts.noticed():
        signal.raise_signal(ending)


@pytest.mark.parametrize("ending", ENDINGS)
def test_one_that_is_pressed_again_and_again_is_one(ending: signal.Signals, monkeypatch: pytest.MonkeyPatch) -> None:
    with interrupts.noticed():
        assert [is_interrupted_by(ending) for _ in range(4)] == [True, False, False, False]
        monkeypatch.setattr(interrupts, "BESIDE", 0)  # later
        assert is_interrupted_by(ending)


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_the_process_was_started_to_ignore_stays_ignored(ending: signal.Signals) -> None:
    signal.signal(ending, signal.SIG_IGN)
    with interrupts.noticed():
        assert not is_interrupted_by(ending)


def test_what_python_ignores_otherwise_is_told_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda ignored: told.append(ignored.exc_value))

    class Faulty:
        def __del__(self) -> None:
            raise ValueError("13")

    with interrupts.noticed():
        thing = Faulty()
        del thing
    assert [str(one) for one in told] == ["13"]
