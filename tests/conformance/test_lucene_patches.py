"""Our patches of Lucene's judge, compiled before the newest jar that is found, do what their table says."""

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from cases.lucene.end_to_end import END_TO_END
from cases.lucene.judging import ODD_TOKENS, RELEVANCE, RELEVANCE_ODD_TOKENS, assignments
from cases.lucene.library import HERE, LIBRARY
from cases.lucene.real.shadow import shadow
from harness.certificate import Certificate
from harness.execute import Executor
from harness.exhaust import Watch, exhaust
from harness.jsontypes import Json
from harness.limits import DEFAULT
from harness.progress import Progress
from harness.shadow import patch
from harness.shadow.compare import Plan, compare
from harness.shadow.comparison import Conclusion
from harness.shadow.proposal import Proposal, Shadowed
from harness.shadow.transition import Transition
from harness.subject import Subject
from harness.verdict import Verdict
from present import present
from reference.trec.dialect import Dialect
from reference.trec.grade import integer, is_relevant
from reference.trec.refusal import IntegerError

PATCHES = HERE / "patches"
JUDGES = ("parse-int", "leading-digits", "leading-digits-checked")

NEWEST = present(LIBRARY, "real")[:1]

needs_lucene = pytest.mark.skipif(not NEWEST, reason="needs Java and Lucene's benchmark jar")

THIRTEEN = ("-2", "-1", "-0", "0", "00", "0.0", "1", "01", "+1", "2", "3", "10", "127")
MANY = 60_000
REFUSED = "NumberFormatException"

STOCK = """package org.apache.lucene.benchmark.quality.trec;

import java.io.*;
import java.util.*;
import org.apache.lucene.benchmark.quality.*;

/**
{comment} */
public class TrecJudge implements Judge {{
  private final Map<String, Set<String>> found = new HashMap<>();

  public TrecJudge(BufferedReader reader) throws IOException {{
{declarations}
    for (line = reader.readLine(); line != null; line = reader.readLine()) {{
      if (!line.trim().isEmpty()) {{
        StringTokenizer st = new StringTokenizer(line.trim());
        String query = st.nextToken();
        st.nextToken();
{reading}
        if (relevant) {{
          found.computeIfAbsent(query, id -> new HashSet<>()).add(docName);
        }}
      }}
    }}
  }}

  private static class QRelJudgement {{}}

  private Set<String> of(QualityQuery query) {{
    return found.getOrDefault(query.getQueryID(), new HashSet<>());
  }}

  public boolean isRelevant(String name, QualityQuery query) {{
    return of(query).contains(name);
  }}

  public int maxRecall(QualityQuery query) {{
    return of(query).size();
  }}

  public boolean validateData(QualityQuery[] queries, PrintWriter logger) {{
    return true;
  }}
}}
"""
"""A judge of ours that compares with the text 0: what the diffs change of upstream's is put into it."""


def replaced_lines(name: str) -> list[str]:
    """Return the lines that each hunk of a diff expects."""
    found = patch.read(PATCHES / name)
    lines = found.data.decode().splitlines(keepends=True)
    return [
        "".join(lines[n][1:] for n in hunk.body if lines[n][0] in " -") for file in found.files for hunk in file.hunks
    ]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a source tree that the diffs apply to, written by us around the lines that they expect."""
    [comment] = replaced_lines("flag-documented.patch")
    declarations, reading = replaced_lines("parse-int.patch")
    [file] = patch.read(PATCHES / "parse-int.patch").files
    folder = tmp_path_factory.mktemp("tree")
    path = folder / file.name
    path.parent.mkdir(parents=True)
    path.write_text(STOCK.format(comment=comment.removesuffix(" */\n"), declarations=declarations, reading=reading))
    return folder


def shadowed(proposal: Proposal) -> Shadowed:
    [subject] = NEWEST
    return shadow(subject.title, subject.installation, proposal)


def by_file(name: str) -> Proposal:
    return Proposal(replacements=(PATCHES / name / "TrecJudge.java",))


def running(found: Shadowed | None) -> Executor:
    """Return what runs a shadow, or Lucene as it is."""
    [subject] = NEWEST
    mode = subject.mode
    return Executor(Subject(LIBRARY, mode, found.installation if found else subject.installation), DEFAULT)


@pytest.fixture(scope="module")
def executors() -> Iterator[dict[str, Executor]]:
    """Return what runs each of the three judges, and Lucene's own."""
    found = {"stock": running(None), **{name: running(shadowed(by_file(name))) for name in JUDGES}}
    yield found
    for executor in found.values():
        executor.end()


def outcomes(executor: Executor, tokens: Sequence[str]) -> list[Json]:
    """Return what a judge does with each token as the one grade."""
    inputs = [((token,),) for token in tokens]
    return [outcome for _, batch in executor.run("judge_tokens", executor.split(inputs)) for outcome in batch]


