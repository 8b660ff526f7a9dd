"""The child process in which a subject runs: one file, standard library only, Python 3.8 and newer.

Started as ``python worker.py FD BYTES``, it speaks JSON lines over the inherited socket FD, which a library
that prints cannot disturb, and limits its address space to BYTES (0: no limit). It answers

=========  ===========================================================================================
``start``  loads the adapter; says which interpreter, versions and modules (path, SHA-256) are in use
``run``    calls one function of the adapter with a batch of inputs; answers one outcome for each
``stop``   says once more which modules are in use, and ends
=========  ===========================================================================================

An adapter is a Python file. ``call: "f"`` uses its ``f_batch(inputs)``, which returns a list with a value for
each input, or else ``f(*input)`` for one input at a time. A value is a float, an int, a text, or a list of
such; what it raises is an outcome too. A batch may return an exception in the place of a value, so that one
input which raises does not have all others run one at a time. That a disk is full, or cannot be written, is
no outcome. An exception class that the adapter defines and names ``Unsupported`` says that the library does
not offer this; one named ``Crashed``, that a process that the adapter had started ended; one named ``Hung``,
that it gave no answer in so many ``seconds``; one named ``Unusable``, that the library cannot be called here
any more, whatever the input.

An adapter of something that is no Python distribution says what is in use: ``platform()`` returns a dict of
texts, its ``version`` among them, and ``proof()`` a list of dicts of texts, ``name``, ``path`` and ``sha256``.
One that saw something end, and could make it good, says so in the end: ``disturbances()`` returns a list of texts.

Floats travel as hexadecimal text, so that no digit is lost.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import hashlib
import importlib.util
import json
import os
import platform
import signal
import socket
import sys
from importlib import metadata
from types import ModuleType
from typing import Any, Callable, Optional, Sequence

DEEPEST = 8
"""Lists nested deeper than this are no value."""

WIDEST = 10000
"""Characters of a text beyond which it is no value."""

LONGEST = 4096
"""Bits of an integer beyond which it is no value."""


def encode(value: Any, depth: int = 0) -> Any:
    """Return a value in wire form."""
    if isinstance(value, bool):
        return {"returned": "bool", "shown": repr(value)}
    if isinstance(value, float):
        return float(value).hex()
    if isinstance(value, int) and value.bit_length() <= LONGEST:
        return int(value)
    if isinstance(value, str) and len(value) <= WIDEST:
        return {"text": str.__str__(value)}  # as it is: JSON can hold what no encoding can
    if isinstance(value, (list, tuple)) and depth < DEEPEST:
        return [encode(part, depth + 1) for part in value]
    if hasattr(value, "tolist") and hasattr(value, "dtype"):  # a numpy scalar or array
        plain = value.tolist()
        return encode(float(value) if type(plain) is type(value) else plain, depth)
    return {"returned": text_of(name_of, type(value)), "shown": text_of(repr, value)[:200]}


NO_OUTCOME = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
"""What keeps a library from writing its compiled code, or anything else, whatever the input."""


class CannotCallError(Exception):
    """The adapter says that it cannot call the library any more: no outcome of any input."""


def encode_error(error: BaseException) -> dict[str, Any]:
    """Return an exception in wire form."""
    name = text_of(name_of, type(error))
    if isinstance(error, OSError) and error.errno in NO_OUTCOME:
        raise CannotCallError("it cannot write: %s" % text_of(str, error)[:300])
    if name == "Unsupported" and type(error).__module__ == ADAPTER:
        return {"unsupported": text_of(str, error)}
    if name == "Unusable" and type(error).__module__ == ADAPTER:
        raise CannotCallError(text_of(str, error))
    if name == "Crashed" and type(error).__module__ == ADAPTER:
        return {"crashed": text_of(str, error)}
    if (
        name == "Hung"
        and type(error).__module__ == ADAPTER
        and isinstance(getattr(error, "seconds", None), (int, float))
    ):
        return {"hung": error.seconds}  # type: ignore[attr-defined]
    return {"raises": name, "message": text_of(str, error)[:2000]}


def name_of(kind: type) -> str:
    """Return the name of a class; a metaclass can make anything of it."""
    return kind.__name__


def text_of(how: Callable[[Any], str], value: Any) -> str:
    """Return text that any encoding can hold, whatever the value makes of the attempt."""
    try:
        return how(value)[:WIDEST].encode("utf-8", "backslashreplace").decode("utf-8")
    except BaseException as error:  # noqa: BLE001 - a library's own __str__ or __repr__
        return "(%s has no text: %s)" % (type(value).__name__, type(error).__name__)


ADAPTER = "rankdiff_adapter"
"""The name under which the adapter's module is known here."""


