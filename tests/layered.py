"""An environment on top of the one that runs the tests: it sees all of it, and what is laid out in it is its own."""

import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

from trees import lay_out


def environment(folder: Path) -> Path:
    """Make one, and return its interpreter."""
    subprocess.run([sys.executable, "-I", "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    beneath = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
    lay_out(packages(python), {"beneath.pth": beneath})
    return python


def packages(python: Path) -> Path:
    """Return the folder where an environment's packages are."""
    return python.parents[1] / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"


def install(python: Path, name: str, modules: Mapping[str, str], offers: str = "") -> None:
    """Install version 1.0 of a distribution that has these modules, and these entry points."""
    info = f"{name}-1.0.dist-info"
    metadata = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{info}/entry_points.txt": offers,
    }
    lay_out(packages(python), {**modules, **metadata})
