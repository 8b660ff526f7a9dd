"""Before and after a proposed change: the same inputs, what became of each, and what that comes to."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import doubler
import miniature
from doubler import (
    ARITHMETIC,
    BEYOND,
    CORE,
    DOUBLE,
    OTHERWISE_AT_13,
    OTHERWISE_AT_39,
    RIGHT_AT_5,
    RIGHT_AT_13,
    ROUNDED,
    UNUSED,
    WORDS,
    WRONG_AT_7,
    Tree,
    edit,
)
from harness.case import Case, Contract
from harness.errors import BadInputError, PatchError, UnknownModeError
from harness.expected import Exactly
from harness.hunt import weight
from harness.limits import Limits
from harness.progress import Progress
from harness.proof import not_of_shadow
from harness.shadow import compare as comparing
from harness.shadow import python
from harness.shadow.compare import Plan
from harness.shadow.comparison import CaseComparison, Comparison, Conclusion, DomainComparison
from harness.shadow.proposal import Proposal, Shadowed
from harness.shadow.run import exit_status, shadow
from harness.shadow.side import MOST_DEATHS
from harness.shadow.text import lines
from harness.shadow.transition import Transition
from harness.subject import Subject
from trees import hashes, lay_out

Shadow = Callable[..., Comparison]

pytestmark = pytest.mark.usefixtures("own_cache")


@pytest.fixture
def put(tmp_path: Path) -> Shadow:
    """Return a function that puts a change before the doubler, and compares."""

    def run(changed: Tree, *cases: Case[Any], mode: str | None = None, **plan: Any) -> Comparison:
        library = doubler.library(tmp_path, *cases)
        proposal = Proposal((doubler.patch(tmp_path, changed),))
        chosen = Plan(**{"limits": miniature.QUICK, **plan})
        was = hashes(tmp_path / "site")
        [done] = shadow(library, library.cases[:1], proposal, mode, chosen, Progress(bars=False))
        assert hashes(tmp_path / "site") == was
        return done

    return run


def counts(comparison: Comparison) -> dict[Transition, int]:
    [case] = comparison.cases
    return dict(case.counts)


def text(comparison: Comparison) -> str:
    """Return what a person reads, in one line."""
    return " ".join(" ".join(lines(comparison)).split())


def smallest(comparison: Comparison, kind: Transition) -> int:
    [case] = comparison.cases
    return int(case.first[kind].after.x.n)  # type: ignore[attr-defined]


# --- what a change comes to --------------------------------------------------------------------------------------


def test_a_fix_is_a_fix(put: Shadow) -> None:
    done = put(RIGHT_AT_13)
    assert counts(done) == {Transition.UNCHANGED: 38, Transition.FIXED: 1, Transition.STILL_WRONG: 1}
    assert smallest(done, Transition.STILL_WRONG) == 5
    assert done.conclusion is Conclusion.FIXES
    assert exit_status([done]) == 0


def test_a_refusal_that_was_due_is_a_fix(put: Shadow) -> None:
    done = put(RIGHT_AT_5)
    assert counts(done) == {Transition.UNCHANGED: 38, Transition.FIXED: 1, Transition.STILL_WRONG: 1}
    assert smallest(done, Transition.FIXED) == 5


def test_what_was_right_can_be_broken(put: Shadow) -> None:
    done = put(WRONG_AT_7)
    assert counts(done) == {Transition.UNCHANGED: 37, Transition.STILL_WRONG: 2, Transition.BROKEN: 1}
    assert smallest(done, Transition.BROKEN) == 7
    assert done.conclusion is Conclusion.BREAKS
    assert exit_status([done]) == 1


def test_a_fix_that_breaks_something_else_breaks(put: Shadow) -> None:
    assert put({**RIGHT_AT_13, **WRONG_AT_7}).conclusion is Conclusion.BREAKS


def test_another_value_within_the_bound_is_a_change_though_right(put: Shadow) -> None:
    done = put(ROUNDED)
    assert counts(done)[Transition.CHANGED_RIGHT] == 37
    assert counts(done)[Transition.STILL_WRONG] == 1  # 13; at 5 a value where a refusal is due becomes another one
    assert smallest(done, Transition.CHANGED_WRONG) == 5
    assert done.conclusion is Conclusion.FIXES_NOTHING
    assert exit_status([done]) == 1


def test_a_wrong_value_can_become_another_wrong_one(put: Shadow) -> None:
    done = put(OTHERWISE_AT_13)
    assert smallest(done, Transition.CHANGED_WRONG) == 13
    assert done.conclusion is Conclusion.FIXES_NOTHING


def test_what_nothing_specifies_is_shown_and_breaks_nothing(put: Shadow) -> None:
    done = put(OTHERWISE_AT_39)
    assert smallest(done, Transition.CHANGED_UNSPECIFIED) == 39
    assert done.conclusion is Conclusion.FIXES_NOTHING
    assert "double, changed, unspecified: the number 39: unspecified" in text(done)


def test_a_contract_that_nothing_promises_cannot_be_broken(put: Shadow) -> None:
    unpromised = Contract("a number is doubled", "tests/doubler.py", unpromised="nobody says so")
    done = put(WRONG_AT_7, replace(DOUBLE, contract=unpromised))
    assert counts(done)[Transition.BROKEN] == 1
    assert done.conclusion is Conclusion.FIXES_NOTHING
    assert "* nothing promises it, so that a change cannot break it" in text(done)
    assert "double*, broken: the number 7" in text(done)


def test_what_is_wrong_now_where_nothing_is_promised_is_said(put: Shadow) -> None:
    unpromised = Contract("a number is doubled", "tests/doubler.py", unpromised="nobody says so")
    done = put({**RIGHT_AT_13, **WRONG_AT_7}, replace(DOUBLE, contract=unpromised))
    assert done.conclusion is Conclusion.FIXES
    assert text(done).endswith(
        "breaks no promise; 1 input still wrong; wrong now where nothing is promised: mini/double."
    )


def test_a_change_of_words_is_documentation_only(put: Shadow) -> None:
    done = put(WORDS)
    assert counts(done) == {Transition.UNCHANGED: 38, Transition.STILL_WRONG: 2}
    assert done.conclusion is Conclusion.DOCUMENTATION
    assert exit_status([done]) == 1


def test_the_contract_that_would_hold_is_named(put: Shadow) -> None:
    as_it_is = {
        "13 for 13, and nothing is refused": lambda x: Exactly(Fraction(13 if x.n == 13 else 2 * x.n), Fraction(0))
    }
    done = put(WORDS, replace(DOUBLE, conventions=as_it_is))
    [case] = done.cases
    assert case.convention == "13 for 13, and nothing is refused"
    assert text(done).endswith(
        "Documentation only: nothing else changes. What the code does, and the contracts that hold if that is "
        'documented now: "13 for 13, and nothing is refused" (mini/double).'
    )


def test_contracts_whose_source_is_what_was_changed_are_named_alone(put: Shadow) -> None:
    as_it_is = {"as it is": lambda x: Exactly(Fraction(13 if x.n == 13 else 2 * x.n), Fraction(0))}
    of_core = replace(DOUBLE, conventions=as_it_is, contract=Contract("a number is doubled", "doubler.core.double"))
    done = put(WORDS, of_core, replace(of_core, name="mini/other", contract=DOUBLE.contract))
    assert text(done).endswith('"as it is" (mini/double).')


def test_documentation_that_changes_values_is_of_another_source(tmp_path: Path) -> None:
    def mistaken(title: str, installation: Any, proposal: Proposal) -> Shadowed:
        return replace(python.shadow(title, installation, proposal), is_documentation=True)

    library = doubler.library(tmp_path)
    library = replace(library, modes=tuple(replace(mode, shadow=mistaken) for mode in library.modes))
    proposal = Proposal((doubler.patch(tmp_path, RIGHT_AT_13),))
    [done] = shadow(library, (), proposal, None, Plan(limits=miniature.QUICK), Progress(bars=False))
    assert done.conclusion is Conclusion.UNJUDGED
    assert "the sources that were given are not those of what is installed" in text(done)


def test_code_that_no_case_uses_changes_nothing_and_is_named(put: Shadow) -> None:
    done = put(UNUSED)
    assert done.conclusion is Conclusion.CHANGES_NOTHING
    assert done.unused == ("src/doubler/unused.py",)
    assert put(RIGHT_AT_13).unused == ()


def test_what_was_not_offered_can_be_added(tmp_path: Path) -> None:
    library = doubler.library(tmp_path)
    core = tmp_path / "site/doubler/__init__.py"
    core.write_text('"""Doubles numbers."""\n')
    added = doubler.patch(tmp_path, {"src/doubler/__init__.py": doubler.TREE["src/doubler/__init__.py"]}, "add.patch")
    added.write_text(
        "--- a/src/doubler/__init__.py\n+++ b/src/doubler/__init__.py\n@@ -1 +1,3 @@\n"
        ' """Doubles numbers."""\n+\n+from doubler.core import double\n'
    )
    plan = Plan(limits=miniature.QUICK)
    [done] = shadow(library, (), Proposal((added,)), None, plan, Progress(bars=False))
    assert counts(done) == {Transition.ADDED: 37, Transition.ADDED_WRONG: 2, Transition.CHANGED_UNSPECIFIED: 1}
    assert done.conclusion is Conclusion.BREAKS
    assert smallest(done, Transition.ADDED_WRONG) == 5


def test_files_outside_of_the_package_are_ignored_and_listed(put: Shadow) -> None:
    done = put({**RIGHT_AT_13, "README.md": "# twice\n"})
    assert done.changed == (CORE,)
    assert done.ignored == ("README.md",)


# --- the same inputs ---------------------------------------------------------------------------------------------


def test_every_input_goes_to_both_sides(put: Shadow) -> None:
    [case] = put(RIGHT_AT_13).cases
    [domain] = case.domains
    assert domain.exhausted
    assert domain.before.inputs == domain.after.inputs == 40
    assert domain.before.tally.mismatches() == 2
    assert domain.after.tally.mismatches() == 1
    assert domain.at[Transition.FIXED] == 13


def test_thorough_domains_are_left_to_a_thorough_run(put: Shadow) -> None:
    both = replace(DOUBLE, domains=(miniature.numbers(), miniature.numbers(7, "few", thorough=True)))
    assert len(put(RIGHT_AT_13, both).cases[0].domains) == 1
    assert len(put(RIGHT_AT_13, both, thorough=True).cases[0].domains) == 2


def test_all_cases_are_compared_and_the_named_ones_come_first(tmp_path: Path) -> None:
    one, other = (replace(DOUBLE, name=f"mini/{name}") for name in ("one", "other"))
    library = doubler.library(tmp_path, one, other)
    proposal = Proposal((doubler.patch(tmp_path, RIGHT_AT_13),))
    [done] = shadow(library, (other,), proposal, None, Plan(limits=miniature.QUICK), Progress(bars=False))
    assert [case.case.short_name for case in done.cases] == ["other", "one"]


def test_a_hunt_finds_what_no_domain_shows_and_shrinks_it(put: Shadow) -> None:
    beyond = edit(ARITHMETIC, "return 2.0 * n", "return 2.0 * n + (n >= 300)")
    done = put(beyond, BEYOND)
    [case] = done.cases
    assert case.hunted is not None
    assert case.hunted.first[Transition.BROKEN].after.x == miniature.Number(300)
    assert done.conclusion is Conclusion.BREAKS
    assert "double, broken, found beyond: the number 300: documented 600, before 600.0, after 601" in text(done)


def test_a_fix_that_only_a_hunt_shows_is_a_fix(tmp_path: Path) -> None:
    library = doubler.library(tmp_path, BEYOND)
    arithmetic = tmp_path / "site/doubler/arithmetic.py"
    arithmetic.write_text("def times(n):\n    return 2.0 * n + (n >= 300)\n")
    patch = tmp_path / "fix.patch"
    patch.write_text(
        "--- a/src/doubler/arithmetic.py\n+++ b/src/doubler/arithmetic.py\n@@ -1,2 +1,2 @@\n def times(n):\n"
        "-    return 2.0 * n + (n >= 300)\n+    return 2.0 * n\n"
    )
    plan = Plan(limits=miniature.QUICK)
    [done] = shadow(library, (), Proposal((patch,)), None, plan, Progress(bars=False))
    assert done.conclusion is Conclusion.FIXES
    assert "double, hunted beyond its domains:" in text(done)
    assert "Makes inputs beyond the domains of 1 contract right, and breaks no promise" in text(done)


def test_a_hunt_counts_what_it_sends_and_keeps_the_smallest(put: Shadow) -> None:
    [case] = put(RIGHT_AT_13, BEYOND, examples=30).cases
    assert case.hunted is not None
    assert case.hunted.counts == {Transition.UNCHANGED: 30}
    weights = [weight(change.after) for change in case.hunted.first.values()]
    assert weights == [min(weights)]


def test_no_hunt_is_no_hunt(put: Shadow) -> None:
    assert put(RIGHT_AT_13, BEYOND, examples=0).cases[0].hunted is None


# --- code that is compared first, and code that counts -----------------------------------------------------------


def test_the_code_that_counts_confirms_the_smallest_input_of_every_kind(put: Shadow) -> None:
    done = put(RIGHT_AT_13, mode="quick")
    assert {(each.kind, each.shown.after.x.n) for each in done.confirmations} == {  # type: ignore[attr-defined]
        (Transition.UNCHANGED, 0),
        (Transition.STILL_WRONG, 5),
        (Transition.FIXED, 13),
    }
    assert all(each.confirmed for each in done.confirmations)
    assert done.conclusion is Conclusion.FIXES
    assert "plain: 3 of 3 smallest inputs show the same there" in text(done)


def test_a_fix_that_the_code_that_counts_does_not_show_is_not_judged(put: Shadow) -> None:
    only_quick = "        import os\n        return 26.0 if os.environ.get('RANKDIFF_TEST_MODE') == 'quick' else 13.0\n"
    done = put(edit(CORE, "        return 13.0\n", only_quick), mode="quick")
    assert done.conclusion is Conclusion.UNJUDGED
    assert "mini/double: fixed in the mode quick, but still wrong in the mode plain" in done.obstacles[0]


def test_what_only_the_code_that_counts_breaks_is_not_judged(put: Shadow) -> None:
    only_plain = (
        "    import os\n    if n == 0 and os.environ.get('RANKDIFF_TEST_MODE') != 'quick':\n        return 1.0\n"
    )
    done = put(edit(CORE, "    if n == 13:\n", f"{only_plain}    if n == 13:\n"), mode="quick")
    assert done.conclusion is Conclusion.UNJUDGED
    assert "unchanged in the mode quick, but broken in the mode plain" in done.obstacles[0]
    assert "the number 0: before 0.0, after 1" in done.obstacles[0]


def test_the_usual_mode_needs_no_confirmation(put: Shadow) -> None:
    assert put(RIGHT_AT_13).confirmations == ()


# --- the proof of what was tested --------------------------------------------------------------------------------


def test_the_copy_is_what_was_tested_and_says_so(put: Shadow, own_cache: Path, tmp_path: Path) -> None:
    done = put(RIGHT_AT_13)
    before, after = done.modules
    assert {module.name for module in after} == {"doubler", "doubler.core", "doubler.arithmetic"}
    assert all(Path(module.path).is_relative_to(tmp_path / "site") for module in before)
    assert all(Path(module.path).is_relative_to(own_cache / "shadows") for module in after)
    assert done.after.title == f"doubler 1.0+patch.{done.after.installation.patches[0]}"
    assert text(done).startswith(f"doubler 1.0 -> 1.0+patch.{done.after.installation.patches[0]}, plain, Python 3.")


def test_a_shadow_that_is_not_picked_up_is_no_pass(tmp_path: Path) -> None:
    def forgotten(title: str, installation: Any, proposal: Proposal) -> Shadowed:
        found = python.shadow(title, installation, proposal)
        return replace(found, installation=replace(found.installation, environment=installation.environment))

    library = doubler.library(tmp_path)
    library = replace(library, modes=tuple(replace(mode, shadow=forgotten) for mode in library.modes))
    proposal = Proposal((doubler.patch(tmp_path, RIGHT_AT_13),))
    [done] = shadow(library, (), proposal, None, Plan(limits=miniature.QUICK), Progress(bars=False))
    assert done.conclusion is Conclusion.UNJUDGED
    assert "the patch was not picked up" in done.obstacles[0]
    assert str(tmp_path / "site") in done.obstacles[0]


def test_a_module_that_is_loaded_later_from_elsewhere_is_no_pass(put: Shadow, tmp_path: Path) -> None:
    site = tmp_path / "site"
    late = (
        "        import importlib, sys\n        sys.modules.pop('doubler.unused', None)\n        import doubler\n"
        f"        doubler.__path__.insert(0, {str(site / 'doubler')!r})\n"
        "        importlib.import_module('doubler.unused')\n        return 26.0\n"
    )
    done = put(edit(CORE, "        return 13.0\n", late))
    assert done.conclusion is Conclusion.UNJUDGED
    assert "doubler.unused was loaded from" in done.obstacles[0]


def test_two_changes_do_not_see_each_others_code(put: Shadow) -> None:
    for value, kind in ((26.0, Transition.FIXED), (14.0, Transition.CHANGED_WRONG), (26.0, Transition.FIXED)):
        done = put(
            edit(ARITHMETIC, "return 2.0 * n", f"return 2.0 * n\n\n\nVALUE = {value}")
            | edit(
                CORE, "        return 13.0\n", "        from doubler.arithmetic import VALUE\n        return VALUE\n"
            )
        )
        assert kind in counts(done)


def test_a_copy_that_edits_itself_is_no_pass(put: Shadow) -> None:
    edits = (
        f"{FIRST_LINE}from pathlib import Path\nPath(__file__).write_text(Path(__file__).read_text() + '# edited')\n"
    )
    done = put({CORE: RIGHT_AT_13[CORE].replace(FIRST_LINE, edits)})  # type: ignore[union-attr]
    assert done.conclusion is Conclusion.UNJUDGED
    assert "was changed after the copy was made" in done.obstacles[0]


def test_a_copy_that_removes_itself_is_no_pass(put: Shadow) -> None:
    removes = f"{FIRST_LINE}import shutil, pathlib\nshutil.rmtree(pathlib.Path(__file__).parents[1])\n"
    done = put({CORE: str(RIGHT_AT_13[CORE]).replace(FIRST_LINE, removes)})
    assert done.conclusion is Conclusion.UNJUDGED
    assert "was damaged while it ran" in done.obstacles[0]
    assert put(RIGHT_AT_13).conclusion is Conclusion.FIXES


def test_a_copy_of_which_nothing_is_loaded_is_no_pass(tmp_path: Path) -> None:
    library = doubler.library(tmp_path)
    [installation] = library.modes[0].find()
    proposal = Proposal((doubler.patch(tmp_path, RIGHT_AT_13),))
    shadowed = python.shadow("doubler 1.0", installation, proposal)
    fault = not_of_shadow(Subject(library, library.modes[0], shadowed.installation), ())
    assert "none of its modules was loaded" in fault


# --- changes that do not behave ----------------------------------------------------------------------------------

FIRST_LINE = "from doubler.arithmetic import times\n"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("raise RuntimeError('no')\n", "RuntimeError: no"),
        ("import nothing_of_this_name\n", "No module named 'nothing_of_this_name'"),
        ("def broken(:\n", "invalid syntax"),
        ("import os; os._exit(3)\n", "exit 3"),
        ("import sys; sys.exit(3)\n", "SystemExit: 3"),
        ("while True: pass\n", "no answer within 2 s"),
        ("HOARD = [b'x' * 2**28 for _ in range(10**6)]\n", "MemoryError"),
    ],
)
def test_a_change_that_does_not_start_is_not_judged(put: Shadow, line: str, says: str) -> None:
    limits = replace(miniature.QUICK, start=2 if "while" in line else 30, memory=2**30)
    done = put(edit(CORE, FIRST_LINE, FIRST_LINE + line), limits=limits)
    assert done.conclusion is Conclusion.UNJUDGED
    assert exit_status([done]) == 2
    assert done.after.title in done.obstacles[0]
    assert "does not start" in done.obstacles[0]
    assert says in done.obstacles[0]


@pytest.mark.parametrize(
    ("body", "observed"),
    [
        ("        while True: pass\n", "no answer within 1 s"),
        ("        import os; os._exit(7)\n", "the process ended (exit 7)"),
        ("        import os; os.kill(os.getpid(), 11)\n", "the process ended (signal SIGSEGV)"),
        ("        raise MemoryError\n", "MemoryError"),
        ("        x = [b'x' * 2**28 for _ in range(10**6)]\n", "MemoryError"),
    ],
)
def test_a_change_that_ends_hangs_or_hoards_is_seen_where_it_does(put: Shadow, body: str, observed: str) -> None:
    limits = replace(miniature.QUICK, memory=2**30, input=1 if "while" in body else 30)
    done = put(edit(CORE, "    if n == 13:\n", f"    if n == 7:\n{body}    if n == 13:\n"), limits=limits)
    assert smallest(done, Transition.BROKEN) == 7
    assert counts(done)[Transition.BROKEN] == 1
    assert observed in text(done)
    assert done.conclusion is Conclusion.BREAKS


def test_a_change_that_prints_disturbs_nothing(put: Shadow) -> None:
    loud = "        print('{\"outcomes\": []}' * 1000, flush=True)\n        return 26.0\n"
    assert put(edit(CORE, "        return 13.0\n", loud)).conclusion is Conclusion.FIXES


def test_a_change_that_hangs_everywhere_is_given_up_soon(put: Shadow) -> None:
    many = tuple(replace(DOUBLE, name=f"mini/double-{k}") for k in range(5))
    limits = Limits(start=30, first_call=0.5, first_call_again=0.5, batch=0.5, input=0.5, deaths=3)
    done = put(edit(CORE, "    if n == 13:\n", "    while n != 13: pass\n    if n == 13:\n"), *many, limits=limits)
    assert done.conclusion is Conclusion.BREAKS
    assert [case.counts.total() for case in done.cases] == [3, 3, 0, 0, 0]
    assert "cut short, 40 were to be run" in text(done)


def test_a_full_disk_is_no_outcome(put: Shadow) -> None:
    full = "        import errno\n        raise OSError(errno.ENOSPC, 'No space left on device')\n"
    done = put(edit(CORE, "        return 13.0\n", full))
    assert done.conclusion is Conclusion.UNJUDGED
    assert "cannot run: double: it cannot write: [Errno 28] No space left on device" in text(done)


def test_damaged_bytecode_is_removed_and_named(put: Shadow, own_cache: Path) -> None:
    assert put(RIGHT_AT_13).conclusion is Conclusion.FIXES
    compiled = [path for path in own_cache.glob("compiled/*/pyc/**/doubler/*.pyc") if "arithmetic" in path.name]
    assert compiled
    for path in compiled:
        path.write_bytes(path.read_bytes()[:30])
    damaged = put(RIGHT_AT_13)
    assert damaged.conclusion is Conclusion.UNJUDGED
    assert "compiled code in the cache is damaged" in damaged.obstacles[0]
    assert put(RIGHT_AT_13).conclusion is Conclusion.FIXES


def test_a_hunt_that_ends_its_worker_again_and_again_is_given_up(put: Shadow) -> None:
    deadly = edit(CORE, "    if n == 13:\n", "    if n >= 40:\n        import os; os._exit(3)\n    if n == 13:\n")
    done = put(deadly, BEYOND)
    [case] = done.cases
    assert case.ended_early
    assert case.hunted is not None
    assert case.hunted.counts[Transition.BROKEN] == MOST_DEATHS
    assert done.conclusion is Conclusion.BREAKS
    assert "6 broken; ended early" in text(done)


def test_what_is_cut_short_is_neither_judged_nor_hunted(tmp_path: Path) -> None:
    library = doubler.library(tmp_path, BEYOND)
    ending = "def times(n):\n    import os\n    os._exit(3)\n"
    (tmp_path / "site/doubler/arithmetic.py").write_text(ending)
    proposal = Proposal((doubler.patch(tmp_path, RIGHT_AT_13),))
    [done] = shadow(library, (), proposal, None, Plan(limits=miniature.QUICK), Progress(bars=False))
    assert counts(done) == {Transition.STILL_WRONG: 3}
    assert done.cases[0].hunted is None
    assert done.conclusion is Conclusion.UNJUDGED


def test_a_change_of_the_version_is_ignored_where_it_is_written(put: Shadow) -> None:
    done = put(
        {**RIGHT_AT_13, "src/doubler/__init__.py": doubler.TREE["src/doubler/__init__.py"] + '\n__version__ = "9"\n'}
    )
    assert done.after.title.startswith("doubler 1.0+patch.")


def test_each_release_that_is_found_is_compared(tmp_path: Path) -> None:
    library = doubler.library(tmp_path)
    other = doubler.installed(tmp_path / "other")
    core = other.packages["doubler"] / "core.py"
    core.write_text(core.read_text().replace("        return 13.0\n", "        return 12.0\n"))
    [found] = library.modes[0].find()
    both = tuple(replace(mode, find=lambda: [other, found]) for mode in library.modes)
    proposal = Proposal((doubler.patch(tmp_path, RIGHT_AT_13),))
    plan = Plan(limits=miniature.QUICK)
    unfit, fixed = shadow(replace(library, modes=both), (), proposal, None, plan, Progress(bars=False))
    assert fixed.conclusion is Conclusion.FIXES
    assert unfit.conclusion is Conclusion.UNJUDGED
    assert "does not apply to doubler 1.0" in unfit.obstacles[0]
    assert exit_status([unfit, fixed]) == 2
    core.unlink()
    unfitting = tuple(replace(mode, find=lambda: [other]) for mode in library.modes)
    with pytest.raises(PatchError, match="does not apply to doubler"):
        shadow(replace(library, modes=unfitting), (), proposal, None, plan, Progress(bars=False))


def test_a_case_that_cannot_run_keeps_the_others_from_passing(put: Shadow) -> None:
    done = put(RIGHT_AT_13, DOUBLE, replace(DOUBLE, name="mini/triple", call="triple"))
    assert [case.status for case in done.cases] == ["run", "cannot_run"]
    assert done.conclusion is Conclusion.UNJUDGED
    assert "cannot run: triple: the adapter has no function triple" in text(done)


# --- upstream's own tests ----------------------------------------------------------------------------------------

UPSTREAM = """\
import doubler