def right(token: str, dialect: Dialect) -> Json:
    """Return how many documents are relevant, and whether the one is; or the error."""
    try:
        return [int(is_relevant(integer(token.encode(), dialect)))] * 2
    except IntegerError:
        return REFUSED


def shown(outcome: Json) -> Json:
    return outcome["raises"] if isinstance(outcome, dict) else outcome


PIECES = (
    *"+-0123456789",
    *"0123456789",
    "0000",
    ".",
    "x",
    "e",
    ",",
    "\v",
    "\uff11",
    "\u0660",
    "\u0085",
    *map(str, (2**63, 2**63 - 1)),
)


def tokens(count: int) -> list[str]:
    """Return random grades, which no white space of Lucene's or of its lines' ends is in."""
    chosen = random.Random(836)  # noqa: S311
    found: list[str] = []
    while len(found) < count:
        token = "".join(chosen.choices(PIECES, k=chosen.randint(1, 4)))
        if token.strip("\v"):
            found.append(token)
    return found


def certificate(executor: Executor, case: Any, domain: Any) -> Certificate:
    found = exhaust(case, domain, executor, Watch())
    assert found.exhausted
    return found


# --- the three judges ------------------------------------------------------------------------------------------


@needs_lucene
@pytest.mark.parametrize("name", JUDGES)
def test_of_625_assignments_each_judge_has_all_right_and_lucenes_has_544_wrong(
    executors: dict[str, Executor], name: str
) -> None:
    before = certificate(executors["stock"], RELEVANCE, assignments(4))
    after = certificate(executors[name], RELEVANCE, assignments(4))
    assert sum(causes[4] for causes in before.tally.causes.values()) == 544
    assert after.tally.by_size[4].total() == 625
    assert after.tally.mismatches() == 0


@needs_lucene
@pytest.mark.parametrize("name", JUDGES)
def test_no_spelling_of_an_integer_is_judged_wrongly(executors: dict[str, Executor], name: str) -> None:
    assert certificate(executors[name], RELEVANCE, RELEVANCE.domains[1]).tally.mismatches() == 0


@needs_lucene
def test_of_26_checks_of_13_tokens_parse_int_agrees_with_24_and_raises_in_2(executors: dict[str, Executor]) -> None:
    found = dict(zip(THIRTEEN, outcomes(executors["parse-int"], THIRTEEN), strict=True))
    differing = [token for token in THIRTEEN if shown(found[token]) != right(token, Dialect.V10_0)]
    assert differing == ["0.0"]
    assert shown(found["0.0"]) == REFUSED


@needs_lucene
def test_of_the_odd_tokens_parse_int_reads_those_of_other_scripts_and_refuses_the_rest(
    executors: dict[str, Executor],
) -> None:
    found = zip(ODD_TOKENS, outcomes(executors["parse-int"], ODD_TOKENS), strict=True)
    read = {token: shown(outcome) for token, outcome in found if shown(outcome) != REFUSED}
    assert read == {"\N{FULLWIDTH DIGIT ONE}": [1, 1], "\N{ARABIC-INDIC DIGIT ZERO}": [0, 0]}


def table(heading: str) -> list[list[str]]:
    """Return the cells of a table of the README, without its first two rows."""
    _, _, after = (PATCHES / "README.md").read_text().partition(f"\n| {heading} |")
    rows = after.partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]


WORDS: dict[str, Json] = {"relevant": [1, 1], "not": [0, 0], REFUSED: REFUSED}


@needs_lucene
@pytest.mark.parametrize("column", range(4), ids=["stock", *JUDGES])
def test_a_token_is_judged_as_the_readme_says(executors: dict[str, Executor], column: int) -> None:
    asked = [(token, WORDS[row[column]]) for texts, *row in table("token") for token in texts.replace("`", "").split()]
    assert len(asked) > 20
    found = outcomes(executors[["stock", *JUDGES][column]], [token for token, _ in asked])
    assert [(token, shown(outcome)) for (token, _), outcome in zip(asked, found, strict=True)] == asked


@needs_lucene
@pytest.mark.parametrize("dialect", [Dialect.V9_0, Dialect.V10_0])
def test_leading_digits_judges_60000_random_tokens_as_trec_eval_does(
    executors: dict[str, Executor], dialect: Dialect
) -> None:
    asked = tokens(MANY)
    found = outcomes(executors["leading-digits"], asked)
    assert [t for t, outcome in zip(asked, found, strict=True) if shown(outcome) != right(t, dialect)] == []


