"""The account of the scores for individual queries, where one metric is asked for."""

from fractions import Fraction

from cases.ranx.accounts import steps
from cases.ranx.accounts.forms import AS_ARRAY, call_in_form
from cases.ranx.accounts.queries import names_of, one_by_one, value
from cases.ranx.accounts.upstream import (
    DICTS,
    EVALUATE,
    LICENCE,
    TESTS_OF_EVALUATE,
    Part,
    call,
    imported,
    quotient,
    regression_test,
)
from cases.ranx.queries import PER_QUERY, judgements, rankings
from cases.ranx.query_sets import PER_QUERY_FORMS, PerQuery
from cases.ranx.scripts import wrapped
from harness.account import Account, Quotation, RegressionTest, Series, Table
from harness.expected import shown


def _worked(x: PerQuery) -> list[str]:
    return [
        *one_by_one(x.ranks),
        steps.mean([value(rank) for rank in x.ranks]),
        f"the scores of the queries, then their mean: {shown(PER_QUERY.expected(x))}",
    ]


def _table(x: PerQuery) -> Table:
    rows = tuple((f"q{k}", str(rank) if rank else "not retrieved") for k, rank in enumerate(x.ranks))
    return Table(("query", "rank of its relevant document"), rows)


def _form(form: str, name: str) -> str:
    return wrapped(form, name).replace("TypedList", "List")


def _evaluated(x: PerQuery) -> str:
    """Return a call, without the end of it."""
    return f'evaluate({_form(x.qrels_form, "qrels")}, {_form(x.run_form, "run")}, "rbp.8"'


def _save(x: PerQuery) -> str:
    return "" if x.save else ", save_results_in_run=False"


def _call(x: PerQuery) -> list[str]:
    order = tuple(range(len(x.ranks)))
    qrels, run = judgements(order), rankings(x.ranks, order)
    if x.run_form in {"array", "list"}:
        *lines, last = call_in_form(x.run_form, qrels, run)
        return [*lines, last.removesuffix(")") + ", return_mean=False)"]
    return call(names_of(x.qrels_form, x.run_form), qrels, run, f"{_evaluated(x)}, return_mean=False{_save(x)})")


def _part(x: PerQuery) -> Part:
    order = tuple(range(len(x.ranks)))
    values = [value(rank) for rank in x.ranks]
    return Part(
        qrels=judgements(order),
        run=rankings(x.ranks, order),
        worked=_worked(x)[:-1],
        asserts=f"scores = {_evaluated(x)}, return_mean=False{_save(x)})\n"
        f"assert np.allclose(scores, [{', '.join(map(quotient, values))}])\n"
        f"assert np.allclose({_evaluated(x)}{_save(x)}), {quotient(sum(values, start=Fraction(0)) / len(values))})",
    )


def _test(x: PerQuery) -> RegressionTest:
    """Return a test; where it is about one query alone, of two in the same form, too."""
    both = PerQuery((1, 2), x.qrels_form, x.run_form, x.save)
    imports = imported(names_of(x.qrels_form, x.run_form))
    if x.run_form == "list":
        imports = imports.replace("\n\n", "\nfrom numba.typed import List\n\n", 1)
    return regression_test(
        *(_part(one) for one in ([x, both] if len(x.ranks) == 1 else [x])),
        place=TESTS_OF_EVALUATE,
        imports=imports + (AS_ARRAY if "as_array" in _evaluated(x) else ""),
        name="return_mean_false_with_one_metric_that_has_a_parameter",
    )


def _form_name(qrels: str, run: str, *, save: bool) -> str:
    """Return what a form of input is called; saving is named where it is turned off."""
    return f"{qrels}, {run}" + ("" if save else ", not saved")


KEY_ERROR = Account(
    case=PER_QUERY.name,
    cause="raises KeyError",
    title="return_mean=False raises KeyError for a single metric with a parameter",
    fault="`evaluate(qrels, run, \"rbp.8\", return_mean=False)` raises `KeyError: 'rbp'`, where the scores for "
    "individual queries are documented.",
    worked=_worked,
    why='While the metrics are computed, `m` is the name without its parameter, `"rbp"`; the scores stand under the '
    'whole one, `"rbp.8"`. The last line looks up `m`. It finds something only where a later loop has set `m` to the '
    "whole name before: the one that saves results in a `Run`, or the one that takes the mean.",
    quotations=(
        Quotation(
            EVALUATE,
            "return_mean (bool, optional): Whether to return the metric scores averaged over the query set or the",
            "What is promised; the sentence ends with `the scores for individual queries`.",
        ),
        DICTS,
        Quotation(EVALUATE, "m, k, rel_lvl = extract_metric_and_params(metric)", "Here `m` loses its parameter."),
        Quotation(EVALUATE, "metric_scores_dict[metric] = metric_switch(m)", "The scores stand under the whole name."),
        Quotation(EVALUATE, "return metric_scores_dict[m] if len(metrics) == 1", "The look-up that fails."),
    ),
    licence=LICENCE,
    affected="Whoever asks for the scores of a single metric that has a parameter, with `return_mean=False`, and "
    "does not save them in a `Run`: every dictionary, array and typed list as run, and a `Run` with "
    "`save_results_in_run=False`. Not only RBP: `ndcg@5` and `map-l2` raise in the same way; they were run on "
    "0.3.21. The releases 0.2.13, 0.3.14 and 0.3.20 raise the same for `rbp.8` and `ndcg@5`.",
    unaffected="A `Run` whose results are saved, which is the default. Several metrics at once. A metric without a "
    "parameter, such as `map`. The mean.",
    workarounds=(
        'Ask for a second metric: `evaluate(qrels, run, ["rbp.8", "hits"], return_mean=False)["rbp.8"]`.',
        'Or save the results in a `Run`: `evaluate(Qrels(qrels), Run(run), "rbp.8", return_mean=False)`.',
    ),
    defence="With a `Qrels` and a `Run`, the usual way, and with the results saved, it works, which is why it is "
    "easy to overlook; the notebook on evaluation shows `return_mean=False` with several metrics. An error is also "
    "better than a wrong value. It is no choice: the message is about a key that the user never wrote.",
    mend="Look up the one metric that was asked for: `metric_scores_dict[metrics[0]]`.",
    call=_call,
    size="number of queries",
    test=_test,
    table=_table,
    examples=(
        PerQuery((1, 2), "dict", "dict", save=True),
        PerQuery((1, 2), "array", "array", save=True),
        PerQuery((1, 2), "Qrels", "Run", save=True),
        PerQuery((1, 2), "Qrels", "Run", save=False),
    ),
    series=(
        Series(
            title="two queries, with their relevant documents at ranks 1 and 2, in each form of input; the score of q0",
            along="forms of qrels and run",
            inputs=tuple(
                (_form_name(qrels, run, save=save), PerQuery((1, 2), qrels, run, save))
                for qrels, run, save in PER_QUERY_FORMS
            ),
            value="RBP of q0",
            part=0,
        ),
    ),
)
