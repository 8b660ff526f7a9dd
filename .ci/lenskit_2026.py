"""Fetch lenskit 2026.4.0, and make an environment for it where an interpreter is found that it runs on.

    python .ci/lenskit_2026.py FOLDER

It prints what the tests look for, to be evaluated by a shell: RANKDIFF_LENSKIT_2026, a folder with the release's files,
and RANKDIFF_LENSKIT_2026_PYTHON, an interpreter (3.12.5 or newer) with all that the release needs but torch, for which
the tests have a stand-in.
"""

import email
import shlex
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

RELEASE = "2026.4.0"
OLDEST = (3, 12, 5)
NAMES = ("python3.14", "python3.13", "python3.12")


def pip(python: str, *arguments: str) -> None:
    """Run pip, and be silent if all goes well."""
    command = [python, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    subprocess.run(command, check=True, stdout=sys.stderr)


def fetched(folder: Path) -> Path:
    """Return a folder with the files of the release."""
    only = ("--no-deps", "--only-binary", ":all:", "--python-version", "3.13")
    pip(sys.executable, "download", *only, "--dest", str(folder), f"lenskit=={RELEASE}")
    (wheel,) = folder.glob(f"lenskit-{RELEASE}-*.whl")
    files = folder / "files"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(files)
    return files


def interpreters() -> Iterator[str]:
    """Yield interpreters that may be new enough: those on the path, then pyenv's."""
    yield from filter(None, map(shutil.which, NAMES))
    if shutil.which("pyenv"):
        root = subprocess.run(["pyenv", "root"], check=False, capture_output=True, text=True).stdout.strip()
        yield from sorted(map(str, Path(root).glob("versions/3.*/bin/python")), reverse=True)


def is_new_enough(python: str) -> bool:
    """Return whether an interpreter runs, and the release runs on it."""
    asked = f"import sys; sys.exit(not {OLDEST} <= sys.version_info[:3] < (3, 15))"
    return subprocess.run([python, "-c", asked], check=False, capture_output=True).returncode == 0


def requirements(files: Path) -> list[str]:
    """Return what the release needs, but for torch and its extras."""
    metadata = email.message_from_string((files / f"lenskit-{RELEASE}.dist-info" / "METADATA").read_text())
    needed = [text for text in metadata.get_all("Requires-Dist", []) if "extra ==" not in text]
    return [text for text in needed if not text.startswith("torch")]


def environment(python: str, files: Path, folder: Path) -> Path:
    """Return the interpreter of a new environment with what the release needs."""
    subprocess.run([python, "-m", "venv", str(folder)], check=True, stdout=sys.stderr)
    made = folder / "bin" / "python"
    pip(str(made), "install", "--only-binary", ":all:", *requirements(files), "pytest", "hypothesis")
    return made


def main(folder: Path) -> None:
    """Print the settings."""
    folder.mkdir(parents=True, exist_ok=True)
    files = fetched(folder)
    print(f"export RANKDIFF_LENSKIT_2026={shlex.quote(str(files))}")
    python = next(filter(is_new_enough, interpreters()), None)
    if python is None:
        print(f"no Python from {'.'.join(map(str, OLDEST))} on: lenskit {RELEASE} cannot be run here", file=sys.stderr)
        return
    made = environment(python, files, folder / "environment")
    print(f"export RANKDIFF_LENSKIT_2026_PYTHON={shlex.quote(str(made))}")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1] or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    try:
        main(Path(sys.argv[1]).resolve())
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(
            f"lenskit {RELEASE} could not be had in {sys.argv[1]} ({error}); is there a network, and a free folder?"
        )
