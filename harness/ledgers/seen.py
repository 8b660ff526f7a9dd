"""What a report shows of one case: the version that was tested, and the mismatches of each cause in each domain."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from packaging.version import Version

from harness.case import AnyCase, AnyDomain
from harness.certificate import domain_json
from harness.errors import AcceptError
from harness.jsontypes import Json
from harness.ledger import Count
from harness.library import Library


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of one case, on every domain that the subject offers.

    Attributes
    ----------
    version, title
        What was tested: its release, and how a person calls it.
    domains
        Where it was seen: the domains of the case, but those of which the subject offers nothing.
    causes
        By cause: how many mismatches there are in each of those domains, by size.
    beyond
        By cause that no domain shows and the ledger does not list: inputs of the hunt that show it, as JSON.
    shown
        By cause of which the ledger lists inputs beyond the domains: whether one of them shows it.
    """

    case: AnyCase
    version: str
    title: str
    domains: tuple[AnyDomain, ...]
    causes: Mapping[str, tuple[Count, ...]]
    beyond: Mapping[str, tuple[str, ...]]
    shown: Mapping[str, bool]

    @property
    def public(self) -> str:
        """The version without its local part, which no range of a ledger can name."""
        return Version(self.version).public

    def counts(self, cause: str) -> tuple[Count, ...]:
        """Return the counts of a cause in each domain, none included."""
        none = tuple(Count(domain.name, domain.parameters, {}) for domain in self.domains)
        return self.causes.get(cause, none)


def seen(document: Mapping[str, Json], library: Library, case: AnyCase) -> Seen:
    """Return what a report shows of a case.

    Where it is about several releases, that is the first of them, which the library prefers.

    Raises
    ------
    AcceptError
        If it does not show the case whole: the run could not be done, a domain is missing or was cut short, it is about
        a patched copy, or in a mode that the ledger does not count.
    """
    if document.get("exit_status") == 2:
        reasons = "; ".join(map(str, _list(document, "obstacles")))
        raise AcceptError(f"a run that could be done was expected, to accept {case.name}; this one was not: {reasons}")
    about = [one for one in _list(document, "certificates") if isinstance(one, dict) and one.get("case") == case.name]
    if not about:
        raise AcceptError(f"a report about {case.name} was expected; this one is not about it")
    subject = _subject(about[0], library, case)
    same = [one for one in about if one.get("subject") == about[0].get("subject")]
    found = {_identity(domain_json(domain)): (domain, _certificate(same, case, domain)) for domain in case.domains}
    offered = [(domain, one) for domain, one in found.values() if not _is_unsupported(one)]
    causes = dict.fromkeys(cause for _, one in offered for cause in _mapping(one, "causes"))
    hunted = [one for one in _list(document, "hunts") if isinstance(one, dict) and one.get("case") == case.name]
    return Seen(
        case,
        str(subject["version"]),
        f"{subject['distribution']} {subject['version']}",
        tuple(domain for domain, _ in offered),
        {cause: tuple(Count(d.name, d.parameters, _by_size(one, cause)) for d, one in offered) for cause in causes},
        _beyond([one for one in hunted if one.get("subject") == about[0].get("subject")], causes),
        _shown(_list(_mapping(document, "ledger"), "beyond"), case, str(subject["version"])),
    )


def _subject(certificate: Mapping[str, Json], library: Library, case: AnyCase) -> Mapping[str, Json]:
    if certificate.get("status") != "run":
        raise AcceptError(f"a run of {case.name} was expected; it was not run: {certificate.get('reason')}")
    subject = _mapping(certificate, "subject")
    if subject.get("patches"):
        raise AcceptError("a release was expected, not a patched copy of one: the ledger is about releases")
    mode = library.mode(str(subject.get("mode")))
    if not mode.is_counted:
        raise AcceptError(
            f"a run in a mode whose counts count was expected, such as {library.usual_mode(case).name}, not {mode.name}"
        )
    return subject


def _certificate(certificates: Sequence[Mapping[str, Json]], case: AnyCase, domain: AnyDomain) -> Mapping[str, Json]:
    """Return the certificate of a domain."""
    for one in certificates:
        if _identity(one.get("domain")) == _identity(domain_json(domain)):
            if one.get("exhausted") is True and one.get("inputs") == len(domain.inputs):
                return one
            raise AcceptError(f"all {len(domain.inputs):,} inputs of {domain.title} were expected; {one.get('reason')}")
    raise AcceptError(
        f"every domain of {case.name} was expected, and {domain.title} is missing: run it with --thorough"
    )


def _identity(domain: Json) -> str:
    return json.dumps(domain, sort_keys=True)


def _is_unsupported(certificate: Mapping[str, Json]) -> bool:
    return _mapping(certificate, "verdicts").get("unsupported") == certificate.get("inputs")


def _by_size(certificate: Mapping[str, Json], cause: str) -> dict[int, int]:
    """Return how many mismatches of a cause there are, by size."""
    found = {}
    for level in _list(certificate, "by_size"):
        match level:
            case {"size": int(size), "causes": dict(causes)}:
                if isinstance(n := causes.get(cause), int) and n:
                    found[size] = n
            case _:
                raise AcceptError("a report with the causes of each size was expected; make it anew with this rankdiff")
    return found


def _beyond(hunts: Sequence[Mapping[str, Json]], elsewhere: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the inputs of each cause that only hunts showed."""
    found: dict[str, tuple[str, ...]] = {}
    for instance in _found(hunts):
        cause, x = instance.get("cause"), json.dumps(instance.get("input"))
        if isinstance(cause, str) and cause not in elsewhere and x not in found.get(cause, ()):
            found[cause] = (*found.get(cause, ()), x)
    return found


def _shown(listed: Sequence[Json], case: AnyCase, version: str) -> dict[str, bool]:
    """Return whether inputs that the ledger lists show their causes."""
    found = {}
    for one in listed:
        match one:
            case {"case": case.name, "version": str(release), "cause": str(cause), "shown": bool(shown)}:
                if release == version:
                    found[cause] = shown
            case _:
                pass
    return found


def _found(hunts: Sequence[Mapping[str, Json]]) -> Iterator[Mapping[str, Json]]:
    for one in hunts:
        yield from (instance for instance in _list(one, "found") if isinstance(instance, dict))


def _list(fields: Mapping[str, Json], key: str) -> list[Json]:
    value = fields.get(key)
    return list(value) if isinstance(value, list) else []


def _mapping(fields: Mapping[str, Json], key: str) -> Mapping[str, Json]:
    value = fields.get(key)
    return value if isinstance(value, dict) else {}
