"""The proof of what was tested: what a worker says of its interpreter and of every module that it came to use."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.shadow.python import MANIFEST
from harness.subject import Subject


@dataclass(frozen=True, slots=True)
class LoadedModule:
    """A module that the subject's process has loaded."""

    name: str
    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Hello:
    """What a worker says when it is ready: the proof of what is being tested."""

    python: str
    version: str
    modules: tuple[LoadedModule, ...]
    platform: Mapping[str, str]
    """What else answers, in the adapter's words: a virtual machine, say, and its settings."""


def not_of_shadow(subject: Subject, modules: Sequence[LoadedModule]) -> str:
    """Return why the modules that a subject loaded are not those of its shadow; nothing if they are, or it has none."""
    shadow = subject.installation.shadow
    if shadow is None:
        return ""
    foreign = [module for module in modules if not Path(module.path).is_relative_to(shadow)]
    if foreign:
        return (
            f"{subject.title} was expected, but its module {foreign[0].name} was loaded from {foreign[0].path}, not "
            f"from the patched copy in {shadow}: the patch was not picked up"
        )
    try:
        made = json.loads((shadow / MANIFEST).read_text())["files"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        return f"{subject.title} was expected, but its copy in {shadow} was damaged while it ran ({error})"
    for module in modules:
        name = str(Path(module.path).relative_to(shadow))
        if made.get(name, module.sha256) != module.sha256:
            return f"{subject.title} was expected, but {module.path} was changed after the copy was made"
    if not modules:
        return f"{subject.title} was expected, but none of its modules was loaded: nothing of the patch was tested"
    return ""
