"""What ranx promises of Rank-Biased Precision over several queries, in every form of input."""

import json
from fractions import Fraction
from string import Template

from cases.ranx import scripts
from cases.ranx.query_sets import (
    Comparable,
    PerQuery,
    Queries,
    comparable_sets,
    per_query_forms,
    query_orders,
    saved_orders,
)
from harness.case import Case, Contract, Script
from harness.expected import Each, Exactly, Expected
from harness.script import rounded_up
from reference import rbp
from reference.rbp_rounding import bound, mean_bound

PERSISTENCE = "0.8"
P = rbp.received(PERSISTENCE)
WRITTEN = Fraction(PERSISTENCE)

Ranks = tuple[int, ...]


def _gains(rank: int) -> list[int]:
    """Return the gains of two documents with the relevant one at this rank (0: not among them)."""
    return [int(rank == 1), int(rank == 2)]


def _value(rank: int) -> Exactly:
    gains = _gains(rank)
    return Exactly(rbp.graded(gains, P), bound(gains, P), rbp.graded(gains, WRITTEN))


def _mean(ranks: Ranks) -> Exactly:
    """Return the mean of the values, exact at the float that ranx receives, and as written for a person."""
    at_float, written = (
        sum((rbp.graded(_gains(rank), p) for rank in ranks), start=Fraction(0)) / len(ranks) for p in (P, WRITTEN)
    )
    return Exactly(at_float, mean_bound([_gains(rank) for rank in ranks], P), written)


POSITION = "queries paired by position"


def _positions(x: Queries) -> list[tuple[int, int]]:
    """Return which query's judgements meet which query's ranking when the i-th meets the i-th.

    A dict keeps its order, a Qrels or a Run is sorted by query id.
    """
    qrels = x.qrels_order if x.qrels_form == "dict" else sorted(x.qrels_order)
    run = x.run_order if x.run_form == "dict" else sorted(x.run_order)
    return list(zip(qrels, run, strict=True))


def _paired_by_position(x: Queries) -> Expected:
    return _mean(tuple(x.ranks[q] if q == r else 0 for q, r in _positions(x)))


def _saved_by_position(x: Queries) -> Expected:
    by_query = {r: x.ranks[q] if q == r else 0 for q, r in _positions(x)}
    return Each(tuple(_value(by_query[k]) for k in range(len(x.ranks))))


def _describe(x: Queries) -> str:
    found = ", ".join(f"q{k} at {rank}" if rank else f"q{k} nowhere" for k, rank in enumerate(x.ranks))
    return (
        f"relevant document of {found}; qrels in the order {_order(x.qrels_order)} as {x.qrels_form}, "
        f"run {_order(x.run_order)} as {x.run_form}"
    )


def _order(queries: tuple[int, ...]) -> str:
    return " ".join(f"q{k}" for k in queries)


def judgements(order: tuple[int, ...]) -> dict[str, dict[str, int]]:
    """Return one relevant document for each query, in this order."""
    return {f"q{k}": {f"d{3 * k}": 1} for k in order}


def rankings(ranks: Ranks, order: tuple[int, ...]) -> dict[str, dict[str, float]]:
    """Return two documents for each query, in this order, with its relevant one at its rank (0: not among them)."""
    return {
        f"q{k}": {
            f"d{3 * k + (0 if ranks[k] == 1 else 1)}": 2.0,
            f"d{3 * k + (0 if ranks[k] == 2 else 2)}": 1.0,
        }
        for k in order
    }


BODY = Template('''\
QRELS = $qrels
RUN = $run
$helpers

def observed():
$observed


def control():
    """$control"""
$check


def is_right(value):
    """Compare with the documented value; float64 rounding can make up at most the bound here."""
    return $right
''')


def _reciprocal_rank(*ranks: int) -> str:
    """Return a Python expression for whether the mean reciprocal rank is right: RBP has no part in it."""
    mean = sum((Fraction(1, rank) for rank in ranks if rank), start=Fraction(0)) / len(ranks)
    return f"abs(mean - {float(mean)!r}) <= 1e-12"


