"""The most telling line of what uv and pip wrote, in their own words of 2023 to 2026."""

import pytest

from harness.environments.reason import LONGEST, Reason, is_full_disk, reason

UV = "Using Python 3.11.7 environment at: u\nerror: No solution found when resolving dependencies\n  cause: "

ABOUT_PYTHON = {
    UV + "Because doubler==1.1 requires Python >=3.13 and you require doubler==1.1, we can conclude that your "
    "requirements are unsatisfiable.\n": "doubler==1.1 requires Python >=3.13",
    UV + "Because the current Python version (3.11.7) does not satisfy Python>=3.12.5 and lenskit==2026.4.0 depends on "
    "Python>=3.12.5, we can conclude that lenskit==2026.4.0 cannot be used.\n         And because only "
    "lenskit<=2026.4.0 is available and you require lenskit==2026.4.0, we can conclude that your requirements are "
    "unsatisfiable.\n": "lenskit==2026.4.0 requires Python >=3.12.5",
    UV + "Because torch==2.13.0 has no wheels with a matching Python ABI tag (e.g., `cp313`) and lenskit>=2026.4.0 "
    "depends on torch==2.13.0, we can conclude that lenskit>=2026.4.0 cannot be used.\n\nhint: You require CPython "
    "3.13\n": "torch==2.13.0 has no wheels with a matching Python ABI tag (e.g., `cp313`)",
    "INFO: pip is looking\nERROR: Package 'doubler' requires a different Python: 3.11.7 not in '>=3.13'\n": (
        "doubler requires Python >=3.13"
    ),
    "ERROR: Ignored the following versions that require a different python version: 2026.1.0 Requires-Python >=3.12; "
    "2026.4.0 Requires-Python >=3.12.5\nERROR: Could not find a version that satisfies the requirement "
    "lenskit==2026.4.0 (from versions: 0.1.0)\nERROR: No matching distribution found for lenskit==2026.4.0\n": (
        "lenskit==2026.4.0 requires Python >=3.12.5"
    ),
    "ERROR: plat-1.0-cp39-cp39-linux_x86_64.whl is not a supported wheel on this platform.\n": (
        "plat-1.0-cp39-cp39-linux_x86_64.whl is not a supported wheel on this platform"
    ),
    "error: Failed to build `llvmlite==0.36.0`\n  cause: The build backend returned an error\n\n         [stderr]\n"
    "         RuntimeError: Cannot install on Python version 3.11.7; only versions >=3.6,<3.10 are supported.\n": (
        "llvmlite==0.36.0 requires Python >=3.6,<3.10"
    ),
    "      RuntimeError: Cannot install on Python version 3.13.0; only versions >=3.7,<3.11 are supported.\n"
    "ERROR: Failed to build 'llvmlite' when getting requirements to build wheel\n": (
        "llvmlite requires Python >=3.7,<3.11"
    ),
    "      RuntimeError: Cannot install on Python version 3.13.0; only versions >=3.7,<3.11 are supported.\n": (
        "Cannot install on Python version 3.13.0; only versions >=3.7,<3.11 are supported"
    ),
}

ABOUT_NETWORK = {
    "error: Request failed after 3 retries in 5.5s\n  cause: Failed to fetch: http://localhost:1/simple/zzz/\n  cause: "
    "tcp connect error\n  cause: Connection refused (os error 111)\n": (
        "http://localhost:1/simple/zzz/: Connection refused (os error 111)"
    ),
    "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('<pip>: refused')': /x/\n"
    "ERROR: No matching distribution found for zzz\n": (
        "No matching distribution found for zzz; an index could not be reached (NewConnectionError)"
    ),
    "error: Failed to download `doubler==1.0`\n  cause: Request failed after 3 retries\n  cause: Failed to fetch: "
    "`http://localhost:1/doubler.whl`\n  cause: HTTP status server error (503 Service Unavailable) for url "
    "(http://localhost:1/doubler.whl)\n": (
        "`http://localhost:1/doubler.whl`: HTTP status server error (503 Service Unavailable) for url "
        "(http://localhost:1/doubler.whl)"
    ),
    "fatal: unable to access 'https://localhost:1/x/': Failed to connect to localhost port 1\n": (
        "unable to access 'https://localhost:1/x/': Failed to connect to localhost port 1"
    ),
}

