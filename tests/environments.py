"""Distributions in miniature, and what installs them: no network is needed for either."""

import hashlib
import subprocess
import sys
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.environments import installer
from harness.environments.environment import Wanted, obtain
from harness.environments.installer import Installer, Order
from harness.installation import Installation
from harness.library import Library, Mode
from harness.progress import Progress

UV = installer.found().uv

BACKEND = """\
import pathlib, zipfile

def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = "doubler-2.5-py3-none-any.whl"
    info = "doubler-2.5.dist-info/"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w") as wheel:
        for path in sorted(pathlib.Path("doubler").rglob("*.py")):
            wheel.write(path)
        wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: doubler\\nVersion: 2.5\\n")
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "RECORD", "")
    return name
"""

CHECKOUT = {
    "pyproject.toml": """\
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "doubler"
version = "2.5"
""",
    "backend.py": BACKEND,
    "doubler/__init__.py": "def double(n):\n    return 2 * n\n",
}
"""A source tree whose build needs nothing."""


def git(folder: Path, *arguments: str) -> str:
    """Return what git says in a folder."""
    identity = ("-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false")
    return subprocess.run(
        ["git", *identity, "-C", str(folder), *arguments], capture_output=True, text=True, check=True
    ).stdout.strip()


def commit(folder: Path) -> str:
    """Commit all that is in a folder, of which a repository is made if it is none; return the commit."""
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=x")
    return git(folder, "rev-parse", "HEAD")


def wheel(
    folder: Path,
    name: str = "doubler",
    version: str = "1.0",
    requires: Sequence[str] = (),
    python: str = "",
    source: str | None = None,
) -> Path:
    """Write a wheel that holds one package of its name, which cannot be imported if it has no source."""
    info = f"{name}-{version}.dist-info"
    metadata = [f"Name: {name}", f"Version: {version}", *(f"Requires-Dist: {each}" for each in requires)]
    metadata += [f"Requires-Python: {python}"] if python else []
    files = {
        f"{name}/__init__.py": source or f"raise RuntimeError('{name} {version} is imported')\n",
        f"{info}/METADATA": "\n".join(["Metadata-Version: 2.1", *metadata, ""]),
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    records = [f"{path},sha256={_digest(text)},{len(text)}" for path, text in files.items()]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for inner, text in {**files, f"{info}/RECORD": "\n".join([*records, f"{info}/RECORD,,", ""])}.items():
            archive.writestr(
                zipfile.ZipInfo(inner), text
            )  # of no particular time: the same bytes whenever it is written
    return path


def _digest(text: str) -> str:
    return urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


def library(**fields: Any) -> Library:
    """Return a library whose one mode runs the distribution `doubler`."""
    mode = Mode.of_distribution("doubler", Path("adapter.py"))
    return Library("mini", (mode,), (), Path("known.toml"), **fields)


def obtained(spec: str, by: Installer | None = None, of: Library | None = None, **wanted: Any) -> Installation:
    """Return a subject in an environment of its own."""
    of = of or library()
    return obtain(Wanted(spec, **wanted), of.modes[0], of, Progress(bars=False), by)


@dataclass(frozen=True, slots=True)
class Stub:
    """An installer that runs a program in front of the work, and then makes an environment with a doubler in it.

    The program finds the workspace in ``sys.argv[1]``.
    """

    program: str = ""
    title: str = "stub 1.0"
    uv: str | None = None

    def commands(self, order: Order) -> list[list[str]]:
        """Return the commands."""
        python, environment = order.interpreter.path, str(order.environment)
        return [
            [sys.executable, "-c", self.program, str(order.workspace)],
            [python, "-I", "-m", "venv", "--without-pip", environment],
            [f"{environment}/bin/python", "-I", "-c", LAY_OUT],
        ]

    def variables(self) -> dict[str, str]:
        """Return no environment variables."""
        return {}


LAY_OUT = """
import pathlib, sysconfig
site = pathlib.Path(sysconfig.get_path("purelib"))
(site / "doubler").mkdir()
(site / "doubler" / "__init__.py").write_text("")
(site / "doubler-1.0.dist-info").mkdir()
(site / "doubler-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\\nName: doubler\\nVersion: 1.0\\n")
"""