def _close(value: str, expected: Exactly) -> str:
    return f"abs({value} - {float(expected.value)!r}) <= {rounded_up(2 * expected.within)!r}"


def _order_script(x: Queries) -> Script:
    mean = _mean(x.ranks)
    qrels, run = scripts.wrapped(x.qrels_form, "QRELS"), scripts.wrapped(x.run_form, "RUN")
    body = BODY.substitute(
        qrels=json.dumps(judgements(x.qrels_order)),
        run=json.dumps(rankings(x.ranks, x.run_order)),
        helpers=scripts.helpers(x.run_form),
        observed=f'    return evaluate({qrels}, {run}, "rbp.8")',
        control="With both as ranx's own objects, the mean reciprocal rank is right.",
        check="    in_order = {query: RUN[query] for query in QRELS}\n"
        f'    mean = evaluate(Qrels(QRELS), Run(in_order), "mrr")\n    return {_reciprocal_rank(*x.ranks)}',
        right=_close("value", mean),
    )
    return Script(
        scripts.form_imports(x.qrels_form, x.run_form, "objects"), body, json.dumps(str(mean.written)), _describe(x)
    )


QUERY_ORDER = Case(
    name="ranx/rbp-query-order",
    contract=Contract(
        says="qrels and run can each be a dictionary of dictionaries, and, in an error, that their query ids have to "
        "match; from which it follows that a ranking is judged by the judgements of the same query, in whatever order "
        "the queries stand, and that every form of input gives the same value",
        source="the docstring of ranx.evaluate, arguments qrels and run, which lists the forms alone (Qrels or Run, "
        "Dict[str, Dict[str, Number]], numba typed list or numpy array); the error that it raises where ids do not "
        'match ("Qrels and Run query ids do not match")',
    ),
    input_type=Queries,
    call="rbp_query_order",
    expected=lambda x: _mean(x.ranks),
    conventions={POSITION: _paired_by_position},
    domains=(query_orders(2, thorough=False), query_orders(3, thorough=True)),
    describe=_describe,
    script=_order_script,
)


def _saved_script(x: Queries) -> Script:
    values = [_value(rank) for rank in x.ranks]
    qrels = scripts.wrapped(x.qrels_form, "QRELS")
    checks = " and ".join(_close(f"value[{k}]", value) for k, value in enumerate(values))
    body = BODY.substitute(
        qrels=json.dumps(judgements(x.qrels_order)),
        run=json.dumps(rankings(x.ranks, x.run_order)),
        helpers="",
        observed=f'    run = Run(RUN)\n    evaluate({qrels}, run, "rbp.8")\n'
        f'    return [float(run.scores["rbp.8"][query]) for query in sorted(RUN)]',
        control="With both as ranx's own objects, the saved reciprocal ranks are right.",
        check='    run = Run(RUN)\n    evaluate(Qrels(QRELS), run, "mrr")\n'
        '    return [run.scores["mrr"][query] for query in sorted(RUN)] == '
        f"{[1 / rank if rank else 0.0 for rank in x.ranks]}",
        right=checks,
    )
    documented = json.dumps(", ".join(str(value.written) for value in values))
    return Script(scripts.imports("Qrels, Run, evaluate"), body, documented, _describe(x))


SAVED_SCORES = Case(
    name="ranx/rbp-saved-scores",
    contract=Contract(
        says="the per-query scores that evaluate saves in a Run stand under the query that they belong to",
        source='the docstring of ranx.evaluate ("Access scores for each query", save_results_in_run)',
    ),
    input_type=Queries,
    call="rbp_saved_scores",
    expected=lambda x: Each(tuple(_value(rank) for rank in x.ranks)),
    conventions={POSITION: _saved_by_position},
    domains=(saved_orders(2),),
    describe=_describe,
    script=_saved_script,
)


def _describe_per_query(x: PerQuery) -> str:
    found = ", ".join(f"q{k} at {rank}" if rank else f"q{k} nowhere" for k, rank in enumerate(x.ranks))
    saved = "" if x.save else ", save_results_in_run=False"
    return f"relevant document of {found}; qrels as {x.qrels_form}, run as {x.run_form}{saved}, return_mean=False"


