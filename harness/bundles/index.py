"""The page that lists bundles: made of the findings in a folder, whoever wrote them, and when."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import ledger, whole
from harness.bundles.markdown import Markdown, code, datum, safe, table
from harness.errors import BundleError
from harness.finding import NAME as FINDING
from harness.ledger import Entry
from harness.library import Library

NAME = "README.md"

HEAD = """\
# Reports

A folder for each known divergence, written by `rankdiff bundle --all`: `README.md` is the report; `repro.py` depends on
the library alone and ends with `DEFECT PRESENT` (1), `OK` (0) or `COULD NOT RUN` (2); the test is in the style of the
library's own; `finding.json` holds the evidence, `environment.json` where it was confirmed.
"""

CERTIFICATES = """\
## Certificates

What `rankdiff check LIBRARY --thorough --json` printed, with `--mode MODE` where one stands in the name.
"""


@dataclass(frozen=True, slots=True)
class Listed:
    """A bundle in a folder, as its finding says it."""

    folder: str
    case: str
    cause: str
    describes: str
    expected: str
    observed: str
    has_fix: bool


def verify_ours(folder: Path) -> None:
    """Find out before long work whether the page of a folder may be written.

    Raises
    ------
    BundleError
        If another page has its name, or it cannot be read.
    """
    path = folder / NAME
    try:
        is_ours = not path.exists() or path.read_text(encoding="utf-8").startswith(HEAD.partition("\n")[0])
    except (OSError, UnicodeDecodeError) as error:
        raise BundleError(f"{path} cannot be read ({error}); choose another --out DIR") from error
    if not is_ours:
        raise BundleError(f"{path} lists no bundles, and would be overwritten; choose another --out DIR")


def write(folder: Path, libraries: Sequence[Library]) -> Path:
    """Write the page of a folder, and return its path.

    Raises
    ------
    BundleError
        If a finding in it is none, or the page cannot be written.
    BrokenLedgerError
        If a ledger cannot be read.
    """
    path = folder / NAME
    parts = [HEAD, *_libraries(folder, libraries), *_certificates(folder)]
    try:
        whole.write(path, "\n".join(parts))
    except OSError as error:
        raise BundleError(f"{path} cannot be written ({error.strerror or error})") from error
    return path


def _libraries(folder: Path, libraries: Sequence[Library]) -> Iterator[str]:
    listed = list(_listed(folder))
    for library in libraries:
        about = [one for one in listed if one.case.partition("/")[0] == library.name]
        if about:
            entries = ledger.read(library.ledger).entries
            order = [case.name for case in library.cases]
            about.sort(key=lambda one: (order.index(one.case) if one.case in order else len(order), one.folder))
            heads = ("bundle", "smallest input", "right", "observed", "known as", "fix")
            yield f"## {safe(library.name)}\n"
            yield f"{table(heads, [_row(one, entries) for one in about])}\n"


def _listed(folder: Path) -> Iterator[Listed]:
    for path in sorted(folder.glob(f"*/{FINDING}")):
        try:
            yield _of(path.parent.name, json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise BundleError(
                f"{path} should hold a finding, and does not ({type(error).__name__}: {error}); remove its folder"
            ) from error


def _of(folder: str, finding: Mapping[str, Any]) -> Listed:
    return Listed(
        folder,
        finding["case"],
        finding["cause"],
        finding["describes"],
        finding["expected"]["shown"],
        finding["observed"]["shown"],
        has_fix="fix" in finding,
    )


def _row(one: Listed, entries: Sequence[Entry]) -> list[object]:
    known = next((entry for entry in entries if (entry.case, entry.cause) == (one.case, one.cause)), None)
    upstream = known.upstream if known else "unreported"
    says = safe(known.says) if known else Markdown("")
    if upstream != "unreported":
        says = Markdown(f"{says} ([upstream](<{upstream}>))")
    return [
        Markdown(f"[{safe(one.folder)}](<{one.folder}/README.md>)"),
        datum(one.describes),
        code(one.expected),
        code(one.observed),
        says,
        "yes" if one.has_fix else "-",
    ]


def _certificates(folder: Path) -> Iterator[str]:
    found = sorted(path.name for path in folder.glob("*.certificates.json"))
    if found:
        yield CERTIFICATES
        yield "\n".join(f"- [{safe(name)}](<{name}>)" for name in found) + "\n"
