"""Our statistics, compiled before the newest jar that is found, average the precision at n, and change nothing else."""

import re
from pathlib import Path

import pytest

from cases.lucene.average import AVERAGE
from cases.lucene.library import HERE, LIBRARY
from cases.lucene.measures import MEASURES
from cases.lucene.real.shadow import shadow
from harness.progress import Progress
from harness.shadow import patch
from harness.shadow.compare import Plan, compare
from harness.shadow.comparison import Comparison, Conclusion
from harness.shadow.proposal import Proposal
from harness.shadow.transition import Transition
from present import present

CLASS = HERE / "patches" / "mean-precision" / "QualityStats.java"
DIFF = HERE / "patches" / "mean-precision.patch"

NEWEST = present(LIBRARY, "real")[:1]

pytestmark = pytest.mark.skipif(not NEWEST, reason="needs Java and Lucene's benchmark jar")

OURS = {"precisions": "pAt", "retrieved": "numPoints", "found": "numGoodPoints"}
"""By our name of a field: the name in the lines that the diff expects."""


STORED = re.compile(r"    \}\n    recall = .*?;\n    for \(.*?\n    \}\n", re.DOTALL)
RETURNED = "    }\n    return pAt[n];\n"
"""What stands in our class where the diff expects lines of Lucene's."""


def tree(folder: Path) -> Path:
    """Return a source tree that the diff applies to: our class, with the lines that it expects in place of ours."""
    [file] = patch.read(DIFF).files
    lines = DIFF.read_text().splitlines(keepends=True)
    storing, returning = ("".join(lines[n][1:] for n in hunk.body if lines[n][0] in " -") for hunk in file.hunks)
    text = re.sub(rf"\b(?:{'|'.join(OURS)})\b", lambda name: OURS[name[0]], CLASS.read_text())
    for ours, theirs in (
        ("    numPoints = n;\n", "    numPoints = n;\n    double p = (numGoodPoints + (isRelevant ? 1 : 0)) / n;\n"),
        (STORED.findall(text)[0], f"{storing}    recall = numGoodPoints / (known > 0 ? known : n);\n"),
        (RETURNED, returning),
    ):
        assert text.count(ours) == 1
        text = text.replace(ours, theirs)
    path = folder / file.name
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return folder


def compared(proposal: Proposal) -> Comparison:
    [subject] = NEWEST
    found = shadow(subject.title, subject.installation, proposal)
    return compare(subject, found, [MEASURES, AVERAGE], Plan(examples=0), Progress(bars=False))


def require_fixed(done: Comparison) -> None:
    assert done.conclusion is Conclusion.FIXES
    measures, average = (case.counts for case in done.cases)
    assert measures == {Transition.UNCHANGED: 1533}
    assert average == {Transition.FIXED: 510, Transition.UNCHANGED: 480, Transition.CHANGED_RIGHT: 2}


def test_the_class_fixes_the_average_and_changes_no_measure_of_a_query() -> None:
    require_fixed(compared(Proposal(replacements=(CLASS,))))


def test_the_diff_fixes_the_average_and_changes_no_measure_of_a_query(tmp_path: Path) -> None:
    require_fixed(compared(Proposal((DIFF,), source=tree(tmp_path))))
