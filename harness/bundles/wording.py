"""What a report says of one input and of the change that is offered: the words of its author, and ours around them."""

import re
from collections.abc import Sequence
from typing import Any

from harness import ledger, script
from harness.account import Account
from harness.bundles.content import DEVELOPMENT, DIFF, REWORDING, Content
from harness.bundles.markdown import Markdown, block, code, datum, safe, table
from harness.bundles.order import DIFFS
from harness.bundles.proving import fix_files
from harness.bundles.quoting import Quoted
from harness.bundles.search import Reach
from harness.certificate import Instance
from harness.finding import Fix


def sentence(shown: Markdown) -> Markdown:
    """Return Markdown that begins with a capital letter, if it begins with a word."""
    return Markdown(shown[:1].upper() + shown[1:] if re.match(r"[a-z]+[ ,:]", shown) else shown)


def commands(content: Content) -> Markdown:
    """Return how to see it: the reproduction in the library's own language first, if there is one."""
    shown = [content.program.shown] if content.program else []
    return Markdown(", or ".join(f"`{command}`" for command in (*shown, f"python {script.NAME}")))


def needs(content: Content) -> Markdown:
    """Return what script and test need."""
    if content.account and content.account.needs:
        return Markdown(content.account.needs)
    subject = content.proven.finding.subject
    if not subject.mode.is_distribution:
        return Markdown("The script says what it needs.")
    depends = f"{'Script and test depend' if content.test else 'It depends'} on the library alone"
    unreleased = subject.installation.unreleased
    if unreleased is None:
        return Markdown(f"{depends}; `uv run {script.NAME}` gets it, in the version that the script names.")
    if unreleased.requirement:
        return Markdown(f"{depends}; `uv run {script.NAME}` gets it, from where the script names it.")
    return Markdown(
        f"{depends}, which has to be that {unreleased.kind}: no requirement names it, so `uv run {script.NAME}` does "
        "not get it. `python` is that of an environment in which it is installed."
    )


def alike(content: Content) -> Markdown:
    """Return which other reports the same change would settle."""
    finding = content.proven.finding
    if finding.fix is None:
        return Markdown()
    entries = ledger.read(finding.subject.library.ledger).entries
    same = dict.fromkeys(
        entry.case
        for entry in entries
        if entry.fix == finding.fix.patches
        and entry.covers(finding.subject.version)
        and entry.case != content.instance.case.name
    )
    if not same:
        return Markdown()
    return Markdown(f"The same change mends what is reported as {', '.join(map(code, same))}.")


def plain_fault(instance: Instance) -> Markdown:
    """Return what is wrong, where nobody has said it better."""
    what = "A user would expect" if instance.case.contract.unpromised else "The documentation promises"
    return Markdown(
        f"{what} {code(instance.expected_shown)} for {datum(instance.case.describe(instance.x))}; "
        f"observed: {code(instance.observed_shown)}."
    )


def smallest_input(instance: Instance, account: Account[Any] | None) -> Markdown:
    """Return the smallest input as a small table."""
    if account and account.table:
        made = account.table(instance.x)
        return table(made.heads, [[datum(cell) for cell in row] for row in made.rows])
    fields = instance.case.to_json(instance.x)
    return table(("field", "value"), [(name, code(str(value))) for name, value in fields.items()])


def smallest(reach: Reach) -> str:
    """Return in which sense it is the smallest."""
    before = f"the {reach.index:,} before it do not" if reach.index > 1 else "the one before it does not"
    return (
        f"It is the smallest of the {reach.certificate.inputs:,} inputs of the domain "
        f"*{safe(reach.certificate.domain.title)}* that shows this{f': {before}' if reach.index else ''}."
    )


def worked(instance: Instance, account: Account[Any] | None) -> Markdown:
    """Return the right value, worked out by hand."""
    steps = tuple(account.worked(instance.x)) if account else ()
    if steps:
        return block(steps)
    return Markdown(f"For this input that is {code(instance.expected_shown)}.")


