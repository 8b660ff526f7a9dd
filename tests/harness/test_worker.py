"""What a value, an exception, and a list of either become on the wire."""

import json
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import pytest

from harness import worker
from harness.outcome import from_wire


class Named(type):
    """A class that makes what it likes of its name."""

    @property
    def __name__(cls) -> Any:  # type: ignore[override]
        return 5


class Nameless(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise RuntimeError("no name")


class NamedByANumber(Exception, metaclass=Named):  # noqa: N818
    pass


class NamedByNobody(Exception, metaclass=Nameless):  # noqa: N818
    pass


class Crashed(Exception):  # noqa: N818 - it is called like the adapter's, and is not the adapter's
    pass


class Loud(str):
    """A text that says something else of itself."""

    __slots__ = ()

    def __str__(self) -> str:
        return "LOUD"

    def __len__(self) -> int:
        return 1


def of_the_adapter(name: str) -> type[Exception]:
    """Return an exception class as if the adapter defined it."""
    return type(name, (Exception,), {"__module__": worker.ADAPTER})


def hung(kind: type[Exception], seconds: float) -> Exception:
    """Return an exception that says how long something gave no answer."""
    error = kind("no answer")
    error.seconds = seconds  # type: ignore[attr-defined]
    return error


def adapter(**functions: Any) -> ModuleType:
    module = ModuleType(worker.ADAPTER)
    vars(module).update(functions)
    return module


def outcomes(batch: Any, count: int) -> list[Any]:
    """Return what a batch function makes of so many inputs, on the wire."""
    found = worker.run(adapter(f_batch=batch), "f", [[n] for n in range(count)])
    assert json.loads(json.dumps(found)) == found
    for outcome in found:
        from_wire(outcome)
    return found


def test_an_exception_in_the_place_of_a_value_is_raised_by_its_input() -> None:
    assert outcomes(lambda inputs: [ValueError("odd") if n else 2.0 for (n,) in inputs], 2) == [
        "0x1.0000000000000p+1",
        {"raises": "ValueError", "message": "odd"},
    ]


def test_an_exception_in_the_place_of_a_value_does_not_have_the_others_run_again() -> None:
    sizes: list[int] = []

    def batch(inputs: Sequence[Any]) -> list[Any]:
        sizes.append(len(inputs))
        return [ValueError(n) for (n,) in inputs]

    outcomes(batch, 3)
    assert sizes == [3]


@pytest.mark.parametrize("count", [1, 2])
def test_an_exception_in_place_means_the_same_for_one_input_and_for_many(count: int) -> None:
    lost = of_the_adapter("Crashed")
    assert outcomes(lambda inputs: [lost("exit 1") for _ in inputs], count) == [{"crashed": "exit 1"}] * count


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (of_the_adapter("Crashed")("exit 1"), {"crashed": "exit 1"}),
        (of_the_adapter("Unsupported")("no"), {"unsupported": "no"}),
        (hung(of_the_adapter("Hung"), 3), {"hung": 3}),
        (Crashed("exit 1"), {"raises": "Crashed", "message": "exit 1"}),
        (SystemExit(3), {"raises": "SystemExit", "message": "3"}),
        (KeyboardInterrupt(), {"raises": "KeyboardInterrupt", "message": ""}),
        (NamedByANumber("x"), {"raises": "(Named has no text: TypeError)", "message": "x"}),
        (NamedByNobody("x"), {"raises": "(Nameless has no text: RuntimeError)", "message": "x"}),
        (ValueError("half \udc80"), {"raises": "ValueError", "message": "half \\udc80"}),
    ],
    ids=lambda value: type(value).__qualname__ if isinstance(value, BaseException) else "",
)
@pytest.mark.parametrize("count", [1, 2])
def test_whatever_an_exception_is_it_is_an_outcome(error: BaseException, outcome: Any, count: int) -> None:
    assert outcomes(lambda inputs: [error for _ in inputs], count) == [outcome] * count


def test_a_batch_that_raises_is_run_one_input_at_a_time() -> None:
    lost = of_the_adapter("Crashed")

    def batch(inputs: Sequence[Any]) -> list[Any]:
        if [1] in inputs:
            raise lost("exit 1")
        return [0 for _ in inputs]

    assert outcomes(batch, 3) == [0, {"crashed": "exit 1"}, 0]


def test_an_exception_that_a_single_call_returns_is_not_raised() -> None:
    found = worker.run(adapter(f=lambda _: ValueError("kept")), "f", [[0]])
    assert found == [{"returned": "ValueError", "shown": "ValueError('kept')"}]


def test_an_exception_within_a_list_is_not_raised() -> None:
    [[one]] = outcomes(lambda _: [[ValueError("kept")]], 1)
    assert one == {"returned": "ValueError", "shown": "ValueError('kept')"}


@pytest.mark.parametrize("batch", [lambda _: None, lambda _: iter([1, 2]), lambda _: 3.0, lambda _: []])
def test_what_is_no_list_of_values_is_no_answer(batch: Any) -> None:
    assert all("raises" in outcome for outcome in outcomes(batch, 2))


def test_a_text_is_what_it_holds_and_not_what_it_says() -> None:
    assert outcomes(lambda inputs: [Loud("quiet") for _ in inputs], 1) == [{"text": "quiet"}]


@pytest.mark.parametrize("text", ["", "0x1p0", "nan", "\x00", "\u2028", "\N{GRINNING FACE}", "\ud83d", "\\udc80"])
def test_a_text_comes_back_as_it_was(text: str) -> None:
    assert outcomes(lambda inputs: [text for _ in inputs], 1) == [{"text": text}]


def test_half_a_character_is_not_taken_for_how_it_is_written() -> None:
    assert worker.encode("\udc80") != worker.encode("\\udc80")


def test_texts_stand_in_lists_beside_numbers() -> None:
    assert worker.encode(["a", 1, [2.0]]) == [{"text": "a"}, 1, ["0x1.0000000000000p+1"]]


class OddlyNamedValue(metaclass=Named):
    def __repr__(self) -> str:
        return "odd"


def test_a_value_of_a_class_without_a_name_is_none() -> None:
    assert worker.encode(OddlyNamedValue()) == {"returned": "(Named has no text: TypeError)", "shown": "odd"}
