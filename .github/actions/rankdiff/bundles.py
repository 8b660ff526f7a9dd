"""Bundle every divergence in a report that the ledger does not know.

    bundles.py FOLDER [OPTION ...]

reads ``report.json`` in the folder, and writes ``bundles/`` beside it; the options are those of the check that say what
was tested. A bundle that is refused is told: what was found is saved without it.
"""

import json
import re
import sys
from pathlib import Path

from pytest_rankdiff.child import BrokenRunError, Ended, run
from pytest_rankdiff.report import Report, title


def main(folder: Path, options: list[str]) -> None:
    """Write the bundles."""
    printed = (folder / "report.json").read_text(encoding="utf-8")
    try:
        document = json.loads(printed)
        cases = sorted({one["case"] for one in document["certificates"]})
        report = Report.of(Ended(document["exit_status"], printed, ""), ["check", "--json"], cases)
    except (ValueError, KeyError, BrokenRunError) as error:
        print(f"there is no report to bundle anything of ({error!a})")
        return
    for case, seen in report.seen.items():
        for number, cause in enumerate(seen.news(), 1):
            name = f"{title(seen.certificates[0])}-{case.partition('/')[2]}-{number}"
            out = folder / "bundles" / re.sub(r"[^\w.+-]", "-", name)
            out.parent.mkdir(exist_ok=True)
            ended = run(["bundle", case, f"--cause={cause}", f"--out={out}", *options], Path.cwd())
            print(f"{case}, {cause!a}: {out if ended.status == 0 else f'no bundle: {ended.said.strip()!a}'}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
