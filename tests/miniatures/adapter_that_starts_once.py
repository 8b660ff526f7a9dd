"""A subject that does not start any more once a mark is there."""

import os
from pathlib import Path

if Path(os.environ["RANKDIFF_TEST_ONCE"]).exists():
    raise ImportError("no more")

exec(compile(Path(__file__).with_name("adapter.py").read_text(), "adapter.py", "exec"))
