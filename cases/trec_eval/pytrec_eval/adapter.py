"""How to call trec_eval through pytrec_eval-terrier, which has release 9.0 built in.

What was evaluated before leaves state behind in the process. It matters where a topic may have negative grades alone:
there each input is evaluated in a process of its own, in which nothing was evaluated before. Everywhere else each
topic also judges a document that nobody retrieves, with grade 0, which changes no value.
"""

import json
import os
import resource
import signal
import socket
from typing import IO, Any, Callable, Dict, List, Optional, Sequence, Tuple

import pytrec_eval

CUTOFFS = (1, 2, 3, 4, 5, 10, 100)

NAMES = ["num_ret", "num_rel", "num_rel_ret", "map", "recip_rank", "set_recall", "Rprec"]

Topic = Tuple[Sequence[Optional[int]], Sequence[int]]
"""The grades by rank, None for a document that is not judged; and the grades of judged documents not retrieved."""


class Crashed(Exception):  # noqa: N818 - the worker knows it by this name
    """The process that evaluated an input ended."""


def scores(count: int) -> Dict[str, float]:
    """Return scores by which documents d0, d1, ... rank in this order."""
    return {"d%d" % i: float(count - i) for i in range(count)}


def measures_batch(inputs: List[Topic]) -> List[List[Any]]:
    """Return the measures of each ranking: each is a topic of one evaluation."""
    qrels = {}
    run = {}
    for k, (ranking, others) in enumerate(inputs):
        topic = "t%d" % k
        qrels[topic] = {"d%d" % i: grade for i, grade in enumerate(ranking) if grade is not None}
        qrels[topic].update({"o%d" % i: grade for i, grade in enumerate(others)})
        qrels[topic]["z"] = 0
        run[topic] = scores(len(ranking))
    wanted = {*NAMES, "P." + ",".join(map(str, CUTOFFS))}
    found = pytrec_eval.RelevanceEvaluator(qrels, wanted).evaluate(run)
    return [sheet(found["t%d" % k]) for k in range(len(inputs))]


def sheet(found: Dict[str, float]) -> List[Any]:
    return [*[found[name] for name in NAMES], [found["P_%d" % n] for n in CUTOFFS]]


def topics(grades: Sequence[Sequence[int]]) -> List[List[float]]:
    """Return num_ret, num_rel and num_rel_ret of each topic, all of whose documents are retrieved."""
    return list(apart("counts", grades))


def counts(grades: Sequence[Sequence[int]]) -> List[List[float]]:
    qrels = {"t%d" % k: {"d%d" % i: g for i, g in enumerate(topic)} for k, topic in enumerate(grades)}
    run = {"t%d" % k: scores(len(topic)) for k, topic in enumerate(grades)}
    found = pytrec_eval.RelevanceEvaluator(qrels, set(NAMES[:3])).evaluate(run)
    return [[found["t%d" % k][name] for name in NAMES[:3]] for k in range(len(grades))]


def ranks_batch(inputs: List[Tuple[Sequence[str]]]) -> List[List[int]]:
    """Return the rank of each document by its score's text: the one at which it is found when it alone is relevant."""
    qrels = {}
    run = {}
    for k, (texts,) in enumerate(inputs):
        by_name = {"d%d" % i: float(text) for i, text in enumerate(texts)}
        for name in by_name:
            topic = "t%d %s" % (k, name)
            qrels[topic] = {name: 1, "z": 0}
            run[topic] = by_name
    found = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(run)
    return [
        [round(1 / found["t%d d%d" % (k, i)]["recip_rank"]) for i in range(len(texts))]
        for k, (texts,) in enumerate(inputs)
    ]


def apart(call: str, x: Any) -> Any:
    """Return what a function returns in a process of its own, in which nothing was evaluated before."""
    PRISTINE.write((json.dumps([call, x]) + "\n").encode())
    PRISTINE.flush()
    line = ANSWERS.readline()
    if not line:
        raise RuntimeError("the process from which others are made is gone")
    answer = json.loads(line)
    if "crashed" in answer:
        raise Crashed(answer["crashed"])
    if "raised" in answer:
        raise RuntimeError(answer["raised"])
    return answer["value"]


def start() -> Tuple[IO[bytes], IO[bytes]]:
    """Start a process that evaluates nothing itself, and makes a copy of itself for each request."""
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        try:
            ours.close()
            serve(theirs)
        finally:
            os._exit(0)
    theirs.close()
    return ours.makefile("wb"), ours.makefile("rb")


def serve(channel: socket.socket) -> None:
    """Answer each line until the channel is closed."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with channel.makefile("rb") as requests, channel.makefile("wb") as answers:
        for line in requests:
            call, x = json.loads(line)
            answers.write((json.dumps(in_child(globals()[call], x)) + "\n").encode())
            answers.flush()


def in_child(call: Callable[[Any], Any], x: Any) -> Dict[str, Any]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            answer = {"value": call(x)}
        except BaseException as error:
            answer = {"raised": "%s: %s" % (type(error).__name__, error)}
        os.write(writing, json.dumps(answer).encode())  # it fits a pipe's buffer
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answered = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        known = {each.value: each.name for each in signal.Signals}
        return {"crashed": "signal %s" % known.get(number, number)}
    return dict(json.loads(answered))


PRISTINE, ANSWERS = start()
