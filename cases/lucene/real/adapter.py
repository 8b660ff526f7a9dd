"""How to call the real quality classes of Lucene: by a JVM of its own, one request a line.

The JVM runs ``Probe.java`` (or ``EndToEnd.java``), which lies beside this file and is compiled once for each jar.
There is one JVM for assertions on (``-ea``) and one for off, each started when it is first needed. What Java throws
is raised as an exception of the same simple name. A JVM that does not load every class of a shadow from it is refused.
Run by itself, this file compiles the shadow and prints where its classes are, or ends with status 1 and the reason.

The environment says what is called:

==============================  ===================================================================================
``RANKDIFF_LUCENE_JAVA``        the java binary
``RANKDIFF_LUCENE_JAVAC``       the javac binary; else the one beside java
``RANKDIFF_LUCENE_CLASSPATH``   the benchmark jar, and with it, for the calls end to end, those of core, analyzers and
                                queryparser; what comes first answers
``RANKDIFF_LUCENE_SHADOW``      a folder of Java sources that are compiled and put before all of that, if set
``RANKDIFF_LUCENE_CLASSES``     a folder in which compiled classes are kept
==============================  ===================================================================================
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import hashlib
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import zipfile
from pathlib import Path
from typing import IO, Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

HERE = Path(__file__).resolve().parent

ENVIRONMENT = dict(os.environ)
"""As it was when this file was loaded."""

MEMORY = ["-Xmx512m", "-XX:+UseSerialGC", "-XX:CompressedClassSpaceSize=64m", "-XX:ReservedCodeCacheSize=64m"]
"""Limits that keep a JVM's address space small."""

OPTIONS = [
    "-Duser.language=en",  # Lucene 3.6 cannot log in the locale of some users
    "-Duser.country=US",  # nor in some English ones
    "-Dfile.encoding=UTF-8",  # Lucene 3.6 reads files in the platform's encoding
    "-XX:+DisplayVMOutputToStderr",  # standard output is for answers
    "-XX:-UsePerfData",
    "-XX:+SuppressFatalErrorMessage",  # a JVM that crashes would print its report among the answers
]

STEERING = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "JDK_JAVAC_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH")
"""Variables by which a user's environment would change what Java does."""

END_TO_END = {
    "core": ("org/apache/lucene/index/IndexWriter.class",),
    "analyzers": ("org/apache/lucene/analysis/standard/StandardAnalyzer.class",),
    "queryparser": (
        "org/apache/lucene/queryparser/classic/QueryParser.class",
        "org/apache/lucene/queryParser/QueryParser.class",
    ),
}
"""A class (or its older name) of each jar that the calls end to end need beside the benchmark jar."""

JUDGE = "org/apache/lucene/benchmark/quality/trec/TrecJudge.class"

SHADOW = "shadow"
"""How the compiled sources of a shadow are called."""

PATIENCE = 120
"""Seconds that a compiler may take."""

LAST_WORDS = 4096
"""Bytes at the end of what a JVM said on standard error that are looked at when it has ended."""

LONGEST = 1 << 26
"""Bytes of an answer."""

AT_ONCE = 4096
"""Bytes that any empty pipe takes: no thread is needed to write them."""


class Unsupported(Exception):  # noqa: N818 - the worker knows it by this name
    """What was asked for is not offered by the jar, as it was given."""


class Crashed(Exception):  # noqa: N818 - so this one
    """The JVM ended while an input was with it."""


class GarbledError(Exception):
    """The JVM said something that is no answer to the request."""


class Unusable(Exception):  # noqa: N818 - and so this one
    """Java cannot be called as the environment says."""


# --- lines -----------------------------------------------------------------------------------------------------

NOT_PLAIN = re.compile(r"[^ -$&-~]")


def escape(text: str) -> str:
    return NOT_PLAIN.sub(lambda found: "".join("%%%02X" % byte for byte in found[0].encode()), text)


