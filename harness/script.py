"""A reproduction script: one readable file that depends on the library alone, and how it is run.

Python itself ends with 1 on an uncaught error, and so do runners that cannot resolve a dependency. So a script
ends with 1 only together with its last line DEFECT PRESENT, turns every uncaught error into 2, and whoever
runs it reads both.
"""

import math
import re
import textwrap
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from pathlib import Path
from string import Template

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from harness import fresh
from harness.case import Script
from harness.certificate import Instance
from harness.environments.recipe import forgotten
from harness.environments.requirement import distribution_name
from harness.expected import Refusal, refusals
from harness.fresh import Ran
from harness.outcome import Crashed, Hung, Raised
from harness.subject import Subject

DEFECT_PRESENT, OK, COULD_NOT_RUN = "DEFECT PRESENT", "OK", "COULD NOT RUN"
STATUS = {OK: 0, DEFECT_PRESENT: 1, COULD_NOT_RUN: 2}

NAME = "repro.py"

TEMPLATE = Template('''\
# /// script
# requires-python = "$requires"
# dependencies = [$dependencies]
# ///
$named"""$title

$text

The last line and the exit status say what was seen:
DEFECT PRESENT (1), OK (0) or COULD NOT RUN (2).
"""

import platform
${child_imports}import sys
import traceback
$imports

$body


def main():
    print($about, "on Python", platform.python_version())
$found    if not control():
        raise RuntimeError("the control does not hold: the set-up is not what this script takes it to be")
    print("input:     ", $input)
    print("$word", $documented)
$look


if __name__ == "__main__":
$entry    try:
        status = 0 if main() else 1
    except BaseException:  # a script that fails shows nothing about the library
        traceback.print_exc()
        status = 2
    print({0: "OK", 1: "DEFECT PRESENT", 2: "COULD NOT RUN"}[status])
    sys.exit(status)
''')

LOOK = """\
value = observed()
print("observed:  ", value)
return is_right(value)
"""

LOOK_FOR_ERROR = """\
try:
    value = observed()
except BaseException as error:
    if type(error).__name__ != $error:
        raise
    print("observed:  ", type(error).__name__, error)
    return False
print("observed:  ", value)
return is_right(value)
"""

LOOK_FOR_REFUSAL = """\
try:
    value = observed()
except Exception as error:
    print("observed:  ", type(error).__name__, error)
    return $right
print("observed:  ", value)
return is_right(value)
"""

LOOK_IN_CHILD = """\
try:
    child = subprocess.run([sys.executable, __file__, "--call"], timeout=$limit)
except subprocess.TimeoutExpired:
    print("observed:   no answer within $limit s")
    return False
if child.returncode in (10, 11):
    return child.returncode == 10
if child.returncode == 2:
    raise RuntimeError("the call failed in another way than by ending the process")
print("observed:   the process ended with", child.returncode)
return False
"""

ENTRY_OF_CHILD = """\
    if "--call" in sys.argv:
        try:
            status = 10 if is_right(observed()) else 11
        except $refusal:
            status = 10
        except BaseException:
            traceback.print_exc()
            status = 2
        sys.exit(status)
"""

CHILD_LIMIT = 300
"""Seconds for the call in a child: the library may have to compile."""


@dataclass(frozen=True, slots=True)
class ScriptRun:
    """What a script showed: its last line, its exit status, and all that it printed."""

    last_line: str
    status: int
    output: str

    def shows(self, word: str) -> bool:
        """Return whether last line and status both say this."""
        return self.last_line == word and self.status == STATUS[word]

    @property
    def reason(self) -> str:
        """What it said last before its verdict."""
        lines = [line.strip() for line in self.output.splitlines() if line.strip()]
        return next((line for line in reversed(lines) if line not in STATUS), "it did not say why")


def render(instance: Instance, subject: Subject) -> str:
    """Return the source of a script that shows the instance on a clean machine."""
    case = instance.case
    script = case.script(instance.x)
    contract = case.contract
    unreleased = subject.installation.unreleased
    paragraphs = [
        *([subject.whereabouts] if unreleased else []),
        f"{'A user would expect' if contract.unpromised else 'The documentation says'} that {contract.says}.",
        f"Source: {contract.source}.",
        *([f"Nothing promises this: {contract.unpromised}."] if contract.unpromised else []),
        *([f"Upstream: {contract.upstream}."] if contract.upstream else []),
    ]
    in_child = isinstance(instance.outcome, Crashed | Hung)
    distribution = subject.mode.distribution
    imports = script.imports.strip()
    imports = f"\n{imports}" if imports.startswith("try:") else imports
    return TEMPLATE.substitute(
        requires=_requires(subject.installation.requires_python),
        dependencies=", ".join(map(literal, dependencies(script, subject))),
        named="".join(f"# {line}\n" for line in textwrap.wrap(_unnamed(subject), 98)),
        found=f'    print("found in:  ", {literal(subject.described)})\n' if unreleased else "",
        about=script.about or f'"{distribution}", version("{distribution}")',
        title=_in_docstring(f"{case.name} in {subject.described}: {script.input}."),
        text=_in_docstring(*paragraphs),
        child_imports="import subprocess\n" if in_child else "",
        imports=("" if script.about else "from importlib.metadata import version\n") + imports,
        body=script.body.strip(),
        input=literal(script.input),
        word=f"{instance.source_word + ':':<11}",
        documented=script.documented,
        look=textwrap.indent(_look(instance), "    ").rstrip(),
        entry=_entry(instance),
    )


