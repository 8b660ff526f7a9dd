"""Somebody's qrels and runs are read by topic, and strictly: what is refused is named by file and line."""

import gzip
import os
import re
import threading
from pathlib import Path

import pytest

from cases.trec_files import LONGEST_LINE, Judgement, Notes, QrelsFile, RunFile, TrecFile, common_topics
from harness.errors import BadInputError

QRELS = b"1 0 a 1\n1 0 b -2\n2 0 a 00\n"
RUN = b"1 Q0 a 9 0.5 me\n1 Q0 b 9 2 me\n2 Q0 c 1 1 me\n"


def written(folder: Path, content: bytes, name: str = "file") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def judged(path: Path) -> dict[bytes, list[Judgement]]:
    with QrelsFile(path) as qrels:
        return {topic: qrels.judgements(topic) for topic in qrels.topics}


def rankings(path: Path, notes: Notes | None = None) -> dict[bytes, list[bytes]]:
    with RunFile(path) as run:
        return {topic: run.ranking(topic, notes or Notes("")) for topic in run.topics}


JUDGED = {
    b"1": [Judgement(b"a", "1", 1), Judgement(b"b", "-2", -2)],
    b"2": [Judgement(b"a", "00", 0)],
}


@pytest.mark.parametrize(
    "content",
    [
        QRELS,
        QRELS.removesuffix(b"\n"),
        QRELS.replace(b"\n", b"\r\n"),
        QRELS.replace(b" ", b" \t  "),
        b"# first\n# second\n" + QRELS.replace(b"1 0 b", b"# between\n1 0 b") + b"# last",
        b"1 0 a 1\n2 0 a 00\n1 0 b -2\n",
    ],
    ids=["plain", "no last line feed", "CRLF", "white space", "comments", "topics not together"],
)
def test_a_grade_is_kept_as_text_and_as_integer_in_the_order_of_the_lines(content: bytes, tmp_path: Path) -> None:
    assert judged(written(tmp_path, content)) == JUDGED


def test_what_is_compressed_by_gzip_is_read_whatever_its_name(tmp_path: Path) -> None:
    assert judged(written(tmp_path, gzip.compress(QRELS), "qrels.txt")) == JUDGED


def test_what_comes_from_a_pipe_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(QRELS,))
    writer.start()
    assert judged(pipe) == JUDGED
    writer.join()


def test_lines_in_any_order_are_read_as_if_topics_were_together(tmp_path: Path) -> None:
    lines = [b"%d 0 d%d %d\n" % (topic, document, document % 3) for topic in range(20) for document in range(20)]
    shuffled = [lines[i * 7 % len(lines)] for i in range(len(lines))]  # 7 and 400 have no common factor
    together = {topic: set(of) for topic, of in judged(written(tmp_path, b"".join(lines))).items()}
    assert {topic: set(of) for topic, of in judged(written(tmp_path, b"".join(shuffled))).items()} == together
    assert len(together) == 20


def test_documents_are_ranked_by_falling_score_whatever_their_rank_in_the_file(tmp_path: Path) -> None:
    assert rankings(written(tmp_path, RUN)) == {b"1": [b"b", b"a"], b"2": [b"c"]}


def test_of_equal_scores_the_greater_document_is_first_and_the_topic_is_noted(tmp_path: Path) -> None:
    notes = Notes("somebody else has another order")
    path = written(tmp_path, b"\n1 Q0 a 1 1.0 me\n1 Q0 b 2 1 me\n2 Q0 a 1 1 me\n")
    assert rankings(path, notes)[b"1"] == [b"b", b"a"]
    [text] = notes.texts()
    assert f"equal scores: 1 in {path}. " in text
    assert text.endswith("; somebody else has another order")


def test_without_ties_nothing_is_said_of_them(tmp_path: Path) -> None:
    notes = Notes("an order")
    rankings(written(tmp_path, RUN), notes)
    assert notes.texts() == ()


def test_topics_that_are_in_one_file_are_left_out_and_counted(tmp_path: Path) -> None:
    notes = Notes("")
    run = written(tmp_path, b"3 Q0 a 1 1 me\n2 Q0 a 1 1 me\n4 Q0 a 1 1 me\n", "run")
    with QrelsFile(written(tmp_path, QRELS)) as qrels, RunFile(run) as results:
        assert common_topics(qrels, results, notes) == [b"2"]
    assert notes.others == [
        f"{run}: topics without qrels, left out: 2",
        f"{run}: judged topics without results, left out: 1",
    ]


def test_files_without_a_common_topic_are_refused(tmp_path: Path) -> None:
    run = written(tmp_path, b"\x1b3 Q0 a 1 1 me\n", "run")
    with (
        QrelsFile(written(tmp_path, QRELS)) as qrels,
        RunFile(run) as results,
        pytest.raises(BadInputError, match=r"there is none; the first ones are 1 and \\x1b3"),
    ):
        common_topics(qrels, results, Notes(""))


# --- refusals ----------------------------------------------------------------------------------------------------


