"""The judge in Python and Lucene's own are held to one another, on whatever text is in a qrels file."""

import itertools
from typing import NamedTuple

from hypothesis import strategies as st

from cases.lucene import scripts
from cases.lucene.equivalence.answers import WHY, alike, answer, contract, require_flag, switch, value
from cases.lucene.equivalent import calls
from harness.case import Case, Domain, Script
from harness.enumeration import Enumeration, choice, mapped, pairs, power, sequence, sized

QUERIES = ("q", "p", "\ufeffq", "0")
DOCUMENTS = ("d", "e", "d\v", "d\u00a0", "1")
"""Who is asked about: ids that the texts hold, some of them by an accident of their white space."""

TOKENS = ("q", "d", "0", "#", "\u00a0", "\ufeffq", "\v", "\t", "\r", "")
GAPS = (" ", "\t", "\v", "\u00a0", "\r", "\n", "", "#")
LINES = (
    *("q 0 d 1", "q 0 d 0", "q 0 d -1", "q 0 e 1", "p 0 d 1", "\ufeffq 0 d 1", "# q 0 d 1", " # c", "", " \t"),
    *("q 0 d", "q 0 d 1 x", "q 0 d 0 x"),
)
ENDS = ("\n", "\r\n", "\r")


class Text(NamedTuple):
    """A qrels text, and what is asked of it.

    Attributes
    ----------
    qrels
        The text of the qrels file.
    queries
        For each query that is asked its id, and the documents that are asked.
    assertions
        Whether Java's assertions are on.
    """

    qrels: str
    queries: tuple[tuple[str, tuple[str, ...]], ...]
    assertions: bool


class Validation(NamedTuple):
    """A qrels text, and the queries that it should judge.

    Attributes
    ----------
    qrels
        The text of the qrels file.
    query_ids
        The ids of the queries.
    assertions
        Whether Java's assertions are on.
    """

    qrels: str
    query_ids: tuple[str, ...]
    assertions: bool


ASKED = tuple((query, DOCUMENTS) for query in QUERIES)


def texts(qrels: Enumeration[str]) -> Enumeration[Text]:
    """Return each text with assertions on and off."""
    return mapped(lambda two: Text(two[0], ASKED, two[1]), pairs(qrels, choice((True, False))))


def _one_line(tokens: int, *, thorough: bool = False) -> Domain[Text]:
    return Domain(
        name="one line",
        parameters={"tokens": tokens},
        inputs=texts(mapped(" ".join, sequence(choice(TOKENS), tokens, at_least=1))),
        counts=lambda: {n: 2 * len(TOKENS) ** n for n in range(1, tokens + 1)},
        thorough=thorough,
    )


def _gaps(kinds: int, *, thorough: bool = False) -> Domain[Text]:
    """Return one judgement with every choice of what stands before, between and after its fields."""
    fields = ("q", "0", "d", "1", "")
    return Domain(
        name="white space",
        parameters={"gaps": len(fields), "kinds": kinds},
        inputs=texts(
            mapped(
                lambda gaps: "".join(itertools.chain.from_iterable(zip(gaps, fields, strict=True))),
                sized(power(choice(GAPS[:kinds]), len(fields)), 1),
            )
        ),
        counts=lambda: {1: 2 * kinds ** len(fields)},
        thorough=thorough,
    )


def _lines(lines: int) -> Domain[Text]:
    """Return all texts of up to that many lines, with each way to end a line."""
    ended = pairs(sequence(choice(LINES), lines, at_least=1), choice(ENDS))
    return Domain(
        name="lines",
        parameters={"lines": lines},
        inputs=texts(mapped(lambda two: two[1].join(two[0]) + two[1], ended)),
        counts=lambda: {n: 2 * len(ENDS) * len(LINES) ** n for n in range(1, lines + 1)},
    )


PIECES = st.sampled_from(
    [*TOKENS, *GAPS, *ENDS, "-1", "-2", "00", "e", "p", "\f", "\x00", "\x1c", "\u2028", "\x85", "\u00e9"]
)


