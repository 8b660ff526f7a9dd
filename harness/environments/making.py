"""Making an environment: in a folder beside the place where it belongs, and moved there when it is whole.

It may be moved, since nothing but its ``bin/python`` is ever run. Its manifest is written last, so that what a run that
was ended left behind is never taken for an environment.
"""

import errno
import json
import os
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from harness import cache
from harness.environments import child, contents, interpreters
from harness.environments.installer import Installer, Order
from harness.environments.interpreters import Interpreter
from harness.environments.reason import Reason, is_full_disk, reason
from harness.environments.recipe import Recipe
from harness.errors import UnusableError
from harness.installation import Installation
from harness.library import Mode

MANIFEST = "rankdiff.json"


@dataclass(frozen=True, slots=True)
class Failure:
    """An installation that failed: with which Python, why, and where all that was said is."""

    interpreter: Interpreter
    reason: Reason
    log: Path


@dataclass(frozen=True, slots=True)
class _Manifest:
    """What an environment was made from, by what, and when; ``packages`` are relative to it.

    ``source`` is the folder or file on this machine, where the requirement is about one; it may have changed since.
    """

    key: str
    requirement: str
    source: str | None
    beside: tuple[str, ...]
    version: str
    python: str
    interpreter: str
    packages: dict[str, str]
    installer: str
    exclude_newer: str | None
    constraints: tuple[str, ...]
    seconds: float
    created: str


def is_whole(environment: Path, key: str) -> bool:
    """Return whether an environment was made to its end, and has an interpreter that still runs."""
    try:
        manifest = json.loads((environment / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return False
    is_named = isinstance(manifest, dict) and manifest.get("key") == key
    return is_named and interpreters.asked(str(contents.python_of(environment))) is not None


def make(recipe: Recipe, interpreter: Interpreter, folder: Path, mode: Mode, by: Installer) -> Failure | None:
    """Make an environment, and leave nothing half-made; return why it failed, if it did.

    The caller holds the lock of its key. What an earlier run left half-made is removed.

    Raises
    ------
    UnusableError
        If the installer cannot do what is asked, or what was installed is something else.
    CacheFolderError
        If the cache cannot be written.
    """
    key = recipe.key(interpreter)
    log = folder / f"{key}.log"
    try:
        for left in (folder / key, *folder.glob(f"{key}.*.partial")):
            _remove(left)
        with tempfile.TemporaryDirectory(".partial", f"{key}.", folder, ignore_cleanup_errors=True) as workspace:
            order = _order(recipe, interpreter, Path(workspace))
            began = time.monotonic()
            said = _said(by, by.commands(order), log)
            if said is not None:
                return Failure(interpreter, reason(said), log)
            made = contents.installation(order.environment, recipe.title, mode, key)
            manifest = _manifest(recipe, order, made, by, round(time.monotonic() - began, 3))
            (order.environment / MANIFEST).write_text(json.dumps(asdict(manifest), indent=2) + "\n")
            order.environment.replace(folder / key)
        log.unlink()
    except OSError as error:
        raise cache.unwritable(folder, error) from error
    return None


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _order(recipe: Recipe, interpreter: Interpreter, workspace: Path) -> Order:
    return Order(
        title=recipe.title,
        arguments=tuple(part.argument_in(workspace) for part in recipe.parts),
        interpreter=interpreter,
        workspace=workspace,
        constraints=recipe.constraints,
        latest=recipe.latest,
        undated=recipe.undated,
        today=recipe.today,
    )


def _said(by: Installer, commands: Sequence[Sequence[str]], log: Path) -> str | None:
    """Run the commands of an installer; return all that it said if one fails."""
    with log.open("wb") as file:
        for command in commands:
            try:
                status = child.run(command, by.variables(), file)
            except FileNotFoundError as error:
                raise UnusableError(f"{by.title} cannot be run: {error}") from error
            if status:
                said = log.read_text(errors="replace")
                if is_full_disk(said):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                return said
    return None


def _manifest(recipe: Recipe, order: Order, made: Installation, by: Installer, seconds: float) -> _Manifest:
    python = contents.python_of(order.environment)
    return _Manifest(
        key=recipe.key(order.interpreter),
        requirement=recipe.title,
        source=recipe.parts[0].source,
        beside=tuple(part.content for part in recipe.parts[1:]),
        version=made.version,
        python=str(python.relative_to(order.environment)),
        interpreter=made.interpreter,
        packages={name: os.path.relpath(place, order.environment) for name, place in made.packages.items()},
        installer=by.title,
        exclude_newer=recipe.latest.isoformat() if recipe.latest else None,
        constraints=recipe.constraints,
        seconds=seconds,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )
