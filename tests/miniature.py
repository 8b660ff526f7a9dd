"""A library in miniature: it doubles numbers, in the many ways of ``miniatures/adapter.py``.

Its distribution is `packaging`, which is installed wherever rankdiff is, and is not used.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import strategies as st

from harness.case import Case, Contract, Domain, Script
from harness.enumeration import choice, mapped, resized, union
from harness.errors import RankdiffError
from harness.expected import Exactly, Expected, Refusal, Unspecified, Verbatim
from harness.installation import Finder, Installation
from harness.installation import distribution as python_distribution
from harness.library import Library, Mode
from harness.limits import Limits

HERE = Path(__file__).parent / "miniatures"

QUICK = Limits(start=30, first_call=3, first_call_again=3, batch=2, input=1, memory=4 * 2**30, deaths=3)
"""Short limits, so that what hangs is caught soon."""

EMPTY_LEDGER = "schema = 1\n"


class Number(NamedTuple):
    """A number to double."""

    n: int


def numbers(up_to: int = 40, name: str = "numbers", *, thorough: bool = False) -> Domain[Number]:
    """Return the numbers from 0, each of its own size up to 3, and of size 4 from there."""
    singles = union(*(resized(choice([n]), lambda _, n=n: min(n, 4)) for n in range(up_to)))  # type: ignore[misc]
    return Domain(
        name=name,
        parameters={"up_to": up_to},
        inputs=mapped(Number, singles),
        counts=lambda: {**dict.fromkeys(range(min(up_to, 4)), 1), 4: max(up_to - 4, 0)},
        thorough=thorough,
    )


def doubled(x: Number) -> Expected:
    if x.n == 5:
        return Refusal(("ValueError",))
    if x.n == 39:
        return Unspecified("nobody says what 39 is")
    return Exactly(Fraction(2 * x.n), Fraction(1, 2**40))


def said(x: Number) -> Expected:
    """Return the double in words."""
    return Verbatim(f"twice {x.n} is {2 * x.n}\n")


BODIES = {
    "always_wrong": "return 2.0 * N + 0.5",
    "wrong_at_13": "return 2.0 * N + (N == 13)",
    "wrong_but_at_0": "return 2.0 * N + 0.5 * (N > 0)",
    "tripled": "return 3.0 * N",
    "raises_at_2_and_triples": "return 1 / (N - 2) and 3.0 * N",
    "says_it_in_capitals": "return f'TWICE {N} IS {2 * N}\\n'",
    "raises_at_13": "raise RuntimeError('thirteen')",
    "never_refuses": "return 2.0 * N",
    "segfaults_at_13": "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
    "ends_at_13": "import os; os._exit(7)",
}
"""How a script, which depends on no adapter, behaves like the subject."""


def case(call: str, *, domains: tuple[Domain[Number], ...] | None = None, **fields: Any) -> Case[Number]:
    """Return the case that checks one way of doubling."""

    def script(x: Number) -> Script:
        return Script(
            imports="import packaging",
            body=f"N = {x.n}\n\n\ndef control():\n    return packaging is not None\n\n\n"
            f"def observed():\n    {BODIES.get(call, 'return 2.0 * N')}\n\n\n"
            f"def is_right(value):\n    return value == {2 * x.n} and N != 5",
            documented=str(2 * x.n),
            input=f"the number {x.n}",
        )

    settings: dict[str, Any] = {
        "name": f"mini/{call.replace('_', '-')}",
        "contract": Contract(says="a number is doubled, and 5 is refused", source="tests/miniature.py"),
        "input_type": Number,
        "call": call,
        "expected": doubled,
        "conventions": {"tripling": lambda x: Exactly(Fraction(3 * x.n), Fraction(1, 2**40))},
        "domains": domains or (numbers(),),
        "describe": lambda x: f"the number {x.n}",
        "script": script,
        **fields,
    }
    return Case(**settings)


def mode(name: str = "plain", **fields: Any) -> Mode:
    """Return a mode: that of a Python distribution, if nothing else is said."""
    settings: dict[str, Any] = {
        "distribution": "packaging",
        "find": python_distribution(fields.get("distribution", "packaging"), "packaging"),
        "packages": ("packaging",),
        "adapter": HERE / "adapter.py",
        **fields,
    }
    return Mode(name=name, **settings)


def program(name: str = "program", *, find: Finder | None = None, says: str = "all", **fields: Any) -> Mode:
    """Return a mode that runs no Python distribution: its adapter says what it is, in one of many ways."""
    return mode(
        name,
        distribution="doubler",
        find=find or releases("2.0"),
        packages=(),
        adapter=HERE / "adapter_that_says_what_it_is.py",
        environment={"RANKDIFF_TEST_SAYS": says},
        **fields,
    )


def releases(*versions: str) -> Finder:
    """Return what finds these releases."""

    def find() -> Sequence[Installation]:
        return [Installation(version, {"RANKDIFF_TEST_VERSION": version}) for version in versions]

    return find


def failing(error: RankdiffError) -> Finder:
    """Return what finds nothing, with this error."""

    def find() -> Sequence[Installation]:
        raise error

    return find


def library(
    ledger: Path,
    *cases: Case[Any],
    adapter: str = "adapter.py",
    distribution: str = "packaging",
    modes: Sequence[Mode] | None = None,
) -> Library:
    """Return a library of these cases."""
    environments: Mapping[str, Mapping[str, str]] = {"plain": {}, "odd": {"RANKDIFF_TEST_MODE": "odd"}}
    return Library(
        name="mini",
        modes=tuple(modes)
        if modes is not None
        else tuple(
            mode(
                name,
                distribution=distribution,
                adapter=HERE / adapter,
                environment=environment,
                is_counted=name == "plain",
            )
            for name, environment in environments.items()
        ),
        cases=cases,
        ledger=ledger,
        caches=("RANKDIFF_TEST_CACHE",),
    )


def big_numbers() -> st.SearchStrategy[Number]:
    """Draw numbers beyond the domain."""
    return st.integers(40, 10_000).map(Number)
