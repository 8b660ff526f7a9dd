"""What ranx promises of Rank-Biased Precision over several queries, in every form of input."""

import json
from fractions import Fraction
from string import Template

from cases.ranx import scripts
from cases.ranx.query_sets import (
    Comparable,
    EmptyQuery,
    PerQuery,
    Queries,
    comparable_sets,
    empty_queries,
    per_query_forms,
    query_orders,
    saved_orders,
)
from harness.case import Case, Contract, Script
from harness.expected import Each, Exactly, Expected
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


def _judgements(order: tuple[int, ...]) -> dict[str, dict[str, int]]:
    return {f"q{k}": {f"d{3 * k}": 1} for k in order}


def _rankings(ranks: Ranks, order: tuple[int, ...]) -> dict[str, dict[str, float]]:
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

AS_ARRAY = '''

def as_array(by_query):
    """Rows of (document, grade or score), in rank order."""
    return np.array([[[float(d[1:]), v] for d, v in docs.items()] for docs in by_query.values()])

'''


def _wrapped(form: str, name: str) -> str:
    calls = {"dict": name, "array": f"as_array({name})", "list": f"TypedList(list(as_array({name})))"}
    return calls.get(form, f"{form}({name})")


def _imports(*forms: str) -> str:
    names = ", ".join(sorted({f for f in forms if f in {"Qrels", "Run"}})) or ""
    arrays = "import numpy as np\n\n" if {"array", "list"} & set(forms) else ""
    lists = "from numba.typed import List as TypedList\n" if "list" in forms else ""
    return arrays + lists + scripts.imports(f"{names}, evaluate" if names else "evaluate")


def _close(value: str, expected: Exactly) -> str:
    return f"abs({value} - {float(expected.value)!r}) <= {scripts.rounded_up(2 * expected.within)!r}"


def _order_script(x: Queries) -> Script:
    mean = _mean(x.ranks)
    qrels, run = _wrapped(x.qrels_form, "QRELS"), _wrapped(x.run_form, "RUN")
    body = BODY.substitute(
        qrels=json.dumps(_judgements(x.qrels_order)),
        run=json.dumps(_rankings(x.ranks, x.run_order)),
        helpers=AS_ARRAY if x.run_form in {"array", "list"} else "",
        observed=f'    return evaluate({qrels}, {run}, "rbp.8")',
        control="With the run in the order of the qrels, the mean is right.",
        check=f"    run = {{query: RUN[query] for query in sorted(RUN)}}\n"
        f"    qrels = {{query: QRELS[query] for query in sorted(QRELS)}}\n"
        f'    return is_right(evaluate({_wrapped(x.qrels_form, "qrels")}, {_wrapped(x.run_form, "run")}, "rbp.8"))',
        right=_close("value", mean),
    )
    return Script(_imports(x.qrels_form, x.run_form), body, json.dumps(str(mean.written)), _describe(x))


