"""What trec_eval's help promises, in the words that several contracts share."""

from fractions import Fraction

from harness.expected import Exactly

RULE = (
    "a document is relevant if its grade is at least 1, one with a negative grade is 'in the pool but unjudged', and "
    "one that is not in the qrels is not relevant"
)

HELP = "trec_eval -h"

RUNS_9_0 = "pytrec_eval-terrier has trec_eval 9.0 built in"

NEGATIVE = (
    "the help text allows -1 as the only negative grade, and no version holds a grade to that. A maintainer on "
    "usnistgov/trec_eval#29: 'Historically, a qrel of -1 indicated pooled but not judged. I started using -2 to mark "
    "spam'"
)


def count(n: int) -> Exactly:
    """Return an expected count."""
    return Exactly(Fraction(n))