def test_seven():
    assert doubler.double(7) == 14


def test_thirteen():
    assert doubler.double(13) == 26
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Write upstream's checkout, with two tests, one of which fails; return its folder of tests."""
    checkout = lay_out(tmp_path / "checkout", doubler.TREE)
    (checkout / "pyproject.toml").touch()
    (checkout / "tests/test_doubler.py").write_text(UPSTREAM)
    return checkout / "tests"


def test_upstreams_tests_tell_what_passes_now(put: Shadow, suite: Path) -> None:
    done = put(RIGHT_AT_13, tests=suite)
    assert done.suite is not None
    assert done.suite.newly_passing == ("tests/test_doubler.py::test_thirteen",)
    assert done.suite.newly_failing == ()
    assert done.conclusion is Conclusion.FIXES
    assert "upstream's tests: before 1 passed, 1 failed; after 2 passed" in text(done)
    assert "now passes: tests/test_doubler.py::test_thirteen" in text(done)


def test_a_test_that_fails_only_with_the_change_breaks(put: Shadow, suite: Path) -> None:
    unpromised = replace(DOUBLE, contract=Contract("a number is doubled", "x", unpromised="nobody says so"))
    done = put({**RIGHT_AT_13, **WRONG_AT_7}, unpromised, tests=suite)
    assert done.suite is not None
    assert done.suite.newly_failing == ("tests/test_doubler.py::test_seven",)
    assert done.conclusion is Conclusion.BREAKS
    assert text(done).endswith("Breaks 1 test of upstream's, and makes 1 input of 1 contract right.")


