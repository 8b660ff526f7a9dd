"""A patch: a unified diff, read by two readers that have to agree."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from unidiff.constants import DEV_NULL
from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchedFile, PatchSet

from harness.errors import PatchError
from harness.printable import listed, printable
from harness.shadow import git

LIMIT = 20_000_000
"""Bytes that a patch may have."""

SIDES = frozenset("abciow12")
"""What git may call the two sides of a diff, before the first slash of its names."""

UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""How a text begins that some shells write."""

STEP = "expected is a unified diff, such as git diff writes it"


@dataclass(frozen=True, slots=True)
class Hunk:
    """A block of a diff.

    Attributes
    ----------
    start
        The line of the old file at which it begins, counted from one.
    body
        Its lines, without its header, in the diff, counted from zero.
    """

    start: int
    body: range


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a patch does to a file.

    Attributes
    ----------
    old, new
        Its name before and after: none before for a new file, none after for a deleted one.
    modes
        The file modes that the diff gives, in octal digits.
    is_binary
        Whether the diff only says that the content differs, or gives it in git's binary form.
    hunks
        Its blocks.
    """

    old: str | None
    new: str | None
    modes: tuple[str, ...]
    is_binary: bool
    hunks: tuple[Hunk, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names that it has, before and after."""
        return tuple(dict.fromkeys(name for name in (self.old, self.new) if name is not None))

    @property
    def name(self) -> str:
        """The last name that it has."""
        return self.names[-1]

    @property
    def is_regular(self) -> bool:
        """Whether it is an ordinary file by its modes: no symbolic link, no submodule."""
        return all(re.fullmatch("0*100[0-7]{3}", mode) for mode in self.modes)

    @property
    def is_mode_only(self) -> bool:
        """Whether it keeps its name and content."""
        return self.old == self.new and not self.hunks and not self.is_binary


@dataclass(frozen=True, slots=True)
class Patch:
    """A unified diff.

    Attributes
    ----------
    path
        Where it was read from.
    data
        Its bytes.
    strip
        How many leading parts of the names in the diff are no part of the tree: 1 with ``a/`` and ``b/``, else 0.
    files
        What it does to each file; names are those in the tree that it was made in.
    """

    path: Path
    data: bytes
    strip: int
    files: tuple[FileChange, ...]

    @property
    def title(self) -> str:
        """What messages call it."""
        return _title(self.path)

    def for_tree(self, tree: Path) -> bytes:
        """Return its bytes with the line ends of the files in a tree, if it was saved with CRLF throughout."""
        if not _is_crlf(self.data):
            return self.data
        kept = {
            number
            for file in self.files
            if file.old is not None and has_crlf(tree / file.old)
            for hunk in file.hunks
            for number in hunk.body
        }
        lines = self.data.split(b"\n")
        return b"\n".join(line if n in kept else line.removesuffix(b"\r") for n, line in enumerate(lines))


def is_below(name: str, roots: Iterable[str]) -> bool:
    """Return whether a file is one of these, or in a folder that is."""
    return any(name == root or name.startswith(f"{root}/") for root in roots)


