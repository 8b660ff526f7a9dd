"""The median of ranks, exactly: its moments where every rank is a guess, and its weighted form.

A rank r_i among N_i candidates is a guess where it is uniform on 1..N_i and independent of the others. The median is
that of ``numpy.median``: of n ranks in order X_(1) <= ... <= X_(n) the middle one, or the mean of the two in the middle
(https://numpy.org/doc/stable/reference/generated/numpy.median.html).

One module is one idea:

- `candidates`: what numbers of candidates are;
- `moments`: expected value and variance by the counting polynomial;
- `enumeration` and `double_sum`: the same by two other routes, each from its own definition;
- `conventions`: what other readings of *median* give;
- `fast`: the same in float64, for thousands of ranks among thousands of candidates; made of `groups`, `window`, and
  three ways to count ranks: `beta`, and in `counting` a recurrence and `contour` (which takes `tilt` and `series`);
- `rounding`: how far a float64 result may be off;
- `weighted`: the weighted median of given ranks.

All but `fast` and what it is made of are exact, and use the standard library only.
"""
