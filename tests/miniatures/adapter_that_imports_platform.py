"""A subject whose adapter imports the module ``platform``, which says nothing about the subject."""

import platform
from pathlib import Path

exec(compile(Path(__file__).with_name("adapter.py").read_text(), "adapter.py", "exec"))
