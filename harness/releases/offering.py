"""Why a worker did not start: the release cannot be imported, or it lacks what the cases call.

An adapter imports what it calls. Where the packages of the library can be imported, and a name of theirs that the
adapter imports is not there, the release does not offer it; that is no fault of the release.
"""

import json
import re
from dataclasses import dataclass

from harness import fresh
from harness.errors import WorkerFailedToStartError
from harness.limits import Limits
from harness.subject import Subject

QUESTION = """
import importlib, importlib.util, json, os, sys, traceback

os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
adapter, *packages = sys.argv[1:]
broken = lacks = ""
try:
    for package in packages:
        importlib.import_module(package)
except BaseException as error:
    broken = "%s: %s" % (type(error).__name__, error)
else:
    spec = importlib.util.spec_from_file_location("rankdiff_adapter", adapter)
    module = importlib.util.module_from_spec(spec)
    sys.modules["rankdiff_adapter"] = module
    try:
        spec.loader.exec_module(module)
    except ImportError as error:
        where = traceback.extract_tb(error.__traceback__)[-1].filename
        if where == adapter and (error.name or "").partition(".")[0] in packages:
            lacks = str(error)
    except BaseException:
        pass
sys.stdout.write("\\n" + json.dumps([broken, lacks]) + "\\n")
"""

PLACE = re.compile(r" \((?:unknown location|/[^()]*)\)$")
"""Where Python says that a module is."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a release was not run, and whether it is because it does not offer what is called."""

    reason: str
    is_unsupported: bool


def fault(subject: Subject, error: WorkerFailedToStartError, limits: Limits) -> Fault:
    """Return why the worker of a release did not start, as its own interpreter says; else in the worker's words."""
    broken, lacks = _answer(subject, limits)
    if broken:
        return Fault(f"{subject.title} cannot be imported: {_line(broken)}", is_unsupported=False)
    if lacks:
        return Fault(f"{subject.title} does not offer what the cases call: {_line(lacks)}", is_unsupported=True)
    return Fault(_line(str(error)), is_unsupported=False)


def _answer(subject: Subject, limits: Limits) -> tuple[str, str]:
    question = [subject.python, "-c", QUESTION, str(subject.mode.adapter), *subject.mode.packages]
    try:
        ran = fresh.run(question, subject.environment(), limits.start)  # where no package in the folder comes first
        broken, lacks = json.loads(ran.last_line)
    except (OSError, ValueError, TypeError):
        return "", ""
    return str(broken), str(lacks)


def _line(text: str) -> str:
    """Return the first line, without the places of files in it."""
    first = text.strip().partition("\n")[0]
    return PLACE.sub("", first)[:300]
