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
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job of a shell ignores it
    thing = Finalised()
    del thing
    time.sleep(10)


def test_one_that_comes_while_an_object_is_finalised_is_not_lost() -> None:
    with pytest.raises(KeyboardInterrupt), interrupts.noticed():
        wait()


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
def test_what_else_ends_a_run_is_an_interrupt(ending: signal.Signals) -> None:
    with pytest.raises(KeyboardInterrupt), interrupts.noticed():
        signal.raise_signal(ending)


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
