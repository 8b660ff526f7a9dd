"""The accounts of several queries: they are paired by their positions, not by their ids."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

from cases.ranx.accounts import steps
from cases.ranx.accounts.forms import call_in_form
from cases.ranx.accounts.upstream import (
    DICTS,
    EVALUATE,
    KEYS,
    LICENCE,
    SORTED,
    TESTS_OF_EVALUATE,
    VALUES,
    Part,
    call,
    imported,
    quotient,
    regression_test,
)
from cases.ranx.queries import POSITION, QUERY_ORDER, SAVED_SCORES, WRITTEN, judgements, rankings
from cases.ranx.query_sets import Queries
from cases.ranx.scripts import wrapped
from harness.account import Account, Quotation, RegressionTest, Series, Table
from harness.expected import shown
from reference import rbp


def value(rank: int) -> Fraction:
    """Return the value of a query whose one relevant document is at this rank (0: not retrieved)."""
    return rbp.binary([i == rank for i in (1, 2)], WRITTEN)


def one_by_one(ranks: Sequence[int]) -> list[str]:
    """Return how the value of each query comes about."""
    return [steps.at_rank(f"q{k}", f"d{3 * k}", rank, WRITTEN) for k, rank in enumerate(ranks)]


def _worked_mean(x: Queries) -> list[str]:
    return [*one_by_one(x.ranks), steps.mean([value(rank) for rank in x.ranks])]


def _worked_scores(x: Queries) -> list[str]:
    queries = ", ".join(f"q{k}" for k in range(len(x.ranks)))
    return [*one_by_one(x.ranks), f"scores of {queries}: {shown(SAVED_SCORES.expected(x))}"]


def _table(x: Queries) -> Table:
    return Table(
        ("query", "its place in the qrels", "its place in the run", "rank of its relevant document"),
        tuple(
            (
                f"q{k}",
                str(x.qrels_order.index(k) + 1),
                str(x.run_order.index(k) + 1),
                str(rank) if rank else "not retrieved",
            )
            for k, rank in enumerate(x.ranks)
        ),
    )


def names_of(*forms: str) -> str:
    """Return what a test imports of ranx for these forms of input."""
    return ", ".join([*sorted({"Qrels", "Run"} & set(forms)), "evaluate"])


def _test(x: Queries, name: str, worked: Sequence[str], asserts: str) -> RegressionTest:
    return regression_test(
        Part(judgements(x.qrels_order), rankings(x.ranks, x.run_order), worked, asserts),
        place=TESTS_OF_EVALUATE,
        imports=imported(names_of(x.qrels_form, x.run_form)),
        name=name,
    )


def _evaluated(x: Queries) -> str:
    return f'evaluate({wrapped(x.qrels_form, "qrels")}, {wrapped(x.run_form, "run")}, "rbp.8")'


def _call_of_mean(x: Queries) -> list[str]:
    if x.run_form in {"array", "list"}:
        return call_in_form(x.run_form, judgements(x.qrels_order), rankings(x.ranks, x.run_order))
    names = names_of(x.qrels_form, x.run_form)
    return call(names, judgements(x.qrels_order), rankings(x.ranks, x.run_order), _evaluated(x))


def _call_of_scores(x: Queries) -> list[str]:
    evaluated = f'evaluate({wrapped(x.qrels_form, "qrels")}, run, "rbp.8")'
    lines = ("run = Run(run)", evaluated, 'dict(run.scores["rbp.8"])')
    names = names_of(x.qrels_form, "Run")
    return call(names, judgements(x.qrels_order), rankings(x.ranks, x.run_order), *lines)


def _test_of_mean(x: Queries) -> RegressionTest:
    mean = sum(map(value, x.ranks), start=Fraction(0)) / len(x.ranks)
    asserts = f"assert np.allclose({_evaluated(x)}, {quotient(mean)})"
    return _test(x, "order_of_queries_does_not_matter", _worked_mean(x), asserts)


def _test_of_scores(x: Queries) -> RegressionTest:
    asserts = "\n".join(
        [
            "run = Run(run)",
            f'evaluate({wrapped(x.qrels_form, "qrels")}, run, "rbp.8")',
            *(
                f'assert np.allclose(run.scores["rbp.8"]["q{k}"], {quotient(value(rank))})'
                for k, rank in enumerate(x.ranks)
            ),
        ]
    )
    return _test(x, "scores_are_saved_under_their_queries", _worked_scores(x), asserts)


def _shown(order: Sequence[int]) -> str:
    return " ".join(f"q{k}" for k in order)


def _by_run_order(qrels_form: str, run_form: str) -> Series[Queries]:
    orders = permutations(range(3))
    return Series(
        title="three queries, each with its relevant document first; qrels in the order q0 q1 q2, as "
        f"{qrels_form}, run as {run_form}",
        along="order of the run",
        inputs=tuple((_shown(order), Queries((1, 1, 1), (0, 1, 2), order, qrels_form, run_form)) for order in orders),
        value="mean RBP",
    )


def _by_qrels_order() -> Series[Queries]:
    orders = permutations(range(3))
    return Series(
        title="three queries, each with its relevant document first; qrels as dict, a Run",
        along="order of the qrels",
        inputs=tuple((_shown(order), Queries((1, 1, 1), order, (0, 1, 2), "dict", "Run")) for order in orders),
        value="mean RBP",
    )


TURNED = ((0, 1), (1, 0))


def _saved(part: int) -> Series[Queries]:
    """Return the score saved for a query, for every pair of ranks that both orders of the qrels tell apart."""
    inputs = [Queries(ranks, order, (0, 1), "dict", "Run") for ranks in ((1, 1), (1, 2), (2, 1)) for order in TURNED]
    return Series(
        title=f"two queries, qrels as dict, a Run; the score that is saved for q{part}",
        along="ranks of the relevant documents, and order of the qrels",
        inputs=tuple((f"{x.ranks[0]}, {x.ranks[1]}: {_shown(x.qrels_order)}", x) for x in inputs),
        value="saved RBP",
        part=part,
    )


WHY = (
    "Before the metrics run, a dictionary is turned into a list of its values, in its own order, and the ids are "
    "dropped. A `Qrels` and a `Run` are sorted by query id. The i-th judgements then meet the i-th ranking. The one "
    "look at ids before that compares them as sets, so another order passes it."
)

RELEASES = "The releases 0.2.13, 0.3.14, 0.3.20 and 0.3.21 give the same values."

OBJECTS = 'Give both as ranx\'s own objects, which are sorted by id: `evaluate(Qrels(qrels), Run(run), "rbp.8")`.'

MEND = (
    "Where at least one side is a dictionary, bring both into the same order after the ids were compared: of two "
    "dictionaries the run takes the order of the judgements, and a dictionary beside a `Qrels` or a `Run` is sorted "
    "by id. Where the pairing was right, scores that are returned per query keep their order."
)

DEFENCE = (
    "The usual way is a `Qrels` and a `Run`, for which the pairing is always right, and two dictionaries that were "
    "filled in one loop are in the same order too. Pairing by position is also all that arrays and typed lists "
    "allow, since they have no ids. But a dictionary has ids, they are asked for, and a set of them that does not "
    "match is refused with a message about ids; nothing says that their order matters. We found no report of it, and "
    "no sign that it was chosen."
)

ORDER = Account(
    case=QUERY_ORDER.name,
    cause=POSITION,
    title="Dictionaries of queries are paired by position, not by query id",
    fault="Where qrels or run is a dictionary, the rankings are judged by the judgements at the same position, not "
    "by those of the same query, and nothing tells: two dictionaries with the same queries in another order get a "
    "wrong mean.",
    worked=_worked_mean,
    why=WHY,
    quotations=(DICTS, KEYS, VALUES, SORTED),
    licence=LICENCE,
    affected="Whoever gives `evaluate` two dictionaries whose queries do not stand in the same order, as happens "
    "when one comes from a file, a database or a parallel run; or one dictionary beside a `Qrels` or a `Run`, if the "
    "dictionary is not sorted by query id (as text: q10 comes before q2). All metrics are affected, since the "
    f"pairing comes before them: for the same two queries recall, MRR and nDCG are 0 as well. {RELEASES}",
    unaffected="A `Qrels` with a `Run`, from whatever source. Two dictionaries in the same order. Arrays and typed "
    "lists, which have no ids. `compare`, which takes a `Qrels` and `Run` objects.",
    workarounds=(
        OBJECTS,
        'Or bring the run into the order of the judgements: `evaluate(qrels, {q: run[q] for q in qrels}, "rbp.8")`.',
        "A dictionary beside a `Qrels` or a `Run`: sort it by id, `dict(sorted(qrels.items()))`.",
    ),
    defence=DEFENCE,
    mend=MEND,
    call=_call_of_mean,
    size="number of queries",
    test=_test_of_mean,
    table=_table,
    examples=(
        Queries((1, 1), (0, 1), (1, 0), "Qrels", "Run"),
        Queries((1, 1), (1, 0), (0, 1), "Qrels", "dict"),
        Queries((1, 1), (0, 1), (1, 0), "Qrels", "dict"),
        Queries((1, 1), (1, 0), (1, 0), "dict", "Run"),
        Queries((1, 2), (0, 1), (1, 0), "dict", "dict"),
    ),
    series=(_by_run_order("dict", "dict"), _by_run_order("Qrels", "dict"), _by_qrels_order()),
)

SAVED = Account(
    case=SAVED_SCORES.name,
    cause=POSITION,
    title="With qrels as a dictionary, scores are saved under the wrong query ids",
    fault="With a dictionary of judgements, the scores that `evaluate` saves in a `Run` are those of a pairing by "
    "position: a query gets the score of its ranking under the judgements of another one.",
    worked=_worked_scores,
    why=f"{WHY} The scores are then saved under the ids of the `Run`, in its sorted order.",
    quotations=(
        Quotation(
            EVALUATE,
            "save_results_in_run (bool, optional): Save metric scores for each query in the input `run`.",
            "What is promised.",
        ),
        KEYS,
        VALUES,
        SORTED,
        Quotation(EVALUATE, "run.scores[m][q_id] = scores[i]", "The i-th score goes to the i-th id of the run."),
    ),
    licence=LICENCE,
    affected="Whoever gives the judgements as a dictionary that is not sorted by query id (as text), with a `Run`, and "
    f"reads `run.scores` or `run.mean_scores` afterwards. All metrics are affected, as the pairing is. {RELEASES}",
    unaffected="Judgements as a `Qrels`. A dictionary that is sorted by query id.",
    workarounds=(
        'Give the judgements as a `Qrels`: `evaluate(Qrels(qrels), run, "rbp.8")`.',
        'Or sort the dictionary by id: `evaluate(dict(sorted(qrels.items())), run, "rbp.8")`.',
    ),
    defence=DEFENCE,
    mend=MEND,
    call=_call_of_scores,
    size="number of queries",
    test=_test_of_scores,
    table=_table,
    examples=(
        Queries((1, 1), (0, 1), (1, 0), "dict", "Run"),
        Queries((1, 1), (1, 0), (0, 1), "Qrels", "Run"),
        Queries((1, 2), (1, 0), (0, 1), "dict", "Run"),
    ),
    series=(_saved(0), _saved(1)),
)
