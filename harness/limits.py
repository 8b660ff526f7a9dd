"""How long, and how much, a worker may take."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds, and bytes of address space.

    A library may compile on its first call, and again for another form of input, for a minute or more on a busy
    machine: a limit has to tell that from a hang. When a worker had to be replaced, most compiled code is in
    the cache and ``first_call_again`` is enough.
    """

    start: float = 300
    first_call: float = 600
    first_call_again: float = 180
    batch: float = 180
    input: float = 120
    memory: int = 16 * 2**30
    deaths: int = 5
    """After so many inputs that ended or hung their worker, the rest of a domain is left out."""


DEFAULT = Limits()