def unescape(field: str) -> str:
    if "%" not in field:
        return field
    return re.sub("(?:%[0-9A-F]{2})+", lambda found: bytes.fromhex(found[0].replace("%", "")).decode(), field)


def joined(fields: Sequence[str]) -> str:
    line = "\t".join(fields)
    if line.count("\t") == len(fields) - 1 and not NOT_PLAIN.search(line.replace("\t", "")):
        return line
    return "\t".join(map(escape, fields))


def hexadecimal(value: float) -> str:
    text = float(value).hex()
    return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(text, text)


def integer(value: int) -> str:
    if not -(2**31) <= value < 2**31:
        raise Unsupported("an int of Java was expected, of 32 bits, not %d" % value)
    return str(value)


def bits(relevant: Iterable[int]) -> str:
    return "".join("1" if each else "0" for each in relevant)


def raised(fields: Sequence[str]) -> Exception:
    """Return what Java threw as an exception of that name; AssertionError is Python's own."""
    name, *message = fields
    kind = AssertionError if name == "AssertionError" else type(name, (Exception,), {})
    error: Exception = kind(*message or [""])
    return error


# --- what is called --------------------------------------------------------------------------------------------


def setting(name: str) -> str:
    value = ENVIRONMENT.get(name)
    if not value:
        raise Unusable("%s was expected in the environment, and is not set there" % name)
    return value


def javac() -> Path:
    """Return the compiler that was named, or the one beside java."""
    java = Path(shutil.which(setting("RANKDIFF_LUCENE_JAVA")) or setting("RANKDIFF_LUCENE_JAVA"))
    found = Path(ENVIRONMENT.get("RANKDIFF_LUCENE_JAVAC") or java.resolve().with_name("javac"))
    if not found.is_file():
        raise Unusable("javac was expected at %s, and is not there; a JDK has it, a JRE has not" % found)
    return found


def jars() -> List[Path]:
    found = [Path(part) for part in setting("RANKDIFF_LUCENE_CLASSPATH").split(os.pathsep) if part]
    for path in found:
        if not path.exists():
            raise Unusable("a jar was expected at %s, and nothing is there" % path)
    return found


def sha256(path: Path) -> str:
    """Return the hash of a file, or of the names and hashes of a folder's files."""
    if not path.is_dir():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    digest = hashlib.sha256()
    for file in files(path):
        digest.update(("%s %s\n" % (file.relative_to(path).as_posix(), sha256(file))).encode())
    return digest.hexdigest()


def files(folder: Path, suffix: str = "") -> List[Path]:
    """Return the files in a folder, at any depth."""
    return sorted(path for path in folder.rglob("*" + suffix) if path.is_file())


def compiled(sources: Sequence[Path], language: int = 8) -> Path:
    """Return the folder of the classes of some sources, which are compiled against the jars if they are not yet."""
    compiler = javac()
    how = ["--release", str(language), "-proc:none", "-Xlint:-options", "-Xmaxerrs", "3", "-encoding", "UTF-8"]
    key = hashlib.sha256(" ".join(how).encode())
    for path in [*sources, *jars()]:
        key.update(sha256(path).encode())
    key.update(("%s %d" % (compiler.resolve(), compiler.stat().st_mtime_ns)).encode())
    kept = Path(setting("RANKDIFF_LUCENE_CLASSES"))
    folder = kept / key.hexdigest()[:32]
    if folder.is_dir():
        return folder
    kept.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=kept))
    try:
        where = ["-cp", os.pathsep.join(map(str, jars())), "-d", str(fresh)]
        done = subprocess.run(
            [str(compiler), *["-J" + limit for limit in MEMORY], *how, *where, *map(str, sources)],
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            preexec_fn=before_java,
            env=environment(),
            timeout=PATIENCE,
        )
        if done.returncode:
            raise refused(done.stdout.decode(errors="replace"), str(compiler))
        with contextlib.suppress(OSError):  # another process was faster: its classes are the same
            fresh.rename(folder)
    except subprocess.TimeoutExpired:
        raise Unusable("%s gave no answer within %d s" % (compiler, PATIENCE)) from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return folder


