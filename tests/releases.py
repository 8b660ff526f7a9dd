"""Releases in miniature: wheels of a doubler, in a folder that pip and uv take for the package index."""

import zipfile
from pathlib import Path
from typing import Any

import miniature
from harness.library import Library, Mode

RIGHT = "def double(n):\n    if n == 5:\n        raise ValueError(n)\n    return 2.0 * n\n"
TRIPLES = RIGHT.replace("2.0 * n", "3.0 * n")
LACKS_DOUBLE = "def treble(n):\n    return 3.0 * n\n"
CANNOT_BE_IMPORTED = "import doubler.core\n"
HALVES = RIGHT + "\n\ndef halve(n):\n    return double(n)\n"
TRIPLES_IF_QUICK = (
    "import os\n\n\ndef double(n):\n    if n == 5:\n        raise ValueError(n)\n"
    '    return (3.0 if os.environ.get("RANKDIFF_TEST_MODE") == "quick" else 2.0) * n\n'
)

HISTORY = {
    "0.1": LACKS_DOUBLE,
    "0.2": CANNOT_BE_IMPORTED,
    "0.3": RIGHT,
    "0.4": RIGHT,
    "0.5": TRIPLES,
    "0.6": TRIPLES,
    "0.7": RIGHT,
}
"""The source of each release."""


def release(folder: Path, version: str, source: str, python: str = "", requires: str = "") -> Path:
    """Write the wheel of a release."""
    info = f"doubler-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: doubler\nVersion: {version}\n"
    metadata += f"Requires-Python: {python}\n" if python else ""
    metadata += f"Requires-Dist: {requires}\n" if requires else ""
    path = folder / f"doubler-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("doubler/__init__.py", source)
        wheel.writestr(f"{info}/METADATA", metadata)
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    return path


def lay_out(folder: Path, history: dict[str, str]) -> None:
    """Write a wheel of each release."""
    for version, source in history.items():
        release(folder, version, source)


def library(folder: Path, *cases: Any, quick: bool = False, ledger: str = miniature.EMPTY_LEDGER) -> Library:
    """Return a library whose subject is the doubler, with a quick mode if that is wanted."""
    known = folder / "known.toml"
    known.write_text(ledger)
    usual = Mode.of_distribution("doubler", miniature.HERE / "adapter_of_releases.py", "plain")
    quickly = Mode(
        name="quick",
        distribution="doubler",
        find=usual.find,
        packages=("doubler",),
        adapter=usual.adapter,
        environment={"RANKDIFF_TEST_MODE": "quick"},
        is_counted=False,
        is_distribution=True,
    )
    modes = (usual, quickly) if quick else (usual,)
    return Library("mini", modes, cases or (miniature.case("double"),), known)
