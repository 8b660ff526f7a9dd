"""A plugin of pytest: a library's contracts as tests of another project, with ``pytest --rankdiff LIBRARY``.

Without an option it costs nothing: the rest of it is not even imported.
"""

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("rankdiff", "rankdiff: the contracts of ranking-evaluation libraries")
    group.addoption(
        "--rankdiff",
        action="append",
        default=[],
        metavar="NAME",
        help="test the contracts of this library, or this one (`rankdiff cases` lists them); may be repeated",
    )
    group.addoption(
        "--rankdiff-subject",
        metavar="SPEC",
        help="the release to test instead of the installed one: name==1.0, a wheel, a checkout, or a git URL",
    )
    group.addoption("--rankdiff-mode", metavar="MODE", help="how to run the library (default: the usual way)")
    group.addoption("--rankdiff-thorough", action="store_true", help="run every domain of each contract")
    group.addoption("--rankdiff-bundles", type=Path, metavar="DIR", help="save a report of each new divergence here")


def pytest_configure(config: pytest.Config) -> None:
    """Take part in this run if an option asks for it."""
    option = config.getoption
    if option("--rankdiff") or option("--rankdiff-subject"):
        config.pluginmanager.import_plugin(f"{__name__}.session")
    elif option("--rankdiff-mode") or option("--rankdiff-thorough") or option("--rankdiff-bundles"):
        raise pytest.UsageError("--rankdiff-mode, -thorough and -bundles expect --rankdiff NAME or --rankdiff-subject")