def refused(said: str, what: str) -> Unusable:
    """Return what a compiler or a JVM that refuses a class means: often that the class is newer than it."""
    found = re.search(r"(?:wrong version|class file version) (\d+)", said)
    if found:
        return Unusable(
            "the jar needs Java %d or newer, and %s is older; name a newer one by RANKDIFF_JAVA"
            % (int(found[1]) - 44, what)
        )
    return Unusable("%s refused: %s" % (what, " ".join(said.split())[:1000]))


def environment() -> Dict[str, str]:
    return {name: value for name, value in ENVIRONMENT.items() if name not in STEERING}


def classpath(*programs: str) -> List[Tuple[str, Path]]:
    """Return name and path of each entry of the class path for some of our programs: shadow, programs, jars."""
    entries = [(path.name, path) for path in jars()]
    entries.insert(0, ("-".join(programs), compiled([HERE / (name + ".java") for name in programs])))
    before = shadow()
    return [(SHADOW, before), *entries] if before else entries


def shadow() -> Optional[Path]:
    """Return the folder of the classes that come before all else, if there are any."""
    named = ENVIRONMENT.get("RANKDIFF_LUCENE_SHADOW")
    if not named:
        return None
    sources = files(Path(named), ".java")
    if not sources:
        raise Unusable("a folder of Java sources was expected at %s, and there are none" % named)
    return compiled(sources, language_of_jar())


def language_of_jar() -> int:
    """Return which Java the classes of the benchmark jar are written in, by their format (JVM specification, 4.1)."""
    with zipfile.ZipFile(jars()[0]) as jar:
        head = jar.read(JUDGE)[:8]
    return max(8, int.from_bytes(head[6:8], "big") - 44)


def shadowed() -> List[str]:
    """Return the names of the classes in the shadow."""
    before = shadow()
    inside = [] if before is None else [path.relative_to(before) for path in files(before, ".class")]
    return [".".join(path.with_suffix("").parts) for path in inside]


def require_shadow(origins: Dict[str, str]) -> None:
    """Raise Unusable unless these classes were loaded from the shadow; each has the path that it was loaded from."""
    before = shadow()
    for name, path in origins.items():
        if before is None or Path(path).resolve() != before.resolve():
            raise Unusable(
                "%s was expected from the shadow in %s, and was loaded from %s: the shadow was not picked up"
                % (name, before, path or "nowhere")
            )


def require_end_to_end() -> None:
    """Raise Unsupported unless the jars that the calls end to end need are on the class path."""
    present = set()
    for path in filter(Path.is_file, jars()):
        with zipfile.ZipFile(path) as jar:
            present.update(jar.namelist())
    absent = [part for part, names in END_TO_END.items() if not present.intersection(names)]
    if absent:
        raise Unsupported(
            "end to end needs the jars of core, analyzers and queryparser; no %s here" % ", ".join(absent)
        )


# --- the JVM ---------------------------------------------------------------------------------------------------