OTHERS = {
    UV + "Because there is no version of doubler==9.9 and you require doubler==9.9, we can conclude that your "
    "requirements are unsatisfiable.\n": (
        "there is no version of doubler==9.9; `pip index versions doubler` lists those that there are"
    ),
    UV + "Because all versions of clash depend on doubler==0.9 and you require doubler==1.0, we can conclude that your "
    "requirements and all versions of clash are incompatible.\n         And because you require clash, we can conclude "
    "that your requirements are unsatisfiable.\n": (
        "all versions of clash depend on doubler==0.9 and you require doubler==1.0"
    ),
    UV + "Because numba==0.55.2 depends on numpy<1.23 and numba==0.56.0 depends on numpy<1.23, we can conclude that "
    "all of:\n             numba==0.55.2\n             numba==0.56.0\n         depend on numpy<1.23.\n         And "
    "because ranx==0.3.14 depends on numba, we can conclude that ranx==0.3.14 depends on numpy>=1.17.\n         And "
    "because you require ranx==0.3.14 and numpy<1.10, we can conclude that your requirements are unsatisfiable.\n": (
        "ranx==0.3.14 depends on numpy>=1.17 and you require ranx==0.3.14 and numpy<1.10"
    ),
    "error: Failed to read `broken @ file:///broken-1.0-py3-none-any.whl`\n  cause: Failed to read metadata\n  cause: "
    "unable to locate the end of central directory record\n": (
        "Failed to read `broken @ file:///broken-1.0-py3-none-any.whl`: unable to locate the end of central directory "
        "record"
    ),
    "error: Failed to build `badb @ file:///badb`\n  cause: Call to `be.build_wheel` failed (exit status: 1)\n\n"
    "         [stderr]\n         Traceback (most recent call last):\n         RuntimeError: this cannot be built\n\n"
    "hint: Build failures usually indicate a problem\n": "badb cannot be built: RuntimeError: this cannot be built",
    "error: Failed to build `badc`\n         [stderr]\n         badc.c:1:10: fatal error: pcre.h: No such file\n"
    "         error: Command '['gcc']' returned non-zero exit status 1.\n": (
        "badc cannot be built: pcre.h: No such file"
    ),
    "ERROR: Could not find a version that satisfies the requirement doubler==9.9 (from versions: 0.8, 0.9, 1.0, 1.1, "
    "1.2, 2.0)\nERROR: No matching distribution found for doubler==9.9\n": (
        "No matching distribution found for doubler==9.9; the newest are 0.9, 1.0, 1.1, 1.2, 2.0"
    ),
    "ERROR: Could not find a version that satisfies the requirement zzz (from versions: none)\n"
    "ERROR: No matching distribution found for zzz\n": "No matching distribution found for zzz",
    "ERROR: Cannot install clash==1.0 and doubler==1.0 because these package versions have conflicting dependencies."
    "\n\nThe conflict is caused by:\n    The user requested doubler==1.0\n    clash 1.0 depends on doubler==0.9\n\n"
    "To fix this you could try to:\nERROR: ResolutionImpossible: for help visit https://pip\n": (
        "The user requested doubler==1.0; clash 1.0 depends on doubler==0.9"
    ),
    "ERROR: Wheel 'broken' located at /broken-1.0-py3-none-any.whl is invalid.\n": (
        "Wheel 'broken' located at /broken-1.0-py3-none-any.whl is invalid."
    ),
    "something\nelse\n\n": "else",
    "": "the installer said nothing",
}


@pytest.mark.parametrize("log", ABOUT_PYTHON)
def test_a_refusal_that_another_python_may_take_away_is_told_from_others(log: str) -> None:
    assert reason(log) == Reason(ABOUT_PYTHON[log], is_about_python=True)


@pytest.mark.parametrize("log", ABOUT_NETWORK)
def test_what_could_not_be_fetched_is_told_from_what_cannot_be_installed(log: str) -> None:
    assert reason(log) == Reason(ABOUT_NETWORK[log], is_about_network=True)


@pytest.mark.parametrize("log", OTHERS)
def test_any_other_refusal_is_one_telling_line(log: str) -> None:
    assert reason(log) == Reason(OTHERS[log])


def test_a_long_line_is_cut() -> None:
    assert reason("x" * 1000).text == "x" * LONGEST + " ..."


@pytest.mark.parametrize(
    ("log", "is_full"),
    [
        ("cause: No space left on device (os error 28)", True),
        ("OSError: [Errno 28] full", True),
        ("space", False),
    ],
)
def test_a_full_disk_is_recognised(log: str, is_full: bool) -> None:  # noqa: FBT001
    assert is_full_disk(log) is is_full
