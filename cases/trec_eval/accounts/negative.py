"""What is said alike of every account here: they are all about topics whose grades are all negative."""

from collections.abc import Iterator
from pathlib import Path

from cases.trec_eval.topics import FIRST_TOPIC, Topics
from harness.account import Table
from harness.expected import shown
from reference.trec.measures import evaluate

SIZE = (
    "`te_form_res_rels` reserves and clears one count for each grade from 0 to the largest: `max_rel + 1` of them, "
    "where `max_rel` is the largest grade of the topic. Nothing keeps `max_rel` from being negative."
)

NO_ROOM = (
    f"{SIZE} For a topic whose grades are all negative that is 0 counts, or fewer. `te_chk_and_malloc` takes a request "
    "for no more than there is as met, and returns the pointer that it was given; for the first topic this is still "
    "`NULL`, which the caller takes for a lack of memory."
)

CRASH = (
    f"{SIZE} Once an earlier topic has reserved room, a request for fewer than 0 counts is taken as met; then `memset` "
    "is told to clear `max_rel + 1` counts. Where all grades are -2 or lower that is a negative number, which as a "
    "size is nearly all of the address space. With -1 as the largest grade it is 0, and all goes well."
)

NEGATIVE_GRADES = (
    "The help text allows -1 as the only negative grade, as a mark for what was pooled and not judged. But the comment "
    "of the code that reads qrels names integers from -127 on, no release holds a grade to either, a maintainer "
    "[says](https://github.com/usnistgov/trec_eval/issues/29) that he 'started using -2 to mark spam', and beside a "
    "grade of 0 or more every negative one is read without complaint."
)

MAIN = "main of usnistgov/trec_eval at commit f4253652 of 17 June 2026, which is v10.0"

MEND = (
    "`form_res_rels.c` would change in two places: where `max_rel` is known, `if (max_rel < 0) max_rel = 0;`, so that "
    "at least the count of grade 0 is reserved and cleared (`form_res_rels_jg.c` starts from 0, to the same end); and "
    "`saved_res_rels.num_rel_levels = 0;` beside the reset of `num_rel`, so that such a topic does not keep that "
    "number from the topic before it. With both, the program is right on every input of these cases, in 9.0.8 and in "
    f"10.0. `fix-development.patch` holds both for {MAIN}, and a line of `make quicktest` with its files, which fails "
    "without them; the rest of `make quicktest` still succeeds."
)

REWORD = (
    "The help text would say that a topic needs a judged document of grade 0 or more, and the reader of qrels would "
    "refuse a file in which one has none."
)


def worked(x: Topics) -> list[str]:
    """Return how the counts of each topic come about."""
    return list(_worked(x))


def _worked(x: Topics) -> Iterator[str]:
    for k, grades in enumerate(x.grades):
        found = evaluate(grades, grades)
        listed = ", ".join(map(str, grades))
        yield f"t{k}: {len(grades)} retrieved, so num_ret = {found.num_ret}"
        yield f"t{k}: grades [{listed}], {found.num_rel} of which at least 1, so num_rel = {found.num_rel}"
        yield f"t{k}: every judged document is retrieved, so num_rel_ret = num_rel = {found.num_rel_ret}"
    yield f"num_ret, num_rel and num_rel_ret of each topic: {shown(FIRST_TOPIC.expected(x))}"


def table(x: Topics) -> Table:
    """Return a row for each document."""
    rows = (
        (f"t{k}", f"d{i}", str(i + 1), str(grade), "yes" if grade >= 1 else "no")
        for k, grades in enumerate(x.grades)
        for i, grade in enumerate(grades)
    )
    return Table(("topic", "document", "rank", "grade", "relevant, as documented"), tuple(rows))


PATCH = Path(__file__).parents[1] / "patches" / "negative-grades-main.patch"

DEVELOPMENT = (MAIN, PATCH)

FIRST_SIZE, LATER_SIZE = "number of documents", "number of later topics and of their documents"

CHECKED = "`feature/warn-about-floats` (commit 2428293c of 30 June 2026)"
"""The branch that reads grades with strtol."""

FIRST_EXAMPLES = (Topics(((-2,),)), Topics(((-1, -2),)), Topics(((-1, 0),)), Topics(((-1, 1),)))

LATER_EXAMPLES = (
    Topics(((1,), (-1,))),
    Topics(((1,), (-2, -1))),
    Topics(((1,), (-2, 0))),
    Topics(((1,), (1,), (-2,))),
)