def refusal(kind: type[TrecFile], path: Path) -> str:
    with pytest.raises(BadInputError) as caught:
        judged(path) if kind is QrelsFile else rankings(path)
    said = str(caught.value)
    assert said.isprintable()
    return said


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (QRELS + b"3 0 a\n", "line 4: 4 fields (topic, iteration, document, grade) were expected, not 3 in '3 0 a'"),
        (b"# c\n3 0 a 1 x\n", "line 2: 4 fields (topic, iteration, document, grade) were expected, not 5 in"),
        (b"3 0 a 1\n\n", "line 2: 4 fields (topic, iteration, document, grade) were expected, not 0 in ''"),
        (QRELS + b"3 0 a rel\n", "line 4: an integer was expected, not 'rel'"),
        (b"2 0 b 0\n1 0 a 1\n2 0 a 1.5\n", "line 3: an integer was expected, not '1.5'"),
        (b"1 0 a 9223372036854775808\n", "line 1: an integer from -2^63 to 2^63 - 1 was expected"),
        (b"1 0 a 1\n2 0 a 1\n1 0 a 0\n", "line 3: topic 1 has document a in line 1"),
        (b"1 0 \x1b[2J 1\n1 0 \x1b[2J 1\n", "line 2: topic 1 has document \\x1b[2J in line 1"),
        (b"1 0 a\0 1\n", "line 1: a NUL byte in the qrels"),
        (
            b"1 0 a 1\n\x1b[2J\n",
            "line 2: 4 fields (topic, iteration, document, grade) were expected, not 1 in '\\x1b[2J",
        ),
    ],
    ids=["3 fields", "5 fields", "blank", "word", "decimal", "too large", "twice", "escapes twice", "NUL", "escapes"],
)
def test_qrels_that_are_refused_are_named_by_their_line(content: bytes, says: str, tmp_path: Path) -> None:
    path = written(tmp_path, content)
    said = refusal(QrelsFile, path)
    assert said.startswith(f"{path}, {says}")
    assert said.endswith("; correct the line, or take it out")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (RUN + b"3 Q0 a 1 1\n", "line 4: 6 or more fields (topic, iteration, document, rank, score, run) were"),
        (b"1 Q0 a 1 best me\n", "line 1: a decimal number was expected as score, not 'best'"),
        (b"1 Q0 a 1 1,5 me\n", "line 1: a decimal number was expected as score, not '1,5'"),
        (b"1 Q0 b 1 1 me\n1 Q0 a 1 nan me\n", "line 2: a decimal number was expected as score, not 'nan'"),
        (b"1 Q0 a 1 1_0 me\n", "line 1: a decimal number was expected as score, not '1_0'"),
        (b"1 Q0 a 1 1 me\n\n1 Q0 a 2 0 me\n", "line 3: topic 1 has document a in line 1"),
        (b"1 Q0 a 1 1 me\0\n", "line 1: a NUL byte in the run"),
    ],
    ids=["5 fields", "word", "comma", "NaN", "underscore", "twice", "NUL"],
)
def test_a_run_that_is_refused_is_named_by_its_line(content: bytes, says: str, tmp_path: Path) -> None:
    path = written(tmp_path, content)
    said = refusal(RunFile, path)
    assert said.startswith(f"{path}, {says}")
    assert said.endswith("; correct the line, or take it out")


@pytest.mark.parametrize("content", [b"", b"# nothing\n"], ids=["no byte", "a comment"])
@pytest.mark.parametrize("kind", [QrelsFile, RunFile])
def test_a_file_without_a_line_is_refused(kind: type[TrecFile], content: bytes, tmp_path: Path) -> None:
    path = written(tmp_path, content)
    assert refusal(kind, path) == f"{path}: lines of TREC {kind.kind} were expected, and there is none"


@pytest.mark.parametrize("start", [b"1 0 a", b"#"], ids=["a judgement", "a comment"])
def test_a_huge_line_is_refused_without_reading_it_whole(start: bytes, tmp_path: Path) -> None:
    path = written(tmp_path, QRELS + start + b"x" * LONGEST_LINE)
    assert refusal(QrelsFile, path).startswith(f"{path}, line 4: a line of at most 65,536 bytes was expected")


def test_a_long_line_is_quoted_in_part(tmp_path: Path) -> None:
    assert len(refusal(QrelsFile, written(tmp_path, b"x" * 60_000))) < 500


@pytest.mark.parametrize(
    "content",
    [gzip.compress(QRELS * 1000)[:-20], gzip.compress(QRELS)[:10] + b"\xff" * 40, gzip.compress(QRELS) + b"\x1f\x8bx"],
    ids=["cut off", "damaged", "trailing"],
)
def test_a_damaged_gzip_is_refused(content: bytes, tmp_path: Path) -> None:
    path = written(tmp_path, content)
    assert f"{path} cannot be read: it is compressed by gzip, and damaged or cut off" in refusal(QrelsFile, path)


def test_what_cannot_be_opened_says_why(tmp_path: Path) -> None:
    assert refusal(QrelsFile, tmp_path / "absent") == f"{tmp_path}/absent cannot be read: No such file or directory"


def test_a_full_temporary_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copyfileobj", full)
    said = refusal(QrelsFile, written(tmp_path, gzip.compress(QRELS)))
    assert re.search(r"cannot be copied to .*: No space left on device; TMPDIR names another folder", said)