@st.composite
def wild_texts(draw: st.DrawFn) -> Text:
    """Draw a text of pieces that matter, or of any characters that UTF-8 can hold."""
    anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
    judgement = st.tuples(*[st.sampled_from(TOKENS)] * 4).map(" ".join)
    part = st.one_of(PIECES, judgement, anything)
    return Text("".join(draw(st.lists(part, max_size=40))), ASKED, draw(st.booleans()))


def _validate_text(x: Text) -> None:
    _encode(x.qrels, *(id_ for query, documents in x.queries for id_ in (query, *documents)))
    require_flag(x.assertions)


def _encode(*texts: str) -> None:
    for text in texts:
        text.encode()


def _described(x: Text | Validation) -> str:
    return f"{x.qrels!a}, {switch(x.assertions)}"


def _judge_script(x: Text) -> Script:
    return scripts.judge(
        x.qrels,
        x.queries,
        right=value(calls.judge, x),
        why=WHY,
        input=_described(x),
        assertions=x.assertions,
    )


EQUIVALENCE = Case(
    name="lucene/equivalence",
    contract=contract("the TrecJudge"),
    input_type=Text,
    call="judge",
    expected=lambda x: answer(calls.judge, x),
    alike=alike(calls.judge),
    domains=(
        _one_line(4),
        _gaps(5),
        _lines(3),
        _one_line(5, thorough=True),
        _gaps(8, thorough=True),
    ),
    describe=_described,
    script=_judge_script,
    beyond=wild_texts(),
    validate=_validate_text,
    modes=("real",),
    values="for each query that is asked: how many documents are relevant, and whether each that is asked for is",
)

VALIDATED = ("q 0 d 1", "q 0 d 0", "p 0 d 1", "\ufeffq 0 d 1", "# c", "q 0 d", "q 0 d 1 x")
IDS = ("q", "p", "0")


def _validations(lines: int, ids: int) -> Domain[Validation]:
    both = pairs(sequence(choice(VALIDATED), lines), sequence(choice(IDS), ids))
    return Domain(
        name="qrels and queries",
        parameters={"lines": lines, "queries": ids},
        inputs=mapped(
            lambda parts: Validation("\n".join(parts[0][0]), parts[0][1], parts[1]), pairs(both, choice((True, False)))
        ),
        counts=lambda: {
            n: 2 * sum(len(VALIDATED) ** k * len(IDS) ** (n - k) for k in range(lines + 1) if 0 <= n - k <= ids)
            for n in range(lines + ids + 1)
        },
    )


def _validate_validation(x: Validation) -> None:
    _encode(x.qrels, *x.query_ids)
    require_flag(x.assertions)


VALIDATE_METHOD = """\
/** Return whether queries and judgements match, and what is printed: ids that match no query in any order. */
static List<Object> validate(String qrels, String... ids) throws Exception {
    TrecJudge judge = new TrecJudge(new BufferedReader(new StringReader(qrels)));
    QualityQuery[] queries = new QualityQuery[ids.length];
    for (int i = 0; i < ids.length; i++) queries[i] = new QualityQuery(ids[i], new HashMap<String, String>());
    StringWriter printed = new StringWriter();
    boolean valid = judge.validateData(queries, new PrintWriter(printed));
    return Arrays.asList(valid ? 1 : 0, quoted(printed.toString()));
}
"""


def _validation_script(x: Validation) -> Script:
    return scripts.program(
        f"return validate({', '.join(map(scripts.java, (x.qrels, *x.query_ids)))});",
        methods=[VALIDATE_METHOD],
        control=('return validate("");', '[1, ""]', "No judgement and no query match."),
        right=repr(value(calls.validate, x)),
        why=WHY,
        is_right="[value[0], sorted(value[1].split())] == [DOCUMENTED[0], sorted(DOCUMENTED[1].split())]",
        input=f"{_described(x)}, queries {list(x.query_ids)}",
        assertions=x.assertions,
    )


VALIDATION = Case(
    name="lucene/equivalence-validation",
    contract=contract("TrecJudge.validateData()"),
    input_type=Validation,
    call="validate",
    expected=lambda x: answer(calls.validate, x),
    alike=alike(calls.validate),
    domains=(_validations(3, 2),),
    describe=lambda x: f"{_described(x)}, queries {list(x.query_ids)}",
    script=_validation_script,
    validate=_validate_validation,
    modes=("real",),
)
