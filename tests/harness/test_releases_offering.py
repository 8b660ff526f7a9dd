"""Whether a release that does not start lacks what the cases call, or is at fault, or neither."""

from dataclasses import replace
from pathlib import Path

import pytest

import miniature
import releases
from harness.errors import WorkerFailedToStartError
from harness.installation import Installation
from harness.releases.offering import Fault, fault
from harness.subject import Subject
from trees import lay_out

CALLS = "from doubler import double\n"
LOADS_LATE = "def __getattr__(name):\n    import doubler.core\n"
SAID = WorkerFailedToStartError("doubler 0.3 does not start: ImportError: so it is")
IN_ITS_WORDS = Fault(str(SAID), is_unsupported=False)


@pytest.mark.parametrize(
    ("adapter", "release", "expected"),
    [
        (
            CALLS,
            releases.LACKS_DOUBLE,
            Fault(
                "doubler 0.3 does not offer what the cases call: cannot import name 'double' from 'doubler'",
                is_unsupported=True,
            ),
        ),
        (f"{CALLS}import nowhere_to_be_found\n", releases.RIGHT, IN_ITS_WORDS),
        (CALLS, LOADS_LATE, IN_ITS_WORDS),
    ],
    ids=["it lacks a name", "the adapter lacks a dependency", "it fails when it loads a part of itself"],
)
@pytest.mark.usefixtures("own_cache")
def test_a_release_does_not_offer_a_call_only_where_the_adapter_finds_no_such_name_in_it(
    tmp_path: Path, adapter: str, release: str, expected: Fault
) -> None:
    lay_out(tmp_path, {"adapter.py": adapter, "site/doubler/__init__.py": release})
    library = releases.library(tmp_path)
    mode = replace(library.modes[0], adapter=tmp_path / "adapter.py")
    subject = Subject(library, mode, Installation("0.3", {"PYTHONPATH": str(tmp_path / "site")}))
    assert fault(subject, SAID, miniature.QUICK) == expected