QUERY_ORDER = Case(
    name="ranx/rbp-query-order",
    contract=Contract(
        says="qrels and run are dictionaries from query ids, so a query's ranking is judged by that query's "
        "judgements, in whatever order the queries stand; and every documented form of input gives the same value",
        source="the docstring of ranx.evaluate, arguments qrels and run (Qrels or Run, "
        "Dict[str, Dict[str, Number]], numba typed list or numpy array), and docs/evaluate.md",
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
    qrels = _wrapped(x.qrels_form, "QRELS")
    checks = " and ".join(_close(f"value[{k}]", value) for k, value in enumerate(values))
    body = BODY.substitute(
        qrels=json.dumps(_judgements(x.qrels_order)),
        run=json.dumps(_rankings(x.ranks, x.run_order)),
        helpers="",
        observed=f'    run = Run(RUN)\n    evaluate({qrels}, run, "rbp.8")\n'
        f'    return [float(run.scores["rbp.8"][query]) for query in sorted(RUN)]',
        control="With both as ranx's own objects, the saved scores are right.",
        check='    run = Run(RUN)\n    evaluate(Qrels(QRELS), run, "rbp.8")\n'
        '    return is_right([run.scores["rbp.8"][query] for query in sorted(RUN)])',
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
    qrels, run = _wrapped(x.qrels_form, "QRELS"), _wrapped(x.run_form, "RUN")
    save = "" if x.save else ", save_results_in_run=False"
    checks = [_close(f"value[{k}]", value) for k, value in enumerate([*values, mean])]
    body = BODY.substitute(
        qrels=json.dumps(_judgements(order)),
        run=json.dumps(_rankings(x.ranks, order)),
        helpers=AS_ARRAY if x.run_form in {"array", "list"} else "",
        observed=f'    values = evaluate({qrels}, {run}, "rbp.8", return_mean=False{save})\n'
        f'    return [*map(float, values), float(evaluate({qrels}, {run}, "rbp.8"{save}))]',
        control="The mean exists, and is right.",
        check=f'    mean = evaluate({qrels}, {run}, "rbp.8"{save})\n    return {_close("mean", mean)}',
        right=" and ".join(checks),
    )
    per_query = ", ".join(str(value.written) for value in values)
    documented = json.dumps(f"per query {per_query}; mean {mean.written}")
    return Script(_imports(x.qrels_form, x.run_form), body, documented, _describe_per_query(x))


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
    qrels, run = _wrapped(x.qrels_form, "QRELS"), _wrapped(x.run_form, "RUN")
    body = BODY.substitute(
        qrels=json.dumps(_judgements(x.judged)),
        run=json.dumps(_rankings((1, 1, 1), x.retrieved)),
        helpers="",
        observed=f'    return evaluate({qrels}, {run}, "rbp.8", make_comparable=True)',
        control="With both as ranx's own objects, the mean is right.",
        check='    return is_right(evaluate(Qrels(QRELS), Run(RUN), "rbp.8", make_comparable=True))',
        right=_close("value", mean),
    )
    return Script(scripts.imports("Qrels, Run, evaluate"), body, json.dumps(str(mean.written)), _describe_comparable(x))


MAKE_COMPARABLE = Case(
    name="ranx/rbp-make-comparable",
    contract=Contract(
        says="make_comparable=True adds empty results for queries missing from the run, which score 0, and removes "
        "those that the qrels do not have",
        source="the docstring of ranx.evaluate, argument make_comparable, and the message of the error that it "
        'raises without ("Pass make_comparable=True to add empty results ...")',
    ),
    input_type=Comparable,
    call="rbp_make_comparable",
    expected=_comparable,
    domains=(comparable_sets(),),
    describe=_describe_comparable,
    script=_comparable_script,
)


def _empty(x: EmptyQuery) -> Exactly:
    return _mean((0, *[1] * x.others))


def _describe_empty(x: EmptyQuery) -> str:
    beside = f", beside {x.others} other" if x.others else ""
    return f"a query that is empty in {' and '.join(x.empty)}{beside}; qrels as {x.qrels_form}, run as {x.run_form}"


def _empty_script(x: EmptyQuery) -> Script:
    order = tuple(range(x.others + 1))
    full = _judgements(order), _rankings((1,) * len(order), order)
    qrels = {**full[0], **({"q0": {}} if "qrels" in x.empty else {})}
    run = {**full[1], **({"q0": {}} if "run" in x.empty else {})}
    mean = _empty(x)
    forms = _wrapped(x.qrels_form, "QRELS"), _wrapped(x.run_form, "RUN")
    complete = _wrapped(x.qrels_form, json.dumps(full[0])), _wrapped(x.run_form, json.dumps(full[1]))
    body = BODY.substitute(
        qrels=json.dumps(qrels),
        run=json.dumps(run),
        helpers="",
        observed=f'    return evaluate({forms[0]}, {forms[1]}, "rbp.8")',
        control="With nothing empty, every query scores 1/5.",
        check=f'    value = evaluate({complete[0]}, {complete[1]}, "rbp.8")\n    return {_close("value", _value(1))}',
        right=_close("value", mean),
    )
    return Script(_imports(x.qrels_form, x.run_form), body, json.dumps(str(mean.written)), _describe_empty(x))


EMPTY = Case(
    name="ranx/rbp-empty",
    contract=Contract(
        says="RBP = (1 - p) * sum of r_i * p^(i-1), which is 0 for an empty ranking, and for a query without "
        "relevant documents",
        source="docs/metrics.md, Rank-biased Precision",
        unpromised="the formula covers it, but ranx does not say that such a query is accepted",
    ),
    input_type=EmptyQuery,
    call="rbp_empty",
    expected=_empty,
    domains=(empty_queries(),),
    describe=_describe_empty,
    script=_empty_script,
)
