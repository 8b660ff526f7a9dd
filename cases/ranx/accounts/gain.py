"""What is said of grades as gains, wherever it shows."""

from fractions import Fraction

from cases.ranx.accounts.upstream import ISSUE_45, ISSUE_58, MASTER, METRIC
from harness.account import Quotation

UNIT = (Fraction(0), Fraction(1))
"""What RBP lies in: its weights (1 - p) * p^(i-1) sum to at most 1, and each r_i is 0 or 1."""

DOCUMENTED = Quotation(
    METRIC,
    "- $r_i$ is either 0 or 1",
    "The documented gain.",
)
ALSO_DOCUMENTED = Quotation(
    "docs/metrics.md",
    "- $r_i$ is either 0 or 1, whether the $i$-th ranked document is non-relevant or relevant",
    "The same in the documentation of the metrics.",
    line=102,
    source=MASTER,
)
LEVEL_DOCUMENTED = Quotation(
    METRIC,
    "rel_lvl (int, optional): Minimum relevance judgment score to consider a document to be relevant.",
    "The documented relevance level: it divides documents into relevant ones and others.",
)
KEPT = Quotation(
    "ranx/metrics/common.py",
    "return qrels[np.argwhere(qrels[:, 1] >= rel_lvl).flatten()]",
    "What the level does: judgements below it are dropped, and the others keep their grades.",
)
TAKEN = Quotation(
    METRIC,
    "weighted_hit_list[i] = qrels[j, 1]",
    "The grade itself becomes the gain.",
)
CHANGED = Quotation(
    "changelog.md",
    "- Fixed `rank_biased_precision` considering relevance as binary instead of graded.",
    "Upstream's record of the change, under 0.3.15.",
    line=54,
    source=MASTER,
)

WHY = (
    "The metric drops the judgements below `rel_lvl`, and then takes the grade of each document that is left as its "
    "gain. Nothing makes it 1. The documentation still describes the metric of 0.3.14, in which a relevant document "
    "counted 1."
)

RELEASES = (
    "The change came with 0.3.15: for grades 3 and 2, retrieved in that order at p = 0.8, the releases 0.2.13 and "
    "0.3.14 give the documented 0.36, and 0.3.20 and 0.3.21 give 0.92."
)

UNAFFECTED = (
    "Judgements whose grades are 1 and below, at the usual level of 1. Releases up to 0.3.14. The metrics that count "
    "relevant documents, such as precision and recall, take each as 1 in the same release; DCG and nDCG are graded by "
    "their definition."
)

BEFOREHAND = (
    "For the documented value, with judgements as a dictionary `qrels`: `relevant = {q: {d: int(g >= 1) for d, g in "
    'docs.items()} for q, docs in qrels.items()}`, then `evaluate(Qrels(relevant), Run(run), "rbp.8")`, or `run` '
    "itself if it is a `Run` (two plain dictionaries would be paired by position)."
)
SCALED = (
    "For a graded value in [0, 1], divide by the highest grade of the scale, the same for all queries: it is linear "
    'in the gains. With grades up to 3, `evaluate(qrels, run, "rbp.8") / 3`. That is another metric than the '
    "documented one."
)

DELIBERATE = (
    f"Graded gains are deliberate since 0.3.15, and were asked for. {ISSUE_45} reads r_i as a reward, and asks that "
    "RBP supports several relevance levels as DCG does, so that with grades up to 2 it can reach 2. The maintainer "
    "agreed, released it in 0.3.15 in July 2023, and asked there whether the old behaviour should stay as an option. "
    "Graded gains keep what binary ones throw away, and for grades 0 and 1 the two are the same. What was left as it "
    f"was is the documentation: the docstring and `docs/metrics.md` still say 0 or 1, and in {ISSUE_58}, in November "
    "2023, the maintainer wrote that all metrics but DCG and nDCG take relevance as binary. So code and "
    "documentation disagree, and either of them could follow the other."
)

MEND = (
    "If the documentation is right: let a retrieved document that reaches `rel_lvl` count 1, `weighted_hit_list[i] = "
    f"1.0`, as it did until 0.3.14. Users who rely on graded values since {ISSUE_45} would lose them; a metric or an "
    "option of its own could keep both."
)

REWORD = (
    "If the code is right: say in the docstring and in `docs/metrics.md` that r_i is the relevance score of a "
    "document that reaches `rel_lvl`, and 0 for others; that it is not normalised; and that RBP can therefore exceed "
    "1."
)
