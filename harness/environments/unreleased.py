"""What a requirement leads to where that is no release of a package index, whatever version it carries."""

import re
from urllib.parse import urlsplit

from harness.environments.recipe import Part, shown
from harness.environments.requirement import WHEEL as WHEEL_SUFFIX
from harness.environments.requirement import Archive, Checkout, Release, Repository, parse
from harness.installation import CHECKOUT, DOWNLOAD, REPOSITORY, SDIST, WHEEL, Unreleased

SHA256 = re.compile(r"\b[0-9a-f]{64}\b")
COMMIT = re.compile(r"@([0-9a-f]{7,40})(?=#|$)")


def found(spec: str, part: Part, distribution: str) -> Unreleased | None:
    """Return what a requirement led to; none where that is a release of an index.

    Parameters
    ----------
    part
        What the requirement stood for when it was looked up.
    distribution
        What was found there.
    """
    match parse(spec):
        case Release(text, _, _):
            address = text.partition(" @ ")[2] or text
            if "://" not in address:
                return None
            return Unreleased(DOWNLOAD, requirement=_named(distribution, address, address))
        case Repository(url, _, _, _, _):
            commit = COMMIT.search(part.content)
            address = part.content.partition(" @ ")[2] or part.content
            return Unreleased(REPOSITORY, commit[1] if commit else "", _named(distribution, address, url))
        case Archive(path, _, _):
            return Unreleased(WHEEL if path.name.endswith(WHEEL_SUFFIX) else SDIST, _hash(part))
        case Checkout():
            return Unreleased(CHECKOUT, _hash(part))


def _hash(part: Part) -> str:
    """Return the hash of its files."""
    hashed = SHA256.search(part.content)
    return hashed[0] if hashed else ""


def _named(distribution: str, address: str, url: str) -> str:
    """Return the requirement that names an address, if anybody can get it there."""
    return f"{distribution} @ {shown(address)}" if urlsplit(url).scheme == "https" else ""
