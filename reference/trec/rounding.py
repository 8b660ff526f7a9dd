"""How far a float64 evaluation of these measures may lie from the exact value.

In the notation of Nicholas J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., SIAM 2002,
section 3.1: u = 2^-53 is the unit roundoff, and a product of k factors (1 + delta_i)^(+-1) with abs(delta_i) <= u is
within gamma_k = k u / (1 - k u) of 1 (lemma 3.1). Counts are small integers, and exact. All terms are positive, so that
a sum of m terms that carry k roundings each carries k + m - 1 at most, in any order (section 4.2). So

    RR, recall, R-precision, P@n within the list    one division                               gamma_1
    P@n beyond the list of d, as (d * P@d) / n      a division, a product, a division          gamma_3
    AP of r relevant documents retrieved            a division each, a sum, a division         gamma_(r + 1)
    a mean over q topics                            a sum, and a division                      gamma_(k + q)

each times the exact value.
"""

from fractions import Fraction

UNIT_ROUNDOFF = Fraction(1, 2**53)


def gamma(roundings: int) -> Fraction:
    """Return the relative error that so many roundings can add up to.

    >>> gamma(1) > UNIT_ROUNDOFF
    True
    """
    return roundings * UNIT_ROUNDOFF / (1 - roundings * UNIT_ROUNDOFF)


def of_quotient(value: Fraction) -> Fraction:
    """Return the bound of a quotient of two counts: RR, recall, R-precision."""
    return gamma(1) * value


def of_precision(value: Fraction) -> Fraction:
    """Return the bound of P@n, however it is filled up beyond the end of the list."""
    return gamma(3) * value


def of_average_precision(value: Fraction, relevant_retrieved: int) -> Fraction:
    """Return the bound of AP."""
    return gamma(relevant_retrieved + 1) * value


def of_mean_precision(value: Fraction, topics: int) -> Fraction:
    """Return the bound of a mean of P@n over topics."""
    return gamma(3 + topics) * value
