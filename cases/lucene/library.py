"""How Lucene's quality benchmark is run, and its cases.

By default an equivalent in Python answers, without Java. In the mode *real* Lucene's own classes do, from every jar
that is found; what is about both is only run there. In the mode *corrected* our own TrecJudge, by trec_eval's rule,
stands before the jar: a control that has to be right.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from cases.lucene.accounts import ACCOUNTS
from cases.lucene.average import AVERAGE
from cases.lucene.end_to_end import END_TO_END
from cases.lucene.equivalence.judging import EQUIVALENCE, VALIDATION
from cases.lucene.equivalence.statistics import AVERAGES, CUTOFFS, LOG, RANKS, STATISTICS
from cases.lucene.equivalent import RELEASES
from cases.lucene.judging import RELEVANCE, RELEVANCE_ODD_TOKENS
from cases.lucene.measures import MEASURES
from cases.lucene.real import jars
from cases.lucene.real.shadow import shadow
from harness.cache import cache_folder
from harness.errors import RankdiffError
from harness.installation import Installation, located
from harness.library import Library, Mode

HERE = Path(__file__).parent


def find_equivalent() -> Sequence[Installation]:
    """Return the equivalent, which is a part of this project. Scripts that confirm it are told where a jar is."""
    try:
        newest = jars.find_releases(cache=cache_folder() / jars.IN_CACHE)[-1]
        told = {jars.JAR: str(newest.jar)}
    except RankdiffError:
        told = {}
    return [Installation(RELEASES[-1], told, packages=located(["cases"]))]


def find_real() -> Sequence[Installation]:
    """Return the releases of Lucene that are found, the newest first.

    Raises
    ------
    NotInstalledError
        If there is no Java, no compiler, or no jar.
    UnusableError
        If what was named, or found, cannot be used.
    """
    return _releases(None)


def find_corrected() -> Sequence[Installation]:
    """Return the same, with our own TrecJudge before them."""
    return _releases(HERE / "patches" / "leading-digits")


def _releases(before: Path | None) -> Sequence[Installation]:
    java = jars.find_java()
    found = []
    for release in reversed(jars.find_releases(cache=cache_folder() / jars.IN_CACHE)):
        jars.require_runnable(release, java)
        classes = cache_folder() / "java"
        environment = jars.adapter_environment(release, java, classes, before)
        content = hashlib.sha256(f"{release.sha256} {java.version}".encode()).hexdigest()
        found.append(Installation(release.version, {**environment, jars.JAR: str(release.jar)}, content))
    return found


EQUIVALENT = Mode(
    name="equivalent",
    distribution="lucene-benchmark",
    find=find_equivalent,
    packages=("cases",),
    adapter=HERE / "equivalent" / "adapter.py",
    is_model=True,
)

REAL = Mode(
    name="real",
    distribution="lucene-benchmark",
    find=find_real,
    packages=(),
    adapter=HERE / "real" / "adapter.py",
    shadow=shadow,
)

CORRECTED = Mode(
    name="corrected",
    distribution="lucene-benchmark",
    find=find_corrected,
    packages=(),
    adapter=HERE / "real" / "adapter.py",
    is_counted=False,
)

LIBRARY = Library(
    name="lucene",
    modes=(EQUIVALENT, REAL, CORRECTED),
    cases=(
        RELEVANCE,
        RELEVANCE_ODD_TOKENS,
        MEASURES,
        AVERAGE,
        END_TO_END,
        EQUIVALENCE,
        VALIDATION,
        STATISTICS,
        AVERAGES,
        LOG,
        RANKS,
        CUTOFFS,
    ),
    ledger=HERE / "known.toml",
    accounts=ACCOUNTS,
)
