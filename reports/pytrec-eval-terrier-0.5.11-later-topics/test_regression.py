import json
import subprocess
import sys
import unittest

import pytrec_eval  # noqa: F401 (imported where it is evaluated, below)

EVALUATE = '''
import json, sys, pytrec_eval
qrel, run = json.load(sys.stdin)
measures = {'num_ret', 'num_rel', 'num_rel_ret'}
print(json.dumps(pytrec_eval.RelevanceEvaluator(qrel, measures).evaluate(run)))
'''


class PyTrecEvalNegativeRelevanceTest(unittest.TestCase):

    # In an interpreter of its own, in which nothing was evaluated before and which may end.
    def evaluate(self, qrel, run):
        process = subprocess.run(
            [sys.executable, '-c', EVALUATE], input=json.dumps([qrel, run]),
            stdout=subprocess.PIPE, universal_newlines=True)
        self.assertEqual(process.returncode, 0)

        return json.loads(process.stdout)

    def test_negative_relevance_only_after_other_query(self):
        qrel = {
            't0': {'d0': 1},
            't1': {'d0': -2},
        }
        run = {
            't0': {'d0': 1.0},
            't1': {'d0': 1.0},
        }

        # num_ret counts what is retrieved; only a relevance of at least 1 is relevant.
        self.assertEqual(
            self.evaluate(qrel, run),
            {
                't0': {'num_ret': 1, 'num_rel': 1, 'num_rel_ret': 1},
                't1': {'num_ret': 1, 'num_rel': 0, 'num_rel_ret': 0},
            })


if __name__ == '__main__':
    unittest.main()
