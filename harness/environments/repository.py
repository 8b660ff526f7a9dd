"""What a revision of a git repository is at the moment: a commit."""

import re

from harness.environments import child
from harness.errors import UnusableError

COMMIT = re.compile(r"[0-9a-f]{40}")
ABBREVIATED = re.compile(r"[0-9a-f]{7,39}")


def commit(title: str, url: str, revision: str | None) -> str:
    """Return the commit that a revision of a repository names: a branch, a tag, a full name, or a commit.

    Where a branch and a tag have the same name, the branch is meant, as for pip and uv. A commit may be abbreviated;
    then it is returned as it is.

    Parameters
    ----------
    title
        What messages call it.

    Raises
    ------
    UnusableError
        If the repository cannot be asked, or has no such revision.
    """
    if revision and COMMIT.fullmatch(revision):
        return revision
    names = (
        ["HEAD"]
        if revision is None
        else [f"refs/heads/{revision}", f"refs/tags/{revision}^{{}}", f"refs/tags/{revision}", revision]
    )
    found = _references(title, url, names)
    if named := next((found[name] for name in names if name in found), None):
        return named
    if revision and ABBREVIATED.fullmatch(revision):
        return revision
    raise UnusableError(
        f"{title} cannot be installed: its repository has {f'no {revision}' if revision else 'no commits'}; "
        f"a branch, a tag or a commit is expected after the @ of the URL"
    )


def _references(title: str, url: str, names: list[str]) -> dict[str, str]:
    try:
        status, text = child.output(["git", "ls-remote", "--", url, *names], child.environment())
    except FileNotFoundError as error:
        raise UnusableError(f"{title} cannot be installed: there is no git on this machine; install it") from error
    if status:
        said = [line.removeprefix("fatal: ") for line in text.splitlines() if line.startswith("fatal: ")]
        reason = said[0] if said else text.strip().partition("\n")[0]
        raise UnusableError(f"{title} cannot be installed: git says: {reason or f'nothing, with status {status}'}")
    pairs = re.findall(r"^([0-9a-f]{40})\t(\S+)$", text, re.MULTILINE)
    return {name: commit for commit, name in pairs}
