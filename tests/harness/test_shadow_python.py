"""A patched copy of a Python installation: found first, and the installation is never touched."""

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import pytest

from harness.errors import CacheFolderError, PatchError, UnusableError
from harness.installation import Installation, distribution
from harness.shadow import applying
from harness.shadow import python as shadowing
from harness.shadow.proposal import Proposal, Shadowed
from harness.shadow.python import shadow

CORE = '"""Scales."""\n\nfrom scales.table import FACTOR\n\n\ndef scale(x):\n    return FACTOR * x\n'
PACKAGE = {
    "scales/__init__.py": "from scales.core import scale\n",
    "scales/core.py": CORE,
    "scales/table.py": "FACTOR = 2\n",
    "scales/old.py": "A = 1\nB = 2\nC = 3\nD = 4\n",
    "scales/crlf.py": "A = 1\r\nB = 2\r\n",
    "scales/README.md": "Scales.\n",
    "scales/data/names.txt": "one\n",
    "scales/sub/__init__.py": "",
    "scales/_fast.cpython-311.so": "compiled",
    "scales/__pycache__/core.cpython-311.pyc": "stale",
    "scales/__pycache__/core.scale-7.py311.nbi": "stale",
    "scales/sub/core.scale-7.py311.1.nbc": "stale",
    "scales/legacy.pyc": "stale",
    "single.py": "VALUE = 1\n",
}


def change(name: str, old: str, new: str, line: int = 1) -> str:
    """Return a patch that replaces a line of a file."""
    return f"--- a/{name}\n+++ b/{name}\n@@ -{line} +{line} @@\n-{old}\n+{new}\n"


def new(name: str, line: str = "NEW = 1") -> str:
    """Return a patch that adds a file."""
    return f"diff --git a/{name} b/{name}\nnew file mode 100644\n--- /dev/null\n+++ b/{name}\n@@ -0,0 +1 @@\n+{line}\n"


TABLE = change("src/scales/table.py", "FACTOR = 2", "FACTOR = 3")


@pytest.fixture(autouse=True)
def untouched(tmp_path: Path, own_cache: Path) -> Iterator[None]:
    """Check that a test leaves everything as it was, except in the cache, where it leaves only what is whole."""
    for name, text in PACKAGE.items():
        path = tmp_path / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    before = state(tmp_path / "site")
    yield
    assert state(tmp_path / "site") == before
    assert {path.name for path in tmp_path.iterdir()} <= {"site", "patches", own_cache.name, "work"}
    for made in (own_cache / "shadows").glob("*"):
        assert made.name == ".python-lock" or (made / "rankdiff.json").is_file()


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    site = tmp_path / "site"
    return Installation("1.0", {"PYTHONPATH": str(site)}, packages={"scales": site / "scales"})


