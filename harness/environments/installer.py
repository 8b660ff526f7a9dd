"""The two installers, uv and pip: what each is told, so that both make the same kind of environment."""

import os
import re
import shutil
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from importlib import metadata
from pathlib import Path
from typing import Protocol

from packaging.version import Version

from harness.environments import child
from harness.environments.interpreters import Interpreter
from harness.errors import UnusableError

PIP_FOR_OTHERS = Version("22.3")
"""The first pip that installs for another interpreter (``--python``)."""

PIP_WITH_DATES = Version("26.0")
"""The first pip with a bound on the dates of releases (``--uploaded-prior-to``)."""

UV_TWINS = {
    "UV_FIND_LINKS": ("PIP_FIND_LINKS", ("UV_FIND_LINKS",), ","),
    "UV_INDEX_URL": ("PIP_INDEX_URL", ("UV_INDEX_URL", "UV_DEFAULT_INDEX"), " "),
    "UV_EXTRA_INDEX_URL": ("PIP_EXTRA_INDEX_URL", ("UV_EXTRA_INDEX_URL", "UV_INDEX"), " "),
}
"""What tells uv where to find releases: pip's variable that says the same, uv's that come first, and what uv
separates the parts by."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to install, and where.

    Attributes
    ----------
    title
        What messages call it.
    arguments
        Requirements, as an installer takes them.
    interpreter
        For which Python.
    workspace
        A folder for the installer's own files, of which ``environment`` is the environment.
    constraints
        What everything that is installed is held to.
    latest
        The last day of which releases are taken, in UTC.
    undated
        Distributions that ``latest`` does not hold back.
    today
        The day of the order, in UTC.
    """

    title: str
    arguments: tuple[str, ...]
    interpreter: Interpreter
    workspace: Path
    constraints: tuple[str, ...]
    latest: date | None
    undated: tuple[str, ...]
    today: date

    @property
    def environment(self) -> Path:
        """The folder of the environment."""
        return self.workspace / "environment"

    def constraining(self) -> list[str]:
        """Return the option that holds an installer to the constraints, after writing them to a file."""
        if not self.constraints:
            return []
        path = self.workspace / "constraints.txt"
        path.write_text("".join(f"{line}\n" for line in self.constraints))
        return ["--constraint", str(path)]


class Installer(Protocol):
    """What makes an environment."""

    @property
    def title(self) -> str:
        """Its name and version."""

    @property
    def uv(self) -> str | None:
        """The program uv, if it is that."""

    def commands(self, order: Order) -> list[list[str]]:
        """Return the commands that make an environment, in order; files that they read are written.

        Raises
        ------
        UnusableError
            If it cannot do that.
        OSError
            If a file cannot be written.
        """

    def variables(self) -> dict[str, str]:
        """Return the environment variables of its commands."""


@dataclass(frozen=True, slots=True)
class Uv:
    """The program uv.

    It heeds its configuration of the user and of the machine, which say where releases are found, but not that of the
    folder in which we happen to run; and no `tool.uv.sources` of what it installs, as pip does.
    """

    uv: str

    @property
    def title(self) -> str:
        """Its name and version."""
        _, said = child.output([self.uv, "--version"], self.variables())
        version = re.match(r"uv \S+", said)
        return version[0] if version else "uv"

    def commands(self, order: Order) -> list[list[str]]:
        """Return the commands that make an environment: its own ``venv``, which may be moved, then ``pip install``."""
        (order.workspace / "uv.toml").write_text("")  # where it looks for a project's configuration, it finds this
        common = ["--project", str(order.workspace), "--no-python-downloads", "--no-progress", "--color", "never"]
        environment = str(order.environment)
        return [
            [self.uv, "venv", *common, "--relocatable", "--python", order.interpreter.path, environment],
            [
                *(self.uv, "pip", "install", *common, "--no-sources"),
                *("--python", str(order.environment / "bin" / "python")),
                *(["--no-index"] if os.environ.get("PIP_NO_INDEX", "0").lower() not in {"", "0", "false"} else []),
                *order.constraining(),
                *self._dated(order),
                *order.arguments,
            ],
        ]

    def variables(self) -> dict[str, str]:
        """Return the environment variables of its commands: it is told of the indexes that pip is told of."""
        return {**child.environment(), **_twins(os.environ)}

    def _dated(self, order: Order) -> list[str]:
        if order.latest is None:
            return []
        free = [f"{name}={_end_of(order.today)}" for name in order.undated]
        options = [option for each in free for option in ("--exclude-newer-package", each)]
        return ["--exclude-newer", _end_of(order.latest), *options]


@dataclass(frozen=True, slots=True)
class Pip:
    """Our own pip or, where we have none that installs for other interpreters, the one that comes with Python.

    A bound on dates holds back every distribution: pip knows no exceptions.
    """

    uv: str | None = None

    @property
    def title(self) -> str:
        """Its name and version."""
        version = _version_of_ours()
        return f"pip {version}" if version else "the pip of the interpreter"

    def commands(self, order: Order) -> list[list[str]]:
        """Return the commands that make an environment: Python's ``venv``, then ``pip install``."""
        version = _version_of_ours()
        environment = str(order.environment)
        venv = [order.interpreter.path, "-I", "-m", "venv", *(["--without-pip"] if version else []), environment]
        pip = [sys.executable, "-I", "-m", "pip", "--python", environment]
        if version is None:
            pip = [str(order.environment / "bin" / "python"), "-I", "-m", "pip"]
        dated = []
        if order.latest is not None:
            if version is None or version < PIP_WITH_DATES:
                raise UnusableError(
                    f"{order.title} cannot be installed: {self.title} takes no date; "
                    f"install uv, or pip {PIP_WITH_DATES} or newer, which knows no exceptions for what no longer builds"
                )
            dated = ["--uploaded-prior-to", _end_of(order.latest)]
        quiet = ["--no-input", "--no-color", "--disable-pip-version-check", "--progress-bar", "off", "--no-compile"]
        return [venv, [*pip, "install", *quiet, *order.constraining(), *dated, *order.arguments]]

    def variables(self) -> dict[str, str]:
        """Return the environment variables of its commands."""
        return child.environment()


def found() -> Installer:
    """Return uv, if it is installed beside us or on the PATH, else pip."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)])
    uv = shutil.which("uv", path=path)
    return Uv(uv) if uv else Pip()


def _version_of_ours() -> Version | None:
    """Return the version of our pip, if it is there and new enough to install for others."""
    try:
        version = Version(metadata.version("pip"))
    except metadata.PackageNotFoundError:
        return None
    return version if version >= PIP_FOR_OTHERS else None


def _twins(environ: Mapping[str, str]) -> dict[str, str]:
    return {
        name: separator.join(environ[twin].split())
        for name, (twin, first, separator) in UV_TWINS.items()
        if environ.get(twin) and not any(environ.get(each) for each in first)
    }


def _end_of(day: date) -> str:
    """Return the moment at which a day has ended, in UTC."""
    return datetime.combine(day + timedelta(days=1), time(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
