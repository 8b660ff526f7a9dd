"""The day on which a release was uploaded, so that it can be given dependencies of its own time."""

import re
import tempfile
from datetime import date
from pathlib import Path

from packaging.version import Version

from harness.environments import child
from harness.environments.installer import Installer

UPLOADED = re.compile(r"upload-time = (\d{4}-\d\d-\d\d)T")


def uploaded(distribution: str, version: Version, by: Installer) -> date | None:
    """Return the day on which a release was uploaded; None where that is not known, or the installer is not uv."""
    if by.uv is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder) / "wanted.in"
        wanted.write_text(f"{distribution}=={version}\n")
        command = [
            *(by.uv, "pip", "compile", "--project", folder, "--no-deps", "--no-sources", "--format", "pylock.toml"),
            *("--no-python-downloads", "--no-progress", "--color", "never", str(wanted)),
        ]
        status, said = child.output(command, by.variables())
    days = UPLOADED.findall(said)
    return date.fromisoformat(min(days)) if status == 0 and days else None
