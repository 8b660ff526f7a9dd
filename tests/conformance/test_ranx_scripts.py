"""The committed scripts tell a ranx that has the divergence from one that has not.

The second one is a copy of the installed package in which a hit counts 1, as the documentation says. It is run
interpreted, so that nothing is compiled.
"""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cases.ranx.library import LIBRARY
from harness.script import DEFECT_PRESENT, OK, ScriptRun
from present import present

SUBJECT = next(iter(present(LIBRARY, "interpreted")), None)
REPORTS = Path(__file__).parents[2] / "reports"

GRADED, BINARY = "weighted_hit_list[i] = qrels[j, 1]", "weighted_hit_list[i] = 1.0"

pytestmark = pytest.mark.skipif(SUBJECT is None, reason="ranx is not installed")


@pytest.fixture(scope="module")
def fixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a copy of the installed ranx in which a hit counts 1."""
    spec = importlib.util.find_spec("ranx")
    assert spec is not None
    assert spec.origin is not None
    folder = tmp_path_factory.mktemp("fixed")
    shutil.copytree(Path(spec.origin).parent, folder / "ranx", ignore=shutil.ignore_patterns("__pycache__"))
    module = folder / "ranx" / "metrics" / "rank_biased_precision.py"
    source = module.read_text()
    if GRADED not in source:
        pytest.skip("this ranx does not use grades as gains in the way that the copy undoes")
    module.write_text(source.replace(GRADED, BINARY))
    return folder


def run(bundle: str, path: Path | None = None) -> ScriptRun:
    assert SUBJECT is not None
    environment = {**SUBJECT.environment(), **({"PYTHONPATH": str(path)} if path else {})}
    done = subprocess.run(
        [sys.executable, str(REPORTS / bundle / "repro.py")],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return ScriptRun(done.stdout.splitlines()[-1], done.returncode, done.stdout)


@pytest.mark.parametrize("bundle", ["ranx-0.3.21-rbp", "ranx-0.3.21-rbp-range", "ranx-0.3.21-rbp-relevance-level"])
def test_a_script_shows_the_divergence_where_it_is_and_only_there(bundle: str, fixed: Path) -> None:
    assert run(bundle).shows(DEFECT_PRESENT)
    assert run(bundle, fixed).shows(OK)
