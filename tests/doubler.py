"""A distribution in miniature that patches are proposed for: it doubles numbers, and is wrong on purpose.

It says that 5 is refused, and does not refuse it; 13 is doubled wrongly; nobody says what 39 is.
"""

import difflib
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

import miniature
from harness.account import Account, Quotation, RegressionTest, Series
from harness.case import Case, Domain, Script
from harness.enumeration import choice, mapped, resized
from harness.installation import Installation
from harness.library import Library, Mode
from harness.shadow import python
from trees import lay_out

Tree = dict[str, str | None]
"""What files become; None for one that goes."""

TREE = {
    "src/doubler/__init__.py": '"""Doubles numbers."""\n\nfrom doubler.core import double\n',
    "src/doubler/core.py": """\
from doubler.arithmetic import times


def double(n):
    \"\"\"Return twice a number; 5 is refused.\"\"\"
    if n == 13:
        return 13.0
    return times(n)
""",
    "src/doubler/arithmetic.py": "def times(n):\n    return 2.0 * n\n",
    "src/doubler/unused.py": "LIMIT = 3\n",
    "src/doubler/data/table.txt": "1 2\n2 4\n",
    "tests/test_doubler.py": "import doubler\n\n\ndef test_seven():\n    assert doubler.double(7) == 14\n",
    "README.md": "# doubler\n",
}
"""Upstream's tree."""

DOUBLE = miniature.case("double")
"""What it says of itself."""

BEYOND = replace(DOUBLE, beyond=st.integers(40, 10_000).map(miniature.Number))


def installed(folder: Path) -> Installation:
    """Install it, in a folder."""
    site = folder / "site"
    lay_out(site, {name.removeprefix("src/"): text for name, text in TREE.items() if name.startswith("src/")})
    return Installation("1.0", {"PYTHONPATH": str(site)}, packages={"doubler": site / "doubler"})


def modes(found: Installation) -> tuple[Mode, Mode]:
    """Return the usual mode that runs it, and one whose counts do not count."""
    usual = Mode(
        name="plain",
        distribution="doubler",
        find=lambda: [found],
        packages=("doubler",),
        adapter=miniature.HERE / "adapter_of_doubler.py",
        is_distribution=True,
        shadow=python.shadow,
    )
    return usual, replace(usual, name="quick", is_counted=False, environment={"RANKDIFF_TEST_MODE": "quick"})


def library(folder: Path, *cases: Case[miniature.Number]) -> Library:
    """Return a library of these cases, with the doubler that is installed in a folder."""
    ledger = folder / "known.toml"
    ledger.write_text(miniature.EMPTY_LEDGER)
    return Library("mini", modes(installed(folder)), cases or (DOUBLE,), ledger)


def patch(folder: Path, changed: Tree, name: str = "fix.patch") -> Path:
    """Write a diff against upstream's tree: what files become, or None for one that goes."""
    path = folder / name
    path.write_text("".join(_diff(file, TREE.get(file), text) for file, text in changed.items()))
    return path


def edit(file: str, old: str, new: str) -> Tree:
    """Return what a file becomes when a piece of it is replaced."""
    assert old in TREE[file]
    return {file: TREE[file].replace(old, new)}


def _diff(file: str, old: str | None, new: str | None) -> str:
    before = f"a/{file}" if old is not None else "/dev/null"
    after = f"b/{file}" if new is not None else "/dev/null"
    mode = "" if old is not None and new is not None else f"{'new' if old is None else 'deleted'} file mode 100644\n"
    hunks: Sequence[str] = list(difflib.unified_diff(_lines(old), _lines(new), before, after))
    return f"diff --git a/{file} b/{file}\n{mode}{''.join(hunks)}"


def _lines(text: str | None) -> list[str]:
    return (text or "").splitlines(keepends=True)


CORE, ARITHMETIC = "src/doubler/core.py", "src/doubler/arithmetic.py"

RIGHT_AT_13 = edit(CORE, "        return 13.0\n", "        return 26.0\n")
RIGHT_AT_5 = edit(CORE, "    if n == 13:\n", '    if n == 5:\n        raise ValueError("5")\n    if n == 13:\n')
WRONG_AT_7 = edit(ARITHMETIC, "return 2.0 * n", "return 2.0 * n + (n == 7)")
ROUNDED = edit(ARITHMETIC, "return 2.0 * n", "return 2.0 * n + 2.0**-45")
OTHERWISE_AT_39 = edit(CORE, "    if n == 13:\n", "    if n == 39:\n        return 0.0\n    if n == 13:\n")
OTHERWISE_AT_13 = edit(CORE, "        return 13.0\n", "        return 14.0\n")
WORDS = edit(CORE, "Return twice a number; 5 is refused.", "Return twice a number.")
UNUSED = edit("src/doubler/unused.py", "LIMIT = 3", "LIMIT = 4")
"""What may become of it."""


def script(x: miniature.Number) -> Script:
    """Return how a script calls the doubler, which is installed nowhere."""
    right = "raise ValueError" if x.n == 5 else str(2 * x.n)
    return Script(
        imports="import doubler",
        body=f"N = {x.n}\n\n\ndef control():\n    return doubler.double(1) == 2\n\n\n"
        f"def observed():\n    return doubler.double(N)\n\n\n"
        f"def is_right(value):\n    return value == {2 * x.n}",
        documented=f"{right!r}",
        input=f"'the number {x.n}'",
        about="'doubler 1.0'",
    )


def thirteen() -> Case[miniature.Number]:
    """Return the case whose smallest divergence is at 13, with a script that shows it."""
    inputs = mapped(miniature.Number, resized(choice(range(10, 20)), lambda _: 1))
    domain = Domain("from ten", {}, inputs, lambda: {1: 10})
    return replace(DOUBLE, script=script, domains=(domain,))


def regression_test(expected: str = "26.0", imports: str = "from doubler import double") -> RegressionTest:
    """Return a test as upstream would write it: 13 doubled is 26, if nothing else is said."""
    source = f"{imports}\n\n\ndef test_thirteen():\n    assert double(13) == {expected}\n"
    return RegressionTest("tests/test_doubler.py", source)


def account(**fields: Any) -> Account[miniature.Number]:
    """Return what a person says of 13."""
    settings: dict[str, Any] = {
        "case": "mini/double",
        "cause": "another value",
        "title": "13 is not doubled",
        "fault": "`double` returns its argument for 13.",
        "worked": lambda x: [f"2 * {x.n} = {2 * x.n}"],
        "why": "13 is treated apart.",
        "quotations": (
            Quotation("doubler/core.py", "Return twice a number", "The docstring makes no exception."),
            Quotation("doubler/core.py", "return 13.0", "The code makes one."),
        ),
        "licence": "MIT",
        "affected": "Whoever doubles 13.",
        "unaffected": "All other numbers.",
        "workarounds": ("Add 13 to 13.",),
        "defence": "13 is unlucky.",
        "mend": "The exception goes.",
        "reword": "The docstring could name the exception.",
        "examples": (miniature.Number(7), miniature.Number(13)),
        "series": (
            Series("some numbers", "number", tuple((str(n), miniature.Number(n)) for n in (12, 13, 14)), "twice"),
        ),
        "span": (Fraction(0), Fraction(20)),
        "test": lambda _: regression_test(),
        **fields,
    }
    return Account(**settings)