def test_a_suite_that_ends_before_its_end_is_no_judgement(put: Shadow, suite: Path) -> None:
    (suite / "test_doubler.py").write_text(f"import os\n{UPSTREAM}\n\ndef test_exit():\n    os._exit(3)\n")
    done = put(RIGHT_AT_13, tests=suite)
    assert done.conclusion is Conclusion.UNJUDGED
    assert "upstream's tests with doubler 1.0 ended before pytest did" in done.obstacles[0]


def test_a_suite_without_tests_keeps_the_verdict_and_is_no_judgement(put: Shadow, suite: Path) -> None:
    (suite / "test_doubler.py").unlink()
    done = put(RIGHT_AT_13, tests=suite)
    assert counts(done)[Transition.FIXED] == 1
    assert "pytest finds no test there" in done.obstacles[0]


def test_tests_that_are_not_there_are_told_before_anything_is_run(put: Shadow, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="there is no such file or folder"):
        put(edit(CORE, FIRST_LINE, f"{FIRST_LINE}raise OSError"), tests=tmp_path / "nowhere")


def test_tests_that_only_one_side_has_are_counted(put: Shadow, suite: Path) -> None:
    more = "if doubler.double(13) == 26:\n    def test_more():\n        pass\n"
    (suite / "test_doubler.py").write_text(f"{UPSTREAM}\n\n{more}")
    assert "only before: 0, only after: 1" in text(put(RIGHT_AT_13, tests=suite))


