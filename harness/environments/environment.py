"""An environment: a subject's own, made by an installer when it is first wanted, and kept in the cache folder."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path

from filelock import FileLock
from packaging.requirements import Requirement

from harness import cache
from harness.environments import contents, installer, interpreters, making, recipe, using
from harness.environments.installer import Installer
from harness.environments.interpreters import Interpreter
from harness.environments.making import Failure
from harness.environments.recipe import Recipe
from harness.environments.unreleased import found
from harness.errors import UnreachableError, UnusableError
from harness.installation import Installation
from harness.library import Library, Mode
from harness.progress import Progress


@dataclass(frozen=True, slots=True)
class Wanted:
    """A subject as a user wants it.

    Attributes
    ----------
    spec
        Any requirement that an installer takes, as the user wrote it: a release, a wheel, a checkout, or a git URL.
    python
        A version of Python such as ``3.10``, or the path of an interpreter; none for ours, or another one that the
        subject needs.
    exclude_newer
        The last day, in UTC, of which releases are taken, the subject's and its dependencies'.
    extras
        Further requirements to install beside it, such as ``pytest``.
    """

    spec: str
    python: str | None = None
    exclude_newer: date | None = None
    extras: tuple[str, ...] = ()

    @property
    def options(self) -> tuple[str, ...]:
        """The options of a command line that say the same; ``extras`` are the commands' own."""
        python = ("--python", self.python) if self.python else ()
        latest = ("--exclude-newer", self.exclude_newer.isoformat()) if self.exclude_newer else ()
        return ("--subject", recipe.shown(self.spec), *python, *latest)


def obtain(
    wanted: Wanted, mode: Mode, library: Library, progress: Progress, by: Installer | None = None
) -> Installation:
    """Return a wanted subject in an environment of its own in the cache, which is made if it is not there.

    A requirement that is not pinned to a release, a file or a commit is looked up anew every day, so that tomorrow's
    release is seen; what is pinned keeps the dependencies that it was first installed with. Where no Python is named
    and ours does not suit, the others that are found are tried, the newest first.

    Parameters
    ----------
    mode
        Says which distribution has to be there, and which packages are looked for.
    library
        Says what the installer is held to.
    by
        The installer; by default uv if it is there, else pip.

    Raises
    ------
    BadRequirementError
        If it is no requirement.
    UnreachableError
        If something that it needs could not be fetched.
    UnusableError
        If it cannot be installed, is another distribution, or needs a Python that is not there; the message is one
        line, with the reason in it.
    CacheFolderError
        If the cache cannot be written.
    """
    by = by or installer.found()
    made_from = _recipe(wanted, library, progress)
    folder = cache.make(cache.cache_folder() / "environments")
    failures: list[Failure] = []
    for interpreter in _interpreters(wanted, made_from, folder, by):
        outcome = _obtained(made_from, interpreter, folder, mode, by, progress)
        if isinstance(outcome, Installation):
            if failures:
                _remember(_memory(folder, made_from), interpreter)
            unreleased = found(wanted.spec, made_from.parts[0], mode.distribution)
            return replace(outcome, options=wanted.options, unreleased=unreleased)
        failures.append(outcome)
        if not outcome.reason.is_about_python:
            break
    kind = UnreachableError if any(failure.reason.is_about_network for failure in failures) else UnusableError
    raise kind(_refusal(made_from.title, failures))


def key(wanted: Wanted, library: Library, interpreter: Interpreter) -> str:
    """Return what names the environment of a wanted subject, if it is made with this interpreter.

    Raises
    ------
    BadRequirementError
        If it is no requirement.
    UnusableError
        If its files cannot be read, or its repository cannot be asked.
    """
    return _recipe(wanted, library, Progress(bars=False)).key(interpreter)


def today() -> date:
    """Return the day, in UTC."""
    return datetime.now(UTC).date()


def _recipe(wanted: Wanted, library: Library, progress: Progress) -> Recipe:
    held = [Requirement(constraint).name for constraint in library.constraints]
    beside = recipe.forgotten(wanted.spec, library)
    return Recipe(
        title=recipe.shown(wanted.spec) + (f" as of {wanted.exclude_newer}" if wanted.exclude_newer else ""),
        parts=tuple(recipe.part(spec, progress) for spec in dict.fromkeys((wanted.spec, *wanted.extras, *beside))),
        constraints=library.constraints,
        latest=wanted.exclude_newer,
        undated=(*library.undated, *held),  # what is held to a version cannot be held to a date too
        today=today(),
    )


def _interpreters(wanted: Wanted, made_from: Recipe, folder: Path, by: Installer) -> Iterator[Interpreter]:
    """Yield the interpreters to try."""
    if wanted.python is not None:
        yield interpreters.named(wanted.python, by.uv)
    elif remembered := _remembered(_memory(folder, made_from)):
        yield remembered
    else:
        yield interpreters.ours()
        yield from interpreters.one_of_each_minor(interpreters.found(by.uv))[1:]


def _memory(folder: Path, made_from: Recipe) -> Path:
    """Return the file that says which interpreter suits where ours does not; to find that out may need a network."""
    return folder / f"{made_from.key(interpreters.ours())}.python"


def _remember(memory: Path, interpreter: Interpreter) -> None:
    try:
        memory.write_text(interpreter.path)
    except OSError as error:
        raise cache.unwritable(memory, error) from error


def _remembered(memory: Path) -> Interpreter | None:
    try:
        return interpreters.asked(memory.read_text())
    except (OSError, ValueError):
        return None


def _obtained(
    made_from: Recipe, interpreter: Interpreter, folder: Path, mode: Mode, by: Installer, progress: Progress
) -> Installation | Failure:
    """Return what is in the environment for one interpreter, made if it is not there, or why it cannot be made."""
    key = made_from.key(interpreter)
    with _locked(using.making(folder, key), made_from.title, progress):
        if not making.is_whole(folder / key, key):
            with progress.waiting(f"installing {made_from.title} with {by.title}"):
                failure = making.make(made_from, interpreter, folder, mode, by)
            if failure:
                return failure
        using.begin(folder, key)
        return contents.installation(folder / key, made_from.title, mode, key)


@contextlib.contextmanager
def _locked(path: Path, title: str, progress: Progress) -> Iterator[None]:
    """Wait until no other run makes the same environment; the lock of a run that was killed is gone with it."""
    lock = FileLock(path)
    try:
        with progress.waiting(f"waiting for {title}"):
            lock.acquire()
    except OSError as error:
        raise cache.unwritable(path.parent, error) from error
    try:
        yield
    finally:
        lock.release()


def _refusal(title: str, failures: Sequence[Failure]) -> str:
    """Return why an installation failed, with each Python that was tried if there are several, in one line."""
    pythons: dict[str, list[str]] = {}
    for failure in failures:
        pythons.setdefault(failure.reason.text, []).append(failure.interpreter.version)
    reasons = [f"with Python {', '.join(versions)}: {text}" for text, versions in pythons.items()]
    told = failures[0].reason.text if len(failures) == 1 else "; ".join(reasons)
    last = next(failure for failure in failures if failure.reason.text == list(pythons)[-1])
    return f"{title} cannot be installed: {told}; all that was said is in {last.log}"
