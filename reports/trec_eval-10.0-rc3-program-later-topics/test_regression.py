import os
import shutil
import subprocess

PROGRAM = os.environ.get("RANKDIFF_TREC_EVAL") or shutil.which("trec_eval")
assert PROGRAM, "name the program by RANKDIFF_TREC_EVAL"

QRELS = """\
t0 0 d0 1
t1 0 d0 -2
"""

RESULTS = """\
t0 Q0 d0 1 0 r
t1 Q0 d0 1 -1 r
"""

# num_ret counts what is retrieved; only a grade of at least 1 is relevant.
EXPECTED = """\
num_ret               	t0	1
num_rel               	t0	1
num_rel_ret           	t0	1
num_ret               	t1	1
num_rel               	t1	0
num_rel_ret           	t1	0
"""


def test_topic_of_negative_grades_alone_has_its_counts_after_another_topic(tmp_path):
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "results").write_text(RESULTS)
    measures = ["-m", "num_ret", "-m", "num_rel", "-m", "num_rel_ret"]
    command = [os.path.abspath(PROGRAM), "-n", "-q", *measures, tmp_path / "qrels", tmp_path / "results"]
    done = subprocess.run(command, stdout=subprocess.PIPE, universal_newlines=True)
    assert done.returncode == 0
    assert done.stdout == EXPECTED
