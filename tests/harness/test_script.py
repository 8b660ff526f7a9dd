"""A script's last line and exit status say the same, whatever happens."""

import ast
import itertools
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import miniature
from harness import fresh, script
from harness.certificate import Instance
from harness.compare import Ruling, ruling_on
from harness.expected import Expected, OneOf, Refusal
from harness.installation import Unreleased
from harness.library import Library
from harness.outcome import Crashed, Hung, Outcome, Raised, Text, Value
from harness.script import rounded_up
from harness.subject import Subject, require_installed
from harness.verdict import Verdict

Make = Callable[..., Library]


def instance(call: str, n: int, outcome: Outcome) -> Instance:
    case = miniature.case(call)
    x = miniature.Number(n)
    expected = case.expected(x)
    return Instance(case, x, expected, outcome, ruling_on(outcome, expected, {}))


@pytest.fixture
def subject(mini: Make) -> Subject:
    return require_installed(mini())


def run(instance: Instance, subject: Subject, folder: Path, *changes: tuple[str, str]) -> script.ScriptRun:
    source = script.render(instance, subject)
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    path = folder / script.NAME
    path.write_text(source)
    return script.run(path, subject)


@pytest.mark.parametrize(
    ("call", "n", "outcome"),
    [
        ("always_wrong", 3, Value(6.5)),
        ("raises_at_13", 13, Raised("RuntimeError", "thirteen")),
        ("never_refuses", 5, Value(10.0)),
        ("segfaults_at_13", 13, Crashed("signal SIGSEGV")),
        ("ends_at_13", 13, Crashed("exit 7")),
    ],
)
def test_a_defect_that_is_there_is_shown(subject: Subject, tmp_path: Path, call: str, n: int, outcome: Outcome) -> None:
    shown = run(instance(call, n, outcome), subject, tmp_path)
    assert shown.shows(script.DEFECT_PRESENT), shown.output
    assert f"packaging {subject.version} on Python" in shown.output


@pytest.mark.parametrize(
    ("n", "outcome"),
    [(3, Value(6.5)), (13, Raised("RuntimeError", "")), (13, Crashed("exit 7")), (13, Hung(1.0))],
)
def test_a_defect_that_is_not_there_is_not_shown(subject: Subject, tmp_path: Path, n: int, outcome: Outcome) -> None:
    assert run(instance("right", n, outcome), subject, tmp_path).shows(script.OK)


def test_a_refusal_where_one_is_due_is_ok(subject: Subject, tmp_path: Path) -> None:
    refusing = ("return 2.0 * N", "raise ValueError('refused')")
    assert run(instance("never_refuses", 5, Value(10.0)), subject, tmp_path, refusing).shows(script.OK)


BROKEN = {
    "another error than the one it is about": ("return 2.0 * N", "raise OSError('disk')"),
    "a control that does not hold": ("return packaging is not None", "return False"),
    "a comparison that fails": ("return value ==", "return value.nothing =="),
    "a version that is not known": ('version("packaging")', 'version("no-such-distribution")'),
    "an exit in the middle": ("return 2.0 * N", "sys.exit(0)"),
}


@pytest.mark.parametrize("change", BROKEN.values(), ids=BROKEN.keys())
@pytest.mark.parametrize("outcome", [Value(6.5), Raised("RuntimeError", "")], ids=["value", "error"])
def test_what_goes_wrong_in_a_script_is_no_verdict(
    subject: Subject, tmp_path: Path, change: tuple[str, str], outcome: Outcome
) -> None:
    shown = run(instance("right", 3, outcome), subject, tmp_path, change)
    assert shown.shows(script.COULD_NOT_RUN), shown.output


def test_a_script_that_does_not_end_shows_nothing(
    subject: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fresh, "TIME_LIMIT", 2)
    endless = ("return 2.0 * N", "import time; time.sleep(600)")
    shown = run(instance("right", 3, Value(6.5)), subject, tmp_path, endless)
    assert not any(map(shown.shows, script.STATUS))


def test_a_status_without_its_last_line_shows_nothing() -> None:
    for word, status in itertools.product(script.STATUS, range(4)):
        assert script.ScriptRun(word, status, "").shows(word) == (script.STATUS[word] == status)
    assert not script.ScriptRun("Traceback", 1, "").shows(script.DEFECT_PRESENT)


