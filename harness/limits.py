"""How long, and how much, a worker may take."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds, and bytes of address space.

    A library may compile on its first call, so that one has a limit of its own; when a worker had to be
    replaced, compiled code is in the cache and ``first_call_again`` is enough.
    """

    start: float = 300
    first_call: float = 600
    first_call_again: float = 120
    batch: float = 60
    input: float = 30
    memory: int = 16 * 2**30
    deaths: int = 5
    """After so many inputs that ended or hung their worker, the rest of a domain is left out."""


DEFAULT = Limits()
