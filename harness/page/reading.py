"""Read kept results of releases: a JSON document for each library, of a schema that is checked while it is read."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from packaging.version import InvalidVersion, Version

from harness.errors import BrokenResultsError
from harness.jsontypes import Json
from harness.page.fields import Fields
from harness.page.matrix import Matrix, Release, Result, Sized, Smallest, Swept
from harness.releases.changes import Change
from harness.releases.outcome import Status

SCHEMA = 1

STATUSES: Mapping[str, Status] = {"run": "run", "cannot_run": "cannot_run", "unsupported": "unsupported"}


def load(path: Path) -> Json:
    """Return the JSON value in a file.

    Raises
    ------
    BrokenResultsError
        If it cannot be read, or holds something else.
    """
    try:
        value: Json = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BrokenResultsError(f"{path} cannot be read ({error.strerror or error})") from error
    except (ValueError, RecursionError) as error:
        raise BrokenResultsError(f"{path}: JSON was expected, which it is not ({error})") from error
    return value


def matrix(document: Json, origin: str) -> Matrix:
    """Return the matrix that a document holds.

    Raises
    ------
    BrokenResultsError
        If it is of another schema; the message names the place, what was expected and what was found.
    """
    top = Fields.of(document, origin)
    schema = top.value("schema")
    if type(schema) is not int or schema != SCHEMA:  # true and 1.0 are equal to 1
        top.fail("schema", f"{SCHEMA}, as `rankdiff releases LIBRARY --json` writes it", schema)
    library = top.text("library")
    releases = [_release(one, library) for one in top.objects("releases")]
    versions = [release.version for release in releases]
    if len(set(versions)) != len(versions):
        top.fail("releases", "each version once", versions)
    return Matrix(
        rankdiff=top.text("rankdiff"),
        library=library,
        distribution=top.text("distribution"),
        releases=tuple(_in_order(releases)),
        changes=tuple(_change(one) for one in top.objects("changes")),
        origin=origin,
    )


def _in_order(releases: Sequence[Release]) -> Sequence[Release]:
    """Return releases by version; as they come where one has a version that PEP 440 cannot order."""
    try:
        return sorted(releases, key=lambda release: Version(release.version))
    except InvalidVersion:
        return releases


def _release(fields: Fields, library: str) -> Release:
    results = [_result(one) for one in fields.objects("cases")]
    for result in results:
        if not result.case.startswith(f"{library}/"):
            fields.fail("cases", f"cases of {library}", result.case)
    by_case = {result.case: result for result in results}
    if len(by_case) != len(results):
        fields.fail("cases", "each case once", [result.case for result in results])
    return Release(fields.text("version"), by_case)


def _result(fields: Fields) -> Result:
    status = STATUSES.get(fields.text("status"))
    if status is None:
        fields.fail("status", f"one of {', '.join(STATUSES)}", fields.text("status"))
    return Result(
        case=fields.text("case"),
        mode=fields.text("mode"),
        status=status,
        reason=fields.text("reason"),
        confirmed=fields.flag_or_none("confirmed"),
        kept=fields.text("kept"),
        domains=tuple(_swept(one) for one in fields.objects("certificates") if one.value("domain") is not None),
    )


def _swept(fields: Fields) -> Swept:
    domain = fields.object("domain")
    causes, verdicts = fields.counts("causes"), fields.verdicts("verdicts")
    smallest = fields.object("smallest_by_cause")
    if fields.count("inputs") != sum(verdicts.values()):
        fields.fail("inputs", f"the sum of the verdicts, {sum(verdicts.values())}", fields.count("inputs"))
    wrong = sum(n for verdict, n in verdicts.items() if verdict.is_mismatch)
    if sum(causes.values()) != wrong:
        fields.fail("causes", f"one for each of the {wrong} mismatches", dict(causes))
    return Swept(
        name=domain.text("name"),
        parameters=domain.parameters("parameters"),
        exhausted=fields.flag("exhausted"),
        inputs=fields.count("inputs"),
        sizes=tuple(
            Sized(one.count("size"), one.count("inputs"), one.verdicts("verdicts")) for one in fields.objects("by_size")
        ),
        verdicts=verdicts,
        causes=causes,
        conventions=frozenset(fields.counts("conventions")),
        readings={name: n for name, n in fields.counts("readings").items() if n},
        smallest={cause: _smallest(smallest.object(cause)) for cause in smallest.value_of},
    )


def _smallest(fields: Fields) -> Smallest:
    return Smallest(
        input=fields.object("input").value_of,
        expected=fields.object("expected").text("shown"),
        observed=fields.object("observed").text("shown"),
        verdict=fields.verdict("verdict"),
    )


def _change(fields: Fields) -> Change:
    return Change(
        case=fields.text("case"),
        cause=fields.text("cause"),
        last_good=fields.text_or_none("last_good"),
        first_bad=fields.text_or_none("first_bad"),
        last_bad=fields.text_or_none("last_bad"),
        first_fixed=fields.text_or_none("first_fixed"),
        skipped=tuple(fields.texts("skipped")),
        instead_of=tuple(fields.texts("instead_of")),
        replaced_by=tuple(fields.texts("replaced_by")),
    )
