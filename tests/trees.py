"""Trees of files: laid out, and hashed to see that they stay as they are."""

import hashlib
from collections.abc import Mapping
from pathlib import Path


def lay_out(folder: Path, tree: Mapping[str, str]) -> Path:
    """Write a tree of files, and return its folder."""
    for name, text in tree.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def hashes(*places: Path) -> dict[Path, str]:
    """Return the hash of each file, and of each in a folder."""
    files = [file for place in places for file in ([place] if place.is_file() else sorted(place.rglob("*")))]
    return {file: hashlib.sha256(file.read_bytes()).hexdigest() for file in files if file.is_file()}