def load(path: Path) -> bytes:
    """Return the bytes of a patch.

    Raises
    ------
    PatchError
        If it cannot be read, is empty, or too large.
    """
    title = _title(path)
    try:
        with path.open("rb") as file:
            data = file.read(LIMIT + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        step = "fetch it first" if re.match(r"\w+:/", str(path)) else f"{STEP}, in a file"
        raise PatchError(f"{title} cannot be read ({reason}); {step}") from error
    if len(data) > LIMIT:
        raise PatchError(
            f"{title} has more than {LIMIT // 1_000_000} MB, too many for one; give the source changes alone"
        )
    if not data.strip():
        raise PatchError(f"{title} is empty; {STEP}")
    if data.startswith(UTF_16):
        raise PatchError(
            f"{title} is UTF-16; write it with git diff --output=FILE, which does not pass through the shell"
        )
    return data


def read(path: Path) -> Patch:
    """Read a patch.

    Raises
    ------
    PatchError
        If it cannot be read, is no unified diff, or names a file outside of the tree that it applies to.
    UnusableError
        If there is no git.
    """
    return parse(path, load(path))


def parse(path: Path, data: bytes) -> Patch:
    """Read a patch from its bytes; raises what `read` does."""
    title = _title(path)
    text = data.replace(b"\r\n", b"\n") if _is_crlf(data) else data
    try:
        found = PatchSet(StringIO(text.decode(errors="surrogateescape")))
    except (UnidiffParseError, ValueError) as error:
        raise PatchError(
            f"{title} cannot be read as a unified diff ({printable(str(error).strip()[:200])}); "
            f"{STEP} with a/ and b/ before names"
        ) from error
    said = [file for file in found if _is_git(file) or not file.is_binary_file]
    if not said:
        what = "only says that binary files differ" if found else "is no diff"
        raise PatchError(f"{title} {what}; {STEP}")
    strip = _strip([(_unquoted(file.source_file), _unquoted(file.target_file)) for file in said])
    counted = _names_by_git(title, text, strip)
    binary = {name for name, is_binary in counted if is_binary}
    files = tuple(_change(file, strip, binary) for file in said)
    for name in {name for file in files for name in file.names}:
        if _leaves(name):
            raise PatchError(
                f"{title} names {printable(name)}, which is no file in the tree that it applies to; "
                "names have to be relative to upstream's root, without .. and .git"
            )
    if sorted(file.name for file in files) != sorted(name for name, _ in counted):
        raise PatchError(
            f"{title} is ambiguous: it changes {listed(file.name for file in files)} by its headers, "
            f"and {listed(name for name, _ in counted)} to git; {STEP}"
        )
    return Patch(path, data, strip, files)


def _title(path: Path) -> str:
    return f"the patch {printable(str(path))}"


def _is_crlf(data: bytes) -> bool:
    """Return whether every line of a text ends with CRLF."""
    return b"\n" in data and data.count(b"\n") == data.count(b"\r\n")


def has_crlf(path: Path) -> bool:
    """Return whether there is such a file, and a line of it ends with CRLF."""
    try:
        return b"\r\n" in path.read_bytes()
    except OSError:
        return False


def _is_git(file: PatchedFile) -> bool:
    """Return whether a part of a diff has git's header."""
    return file.patch_info is not None and file.patch_info[0].startswith("diff --git ")


def _change(file: PatchedFile, strip: int, binary: set[str]) -> FileChange:
    """Return what a part of a diff says."""
    old, new = (_name(raw, strip) for raw in (file.source_file, file.target_file))
    if not _is_git(file) and old is not None and new is not None:
        old = new = old if new.startswith(old) else new  # as git chooses between x.py and x.py.orig
    header = "".join(file.patch_info) if file.patch_info else ""
    modes = re.findall(r"^(?:(?:new|deleted) file|old|new) mode(.*)$", header, re.MULTILINE)
    hunks = tuple(Hunk(hunk.source_start, _body(line.diff_line_no for line in hunk)) for hunk in file)
    return FileChange(old, new, tuple(mode.strip() for mode in modes), (new or old) in binary, hunks)


def _body(numbers: Iterable[int | None]) -> range:
    """Return a hunk's lines, from zero, by their numbers from one."""
    known = [number for number in numbers if number is not None]
    return range(min(known, default=1) - 1, max(known, default=0))


def _name(raw: str, strip: int) -> str | None:
    """Return a name in the tree by what stands for it in the diff."""
    return None if raw == DEV_NULL else _unquoted(raw).split("/", strip)[-1]


def _unquoted(raw: str) -> str:
    """Return a name that git may have written in quotes, as C would."""
    if not re.fullmatch(r'".*"', raw, re.DOTALL):
        return raw
    letters = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}

    def letter(match: re.Match[bytes]) -> bytes:
        octal, other = match.groups()
        return bytes([int(octal, 8)]) if octal else letters.get(other, other)

    quoted = raw[1:-1].encode(errors="surrogateescape")
    return re.sub(rb"\\(?:([0-3][0-7]{2})|(.))", letter, quoted, flags=re.DOTALL).decode(errors="surrogateescape")


def _strip(pairs: Sequence[tuple[str, str]]) -> int:
    """Return how many leading parts of the names only tell the two sides of a diff apart."""
    olds, news = ({name.partition("/")[0] for name in side if name != DEV_NULL} for side in zip(*pairs, strict=True))
    names = [name for pair in pairs for name in pair if name != DEV_NULL]
    if len(olds) > 1 or len(news) > 1 or olds & news or not all("/" in name for name in names):
        return 0
    both = [pair for pair in pairs if DEV_NULL not in pair]
    side_by_side = both and all(old.partition("/")[2] == new.partition("/")[2] for old, new in both)
    return int(olds | news <= SIDES or bool(side_by_side))


def _names_by_git(title: str, text: bytes, strip: int) -> list[tuple[str, bool]]:
    """Return the last names of the files that git would change, and whether each is binary to it."""
    listing = git.apply(Path("/"), text, "--numstat", "-z", f"-p{strip}")
    if listing.returncode:
        words = printable(git.words(listing.stderr).strip().partition("\n")[0].removeprefix("error: "))
        raise PatchError(f"{title} is damaged: git says {words!r}; {STEP}, whole and unedited")
    entries = [entry.split("\t", 2) for entry in git.words(listing.stdout).split("\0") if entry]
    return [(name, added == "-") for added, _, name in entries]


def _leaves(name: str) -> bool:
    """Return whether a name is none of a file below the root of a tree, or one of git's own."""
    parts = name.lower().split("/")
    return "\0" in name or not {"", ".", "..", ".git"}.isdisjoint(parts)