def before_java() -> None:
    """Have the kernel end this process when the parent is gone, on Linux; elsewhere it ends with its input."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(AttributeError):
        LIBC.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


LIBC = ctypes.CDLL(None)


class Jvm:
    """A running JVM with one of our programs."""

    def __init__(self, program: str, assertions: bool) -> None:
        programs = ["Probe"] if program == "Probe" else ["Probe", program]
        path = os.pathsep.join([str(entry) for _, entry in classpath(*programs)])
        switch = "-ea" if assertions else "-da"
        self.version: List[str] = []
        self.asked = 0
        self.said = tempfile.TemporaryFile()  # noqa: SIM115 - closed in end()
        self.process = subprocess.Popen(
            [setting("RANKDIFF_LUCENE_JAVA"), switch, *MEMORY, *OPTIONS, "-cp", path, program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.said,
            env=environment(),
            preexec_fn=before_java,
        )
        self.requests: IO[bytes] = self.process.stdin  # type: ignore[assignment]
        self.answers: IO[bytes] = self.process.stdout  # type: ignore[assignment]

    def ask(self, requests: Sequence[str]) -> List[List[str]]:
        """Return the fields of one answer for each request: R and a result, or X and what was thrown."""
        first = self.asked
        self.asked += len(requests)
        lines = "".join(["%d\t%s\n" % (first + i, request) for i, request in enumerate(requests)]).encode("ascii")
        if len(lines) <= AT_ONCE:
            self.write(lines)
            return [self.answer(number) for number in range(first, self.asked)]
        writer = threading.Thread(target=self.write, args=(lines,), daemon=True)
        writer.start()
        try:
            return [self.answer(number) for number in range(first, self.asked)]
        except BaseException:
            self.process.kill()  # so that the writer ends
            raise
        finally:
            writer.join()

    def write(self, lines: bytes) -> None:
        with contextlib.suppress(OSError):  # it has ended: that is seen where its answer is read
            self.requests.write(lines)
            self.requests.flush()

    def answer(self, number: int) -> List[str]:
        line = self.answers.readline(LONGEST)
        if not line.endswith(b"\n"):
            raise Crashed(self.how_it_ended())
        try:
            at, kind, *fields = map(unescape, line[:-1].decode("ascii").split("\t"))
        except ValueError:
            raise GarbledError("an answer was expected, not %r" % line[:200]) from None
        if at != str(number) or kind not in ("R", "X") or (kind == "X" and not fields):
            raise GarbledError("an answer to request %d was expected, not %r" % (number, line[:200]))
        return [kind, *fields]

    def how_it_ended(self) -> str:
        try:
            status = self.process.wait(10)
        except subprocess.TimeoutExpired:
            return "the JVM closed its output"
        self.said.seek(max(0, self.said.seek(0, os.SEEK_END) - LAST_WORDS))
        words = [line for line in self.said.read().decode(errors="replace").splitlines() if line.strip(" #")]
        return "the JVM ended with %s%s" % (ending(status), "; its last words: " + words[-1][:300] if words else "")

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for file in (self.requests, self.answers, self.said):
            with contextlib.suppress(OSError):
                file.close()


def ending(status: int) -> str:
    if status >= 0:
        return "exit %d" % status
    try:
        return "signal %s" % signal.Signals(-status).name
    except ValueError:  # a real-time signal has a number only
        return "signal %d" % -status


running: Dict[Tuple[str, bool], Jvm] = {}

lost: List[str] = []
"""How JVMs ended, or gave no answer that is one."""

in_batches: List[str] = []
"""Those of them with many requests, until one that is to blame is found."""

unexplained: List[str] = []
"""Those of them with a single request, to which a new JVM had an answer."""

MOST_LOST = 10
"""After so many this process ends itself: a JVM that ends again and again would be started for each input."""


def ask(requests: Sequence[str], assertions: bool, program: str = "Probe", *, again: bool = False) -> List[Any]:
    """Return for each request the fields of its result, or what Java threw.

    A single request with which a JVM ends is given to a new one, once: what does not repeat was not its doing.
    """
    key = program, bool(assertions)
    if key not in running:
        running[key] = started(*key)
    try:
        answers = running[key].ask(requests)
    except (Crashed, GarbledError) as error:
        running.pop(key).end()  # the next input gets a new one
        lost.append(str(error))
        if len(lost) > MOST_LOST:
            end()
            os._exit(70)  # whoever runs us counts this, and gives up in the end
        if len(requests) > 1:
            in_batches.append(str(error))  # its inputs come again, one at a time
            raise
        if again and isinstance(error, GarbledError):
            raise Unusable("%s; is this the Java that was meant?" % error) from error
        if again:
            del in_batches[:]  # here is the input that ends it
            raise
        answers_again = ask(requests, assertions, program, again=True)
        unexplained.append(str(error))
        return answers_again
    return [raised(fields) if kind == "X" else fields for kind, *fields in answers]


def started(program: str, assertions: bool, *, again: bool = False) -> Jvm:
    """Start a JVM, and see that it runs; one that ends at once is started once more."""
    if program == "EndToEnd":
        require_end_to_end()
    names = shadowed()
    jvm = Jvm(program, assertions)
    try:
        [(kind, *fields)] = jvm.ask([joined(["V", *names])])
    except (Crashed, GarbledError) as error:
        jvm.end()
        if isinstance(error, Crashed) and not again:
            return started(program, assertions, again=True)
        raise refused(str(error), setting("RANKDIFF_LUCENE_JAVA")) from error
    if kind == "X":
        jvm.end()
        raise refused(": ".join(fields), setting("RANKDIFF_LUCENE_JAVA"))
    if len(fields) != VERSION_FIELDS + len(names):
        jvm.end()
        raise refused(
            "%d fields were expected of it, not %r" % (VERSION_FIELDS + len(names), fields),
            setting("RANKDIFF_LUCENE_JAVA"),
        )
    try:
        require_shadow(dict(zip(names, fields[VERSION_FIELDS:])))
    except Unusable:
        jvm.end()
        raise
    jvm.version = fields[:VERSION_FIELDS]
    return jvm


VERSION_FIELDS = 8


@atexit.register
def end() -> None:
    """End every JVM."""
    while running:
        running.popitem()[1].end()


# --- what answers ----------------------------------------------------------------------------------------------


def proof() -> List[Dict[str, str]]:
    """Return name, path and SHA-256 of everything on the class path: shadow, probe, jars."""
    return [{"name": name, "path": str(path), "sha256": sha256(path)} for name, path in classpath("Probe")]


def disturbances() -> List[str]:
    """Return what ended a JVM though it was no input's doing."""
    return ["%s, with inputs to which a new one has an answer" % each for each in [*unexplained, *in_batches]]


