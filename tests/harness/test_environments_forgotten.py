"""What a release forgot to name is installed beside it, wherever an environment for that release is made."""

import json
from pathlib import Path

import pytest

import environments
from harness import script
from harness.case import Script
from harness.environments import environment, interpreters, making
from harness.environments.environment import Wanted
from harness.environments.recipe import forgotten
from harness.installation import CHECKOUT, Installation, Unreleased
from harness.subject import Subject

FORGOTTEN = (("doubler>=0.3,<0.3.2", "helper"), ("doubler==0.3.2", "other>1"), ("treble", "nothing"))


@pytest.mark.parametrize(
    ("spec", "beside"),
    [
        ("doubler==0.2", ()),
        ("doubler==0.3", ("helper",)),
        ("Doubler[fast] == 0.3.1", ("helper",)),
        ("doubler==0.3.1rc1", ("helper",)),
        ("doubler===0.3.2", ("other>1",)),
        ("doubler==0.3.3", ()),
        ("doubler<0.3.2", ()),
        ("doubler", ()),
        ("doubler @ git+https://example.org/doubler@v0.3", ()),
        ("https://example.org/doubler-0.3-py3-none-any.whl", ()),
    ],
)
def test_what_was_forgotten_is_known_of_a_release_that_is_named_by_its_version(
    spec: str, beside: tuple[str, ...]
) -> None:
    assert forgotten(spec, environments.library(forgotten=FORGOTTEN)) == beside


def test_the_environment_is_another_one_than_without_it_and_no_other_release_gets_another() -> None:
    plain, knowing = environments.library(), environments.library(forgotten=FORGOTTEN)
    ours = interpreters.ours()

    def key(spec: str, *extras: str, knows: bool) -> str:
        return environment.key(Wanted(spec, extras=extras), knowing if knows else plain, ours)

    assert key("doubler==0.3", knows=True) == key("doubler==0.3", "helper", knows=False)
    assert key("doubler==0.3", "helper", knows=True) == key("doubler==0.3", knows=True)
    assert key("doubler==0.3", knows=True) != key("doubler==0.3", knows=False)
    assert key("doubler==0.4", knows=True) == key("doubler==0.4", knows=False)


def test_it_is_installed_beside_the_release_and_the_manifest_says_so(wheels: Path, own_cache: Path) -> None:
    environments.wheel(wheels, version="0.3.1")
    environments.wheel(wheels, "helper")
    environments.obtained("doubler==0.3.1", of=environments.library(forgotten=FORGOTTEN))
    [manifest] = own_cache.glob(f"environments/*/{making.MANIFEST}")
    assert json.loads(manifest.read_text())["beside"] == ["helper"]
    assert list(manifest.parent.glob("lib/python*/site-packages/helper/__init__.py"))


@pytest.mark.parametrize(
    ("unreleased", "named"),
    [
        (None, ("doubler==0.3.1", "helper")),
        (Unreleased(CHECKOUT), ()),
        (Unreleased("git repository", requirement="doubler @ git+https://e.org/d"), ("doubler @ git+https://e.org/d",)),
    ],
)
def test_the_header_of_a_script_names_it_too(unreleased: Unreleased | None, named: tuple[str, ...]) -> None:
    library = environments.library(forgotten=FORGOTTEN)
    subject = Subject(library, library.modes[0], Installation("0.3.1", unreleased=unreleased))
    assert script.dependencies(Script("", "", "1", ""), subject) == named