def call(instance: Instance, account: Account[Any] | None) -> Markdown:
    """Return a call to copy."""
    return block(account.call(instance.x), account.language) if account and account.call else Markdown()


def ratio(instance: Instance) -> Markdown:
    """Return what the observed value should have been."""
    times = f": {instance.ratio} times as much" if instance.ratio and float(instance.ratio) > 0 else ""
    return Markdown(f", where {code(instance.expected_shown)} is {instance.source_word}{times}")


def convention(instance: Instance) -> Markdown:
    """Return which other reading would give what was observed."""
    follows = instance.ruling.follows
    return Markdown(f" It is what *{safe(follows[0])}* would give." if follows else "")


def quotation(one: Quoted) -> Markdown:
    """Return a quotation with where it stands."""
    found = one.quotation
    line = f", line {one.line:,}" if one.line else ", not found there in this version"
    of = f" ({safe(found.source)})" if found.source else ""
    return Markdown(f"{code(found.file)}{line}{of}: {code(found.text)}. {found.says}")


def licence(content: Content) -> Markdown:
    """Return what the quoted library is under."""
    subject, account = content.proven.finding.subject, content.account
    return Markdown(
        f"Quoted from {safe(subject.mode.distribution)}, under its licence: {safe(account.licence)}." if account else ""
    )


def affected(account: Account[Any] | None) -> Markdown:
    """Return who is affected, and who is not."""
    if account is None:
        return Markdown("Nobody has looked at that yet.")
    return Markdown(f"{account.affected}\n\n**Not affected.** {account.unaffected}")


def mend(account: Account[Any] | None, fix: Fix | None) -> Markdown:
    """Return how the code would change."""
    if account:
        return Markdown(f"**The code.** {account.mend}")
    return Markdown("The code could be changed." if fix else "Nobody has proposed a change yet.")


def fix_says(content: Content) -> Markdown:
    """Return what is said before the table of a fix."""
    finding, account = content.proven.finding, content.account
    if finding.fix is None:
        ported = account.development if account else None
        return Markdown(f"{code(DEVELOPMENT)} is such a change, against {safe(ported[0])}." if ported else "")
    source = f"the source of {safe(finding.subject.described)}"
    diffs = [name for name, path in fix_files(finding) if path.suffix in DIFFS]
    units = [name for name, path in fix_files(finding) if path.suffix not in DIFFS]
    parts = [f"{_listed(diffs)} is such a change, against {source}"] if diffs else []
    parts += [f"{_listed(units)} is such a change, as a whole file"] if units else []
    parts += [f"{code(DIFF)} the same against {source}"] if account and account.diff else []
    if account and account.development:
        parts.append(f"{code(DEVELOPMENT)} the same against {safe(account.development[0])}")
    together = ", whatever their divergence" if len(content.reach.certificate.tally.causes) > 1 else ""
    return Markdown(
        f"{', '.join(parts)}. What became of the {content.reach.certificate.inputs:,} inputs of the domain "
        f"*{safe(content.reach.certificate.domain.title)}* with it{together}:"
    )


def reword(account: Account[Any] | None) -> Markdown:
    """Return how the documentation would change instead."""
    if account is None:
        return Markdown()
    return Markdown(f"{account.reword} ({code(REWORDING)})" if account.rewording else account.reword)


def test_says(content: Content) -> Markdown:
    """Return what the regression test is, and where it would go."""
    test = content.test
    if test is None:
        return Markdown()
    name, finding = code(test.name), content.proven.finding
    kind = "test of the expectation" if finding.instance.case.contract.unpromised else "regression test"
    what = f"{name} is a {kind} {test.style}, for {code(test.place)}."
    passes = " and passes with the fix" if finding.fix else ""
    more = ""
    if finding.fix and content.proven.more:
        more = f" The fix brings tests, too ({_listed(content.proven.more)}); {name} is the smallest input alone."
    return Markdown(f"{what} It fails today{passes}: `{test.shown}`.{more}")


def _listed(names: Sequence[str]) -> str:
    return " and ".join(map(code, names))
