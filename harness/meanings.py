"""What the fields of an input mean: the docstring of its class says so, under ``Attributes``, as numpy has it."""

import inspect
import re
from typing import NamedTuple

SECTION = re.compile(r"^Attributes\n-+\n(.*?)(?=^\S[^\n]*\n-+$|\Z)", re.DOTALL | re.MULTILINE)


def meanings(of: type[NamedTuple]) -> dict[str, str]:
    """Return what each field means, in the order of the fields; of one that is not described, nothing."""
    section = SECTION.search(inspect.cleandoc(of.__doc__ or ""))
    found: dict[str, str] = {}
    names: list[str] = []
    for line in section[1].splitlines() if section else ():
        if line and not line[0].isspace():
            names = re.split(r",\s*", line.partition(":")[0].strip())
        elif line.strip():
            for name in names:
                found[name] = f"{found.get(name, '')} {line.strip()}".lstrip().replace("``", "")
    return {name: found[name] for name in of._fields if name in found}