def platform() -> Dict[str, str]:
    """Return which release answers, from which jar, on which Java, and where the judge and the statistics come from."""
    said = {}
    for assertions in (True, False):
        if ("Probe", assertions) not in running:
            running["Probe", assertions] = started("Probe", assertions)
        said[assertions] = running["Probe", assertions].version
    judge, _, _, stats, implementation, specification, java, _ = said[True]
    jar = jars()[0]
    return {
        "version": release(specification, implementation, jar.stem),
        "jar": str(jar),
        "sha256": sha256(jar),
        "implementation": implementation,
        "java": java,
        "assertions": "on and off" if [said[True][-1], said[False][-1]] == ["1", "0"] else "not as they were asked for",
        "TrecJudge": origin(judge),
        "QualityStats": origin(stats),
    }


def origin(path: str) -> str:
    """Return the name of the jar that a class comes from."""
    return next((jar.name for jar in jars() if jar.resolve() == Path(path).resolve()), SHADOW)


def release(specification: str, implementation: str, name: str) -> str:
    """Return the release by the manifest, or else by the name of the jar."""
    found = [re.search(r"\d+(?:\.\d+)+", text) for text in (specification, implementation, name)]
    return next((each[0] for each in found if each), "unknown")


# --- the calls -------------------------------------------------------------------------------------------------

Ranking = Tuple[float, List[int]]
"""The number of relevant documents that are known, and for each retrieved one whether it is relevant."""