@needs_lucene
def test_leading_digits_checked_judges_or_refuses_60000_random_tokens_as_the_checked_dialect_does(
    executors: dict[str, Executor],
) -> None:
    asked = tokens(MANY)
    wanted = [right(token, Dialect.CHECKED) for token in asked]
    assert min(wanted.count([1, 1]), wanted.count([0, 0]), wanted.count(REFUSED)) > 3000
    found = outcomes(executors["leading-digits-checked"], asked)
    assert [t for t, a, b in zip(asked, found, wanted, strict=True) if shown(a) != b] == []


@needs_lucene
@pytest.mark.parametrize(
    ("name", "dialects"), [("leading-digits", ["9.0", "10.0"]), ("leading-digits-checked", ["checked"])]
)
def test_every_pair_of_odd_tokens_is_judged_as_its_dialect_does(
    executors: dict[str, Executor], name: str, dialects: list[str]
) -> None:
    found = certificate(executors[name], RELEVANCE_ODD_TOKENS, RELEVANCE_ODD_TOKENS.domains[0])
    followed = [each for each, count in found.tally.readings.items() if count == found.inputs]
    assert followed == [f"as trec_eval {dialect}" for dialect in dialects]


OWN = re.compile(
    r"""
      /\*\*[^/]*\*/\n(?=public\ class)                                       # the comment of the class
    | \ +private\ static\ final\ Pattern\ (?!FIELD)[^\n]*\n
    | \ +/\*\*[^/]*\*/\n\ +private\ static\ boolean\ isPositive.*?\n\ \ }\n
    """,
    re.VERBOSE | re.DOTALL,
)
"""What each judge has of its own: how it reads a grade."""


def test_the_three_judges_are_the_same_but_for_how_they_read_a_grade() -> None:
    texts = [(PATCHES / name / "TrecJudge.java").read_text() for name in JUDGES]
    assert len(set(texts)) == 3
    assert len({OWN.sub("", text) for text in texts}) == 1
    assert min(len(OWN.sub("", text)) / len(text) for text in texts) > 0.7


# --- the diffs -------------------------------------------------------------------------------------------------


@needs_lucene
@pytest.mark.parametrize("name", JUDGES)
def test_a_diff_makes_the_same_of_upstreams_source_as_the_whole_class(
    executors: dict[str, Executor], tree: Path, name: str
) -> None:
    found = shadowed(Proposal(patches=(PATCHES / f"{name}.patch",), source=tree))
    assert not found.is_documentation
    asked = [*THIRTEEN, *ODD_TOKENS, *tokens(3000)]
    with running(found) as executor:
        assert list(map(shown, outcomes(executor, asked))) == list(map(shown, outcomes(executors[name], asked)))


@needs_lucene
def test_the_documentation_of_a_flag_is_documentation_only_and_changes_nothing(
    executors: dict[str, Executor], tree: Path
) -> None:
    found = shadowed(Proposal(patches=(PATCHES / "flag-documented.patch",), source=tree))
    assert found.is_documentation
    asked = [*THIRTEEN, *ODD_TOKENS, *tokens(3000)]
    with running(found) as executor:
        assert certificate(executor, RELEVANCE, assignments(4)).tally.by_size[4][Verdict.DIFFERS] == 544
        assert outcomes(executor, asked) == outcomes(executors["stock"], asked)


VERDICTS = {
    "parse-int": (Conclusion.BREAKS, 744, 8),
    "leading-digits": (Conclusion.FIXES, 744, 8),
    "leading-digits-checked": (Conclusion.FIXES, 744, 8),
    "flag-documented": (Conclusion.DOCUMENTATION, 0, 0),
}
"""By patch: what it comes to, and how many inputs of the two contracts about grades it fixes."""


@needs_lucene
@pytest.mark.parametrize("name", VERDICTS)
def test_the_verdict_on_a_patch_is_that_of_the_readme(name: str, tree: Path) -> None:
    proposal = by_file(name) if name in JUDGES else Proposal((PATCHES / f"{name}.patch",), source=tree)
    conclusion, relevance, end_to_end = VERDICTS[name]
    plan = Plan(examples=100 if conclusion is Conclusion.BREAKS else 0)
    # A source tree of ours is not upstream's: measures that are not about grades may differ in it.
    done = compare(NEWEST[0], shadowed(proposal), [RELEVANCE, END_TO_END], plan, Progress(bars=False))
    assert done.conclusion is conclusion
    assert [case.counts[Transition.FIXED] for case in done.cases] == [relevance, end_to_end]
    assert not any(case.counts[Transition.BROKEN] for case in done.cases)


def test_every_patch_has_a_row_in_the_readme() -> None:
    named = [row[0].strip("`") for row in table("patch")]
    assert sorted(named) == sorted(path.stem for path in PATCHES.glob("*.patch"))
    assert sorted(path.parent.name for path in PATCHES.glob("*/TrecJudge.java")) == sorted(JUDGES)
    assert set(JUDGES) < set(named)
