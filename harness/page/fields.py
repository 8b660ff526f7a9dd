"""The fields of a JSON object, each read as what it should be, or refused with its place."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from harness.errors import BrokenResultsError
from harness.jsontypes import Json
from harness.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Fields:
    """A JSON object.

    What is not there, or is something else, raises BrokenResultsError.

    Attributes
    ----------
    place
        Where it stands: a file, and the way to it from there.
    value_of
        Its values.
    """

    place: str
    value_of: Mapping[str, Json]

    @classmethod
    def of(cls, value: Json, place: str) -> "Fields":
        """Return a value as the object that it should be."""
        if not isinstance(value, Mapping):
            raise BrokenResultsError(f"{place}: expected a JSON object, found {_short(value)}")
        return cls(place, value)

    def fail(self, key: str, expected: str, found: Json) -> NoReturn:
        """Say what is wrong with a field."""
        raise BrokenResultsError(f"{self.place}.{key}: expected {expected}, found {_short(found)}")

    def value(self, key: str) -> Json:
        """Return a field, whatever it holds."""
        if key not in self.value_of:
            raise BrokenResultsError(f"{self.place}: expected a key {key!r}, found {_short(sorted(self.value_of))}")
        return self.value_of[key]

    def text(self, key: str) -> str:
        """Return a text."""
        value = self.value(key)
        return value if isinstance(value, str) else self.fail(key, "a text", value)

    def text_or_none(self, key: str) -> str | None:
        """Return a text, or none for null."""
        return None if self.value(key) is None else self.text(key)

    def texts(self, key: str) -> Iterator[str]:
        """Yield a list of texts."""
        for one in self._list(key):
            yield one if isinstance(one, str) else self.fail(key, "a list of texts", one)

    def flag(self, key: str) -> bool:
        """Return true or false."""
        value = self.value(key)
        return value if isinstance(value, bool) else self.fail(key, "true or false", value)

    def flag_or_none(self, key: str) -> bool | None:
        """Return true or false, or none for null."""
        return None if self.value(key) is None else self.flag(key)

    def count(self, key: str) -> int:
        """Return a number of things."""
        value = self.value(key)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            self.fail(key, "a number of things", value)
        return value

    def counts(self, key: str) -> Mapping[str, int]:
        """Return numbers of things, by name."""
        inner = self.object(key)
        return {name: inner.count(name) for name in inner.value_of}

    def verdict(self, key: str) -> Verdict:
        """Return a verdict."""
        try:
            return Verdict(self.text(key))
        except ValueError:
            return self.fail(key, f"one of {', '.join(Verdict)}", self.text(key))

    def verdicts(self, key: str) -> Mapping[Verdict, int]:
        """Return numbers of things, by verdict; those that did not occur are left out."""
        inner = self.object(key)
        for name in inner.value_of:
            if name not in set(Verdict):
                inner.fail(name, f"only {', '.join(Verdict)}", name)
        return {Verdict(name): n for name in inner.value_of if (n := inner.count(name))}

    def parameters(self, key: str) -> Mapping[str, str | int]:
        """Return the parameters of a domain."""
        inner = self.object(key)
        return {
            name: value if isinstance(value, str | int) else inner.fail(name, "a text or an integer", value)
            for name, value in inner.value_of.items()
        }

    def object(self, key: str) -> "Fields":
        """Return an object."""
        return Fields.of(self.value(key), f"{self.place}.{key}")

    def objects(self, key: str) -> Iterator["Fields"]:
        """Yield a list of objects."""
        for k, one in enumerate(self._list(key)):
            yield Fields.of(one, f"{self.place}.{key}[{k}]")

    def _list(self, key: str) -> Sequence[Json]:
        value = self.value(key)
        return value if isinstance(value, list) else self.fail(key, "a list", value)


def _short(value: Json) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else f"{text[:80]} ..."