def dependencies(script: Script, subject: Subject) -> tuple[str, ...]:
    """Return what the header of a script names: what the case says, else the subject.

    Where the subject is no release of an index, it is named by what anybody gets it by, or not at all. What a release
    forgot to name is named beside it.
    """
    asked = [subject.requirement] if subject.requirement else []
    beside = [one for spec in asked if subject.mode.is_distribution for one in forgotten(spec, subject.library)]
    named = (*asked, *beside)
    if script.dependencies is None:
        return named
    if subject.installation.unreleased is None:
        return script.dependencies
    itself = canonicalize_name(subject.mode.distribution)
    others = [one for one in script.dependencies if distribution_name(one) != itself]
    return (*named, *others) if len(others) < len(script.dependencies) else script.dependencies


def _unnamed(subject: Subject) -> str:
    """Return how to run a script whose header cannot name the subject; nothing where it does."""
    unreleased = subject.installation.unreleased
    if unreleased is None or unreleased.requirement:
        return ""
    release = f"{subject.mode.distribution}=={subject.version}"
    return (
        f"No requirement names {subject.described}, and {release} would be the release: run this with the Python of an "
        f"environment in which that {unreleased.kind} is installed."
    )


OLDEST = Version("3.9")
"""The version of Python that a script itself needs."""


def _requires(said: str) -> str:
    """Return the versions of Python that both the script and the library run on."""
    try:
        specifiers = list(SpecifierSet(said))
    except InvalidSpecifier:
        specifiers = []
    floors = [Version(one.version) for one in specifiers if one.operator == ">="]
    others = sorted(str(one) for one in specifiers if one.operator != ">=")
    return ",".join([f">={max([OLDEST, *floors])}", *others])


def _in_docstring(*paragraphs: str) -> str:
    text = "\n\n".join(textwrap.fill(paragraph, 100) for paragraph in paragraphs)
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    escaped = escaped[:-1] + '\\"' if escaped.endswith('"') else escaped
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in escaped)


def literal(text: str) -> str:
    """Return a Python literal, in double quotes where that needs no escapes."""
    return f'"{text}"' if text.isascii() and text.isprintable() and not set('"\\') & set(text) else ascii(text)


def rounded_up(bound: Fraction) -> float:
    """Return a float no smaller than the bound, with three digits if that is possible."""
    context = Context(prec=3, rounding=ROUND_CEILING)
    rounded = float(context.divide(Decimal(bound.numerator), Decimal(bound.denominator)))
    return rounded if Fraction(rounded) >= bound else math.nextafter(rounded, math.inf)


def guarded(*imports: str) -> str:
    """Return imports of a library, each a line: one that does not import is no verdict."""
    lines = "".join(f"    {line}\n" for line in imports)
    return f"""\
try:
{lines}except Exception:
    traceback.print_exc()
    print("COULD NOT RUN")
    sys.exit(2)
"""


def arithmetic_imports(body: str) -> str:
    """Return imports of Fraction and of the names of ``math``, as far as a body uses them."""
    used = [name for name in ("inf", "isfinite", "isnan", "nan") if re.search(rf"(?<!\.)\b{name}\b", body)]
    fractions = "from fractions import Fraction\n" if "Fraction(" in body else ""
    return fractions + (f"from math import {', '.join(used)}\n" if used else "")


def rational(number: Fraction) -> str:
    """Return a rational as Python source."""
    return str(number) if number.denominator == 1 else f"Fraction({number.numerator}, {number.denominator})"


def _look(instance: Instance) -> str:
    due = tuple(refusals(instance.expected))
    match instance.outcome:
        case Crashed() | Hung():
            return Template(LOOK_IN_CHILD).substitute(limit=CHILD_LIMIT)
        case _ if due:
            return Template(LOOK_FOR_REFUSAL).substitute(right=" or ".join(map(_is_refused, due)))
        case Raised(error, _):
            return Template(LOOK_FOR_ERROR).substitute(error=ascii(error))
        case _:
            return LOOK


def _is_refused(refusal: Refusal) -> str:
    """Return a Python expression for whether ``error`` is that refusal."""
    asked = [f"type(error).__name__ in {refusal.errors!a}"] if refusal.errors else []
    asked += [f"str(error) == {literal(refusal.message)}"] if refusal.message is not None else []
    asked += [f"{literal(refusal.mentions)} in str(error)"] if refusal.mentions else []
    return " and ".join(asked) or "True"


def _entry(instance: Instance) -> str:
    if not isinstance(instance.outcome, Crashed | Hung):
        return ""
    return Template(ENTRY_OF_CHILD).substitute(refusal="Exception" if any(refusals(instance.expected)) else "()")


def run(path: Path, subject: Subject) -> ScriptRun:
    """Run a script in a fresh process of the subject's interpreter, outside its own folder."""
    in_order = {"PYTHONUNBUFFERED": "1"}  # of what it prints, and of the traceback of an error
    return seen(fresh.run([subject.python, str(path.resolve())], {**subject.environment(), **in_order}))


def seen(ran: Ran) -> ScriptRun:
    """Return what a process showed that ends as a script does."""
    if ran.status is None:
        return ScriptRun("", STATUS[COULD_NOT_RUN], ran.output)
    return ScriptRun(ran.last_line, ran.status, ran.output)