def test_a_refusal_with_a_wrong_error_is_shown(subject: Subject, tmp_path: Path) -> None:
    refusing = ("return 2.0 * N", "raise KeyError('5')")
    assert run(instance("refuses_with_another_error", 5, Raised("KeyError", "'5'")), subject, tmp_path, refusing).shows(
        script.DEFECT_PRESENT
    )


def refusing(expected: Expected) -> Instance:
    """Return an instance of another value where a refusal is due."""
    case = replace(miniature.case("never_refuses"), expected=lambda _: expected)
    x = miniature.Number(5)
    return Instance(case, x, expected, Value(10.0), ruling_on(Value(10.0), expected, {}))


@pytest.mark.parametrize(("said", "word"), [("5 is refused", script.OK), ("6 is refused", script.DEFECT_PRESENT)])
def test_a_refusal_has_to_say_what_it_should(subject: Subject, tmp_path: Path, said: str, word: str) -> None:
    raising = ("return 2.0 * N", f"raise ValueError({said!r})")
    expected = Refusal(("ValueError",), "5 is refused")
    assert run(refusing(expected), subject, tmp_path, raising).shows(word)


@pytest.mark.parametrize(("said", "word"), [("the size is 5", script.OK), ("no", script.DEFECT_PRESENT)])
def test_a_refusal_has_to_mention_what_it_is_about(subject: Subject, tmp_path: Path, said: str, word: str) -> None:
    raising = ("return 2.0 * N", f"raise ValueError({said!r})")
    assert run(refusing(Refusal(("ValueError",), mentions="size")), subject, tmp_path, raising).shows(word)


@pytest.mark.parametrize("message", ["", 'a "quoted" one', "two\nlines", "\N{GRINNING FACE}", "back\\slash"])
def test_a_refusal_may_say_anything(subject: Subject, tmp_path: Path, message: str) -> None:
    raising = ("return 2.0 * N", f"raise ValueError({message!a})")
    assert run(refusing(Refusal((), message)), subject, tmp_path, raising).shows(script.OK)


@pytest.mark.parametrize(
    ("error", "word"),
    [
        ("A('a')", script.OK),
        ("B('b')", script.OK),
        ("A('b')", script.DEFECT_PRESENT),
        ("C('a')", script.DEFECT_PRESENT),
    ],
)
def test_any_of_several_refusals_is_ok_and_no_other(subject: Subject, tmp_path: Path, error: str, word: str) -> None:
    either = OneOf((Refusal(("A",), "a"), Refusal(("B",), "b")))
    raising = ("return 2.0 * N", f"raise type({error[0]!r}, (Exception,), {{}})({error[2:-1]})")
    assert run(refusing(either), subject, tmp_path, raising).shows(word)


def test_a_text_that_is_wrong_is_shown(subject: Subject, tmp_path: Path) -> None:
    saying = ("return 2.0 * N", "return '2 N'")
    assert run(instance("right", 3, Text("2 N")), subject, tmp_path, saying).shows(script.DEFECT_PRESENT)


def with_script(**fields: object) -> Instance:
    """Return an instance whose script has these fields."""
    case = miniature.case("always_wrong")
    x = miniature.Number(3)
    changed = replace(case, script=lambda x: replace(case.script(x), **fields))  # type: ignore[arg-type]
    return Instance(changed, x, case.expected(x), Value(6.5), Ruling(Verdict.DIFFERS))


def test_a_script_depends_on_the_distribution_at_its_version(subject: Subject) -> None:
    lines = script.render(with_script(), subject).splitlines()
    assert lines[2] == f'# dependencies = ["packaging=={subject.version}"]'


@pytest.mark.parametrize(
    ("dependencies", "line"),
    [((), "# dependencies = []"), (("a==1", "b"), '# dependencies = ["a==1", "b"]')],
)
def test_a_script_depends_on_what_the_case_names(subject: Subject, dependencies: tuple[str, ...], line: str) -> None:
    assert script.render(with_script(dependencies=dependencies), subject).splitlines()[2] == line