def each(
    inputs: Sequence[Any],
    request: Callable[..., Sequence[str]],
    result: Callable[[List[str]], Any],
    program: str = "Probe",
) -> List[Any]:
    """Return what Java answers to each input, whose last part says whether assertions are on; or what it threw."""
    values: List[Any] = [None] * len(inputs)
    for assertions in (False, True):
        members = [i for i, x in enumerate(inputs) if bool(x[-1]) is assertions]
        requests = [joined(request(*inputs[i][:-1])) for i in members]
        for i, fields in zip(members, ask(requests, assertions, program) if requests else ()):
            values[i] = fields if isinstance(fields, Exception) else result(fields)
    return values


def switched(inputs: Sequence[Sequence[Any]], assertions: bool) -> List[Tuple[Any, ...]]:
    """Return inputs that say nothing of assertions with that added."""
    return [(*x, assertions) for x in inputs]


def flags(text: str) -> List[int]:
    return [int(each) for each in text]


def statistics(fields: List[str]) -> List[Any]:
    """Return points, good points, most good points, average precision, MRR, recall, [P@1, ..., P@20]."""
    numbers = [float.fromhex(field) for field in fields]
    return [*numbers[:6], numbers[6:]]


def ranked(rankings: Sequence[Ranking]) -> List[str]:
    return [field for most, relevant in rankings for field in (hexadecimal(most), bits(relevant))]


def judge_batch(inputs: List[Tuple[str, List[Tuple[str, List[str]]], bool]]) -> List[Any]:
    """Return, for each query, maxRecall and isRelevant of each document."""

    def request(qrels: str, queries: List[Tuple[str, List[str]]]) -> List[str]:
        return ["J", qrels, *[field for query, names in queries for field in (query, str(len(names)), *names)]]

    def result(fields: List[str]) -> List[Any]:
        return [[int(fields[i]), flags(fields[i + 1])] for i in range(0, len(fields), 2)]

    return each(inputs, request, result)


def judge_tokens_batch(inputs: List[Tuple[List[str]]]) -> List[Any]:
    """Return maxRecall and isRelevant of each document, where its grade is one of the tokens."""
    requests = [joined(["T", *tokens]) for [tokens] in inputs]
    answers = ask(requests, assertions=True)
    return [a if isinstance(a, Exception) else [int(a[0]), *map(int, a[1])] for a in answers]


def validate_batch(inputs: List[Tuple[str, List[str], bool]]) -> List[Any]:
    """Return what validateData returns and prints, with the judgements that match no query sorted."""

    def result(fields: List[str]) -> List[Any]:
        return [int(fields[0]), with_sorted_ids(fields[1])]

    return each(inputs, lambda qrels, queries: ["W", qrels, *queries], result)


def with_sorted_ids(text: str) -> str:
    """Return the text with the last list of ids sorted: it comes in the order of a hash table."""
    *before, unmatched = UNMATCHED.split(text)
    return "".join([*before, *sorted(re.findall(r".*\n", unmatched))]) if before else text


UNMATCHED = re.compile(r"(?m)(^WARNING: [0-9]+ judgments match no query! - \n)")


def stats_batch(inputs: List[Ranking]) -> List[Any]:
    """Return the statistics of each ranking."""
    return each(switched(inputs, assertions=True), lambda *x: ["S", *ranked([x])], statistics)


def average_batch(inputs: List[Tuple[List[Ranking], bool]]) -> List[Any]:
    """Return the statistics of the average of some rankings."""
    return each(inputs, lambda queries: ["A", *ranked(queries)], statistics)


def mean_precisions_batch(inputs: List[Tuple[List[Ranking], int, bool]]) -> List[Any]:
    """Return P@1 to P@up_to of the average of some rankings."""

    def request(queries: List[Ranking], up_to: int) -> List[str]:
        return ["M", integer(up_to), *ranked(queries)]

    return each(inputs, request, lambda fields: [float.fromhex(field) for field in fields])


def log_batch(inputs: List[Tuple[List[Ranking], str, int, str, bool]]) -> List[Any]:
    """Return the log of one ranking, or of the average of several."""

    def request(queries: List[Ranking], title: str, padding: int, prefix: str) -> List[str]:
        return ["L", title, integer(padding), prefix, *ranked(queries)]

    return each(inputs, request, "".join)


