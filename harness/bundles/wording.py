"""What a report says of one input and of the change that is offered: the words of its author, and ours around them."""

from typing import Any

from harness.account import Account
from harness.bundles.content import DIFF, Content
from harness.bundles.markdown import Markdown, block, code, datum, safe, table
from harness.bundles.proving import fix_files
from harness.bundles.quoting import Quoted
from harness.bundles.search import Reach
from harness.certificate import Instance
from harness.finding import Fix


def sentence(shown: Markdown) -> Markdown:
    """Return Markdown that begins with a capital letter."""
    return Markdown(shown[:1].upper() + shown[1:])


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
    before = (
        "It is the first of them"
        if reach.index == 0
        else f"It has the index {reach.index:,}: each input before it was run, and shows nothing of this kind"
    )
    return (
        f"It is the smallest of the {reach.certificate.inputs:,} inputs of the domain "
        f"*{safe(reach.certificate.domain.title)}* that shows this. {before}."
    )


def worked(instance: Instance, account: Account[Any] | None) -> Markdown:
    """Return the right value, worked out by hand."""
    steps = tuple(account.worked(instance.x)) if account else ()
    if steps:
        return block(steps)
    return Markdown(f"For this input that is {code(instance.expected_shown)}.")


def ratio(instance: Instance) -> Markdown:
    """Return what the observed value should have been."""
    times = f": {instance.ratio} times as much" if instance.ratio else ""
    return Markdown(f", where {code(instance.expected_shown)} is {instance.source_word}{times}")


def convention(instance: Instance) -> Markdown:
    """Return which other reading would give what was observed."""
    follows = instance.ruling.follows
    return Markdown(f" That is what this reading gives: *{safe(follows[0])}*." if follows else "")


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
    finding = content.proven.finding
    if finding.fix is None:
        return Markdown()
    names = " and ".join(code(name) for name, _ in fix_files(finding))
    diff = f", and {code(DIFF)} the same against upstream's tree" if content.account and content.account.diff else ""
    return Markdown(
        f"{names} is such a change{diff}. What became of the {content.reach.certificate.inputs:,} inputs of the domain "
        f"*{safe(content.reach.certificate.domain.title)}* with it:"
    )