def state(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Return everything about a tree that a change could leave."""
    found = {}
    for path in [folder, *folder.rglob("*")]:
        about = path.lstat()
        found[str(path)] = (about.st_mode, about.st_mtime_ns, path.read_bytes() if path.is_file() else b"")
    return found


def written(tmp_path: Path, *texts: str | bytes) -> tuple[Path, ...]:
    folder = tmp_path / "patches"
    folder.mkdir(exist_ok=True)
    paths = [folder / f"fix{n}.patch" for n in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(text if isinstance(text, bytes) else text.encode(errors="surrogateescape"))
    return tuple(paths)


def shadowed(tmp_path: Path, installation: Installation, *texts: str | bytes) -> Shadowed:
    return shadow("scales 1.0", installation, Proposal(written(tmp_path, *texts)))


def files(made: Shadowed) -> dict[str, str]:
    folder = made.installation.shadow
    assert folder is not None
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name != "rankdiff.json"]
    return {path.relative_to(folder).as_posix(): path.read_bytes().decode() for path in paths}


SOURCES = {name: text for name, text in PACKAGE.items() if text != "stale" and name != "single.py"}

# --- the copy --------------------------------------------------------------------------------------------------


def test_a_copy_has_the_sources_the_data_and_the_change(tmp_path: Path, installation: Installation) -> None:
    made = shadowed(tmp_path, installation, TABLE)
    assert files(made) == {**SOURCES, "scales/table.py": "FACTOR = 3\n"}
    assert (made.changed, made.ignored, made.is_documentation) == (("src/scales/table.py",), (), False)


def test_no_compiled_python_code_is_in_a_copy(tmp_path: Path, installation: Installation) -> None:
    made = shadowed(tmp_path, installation, TABLE)
    assert not [name for name in files(made) if name.endswith((".pyc", ".nbi", ".nbc")) or "__pycache__" in name]


def test_compiled_extensions_are_links_and_nothing_else_is(tmp_path: Path, installation: Installation) -> None:
    made = shadowed(tmp_path, installation, TABLE)
    assert made.installation.shadow is not None
    links = [path for path in made.installation.shadow.rglob("*") if path.is_symlink()]
    assert [path.name for path in links] == ["_fast.cpython-311.so"]
    assert links[0].readlink() == tmp_path / "site/scales/_fast.cpython-311.so"


def test_the_installation_that_is_returned_finds_the_copy_first(tmp_path: Path, installation: Installation) -> None:
    made = shadowed(tmp_path, installation, TABLE).installation
    sha = hashlib.sha256(TABLE.encode()).hexdigest()[:8]
    assert made.shadow is not None
    assert made == replace(
        installation,
        environment={"PYTHONPATH": f"{made.shadow}{os.pathsep}{tmp_path / 'site'}"},
        content=made.shadow.name,
        packages={"scales": made.shadow / "scales"},
        patches=(sha,),
        shadow=made.shadow,
        base=installation,
    )


def test_its_interpreter_runs_the_patched_code(tmp_path: Path, installation: Installation) -> None:
    made = shadowed(tmp_path, installation, TABLE).installation
    code = "import scales, pathlib; print(scales.scale(2), pathlib.Path(scales.__file__).with_name('data').is_dir())"
    environment = {**os.environ, **made.environment, "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run([made.python, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout == "6 True\n"


def test_without_a_path_of_its_own_the_copy_is_all_that_is_added(tmp_path: Path, installation: Installation) -> None:
    made = shadowed(tmp_path, replace(installation, environment={"A": "1"}), TABLE).installation
    assert made.environment == {"A": "1", "PYTHONPATH": str(made.shadow)}


def test_a_patched_copy_can_be_patched_again(tmp_path: Path, installation: Installation) -> None:
    first = shadowed(tmp_path, installation, TABLE)
    second = shadowed(tmp_path, first.installation, change("scales/table.py", "FACTOR = 3", "FACTOR = 4"))
    assert files(second)["scales/table.py"] == "FACTOR = 4\n"
    assert files(first)["scales/table.py"] == "FACTOR = 3\n"
    assert second.installation.patches[:1] == first.installation.patches
    assert len(second.installation.patches) == 2


def test_a_single_module_is_copied(tmp_path: Path, installation: Installation) -> None:
    alone = replace(installation, packages={"single": tmp_path / "site/single.py"})
    made = shadowed(tmp_path, alone, change("src/single.py", "VALUE = 1", "VALUE = 2"))
    assert files(made) == {"single.py": "VALUE = 2\n"}
    assert made.installation.shadow is not None
    assert made.installation.packages == {"single": made.installation.shadow / "single.py"}
    assert made.changed == ("src/single.py",)


def test_several_packages_are_copied_and_patched_where_each_is(tmp_path: Path, installation: Installation) -> None:
    site = tmp_path / "site"
    both = replace(installation, packages={"scales": site / "scales", "single": site / "single.py"})
    made = shadowed(tmp_path, both, TABLE + change("lib/src/single.py", "VALUE = 1", "VALUE = 2"))
    assert files(made) == {**SOURCES, "scales/table.py": "FACTOR = 3\n", "single.py": "VALUE = 2\n"}
    assert made.changed == ("lib/src/single.py", "src/scales/table.py")


def test_what_is_no_file_is_left_out(tmp_path: Path, installation: Installation) -> None:
    (tmp_path / "work").mkdir()
    package = tmp_path / "work/scales"
    shutil.copytree(tmp_path / "site/scales", package)
    (package / ".#core.py").symlink_to("me@host")
    os.mkfifo(package / "pipe")
    made = shadowed(tmp_path, replace(installation, packages={"scales": package}), TABLE)
    assert files(made).keys() == SOURCES.keys()


# --- patches ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("prefix", ["", "src/", "python/src/", "packages/scales/", "lib/"])
def test_the_package_is_found_in_upstreams_tree(tmp_path: Path, installation: Installation, prefix: str) -> None:
    made = shadowed(tmp_path, installation, TABLE.replace("src/", prefix))
    assert files(made)["scales/table.py"] == "FACTOR = 3\n"
    assert made.changed == (f"{prefix}scales/table.py",)


def test_a_patch_without_sides_is_applied(tmp_path: Path, installation: Installation) -> None:
    made = shadowed(tmp_path, installation, TABLE.replace("a/src", "src").replace("b/src", "src"))
    assert made.changed == ("src/scales/table.py",)


def test_new_renamed_and_deleted_files_and_those_outside(tmp_path: Path, installation: Installation) -> None:
    text = "".join(
        [
            new("src/scales/added/new.py"),
            "diff --git a/src/scales/old.py b/src/scales/sub/renamed.py\nsimilarity index 80%\n",
            "rename from src/scales/old.py\nrename to src/scales/sub/renamed.py\n",
            "--- a/src/scales/old.py\n+++ b/src/scales/sub/renamed.py\n",
            "@@ -1,4 +1,4 @@\n A = 1\n-B = 2\n+B = 5\n C = 3\n D = 4\n",
            "diff --git a/src/scales/data/names.txt b/src/scales/data/names.txt\ndeleted file mode 100644\n",
            "--- a/src/scales/data/names.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n",
            change("src/scales/sub/__init__.py", "", "").replace("-1", "-0,0").replace("-\n+\n", "+E = 1\n"),
            new("CHANGELOG.md", "something"),
            new("sitecustomize.py"),
            new("tests/scales/table.py"),
            new("docs/scales/index.rst"),
        ]
    )
    made = shadowed(tmp_path, installation, text)
    expected = {name: text for name, text in SOURCES.items() if name not in ("scales/old.py", "scales/data/names.txt")}
    assert files(made) == {
        **expected,
        "scales/added/new.py": "NEW = 1\n",
        "scales/sub/renamed.py": "A = 1\nB = 5\nC = 3\nD = 4\n",
        "scales/sub/__init__.py": "E = 1\n",
    }
    assert made.changed == (
        "src/scales/added/new.py",
        "src/scales/data/names.txt",
        "src/scales/old.py",
        "src/scales/sub/__init__.py",
        "src/scales/sub/renamed.py",
    )
    assert made.ignored == ("CHANGELOG.md", "docs/scales/index.rst", "sitecustomize.py", "tests/scales/table.py")


def test_a_new_file_alone_needs_a_usual_place(tmp_path: Path, installation: Installation) -> None:
    assert shadowed(tmp_path, installation, new("src/scales/new.py")).changed == ("src/scales/new.py",)
    assert shadowed(tmp_path, installation, new("scales/new.py")).changed == ("scales/new.py",)
    with pytest.raises(PatchError, match="changes nothing of scales"):
        shadowed(tmp_path, installation, new("attic/scales/new.py"))


def test_the_place_of_the_package_is_where_its_files_are(tmp_path: Path, installation: Installation) -> None:
    text = new("scales/new.py") + TABLE
    made = shadowed(tmp_path, installation, text)
    assert (made.changed, made.ignored) == (("src/scales/table.py",), ("scales/new.py",))


def test_patches_are_applied_in_their_order(tmp_path: Path, installation: Installation) -> None:
    second = change("scales/table.py", "FACTOR = 3", "FACTOR = 4")
    made = shadowed(tmp_path, installation, TABLE + new("docs/a"), second)
    assert files(made)["scales/table.py"] == "FACTOR = 4\n"
    assert made.installation.patches == (hashlib.sha256(f"{TABLE}{new('docs/a')}{second}".encode()).hexdigest()[:8],)
    assert made.ignored == ("docs/a",)
    with pytest.raises(PatchError, match="FACTOR = 3"):
        shadowed(tmp_path, installation, second, TABLE)


def test_documentation_alone_is_seen(tmp_path: Path, installation: Installation) -> None:
    text = '--- a/scales/core.py\n+++ b/scales/core.py\n@@ -1,2 +1,2 @@\n-"""Scales."""\n+"""Scales, twice."""\n \n'
    readme = change("scales/README.md", "Scales.", "Scales, twice.")
    assert shadowed(tmp_path, installation, text + readme).is_documentation
    assert not shadowed(tmp_path, installation, text + readme + new("scales/new.md")).is_documentation


def test_a_file_with_crlf_keeps_it(tmp_path: Path, installation: Installation) -> None:
    made = shadowed(tmp_path, installation, change("scales/crlf.py", "B = 2\r", "B = 3\r", line=2))
    assert files(made)["scales/crlf.py"] == "A = 1\r\nB = 3\r\n"


def test_names_for_messages_are_harmless(tmp_path: Path, installation: Installation) -> None:
    outside = '--- /dev/null\n+++ "b/docs/\\033[2J"\n@@ -0,0 +1 @@\n+x\n'
    assert shadowed(tmp_path, installation, TABLE + outside).ignored == (r"docs/\x1b[2J",)


def test_a_package_without_its_init_is_made_all_the_same(tmp_path: Path, installation: Installation) -> None:
    gone = "diff --git a/scales/__init__.py b/scales/__init__.py\ndeleted file mode 100644\n"
    text = f"{gone}--- a/scales/__init__.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-from scales.core import scale\n"
    assert "scales/__init__.py" not in files(shadowed(tmp_path, installation, text))


# --- what is refused -------------------------------------------------------------------------------------------

LINK = new("scales/l.py", "/etc").replace("100644", "120000")
UNDONE = change("scales/table.py", "FACTOR = 3", "FACTOR = 2")

HOSTILE: dict[str, tuple[Sequence[str], str]] = {
    "empty": ([""], "is empty"),
    "no diff": (["Hello.\n"], "is no diff|cannot be read"),
    "does not fit": ([change("scales/table.py", "FACTOR = 7", "FACTOR = 8")], "table.py, hunk 1 of 1, at line 1"),
    "of another release": ([change("scales/absent.py", "a", "b")], "scales/absent.py, which is not there"),
    "given twice": ([TABLE, TABLE], "fix1.patch is already applied"),
    "already applied": ([change("scales/table.py", "FACTOR = 1", "FACTOR = 2")], "is already applied"),
    "undone": ([TABLE, UNDONE], "fix0.patch and the patch .*fix1.patch should change scales 1.0, and leave it"),
    "without a change": (
        ["--- a/scales/table.py\n+++ b/scales/table.py\n@@ -1 +1 @@\n FACTOR = 2\n"],
        "leave it|damaged",
    ),
    "of another package": ([change("src/ranx/x.py", "a", "b") + new("tests/a.py")], "seems to be about ranx;"),
    "of another flat package": ([change("ranx/x.py", "a", "b")], "seems to be about ranx;"),
    "of two other packages": ([change("ranx/x.py", "a", "b") + new("numba/a.py")], "is about something else"),
    "of nothing": ([new("docs/a.md") + new("tests/scales/table.py")], "it changes docs/a.md, tests/scales/table.py"),
    "of modes": (["diff --git a/scales/core.py b/scales/core.py\nold mode 100644\nnew mode 100755\n"], "only the mode"),
    "absolute": ([change("/scales/table.py", "FACTOR = 2", "FACTOR = 3")], "relative to upstream's root"),
    "up": ([change("scales/../../x.py", "a", "b")], "relative to upstream's root"),
    "up beside": ([TABLE + new("../sitecustomize.py")], "relative to upstream's root"),
    "git's own": ([new("scales/.git/hooks/post-checkout")], "relative to upstream's root"),
    "a link": ([LINK], "symbolic link"),
    "a link, and a file behind it": ([LINK.replace("/etc", "..") + new("scales/l.py/x.py")], "symbolic link"),
    "a submodule": ([LINK.replace("120000", "160000")], "submodule"),
    "a link in place of a file": (
        [
            "diff --git a/scales/table.py b/scales/table.py\nold mode 100644\nnew mode 120000\n"
            + TABLE.replace("src/", "")
        ],
        "symbolic link",
    ),
    "binary": (
        ["diff --git a/scales/a b/scales/a\nindex 1..2 100644\nBinary files a/scales/a and b/scales/a differ\n"],
        "is binary",
    ),
    "of an extension": ([change("scales/_fast.cpython-311.so", "compiled", "other")], "compiled code"),
    "a new extension": ([new("scales/table.abi3.so")], "compiled code"),
    "bytecode": ([new("scales/__pycache__/table.cpython-311.pyc")], "compiled code"),
    "beside bytecode": ([new("scales/__pycache__/table.py")], "compiled code"),
    "a new file that is there": ([new("scales/table.py")], "scales/table.py, which is there already"),
    "a file behind a file": ([new("scales/table.py/x.py")], "does not apply to scales 1.0"),
    "a file that is a folder too": ([new("scales/a") + new("scales/a/b.py")], "does not apply to scales 1.0"),
    "a file in place of a folder": ([new("scales/sub")], "does not apply to scales 1.0"),
    "a name with a line break": (
        ['--- /dev/null\n+++ "b/scales/a\\nb.py"\n@@ -0,0 +1 @@\n+x\n'],
        r"a\\nb.py, whose name",
    ),
    "a name with NUL": (['--- /dev/null\n+++ "b/scales/a\\000b.py"\n@@ -0,0 +1 @@\n+x\n'], r"a\\x00b.py|ambiguous"),
    "a name that is too long": ([new(f"scales/{'a' * 300}.py")], "scales 1.0|cache"),
    "a name that is no text": ([new("scales/\udcff.py")], r"scales/\\udcff.py, whose name"),
    "moved out": (
        ["diff --git a/scales/old.py b/old.py\nsimilarity index 100%\nrename from scales/old.py\nrename to old.py\n"],
        "moves scales/old.py to old.py",
    ),
    "moved in": (
        ["diff --git a/old.py b/scales/new.py\nsimilarity index 100%\nrename from old.py\nrename to scales/new.py\n"],
        "moves old.py to scales/new.py",
    ),
}


@pytest.mark.parametrize(("texts", "said"), HOSTILE.values(), ids=HOSTILE.keys())
def test_a_patch_that_cannot_be_tried_is_refused(
    tmp_path: Path, installation: Installation, texts: Sequence[str], said: str
) -> None:
    with pytest.raises(PatchError, match=said) as caught:
        shadowed(tmp_path, installation, *texts)
    assert "fix" in str(caught.value)
    assert ";" in str(caught.value)  # the next step


@pytest.mark.skipif(importlib.util.find_spec("ranx") is None, reason="ranx is not installed")
def test_the_installed_ranx_stays_as_it_is(tmp_path: Path) -> None:
    [found] = distribution("ranx", "ranx")()
    before = state(found.packages["ranx"])
    names = {"scales/sub": "ranx/metrics", "scales/table": "ranx/__init__", "scales": "ranx"}
    for texts, _ in HOSTILE.values():
        renamed = list(texts)
        for old, name in names.items():
            renamed = [text.replace(old, name) for text in renamed]
        with pytest.raises(PatchError):
            shadowed(tmp_path, found, *renamed)
    version = f"ranx {metadata.version('ranx')}"
    made = shadow(version, found, Proposal(written(tmp_path, new("ranx/new.py"))))
    assert made.changed == ("ranx/new.py",)
    assert state(found.packages["ranx"]) == before


def test_a_patch_that_is_not_there_is_refused(tmp_path: Path, installation: Installation) -> None:
    with pytest.raises(PatchError, match="No such file"):
        shadow("scales 1.0", installation, Proposal((tmp_path / "absent.patch",)))


def test_no_patch_is_refused(installation: Installation) -> None:
    with pytest.raises(PatchError, match="no patch is given"):
        shadow("scales 1.0", installation, Proposal())


@pytest.mark.parametrize("proposal", [Proposal(replacements=(Path("X.java"),)), Proposal(source=Path("lucene"))])
def test_what_is_for_java_is_refused(tmp_path: Path, installation: Installation, proposal: Proposal) -> None:
    with pytest.raises(PatchError, match="for a library in Java"):
        shadow("scales 1.0", installation, replace(proposal, patches=written(tmp_path, TABLE)))


def test_an_installation_without_packages_is_unusable(tmp_path: Path) -> None:
    with pytest.raises(UnusableError, match=r"scales 1\.0 has no import package"):
        shadowed(tmp_path, Installation("1.0"), TABLE)


def test_an_installation_that_cannot_be_read_is_unusable(tmp_path: Path) -> None:
    with pytest.raises(UnusableError, match=r"scales 1\.0 cannot be copied"):
        shadowed(tmp_path, Installation("1.0", packages={"scales": tmp_path / "site/absent"}), TABLE)


# --- the cache -------------------------------------------------------------------------------------------------


def made_anew(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return a list to which every shadow is added that is made from now on."""
    made: list[Path] = []
    make = shadowing._make

    def noted(folder: Path, *arguments: object) -> object:
        made.append(folder)
        return make(folder, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(shadowing, "_make", noted)
    return made


def test_the_second_use_makes_nothing(
    tmp_path: Path, installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = TABLE + new("docs/a")
    first = shadowed(tmp_path, installation, text)
    again = made_anew(monkeypatch)
    assert shadowed(tmp_path, installation, text) == first
    assert again == []


def test_an_edited_shadow_is_made_again(
    tmp_path: Path, installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = shadowed(tmp_path, installation, TABLE)
    folder = first.installation.shadow
    assert folder is not None
    expected = files(first)
    again = made_anew(monkeypatch)

    def edit(name: str, text: str) -> None:
        path = folder / name
        path.unlink(missing_ok=True)
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    edits = [
        ("scales/table.py", "FACTOR = 9\n"),
        ("scales/__pycache__/table.cpython-311.pyc", "stale"),
        ("scales/_fast.cpython-311.so", "compiled"),
        ("rankdiff.json", "{"),
        ("rankdiff.json", "[]"),
        ("rankdiff.json", '{"changed": [], "ignored": []}'),
    ]
    for count, (name, text) in enumerate(edits, 1):
        edit(name, text)
        assert shadowed(tmp_path, installation, TABLE) == first
        assert files(first) == expected
        assert len(again) == count
    (folder / "scales/core.py").unlink()
    assert shadowed(tmp_path, installation, TABLE) == first
    (folder / "scales/_fast.cpython-311.so").unlink()
    assert shadowed(tmp_path, installation, TABLE) == first
    assert files(first) == expected
    assert len(again) == len(edits) + 2


def test_whatever_it_is_made_from_is_in_its_name(tmp_path: Path, installation: Installation) -> None:
    work = tmp_path / "work"
    work.mkdir()

    def edited(name: str, text: str) -> Installation:
        package = work / f"{len(list(work.iterdir()))}" / "scales"
        shutil.copytree(tmp_path / "site/scales", package)
        (package / name).write_text(text)
        return replace(installation, packages={"scales": package})

    def folder(found: Installation, *texts: str) -> Path | None:
        return shadowed(tmp_path, found, *texts).installation.shadow

    second = new("scales/new.py")
    copy = edited("README.md", PACKAGE["scales/README.md"])
    older = edited("README.md", PACKAGE["scales/README.md"])
    compiled = older.packages["scales"] / "_fast.cpython-311.so"
    compiled.unlink()
    made = [
        folder(installation, TABLE),
        folder(installation, TABLE, second),
        folder(installation, second, TABLE),
        folder(installation, TABLE + second),
        folder(replace(installation, interpreter="3.12"), TABLE),
        folder(replace(installation, python="/usr/bin/env"), TABLE),
        folder(replace(installation, content="other"), TABLE),
        folder(copy, TABLE),  # its extension is another file
        folder(older, TABLE),  # it has none
        folder(edited("core.py", PACKAGE["scales/core.py"] + "\n"), TABLE),
        folder(edited("added.py", ""), TABLE),
    ]
    assert len(set(made)) == len(made)


def test_an_extension_that_was_built_anew_is_noticed(tmp_path: Path, installation: Installation) -> None:
    work = tmp_path / "work"
    shutil.copytree(tmp_path / "site", work)
    found = replace(installation, packages={"scales": work / "scales"})
    first = shadowed(tmp_path, found, TABLE).installation.shadow
    os.utime(work / "scales/_fast.cpython-311.so", ns=(1, 1))
    assert shadowed(tmp_path, found, TABLE).installation.shadow != first


def test_what_a_killed_run_left_is_never_used_and_is_removed(
    tmp_path: Path, installation: Installation, own_cache: Path
) -> None:
    left = own_cache / "shadows/.python-killed/copy/scales"
    left.mkdir(parents=True)
    (left / "__init__.py").write_text("")
    made = shadowed(tmp_path, installation, TABLE).installation.shadow
    assert made is not None
    assert {path.name for path in made.parent.iterdir()} == {".python-lock", made.name}


def test_an_interrupted_run_leaves_nothing(
    tmp_path: Path, installation: Installation, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(applying, "apply", interrupted)
    with pytest.raises(KeyboardInterrupt):
        shadowed(tmp_path, installation, TABLE)
    assert [path.name for path in (own_cache / "shadows").iterdir()] == [".python-lock"]


def test_runs_at_once_make_one_shadow(tmp_path: Path, installation: Installation) -> None:
    proposal = Proposal(written(tmp_path, TABLE))
    with ThreadPoolExecutor(8) as pool:
        runs = [pool.submit(shadow, "scales 1.0", installation, proposal) for _ in range(8)]
        made = [run.result() for run in runs]
    assert all(one == made[0] for one in made)
    assert files(made[0])["scales/table.py"] == "FACTOR = 3\n"


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, installation: Installation, own_cache: Path) -> None:
    own_cache.mkdir()
    (own_cache / "shadows").write_text("a file")
    try:
        with pytest.raises(CacheFolderError, match="RANKDIFF_CACHE"):
            shadowed(tmp_path, installation, TABLE)
    finally:
        (own_cache / "shadows").unlink()


def test_a_full_disk_leaves_nothing(
    tmp_path: Path, installation: Installation, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device", str(path), len(data))

    proposal = Proposal(written(tmp_path, TABLE))
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(CacheFolderError, match="No space left on device"):
        shadow("scales 1.0", installation, proposal)
    assert [path.name for path in (own_cache / "shadows").iterdir()] == [".python-lock"]


def test_the_manifest_is_of_all_that_is_there(tmp_path: Path, installation: Installation) -> None:
    made = shadowed(tmp_path, installation, TABLE)
    assert made.installation.shadow is not None
    manifest = json.loads((made.installation.shadow / "rankdiff.json").read_text())
    hashes = {
        name: hashlib.sha256(text.encode()).hexdigest() for name, text in files(made).items() if ".so" not in name
    }
    assert manifest["files"] == hashes
    assert manifest["links"] == {"scales/_fast.cpython-311.so": str(tmp_path / "site/scales/_fast.cpython-311.so")}


def test_the_interpreter_is_known_by_what_it_is(tmp_path: Path, installation: Installation) -> None:
    (tmp_path / "work").mkdir()
    link = tmp_path / "work/python"
    link.symlink_to(os.path.realpath(sys.executable))
    made = [shadowed(tmp_path, replace(installation, python=name), TABLE) for name in (sys.executable, str(link))]
    assert made[0].installation.shadow == made[1].installation.shadow