def load(path: str) -> ModuleType:
    """Import the adapter from its file."""
    spec = importlib.util.spec_from_file_location(ADAPTER, path)
    if spec is None or spec.loader is None:
        raise ImportError("%s is no Python file" % path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[ADAPTER] = module
    spec.loader.exec_module(module)
    return module


def modules(adapter: Optional[ModuleType], packages: list[str]) -> list[dict[str, str]]:
    """Return name, path and SHA-256 of every loaded module of the given import packages, and what the adapter adds."""
    found = [texts(part, ("name", "path", "sha256")) for part in said(adapter, "proof", [])]
    for name, module in sorted(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if name.partition(".")[0] in packages and path and os.path.isfile(path):
            with open(path, "rb") as file:
                digest = hashlib.sha256(file.read()).hexdigest()
            found.append({"name": name, "path": path, "sha256": digest})
    return found


def said(adapter: Optional[ModuleType], name: str, otherwise: Any) -> Any:
    """Return what an adapter says of itself, if it has a function for it: ``platform`` may be a module."""
    says = getattr(adapter, name, None)
    return says() if callable(says) else otherwise


def texts(found: Any, names: Optional[Sequence[str]] = None) -> dict[str, str]:
    """Return a dict of texts, if it is one and has these names."""
    if not isinstance(found, dict) or not all(isinstance(part, str) for pair in found.items() for part in pair):
        raise TypeError("the adapter should describe itself in a dict of texts, not %s" % text_of(repr, found)[:200])
    if names is not None and set(found) != set(names):
        raise TypeError("the adapter's proof should name %s, not %s" % (", ".join(names), ", ".join(found)))
    return {text_of(str, name): text_of(str, value) for name, value in found.items()}


def version(distribution: str) -> Optional[str]:
    """Return the installed version of a distribution, or None."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def start(request: dict[str, Any]) -> tuple[Optional[ModuleType], dict[str, Any]]:
    """Load the adapter and say what is in use; on failure say why."""
    try:
        adapter = load(request["adapter"])
        described = texts(said(adapter, "platform", {}))
        loaded = modules(adapter, request["packages"])
    except BaseException as error:  # noqa: BLE001 - whatever an import does, the parent has to be told
        return None, {"failed": failure(error)}
    return adapter, {
        "python": platform.python_version(),
        "version": described.pop("version", None) or version(request["distribution"]),
        "platform": described,
        "modules": loaded,
    }


def told(adapter: Optional[ModuleType]) -> list[str]:
    """Return what the adapter says went wrong on the way, and was made good."""
    tell = getattr(adapter, "disturbances", None)
    return [text_of(str, each) for each in tell()] if callable(tell) else []


def last_words(adapter: Optional[ModuleType], packages: list[str]) -> dict[str, Any]:
    """Say which modules came to be used; on failure say why."""
    try:
        return {"modules": modules(adapter, packages), "disturbances": told(adapter)}
    except BaseException as error:  # noqa: BLE001 - the parent has to be told
        return {"failed": failure(error)}


def failure(error: BaseException) -> str:
    """Return an exception in a line or more."""
    return "%s: %s" % (text_of(name_of, type(error)), text_of(str, error)[:2000])


def run(adapter: Optional[ModuleType], call: str, inputs: list[Any]) -> list[Any]:
    """Return one outcome for each input."""
    batch = getattr(adapter, call + "_batch", None)
    if batch is None:
        single = getattr(adapter, call)
        return [outcome(single, *x) for x in inputs]
    if len(inputs) > 1:
        try:
            values = batch(inputs)
            if len(values) == len(inputs):
                return [encode_error(v) if isinstance(v, BaseException) else encode(v) for v in values]
        except BaseException:  # noqa: BLE001, S110 - below, each input shows what it does by itself
            pass
    return [outcome(one_of, batch, x) for x in inputs]


def one_of(batch: Callable[[list[Any]], list[Any]], x: Any) -> Any:
    """Return the one value of a batch of one."""
    values = batch([x])
    if len(values) != 1:
        raise ValueError("the adapter returned %d values for 1 input" % len(values))
    if isinstance(values[0], BaseException):
        raise values[0]
    return values[0]


def outcome(call: Callable[..., Any], *arguments: Any) -> Any:
    """Return what a call does, in wire form."""
    try:
        return encode(call(*arguments))
    except BaseException as error:  # noqa: BLE001 - whatever a library raises is the outcome
        return encode_error(error)


def end_with_parent() -> None:
    """Have the kernel end this process when the parent is gone, however it went; on Linux."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def limit_memory(size: int) -> None:
    """Limit the address space, where the platform can."""
    if size:
        try:
            import resource  # noqa: PLC0415 - not on every platform
        except ImportError:
            return
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        lower = size if most == resource.RLIM_INFINITY else min(size, most)
        resource.setrlimit(resource.RLIMIT_AS, (lower, most if lower == most else lower))


def serve(channel: socket.socket) -> None:
    """Answer requests until told to stop, or until the parent is gone."""
    process = os.getpid()
    adapter: Optional[ModuleType] = None
    packages: list[str] = []
    answer: dict[str, Any]
    reader = channel.makefile("r", encoding="utf-8")
    writer = channel.makefile("w", encoding="utf-8")
    for line in reader:
        request = json.loads(line)
        if request["do"] == "start":
            packages = request["packages"]
            adapter, answer = start(request)
        elif request["do"] == "run":
            call = request["call"]
            if hasattr(adapter, call) or hasattr(adapter, call + "_batch"):
                try:
                    answer = {"outcomes": run(adapter, call, request["inputs"])}
                except CannotCallError as error:
                    answer = {"broken": str(error)}
            else:
                answer = {"broken": "the adapter has no function %s" % call}
        else:
            answer = last_words(adapter, packages)
        if os.getpid() != process:
            os._exit(70)  # a child that the library forked, and that came back here: it has no say
        writer.write(json.dumps(answer, separators=(",", ":")) + "\n")
        writer.flush()
        if request["do"] == "stop":
            return


if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    end_with_parent()
    limit_memory(int(sys.argv[2]))
    serve(socket.socket(fileno=int(sys.argv[1])))