def add_result_batch(inputs: List[Tuple[float, List[Tuple[int, int]]]]) -> List[Any]:
    """Return the statistics after results have been added at the given ranks."""

    def request(most: float, results: List[Tuple[int, int]]) -> List[str]:
        return ["N", hexadecimal(most), *[field for n, good in results for field in (integer(n), bits([good]))]]

    return each(switched(inputs, assertions=True), request, statistics)


def precision_at_batch(inputs: List[Tuple[float, List[int], int]]) -> List[Any]:
    """Return P@n of a ranking."""

    def request(most: float, relevant: List[int], n: int) -> List[str]:
        return ["P", *ranked([(most, relevant)]), integer(n)]

    return each(switched(inputs, assertions=True), request, lambda fields: float.fromhex(fields[0]))


def scored_batch(inputs: List[Tuple[str, str, List[str], bool]]) -> List[Any]:
    """Return the statistics of a ranking as the judge judges it."""
    return each(inputs, lambda qrels, query, ranking: ["D", qrels, query, *ranking], statistics)


# End to end there is one query, q. Assertions are off there, as they are for who runs Lucene.


def end_to_end(command: str, inputs: List[Tuple[str, List[str]]], result: Callable[[List[str]], Any]) -> List[Any]:
    without = switched(inputs, assertions=False)
    return each(without, lambda qrels, documents: [command, qrels, *documents], result, "EndToEnd")


def benchmark_batch(inputs: List[Tuple[str, List[str]]]) -> List[Any]:
    """Return the statistics that QualityBenchmark computes."""
    return end_to_end("B", inputs, statistics)


def benchmark_log_batch(inputs: List[Tuple[str, List[str]]]) -> List[Any]:
    """Return what QualityBenchmark logs, with its times set to 0."""
    return end_to_end("G", inputs, lambda fields: without_times(fields[0]))


def query_driver_batch(inputs: List[Tuple[str, List[str]]]) -> List[Any]:
    """Return the summary that QueryDriver prints, from its two blank lines on, with its times set to 0."""
    return end_to_end("Q", inputs, lambda fields: without_times(fields[0][fields[0].rindex("\n\nSUMMARY\n") :]))


def without_times(text: str) -> str:
    return re.sub(r"(?m)^( *(?:Search|DocName) Seconds: +)[0-9,.]+$", lambda found: found[1] + "0.000", text)


def end_to_end_batch(inputs: List[Tuple[List[str]]]) -> List[Any]:
    """Return the numbers of a search for graded documents in this order: computed, logged, and in the summary."""
    given = []
    for [grades] in inputs:
        names = ["d%d" % i for i in range(len(grades))]
        given.append(("".join(["q 0 %s %s\n" % pair for pair in zip(names, grades)]), names))
    answers = zip(given, benchmark_batch(given), benchmark_log_batch(given), query_driver_batch(given))
    return [read(len(names), *three) for (_, names), *three in answers]


def read(documents: int, sheet: Any, log: Any, summary: Any) -> Any:
    """Return the numbers that the three hold, or the first error among them."""
    thrown = [each for each in (sheet, log, summary) if isinstance(each, Exception)]
    if thrown:
        return thrown[0]
    return [[*sheet[:6], *sheet[6][: documents - 1]], numbers(log), numbers(summary)]


def numbers(text: str) -> List[float]:
    """Return the numbers in a log, without the times."""
    found = re.findall(r"(?m)^ *([A-Z][A-Za-z0-9 ]+): +([0-9,.]+)$", text)
    return [float(number.replace(",", "")) for name, number in found if not name.endswith("Seconds")]


if __name__ == "__main__":
    try:
        sys.stdout.write("%s\n" % shadow())
    except (Unusable, OSError) as unready:
        sys.exit(str(unready))
