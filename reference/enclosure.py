r"""Numbers that are known to lie between two dyadic rationals, with their sums, products, logarithms and exponentials.

An `Enclosure` holds every real number from lower * 2^exponent to upper * 2^exponent. Each operation returns an
enclosure of all results that its operands allow. All of it is integer arithmetic, rounded outward (lower ends down,
upper ends up) to ``BITS`` significant bits of the larger end, so that numbers do not grow: that widens a result by
less than 2^(2 - BITS) of the largest number that takes part. Exponents have no limit: nothing underflows.

Logarithms and exponentials count in units of 2^-W, W = ``WORKING``:

**ln x**. Take out a power of two, x = 2^k t with 3/4 <= t <= 3/2, and let z = (t - 1) / (t + 1), abs(z) <= 1/5. Then

    ln t  =  2 artanh z  =  2 z S,    S = sum over j >= 0 of y^j / (2j + 1),    y = z^2 <= 1/25.

abs(z) is an integer a of about W bits over 2^s, cut off: a <= 2^s abs(z) < a + 1. So z keeps its relative precision
however close x is to 1. Cutting off once more, Y <= 2^W y < Y + 2: squaring leaves (2a + 1) 2^(W - 2s) <= 1 unit, since
s > W, and the integer part another. The first N terms of S are summed by Horner's scheme, T_j = T_(j+1) Y / 2^W +
2^W / (2j + 1), from T_N = 0, every quotient cut off. Hence T_j is no more than the true value, and less by d_j with

    d_j  <  d_(j+1) / 25 + 2 T_(j+1) / 2^W + 1 + 1  <  d_(j+1) / 25 + 2.72    (T_j < 0.36 * 2^W for j >= 1),

so d_0 < 3. With y < 2^-m, the rest of S is at most y^N / ((2N + 1) (1 - y)) < 1 unit for N >= W / m. So

    T <= 2^W S < T + 4,      2 a T <= 2^(s + W) abs(ln t) < 2 (a + 1) (T + 4).

ln 2 = ln 4/3 + ln 3/2 needs no power of two itself.

**exp x**. Let x = k ln 2 + r with 0 <= r <= 1. For r = R / 2^W, Horner's scheme T_j = 2^W + T_(j+1) R / 2^W / j from
T_47 = 2^W down to T_1, every quotient cut off, is below the first 47 terms of the exponential series by d_j with
d_j < (d_(j+1) + 1) / j + 1: less than 3 for j >= 2, and d_1 < 5. The rest of the series is below 2 / 47! < 1 unit. So

    T <= 2^W e^r < T + 6,

and as e^r grows by less than 3 units with each unit of r <= 1, an r from R to R' has 2^W e^r < T + 6 + 3 (R' - R).
"""

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

BITS = 160
"""Significant bits of an enclosure's ends."""

WORKING = 192
"""Bits after the binary point within ln and exp."""

