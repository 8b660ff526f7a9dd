"""The project of somebody else that ``docs/cases-of-others.md`` shows, and the library that it is about."""

import re
import subprocess
from pathlib import Path

import layered
from trees import lay_out

PAGE = Path(__file__).parents[1] / "docs" / "cases-of-others.md"

FILES = re.findall(r"^`(\S+)`\n\n```\w+\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
"""Each file with its name, in the order of the page; one that is shown again is what becomes of it later."""

LEDGER = "toyrank_cases/known.toml"

RANKDIFF = '#!/bin/sh\nexec "$(dirname "$0")/python" -P -c \'from harness.cli import entry; entry()\' "$@"\n'

LIBRARY = '''\
def precision(relevant, k):
    """Return the share of relevant documents among the first k; a shorter list has none beyond its end."""
    return sum(relevant[:k]) / min(k, len(relevant))
'''


def installed(folder: Path) -> Path:
    """Install both into an environment of their own, as the page first shows the project; return its interpreter."""
    python = layered.environment(folder / "environment")
    layered.install(python, "toyrank", {"toyrank.py": LIBRARY})
    first: dict[str, str] = {}
    for name, text in FILES:
        first.setdefault(name, text)
    project = lay_out(folder / "project", first)
    options = ("--quiet", "--no-index", "--no-deps", "--no-build-isolation")
    subprocess.run([python, "-m", "pip", "install", *options, str(project)], check=True, cwd=project)
    command = python.with_name("rankdiff")
    command.write_text(RANKDIFF)
    command.chmod(0o755)
    return python
