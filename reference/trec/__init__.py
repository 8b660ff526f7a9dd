"""What the program trec_eval reads, ranks, calculates and prints, in three dialects.

trec_eval (https://github.com/usnistgov/trec_eval) documents its formats and measures in its own help, ``trec_eval -h``
and ``trec_eval -h -m MEASURE``, from which this is written. Where the help is silent (what counts as a malformed line,
what the grade ``1.5`` is worth, what is printed before an error), it follows what the program was seen to do.

One module is one idea. In the order in which a document comes by:

- `dialect`: how versions differ;
- `grade`: a grade's text, and when it is relevant;
- `qrels` and `run`: the two files;
- `ranking`: a score's text, and the order of the documents;
- `measures`: exact values from the grades by rank; usable without any file;
- `evaluation`: which topics are evaluated, and each one's measures;
- `double`: the same values as the program rounds them;
- `refusal` and `message`: what is refused or undefined, and what the program says of it;
- `options` and `program`: the whole program, as bytes in and bytes out.
"""
