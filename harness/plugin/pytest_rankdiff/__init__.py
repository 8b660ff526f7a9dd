"""A plugin of pytest: a library's contracts as tests of another project, with ``pytest --rankdiff LIBRARY``.

Without an option it costs nothing: the rest of it is not even imported.
"""

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
    group.addoption("--rankdiff-bundles", metavar="DIR", help="save a report of each new divergence here")


def pytest_configure(config: pytest.Config) -> None:
    """Take part in this run if an option asks for it.

    Raises
    ------
    pytest.UsageError
        If an option is empty, or one that says how to test stands without any that says what.
    """
    option = config.getoption
    names, subject = option("--rankdiff"), option("--rankdiff-subject")
    mode, bundles = option("--rankdiff-mode"), option("--rankdiff-bundles")
    _verify_full("--rankdiff", "the name of a library or a contract", *names)
    _verify_full("--rankdiff-subject", "the release to test", subject)
    _verify_full("--rankdiff-mode", "the name of a mode", mode)
    _verify_full("--rankdiff-bundles", "a folder", bundles)
    if names or subject is not None:
        config.pluginmanager.import_plugin(f"{__name__}.session")
    elif mode is not None or bundles is not None or option("--rankdiff-thorough"):
        raise pytest.UsageError("--rankdiff-mode, -thorough and -bundles expect --rankdiff NAME or --rankdiff-subject")


def _verify_full(name: str, expected: str, *given: str | None) -> None:
    """Refuse an option without a value, such as one that a variable holds which is not set."""
    if any(text is not None and not text.strip() for text in given):
        raise pytest.UsageError(
            f"{name} expects {expected}, and was given an empty text; "
            "give it a value (is a variable in it set?), or leave the option out"
        )
