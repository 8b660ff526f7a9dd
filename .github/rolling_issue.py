"""Keep one issue about the newest releases: open while they are not as the ledger says, and edited in place.

    rolling_issue.py FOLDER

reads ``report.json`` and the names of ``bundles/`` in the folder. They were written by a job that runs code of others:
whatever they say is shown as code, shortened, and decides nothing. RESULT (``success`` or ``failure``) is how that job
ended, ARTIFACT where its files are.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

LABEL = "rankdiff-releases"

MARKER = "<!-- rankdiff: newest releases -->"

TITLE = "The newest releases are not as the ledger says"

LARGEST = 50_000_000
"""Bytes of a report that is read."""

LONGEST = 300
"""Letters of a text that are shown."""

MOST = 100
"""Rows of a table, or items of a list; an issue holds 65,536 letters."""

FULL = 60_000


def main(folder: Path, environment: Mapping[str, str]) -> None:
    """Open, edit or close the issue."""
    number = find()
    if environment["RESULT"] == "success":
        if number:
            gh("issue", "comment", number, "--body-file", "-", said=f"Green again: {run_url(environment)}\n")
            gh("issue", "close", number)
        return
    text = body(folder, environment)
    if number:
        gh("issue", "edit", number, "--title", TITLE, "--body-file", "-", said=text)
    else:
        gh("label", "create", LABEL, "--force", "--description", "Kept by the workflow `releases`")
        gh("issue", "create", "--title", TITLE, "--label", LABEL, "--body-file", "-", said=text)


def gh(*arguments: str, said: str = "") -> str:
    """Return what GitHub's command line prints; it is given no text of others but on its standard input."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as given:
        given.write(said)
        given.seek(0)
        return subprocess.run(["gh", *arguments], stdin=given, stdout=subprocess.PIPE, text=True, check=True).stdout


def find() -> str | None:
    """Return the number of the issue, if it is open."""
    issues = json.loads(gh("issue", "list", "--state", "open", "--label", LABEL, "--json", "number,body"))
    return str(min(numbers)) if (numbers := [one["number"] for one in issues if MARKER in one["body"]]) else None


def run_url(environment: Mapping[str, str]) -> str:
    """Return where this run is seen."""
    return "{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/actions/runs/{GITHUB_RUN_ID}".format_map(environment)


def body(folder: Path, environment: Mapping[str, str]) -> str:
    """Return the text of the issue."""
    run = run_url(environment)
    artifact = environment.get("ARTIFACT", "")
    is_ours = re.fullmatch(re.escape(run) + r"/artifacts/\d+", artifact)
    lines = [
        MARKER,
        f"[The last run]({run}) was not as the ledger says. This text is of that run, and is edited in place.",
        "",
        *report_lines(folder / "report.json"),
        "",
        f"Bundles, findings and the report are [attached to it]({artifact if is_ours else run + '#artifacts'}).",
    ]
    bundles = sorted(path.name for path in folder.glob("bundles/*") if (path / "README.md").is_file())
    lines += [f"* {code(name)}" for name in bundles[:MOST]]
    return cut("\n".join(lines))


def cut(text: str) -> str:
    """Return a text that an issue can hold."""
    if len(text) <= FULL:
        return text + "\n"
    return text[:FULL].rpartition("\n")[0] + "\n\nThis is not all: the report is longer.\n"


def report_lines(path: Path) -> Iterator[str]:
    """Yield the report as Markdown, or why there is none."""
    try:
        if path.stat().st_size > LARGEST:
            raise ValueError(f"it has more than {LARGEST:,} bytes")  # noqa: TRY301 - one message for all that is none
        yield from [*tables(json.loads(path.read_text(encoding="utf-8")))]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        yield f"There is no report that can be read: {code(f'{type(error).__name__}: {error}')}"


def tables(report: dict) -> Iterator[str]:  # type: ignore[type-arg]  # JSON of any shape: see report_lines
    """Yield a table of what was not as the ledger says, or could not be done, and one of what was tested."""
    yield "| | case | what |"
    yield "|---|---|---|"
    problems = report["ledger"]["problems"]
    rows = [(one["kind"], one["case"], one["text"]) for one in problems]
    rows += [("could not be done", "", text) for text in report["obstacles"]]
    for kind, case, text in rows[:MOST]:
        yield f"| {code(kind)} | {code(case)} | {code(text)} |"
    if len(rows) > MOST:
        yield f"| | | and {len(rows) - MOST} more |"
    yield ""
    yield "| tested | version | mode |"
    yield "|---|---|---|"
    for one in report["subjects"][:MOST]:
        yield f"| {code(one['distribution'])} | {code(one['version'])} | {code(one['mode'])} |"


def code(text: object) -> str:
    """Return a text as code: nothing in it is a link, a mention, or ends a cell of a table."""
    shown = "".join(c if c.isprintable() else " " for c in str(text))
    shown = shown if len(shown) <= LONGEST else shown[:LONGEST] + "..."
    shown = shown.replace("`", "'").replace("|", "/").replace("\\", "/").strip()
    return f"`{shown}`" if shown else ""


if __name__ == "__main__":
    main(Path(sys.argv[1]), os.environ)
