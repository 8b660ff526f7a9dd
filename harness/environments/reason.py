"""Why an installer refused, in one line of its own words."""

import re
from dataclasses import dataclass

LONGEST = 300
"""Characters."""

SHOWN = 5
"""Releases that are named of those that there are."""

CLAUSE = re.compile(r"[Bb]ecause (.+?), we can conclude that (.+?)\.(?= And because |\s*$| hint:| And )")
"""A step of uv's proof that there is no solution, with its line breaks made spaces."""

NO_VERSION = re.compile(r"there is no version of (?P<name>[A-Za-z0-9][\w.-]*)[^\s,]*$")

SAID_TWICE = re.compile(r"(?P<what>\S+) and you require (?P=what)$")

SPECIFIER = r"(?P<python>[<>=!~][\w.*<>=!~,]*[\w*])"

NEEDS_PYTHON = re.compile(rf"(?P<what>\S+) (?:requires|depends on) Python ?{SPECIFIER}")
NO_WHEEL_FOR_PYTHON = re.compile(r"no wheels with a matching Python (?:ABI|version) tag")

PIP_NEEDS_PYTHON = re.compile(rf"Package '(?P<what>[^']+)' requires a different Python: \S+ not in '{SPECIFIER}'")
PIP_IGNORED = re.compile(r"Ignored the following versions that require a different python version: (.+)", re.IGNORECASE)
PIP_NOT_FOUND = re.compile(r"No matching distribution found for (.+)")
PIP_VERSIONS = re.compile(r"\(from versions: (?!none\b)([^)]+)\)")
PIP_UNREACHABLE = re.compile(r"after connection broken by '(\w+)")
PIP_CONFLICT = re.compile(r"The conflict is caused by:\n((?:[ \t]+\S.*\n)+)")
PIP_OTHER_PLATFORM = re.compile(r"ERROR: (\S+\.whl is not a supported wheel on this platform)")

BUILD_NEEDS_PYTHON = re.compile(r"Cannot install on Python version \S+; only versions (?P<python>.+) are supported")

FAILURES = (
    re.compile(r"fatal: (.+)"),
    re.compile(r"fatal error: (.+)"),
    re.compile(r"Failed to fetch: (.+)"),
)
"""What git, a compiler, and uv without a network say first."""

EXCEPTION = re.compile(r"^\s*((?:\w+\.)*\w+(?:Error|Exception): .+)$", re.MULTILINE)
ERROR = re.compile(r"^ *(?:ERROR|error): (.+)$", re.MULTILINE)
CAUSE = re.compile(r"^ *cause: (.+)$", re.MULTILINE)

BUILT = re.compile(r"Failed (?:building wheel for|to build) [`']?([A-Za-z0-9][\w.-]*)(==[\w.!+-]+)?")
"""What could not be built, as pip and uv say it, and its version, where they do."""

NOT_FETCHED = re.compile(
    r"Failed to fetch: |HTTP status (?:server|client) error|connection broken by '|HTTP error 5\d\d|"
    r"HTTPError: 5\d\d|Read timed out|unable to access '"
)
"""What uv, pip and git say where a network or a server fails."""

FULL_DISK = re.compile(r"No space left on device|\(os error 28\)|\[Errno 28\]")


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an installer refused.

    Attributes
    ----------
    text
        One line.
    is_about_python
        Whether it may be otherwise with another Python.
    is_about_network
        Whether something could not be fetched, so that it may be otherwise at any time.
    """

    text: str
    is_about_python: bool = False
    is_about_network: bool = False


def reason(log: str) -> Reason:
    """Return why an installer refused, from all that it wrote."""
    found = _about_python(log) or Reason(_of_proof(log) or _of_pip(log) or _of_failure(log))
    text = " ".join(found.text.split())
    shown = text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."
    return Reason(shown, found.is_about_python, NOT_FETCHED.search(log) is not None)


def is_full_disk(log: str) -> bool:
    """Return whether an installer had no space left."""
    return FULL_DISK.search(log) is not None


def _about_python(log: str) -> Reason | None:
    """Return the reason that another Python may take away."""
    premise = next((premise for premise, _ in _clauses(log)), "")
    if match := NEEDS_PYTHON.search(premise) or PIP_NEEDS_PYTHON.search(log):
        return Reason(f"{match['what']} requires Python {match['python']}", is_about_python=True)
    if NO_WHEEL_FOR_PYTHON.search(premise):
        return Reason(premise.partition(" and ")[0], is_about_python=True)
    if match := PIP_OTHER_PLATFORM.search(log):
        return Reason(match[1], is_about_python=True)
    if match := BUILD_NEEDS_PYTHON.search(log):
        built = BUILT.search(log)
        what = f"{built[1]}{built[2] or ''} requires Python {match['python']}" if built else match[0]
        return Reason(what, is_about_python=True)
    ignored, missing = PIP_IGNORED.search(log), PIP_NOT_FOUND.search(log)
    if ignored and missing:
        what, _, version = missing[1].partition("==")
        if match := re.search(rf"(?:^|; ){re.escape(version)} Requires-Python ([^;\s]+)", ignored[1]):
            return Reason(f"{what}=={version} requires Python {match[1]}", is_about_python=True)
    return None


def _clauses(log: str) -> list[tuple[str, str]]:
    """Return premise and conclusion of each step of uv's proof that there is no solution."""
    return CLAUSE.findall(" ".join(log.split()))


def _of_proof(log: str) -> str | None:
    """Return the first premise of uv's proof; of a long one, what it comes to before the last step, and that."""
    clauses = _clauses(log)
    if len(clauses) > 2:
        return f"{clauses[-2][1]} and {clauses[-1][0]}"
    if not clauses:
        return None
    said = SAID_TWICE.sub(r"\1", clauses[0][0])
    missing = NO_VERSION.fullmatch(said)
    return f"{said}; `pip index versions {missing['name']}` lists those that there are" if missing else said


def _of_pip(log: str) -> str | None:
    """Return what pip says of versions."""
    if conflict := PIP_CONFLICT.search(log):
        return "; ".join(line.strip() for line in conflict[1].splitlines())
    if missing := PIP_NOT_FOUND.search(log):
        if unreachable := PIP_UNREACHABLE.search(log):
            return f"{missing[0]}; an index could not be reached ({unreachable[1]})"
        listed = PIP_VERSIONS.search(log)
        newest = listed[1].split(", ")[-SHOWN:] if listed else []
        return f"{missing[0]}; the newest are {', '.join(newest)}" if newest else missing[0]
    return None


def _of_failure(log: str) -> str:
    """Return the most telling line of anything else; and what could not be built, if that is it."""
    built = BUILT.search(log)
    return f"{built[1]} cannot be built: {_telling(log)}" if built else _telling(log)


def _telling(log: str) -> str:
    for pattern in FAILURES:
        if match := pattern.search(log):
            causes = CAUSE.findall(log)
            told = match[1] if not causes or causes[-1] in match[0] else causes[-1]
            return told if match[1] in told else f"{match[1]}: {told}"
    if exceptions := EXCEPTION.findall(log):
        return str(exceptions[-1])
    errors, causes = ERROR.findall(log), CAUSE.findall(log)
    if errors and causes:
        return f"{errors[0]}: {causes[-1]}"
    lines = [line for line in log.splitlines() if line.strip()]
    return str(errors[-1] if errors else lines[-1] if lines else "the installer said nothing")