def _per_query_script(x: PerQuery) -> Script:
    order = tuple(range(len(x.ranks)))
    values = [_value(rank) for rank in x.ranks]
    mean = _mean(x.ranks)
    qrels, run = scripts.wrapped(x.qrels_form, "QRELS"), scripts.wrapped(x.run_form, "RUN")
    save = "" if x.save else ", save_results_in_run=False"
    checks = [_close(f"value[{k}]", value) for k, value in enumerate([*values, mean])]
    body = BODY.substitute(
        qrels=json.dumps(judgements(order)),
        run=json.dumps(rankings(x.ranks, order)),
        helpers=scripts.helpers(x.run_form),
        observed=f'    values = evaluate({qrels}, {run}, "rbp.8", return_mean=False{save})\n'
        f'    return [*map(float, values), float(evaluate({qrels}, {run}, "rbp.8"{save}))]',
        control="The mean exists, and that of the reciprocal ranks is right.",
        check=f'    evaluate({qrels}, {run}, "rbp.8"{save})\n    mean = evaluate({qrels}, {run}, "mrr"{save})\n'
        f"    return {_reciprocal_rank(*x.ranks)}",
        right=" and ".join(checks),
    )
    per_query = ", ".join(str(value.written) for value in values)
    documented = json.dumps(f"per query {per_query}; mean {mean.written}")
    return Script(scripts.form_imports(x.qrels_form, x.run_form), body, documented, _describe_per_query(x))


PER_QUERY = Case(
    name="ranx/rbp-per-query",
    contract=Contract(
        says="with return_mean=False, evaluate returns the scores for individual queries, in every form of input; "
        "their mean is what it returns otherwise",
        source='the docstring of ranx.evaluate ("Whether to return the metric scores averaged over the query set or '
        'the scores for individual queries")',
    ),
    input_type=PerQuery,
    call="rbp_per_query",
    expected=lambda x: Each((*(_value(rank) for rank in x.ranks), _mean(x.ranks))),
    domains=(per_query_forms(3),),
    describe=_describe_per_query,
    script=_per_query_script,
)


def _comparable(x: Comparable) -> Exactly:
    return _mean(tuple(int(k in x.retrieved) for k in x.judged))


def _describe_comparable(x: Comparable) -> str:
    return (
        f"qrels of {_order(x.judged)} as {x.qrels_form}, run of {_order(x.retrieved)} as {x.run_form}, "
        f"make_comparable=True"
    )


def _comparable_script(x: Comparable) -> Script:
    mean = _comparable(x)
    qrels, run = scripts.wrapped(x.qrels_form, "QRELS"), scripts.wrapped(x.run_form, "RUN")
    body = BODY.substitute(
        qrels=json.dumps(judgements(x.judged)),
        run=json.dumps(rankings((1, 1, 1), x.retrieved)),
        helpers="",
        observed=f'    return evaluate({qrels}, {run}, "rbp.8", make_comparable=True)',
        control="With both as ranx's own objects, the mean reciprocal rank is right.",
        check='    mean = evaluate(Qrels(QRELS), Run(RUN), "mrr", make_comparable=True)\n'
        f"    return {_reciprocal_rank(*(int(k in x.retrieved) for k in x.judged))}",
        right=_close("value", mean),
    )
    return Script(scripts.imports("Qrels, Run, evaluate"), body, json.dumps(str(mean.written)), _describe_comparable(x))


MAKE_COMPARABLE = Case(
    name="ranx/rbp-make-comparable",
    contract=Contract(
        says="make_comparable=True adds empty results for queries missing from the run, and removes those that the "
        "qrels do not have; by the definition of RBP, an empty result scores 0",
        source="the docstring of ranx.evaluate, argument make_comparable, and the message of the error that it "
        'raises without ("Pass `make_comparable=True` to add empty results ...")',
    ),
    input_type=Comparable,
    call="rbp_make_comparable",
    expected=_comparable,
    domains=(comparable_sets(),),
    describe=_describe_comparable,
    script=_comparable_script,
)