def test_upstreams_tests_of_something_else_are_no_judgement(put: Shadow, suite: Path) -> None:
    (suite / "test_doubler.py").write_text("def test_nothing():\n    pass\n")
    done = put(RIGHT_AT_13, tests=suite)
    assert done.conclusion is Conclusion.UNJUDGED
    assert "upstream's tests should use doubler 1.0, but loaded none of its modules" in done.obstacles[0]


# --- what cannot be done -----------------------------------------------------------------------------------------


def test_a_mode_that_nothing_can_be_put_before_is_named(tmp_path: Path) -> None:
    library = doubler.library(tmp_path)
    bare = replace(library, modes=tuple(replace(mode, shadow=None) for mode in library.modes))
    proposal = Proposal((doubler.patch(tmp_path, RIGHT_AT_13),))
    with pytest.raises(UnknownModeError, match="mini in the mode plain runs nothing that a change can be put before"):
        shadow(bare, (), proposal, None, Plan(), Progress(bars=False))


def test_a_proposal_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PatchError, match="a patch was expected"):
        shadow(doubler.library(tmp_path), (), Proposal(), None, Plan(), Progress(bars=False))


def test_an_interrupt_ends_what_is_running_and_starts_nothing_more(
    put: Shadow, monkeypatch: pytest.MonkeyPatch, suite: Path
) -> None:
    def interrupted(*_: object) -> DomainComparison:
        raise KeyboardInterrupt

    monkeypatch.setattr(comparing._Comparing, "_domain", interrupted)
    endless = edit(CORE, "    if n == 13:\n", "    while True: pass\n    if n == 13:\n")
    limits = replace(miniature.QUICK, first_call=3600, batch=3600, input=3600)
    done = put(endless, mode="quick", tests=suite, limits=limits)
    assert done.is_interrupted
    assert done.suite is None
    assert done.confirmations == ()


def test_an_interrupt_keeps_what_was_seen(put: Shadow, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> CaseComparison:
        raise KeyboardInterrupt

    monkeypatch.setattr(comparing._Comparing, "_beyond", interrupted)
    done = put(RIGHT_AT_13, BEYOND)
    assert done.conclusion is Conclusion.UNJUDGED
    assert done.is_interrupted
    assert counts(done)[Transition.FIXED] == 1