_ONE = 1 << WORKING
_OVER_ODD = [_ONE // (2 * j + 1) for j in range(WORKING // 4)]
_TERMS_OF_EXP = 46
_FAR = 40
"""Exponentials are told apart up to an exponent of 2 * 2^40."""


class NotPositiveError(ValueError):
    """Something that has to be positive and may be 0 or less: what a logarithm is taken of, or a divisor."""

    def __init__(self, x: "Enclosure | Fraction | int") -> None:
        super().__init__(f"a number above 0 was expected, not {x}")


class ExponentTooLargeError(ValueError):
    """An exponential of 2^41 or more, which has 2^41 bits before the binary point."""

    def __init__(self) -> None:
        super().__init__("an exponent below 2^41 was expected")


@dataclass(frozen=True, slots=True, eq=False)
class Enclosure:
    """All numbers from lower * 2^exponent to upper * 2^exponent.

    The same numbers can be written in several ways, and two enclosures do not make equal what they enclose; so they
    compare by identity. Compare `low` and `high`.
    """

    lower: int
    upper: int
    exponent: int

    def __post_init__(self) -> None:
        if self.lower > self.upper:
            raise ValueError(f"lower <= upper was expected, not {self.lower} and {self.upper}")

    @classmethod
    def of(cls, x: "Number") -> "Enclosure":
        """Return the narrowest enclosure of a number; a rational of at most ``BITS`` bits and a power of two is exact.

        >>> Enclosure.of(Fraction(1, 4)).low
        Fraction(1, 4)
        """
        if isinstance(x, Enclosure):
            return x
        n, d = x.numerator, x.denominator
        if d == 1:
            return _outward(n, n, 0)
        shift = max(0, BITS + 1 + d.bit_length() - n.bit_length())
        lower, rest = divmod(n << shift, d)
        return _outward(lower, lower + bool(rest), -shift)

    @classmethod
    def between(cls, low: "Number", high: "Number") -> "Enclosure":
        """Return an enclosure of all numbers from ``low`` to ``high``.

        Both ends count in units of the last of the larger one's ``BITS`` bits.
        """
        (lower, _), (_, upper), exponent = _aligned(cls.of(low), cls.of(high))
        return _outward(lower, upper, exponent)

    @property
    def low(self) -> Fraction:
        """The lower end."""
        return _dyadic(self.lower, self.exponent)

    @property
    def high(self) -> Fraction:
        """The upper end."""
        return _dyadic(self.upper, self.exponent)

    @property
    def width(self) -> Fraction:
        """The distance of the ends."""
        return _dyadic(self.upper - self.lower, self.exponent)

    def __contains__(self, x: Fraction | int) -> bool:
        return self.low <= x <= self.high

    def __float__(self) -> float:
        """Return the lower end, rounded."""
        return math.ldexp(self.lower, self.exponent)

    def __neg__(self) -> "Enclosure":
        return Enclosure(-self.upper, -self.lower, self.exponent)

    def __add__(self, other: "Number") -> "Enclosure":
        (a, b), (c, d), exponent = _aligned(self, Enclosure.of(other))
        return _outward(a + c, b + d, exponent)

    def __sub__(self, other: "Number") -> "Enclosure":
        return self + -Enclosure.of(other)

    def __mul__(self, other: "Number") -> "Enclosure":
        other = Enclosure.of(other)
        exponent = self.exponent + other.exponent
        if self.lower >= 0 and other.lower >= 0:
            return _outward(self.lower * other.lower, self.upper * other.upper, exponent)
        products = [a * b for a in (self.lower, self.upper) for b in (other.lower, other.upper)]
        return _outward(min(products), max(products), exponent)

    def __truediv__(self, other: "Number") -> "Enclosure":
        """Return the quotient by a positive divisor.

        Raises
        ------
        NotPositiveError
            If the divisor may be 0 or less.
        """
        other = Enclosure.of(other)
        if other.lower <= 0:
            raise NotPositiveError(other)
        shift = BITS + 1 + other.upper.bit_length()
        lower = (self.lower << shift) // (other.upper if self.lower >= 0 else other.lower)
        upper = -((-self.upper << shift) // (other.lower if self.upper >= 0 else other.upper))
        return _outward(lower, upper, self.exponent - other.exponent - shift)

    def __pow__(self, n: int) -> "Enclosure":
        """Return the power with an exponent n >= 0, by squaring.

        Raises
        ------
        ValueError
            If the exponent is negative.
        """
        if n < 0:
            raise ValueError(f"an exponent of at least 0 was expected, not {n}")
        result = Enclosure(1, 1, 0)
        for bit in f"{n:b}":
            result = result * result
            if bit == "1":
                result = result * self
        return result


Number = Enclosure | Fraction | int


def total(terms: Iterable[Enclosure]) -> Enclosure:
    """Return the sum; that of no terms is 0."""
    return sum(terms, start=Enclosure(0, 0, 0))


def ln(x: Number) -> Enclosure:
    """Return the natural logarithm of a positive number.

    For a rational the width is below 2^-150 of the logarithm itself, also next to 1.

    Raises
    ------
    NotPositiveError
        If ``x`` may be 0 or less.
    """
    if not isinstance(x, Enclosure):
        if x <= 0:
            raise NotPositiveError(x)
        return _ln(x.numerator, x.denominator, 0)
    if x.lower <= 0:
        raise NotPositiveError(x)
    low = _ln(x.lower, 1, x.exponent)
    return low if x.lower == x.upper else Enclosure.between(low, _ln(x.upper, 1, x.exponent))


def exp(x: Number) -> Enclosure:
    """Return the exponential.

    For a rational with abs(x) < 2^41 the width is below 2^-150 * (1 + abs(x)) of the exponential itself; further down
    it is enclosed between 0 and e^(-2^40).

    Raises
    ------
    ExponentTooLargeError
        If ``x`` may be 2^41 or more.
    """
    x = Enclosure.of(x)
    low = _exp(Enclosure(x.lower, x.lower, x.exponent))
    return low if x.lower == x.upper else Enclosure.between(low, _exp(Enclosure(x.upper, x.upper, x.exponent)))


def _ln(n: int, d: int, exponent: int) -> Enclosure:
    """Return ln(2^exponent n / d): see the module."""
    k = n.bit_length() - d.bit_length()
    n, d = n << max(0, -k), d << max(0, k)  # now 1/2 < n / d < 2
    if 2 * n > 3 * d:
        k, d = k + 1, 2 * d
    elif 4 * n < 3 * d:
        k, n = k - 1, 2 * n
    artanh = _twice_artanh(n - d, n + d)
    return artanh + _ln_2() * (k + exponent) if k + exponent else artanh


def _twice_artanh(n: int, d: int) -> Enclosure:
    """Return 2 artanh(n / d) for abs(n / d) <= 1/5: see the module."""
    if n == 0:
        return Enclosure(0, 0, 0)
    s = WORKING + d.bit_length() - n.bit_length()
    a = (abs(n) << s) // d
    y = (a * a) >> (2 * s - WORKING)
    terms = -(-WORKING // (WORKING - (y + 2).bit_length()))
    t = 0
    for over_odd in reversed(_OVER_ODD[:terms]):
        t = (t * y >> WORKING) + over_odd
    result = _outward(2 * a * t, 2 * (a + 1) * (t + 4), -s - WORKING)
    return result if n > 0 else -result


@functools.cache
def _ln_2() -> Enclosure:
    return _ln(4, 3, 0) + _ln(3, 2, 0)


def _exp(x: Enclosure) -> Enclosure:
    """Return e^x for an exact x: see the module."""
    magnitude = max(x.lower, -x.lower).bit_length() + x.exponent
    if magnitude > _FAR + 1:
        if x.lower > 0:
            raise ExponentTooLargeError
        return Enclosure.between(0, _exp(Enclosure(-1, -1, _FAR)))
    # Any integer near x / ln 2 will do: 0 <= r <= 1 leaves 0.13 on either side, and the float is off by less than 2^-9.
    k = math.floor(float(x) / math.log(2) - 0.2)
    r = x - _ln_2() * k
    start, end = _floor(r.lower, r.exponent + WORKING), -_floor(-r.upper, r.exponent + WORKING)
    t = _ONE
    for j in range(_TERMS_OF_EXP, 0, -1):
        t = _ONE + (t * start >> WORKING) // j
    return _outward(t, t + 6 + 3 * (end - start), k - WORKING)


def _floor(mantissa: int, exponent: int) -> int:
    """Return mantissa * 2^exponent, rounded down to an integer."""
    return mantissa << exponent if exponent >= 0 else mantissa >> -exponent


def _dyadic(mantissa: int, exponent: int) -> Fraction:
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def _outward(lower: int, upper: int, exponent: int) -> Enclosure:
    """Return the enclosure, with ends of at most ``BITS`` bits."""
    excess = max(lower.bit_length(), upper.bit_length()) - BITS
    if excess > 0:
        return Enclosure(lower >> excess, -(-upper >> excess), exponent + excess)
    return Enclosure(lower, upper, exponent)


def _aligned(x: Enclosure, y: Enclosure) -> tuple[tuple[int, int], tuple[int, int], int]:
    """Return the ends of both in one unit, at which the larger number is exact and the smaller rounded outward."""
    exponent = min(x.exponent, y.exponent)
    tops = [z.exponent + _bits(z) for z in (x, y) if _bits(z)]
    if tops:
        exponent = max(exponent, max(tops) - BITS - 2)
    return _at(x, exponent), _at(y, exponent), exponent


def _at(x: Enclosure, exponent: int) -> tuple[int, int]:
    """Return the ends in units of 2^exponent, rounded outward."""
    shift = x.exponent - exponent
    return _floor(x.lower, shift), -_floor(-x.upper, shift)


def _bits(x: Enclosure) -> int:
    return max(x.lower.bit_length(), x.upper.bit_length())