@pytest.mark.parametrize(
    ("of_case", "requirement", "line"),
    [
        (None, "", "# dependencies = []"),
        (None, "packaging @ git+https://x/y@c0ffee1", '# dependencies = ["packaging @ git+https://x/y@c0ffee1"]'),
        (("Packaging==1", "b"), "", '# dependencies = ["b"]'),
        (("b",), "", '# dependencies = ["b"]'),
        ((), "packaging @ git+https://x/y@c0ffee1", "# dependencies = []"),
    ],
)
def test_the_header_of_what_is_no_release_names_no_version(
    subject: Subject, of_case: tuple[str, ...] | None, requirement: str, line: str
) -> None:
    here = replace(subject.installation, unreleased=Unreleased("checkout", "f" * 64, requirement))
    written = script.render(with_script(dependencies=of_case), replace(subject, installation=here)).splitlines()
    assert written[2] == line
    assert written[4].startswith("# No requirement names packaging" if not requirement else '"""')


def test_a_script_about_what_is_no_release_says_so_wherever_it_runs(subject: Subject, tmp_path: Path) -> None:
    here = replace(subject.installation, unreleased=Unreleased("wheel"))
    shown = run(with_script(), replace(subject, installation=here), tmp_path)
    assert shown.shows(script.DEFECT_PRESENT)
    assert shown.output.splitlines()[1] == f"found in:   packaging {subject.version}, a wheel"


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("Traceback\nRuntimeError: no control\n\nCOULD NOT RUN\n", "RuntimeError: no control"),
        ("COULD NOT RUN\n", "it did not say why"),
    ],
)
def test_what_a_script_said_last_before_its_verdict_is_its_reason(output: str, reason: str) -> None:
    assert script.ScriptRun("COULD NOT RUN", 2, output).reason == reason


def test_a_script_says_first_what_it_runs_on(subject: Subject, tmp_path: Path) -> None:
    shown = run(with_script(about='"doubler", N'), subject, tmp_path)
    assert shown.output.splitlines()[0].startswith("doubler 3 on Python ")


def test_a_script_that_says_what_it_runs_on_asks_for_no_distribution(subject: Subject) -> None:
    assert "importlib.metadata" not in script.render(with_script(about='"doubler", N'), subject)


def test_a_crash_where_a_refusal_is_due_is_shown(subject: Subject, tmp_path: Path) -> None:
    shown = run(instance("ends_at_13", 5, Crashed("exit 7")), subject, tmp_path)
    assert shown.shows(script.DEFECT_PRESENT)


def test_a_child_that_ends_with_0_has_ended(subject: Subject, tmp_path: Path) -> None:
    ending = ("os._exit(7)", "os._exit(0)")
    assert run(instance("ends_at_13", 13, Crashed("exit 0")), subject, tmp_path, ending).shows(script.DEFECT_PRESENT)


def test_a_child_that_raises_is_no_crash(subject: Subject, tmp_path: Path) -> None:
    raising = ("os._exit(7)", "raise OSError('disk')")
    assert run(instance("ends_at_13", 13, Crashed("exit 7")), subject, tmp_path, raising).shows(script.COULD_NOT_RUN)


@pytest.mark.parametrize("text", ['""""', "\\", 'a"', "\x00", "\udc80", "\U0001f600", "$body ${x} {y}", "\n"])
def test_whatever_an_input_is_called_the_script_is_python(subject: Subject, text: str) -> None:
    case = miniature.case("always_wrong")
    x = miniature.Number(3)
    named = replace(case, script=lambda x: replace(case.script(x), input=text))
    source = script.render(Instance(named, x, case.expected(x), Value(6.5), Ruling(Verdict.DIFFERS)), subject)
    strings = [n.value for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Constant)]
    assert text in strings


@given(st.fractions(min_value=0, max_value=10, max_denominator=10**30))
def test_a_bound_is_rounded_up_and_not_far(bound: Fraction) -> None:
    rounded = Fraction(rounded_up(bound))
    assert bound <= rounded <= bound * Fraction(1011, 1000)


def test_no_bound_stays_none() -> None:
    assert rounded_up(Fraction(0)) == 0


@pytest.mark.parametrize(
    ("said", "written"),
    [("", ">=3.9"), (">=3", ">=3.9"), (">= 3.11", ">=3.11"), (">=3.8,<3.13", ">=3.9,<3.13"), ("nonsense", ">=3.9")],
)
def test_the_header_names_the_pythons_that_script_and_library_run_on(said: str, written: str) -> None:
    assert script._requires(said) == written
