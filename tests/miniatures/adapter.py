"""Small subjects that double a number: right ones, and ones that are wrong in every way a subject can be.

They need no library. The input is one number n; the right answer is 2 n, and a refusal for n = 5.
"""

import os
import signal
import sys
import time

import numpy


class Unsupported(Exception):
    pass


class Crashed(Exception):
    pass


def refuse(n):
    if n == 5:
        raise ValueError("5 is refused")


# --- right -----------------------------------------------------------------------------------------------------


def right(n):
    refuse(n)
    return 2.0 * n


def right_as_int(n):
    refuse(n)
    return 2 * n


def right_as_numpy(n):
    refuse(n)
    return numpy.float64(2 * n)


def right_as_array_scalar(n):
    refuse(n)
    return numpy.array(2.0 * n)


def right_within_the_bound(n):
    refuse(n)
    return 2.0 * n + 2.0**-41


def right_batch(inputs):
    return [right(n) for (n,) in inputs]


def right_and_noisy(n):
    refuse(n)
    print('{"outcomes": ["0x0p+0"]}', flush=True)
    os.write(1, b"noise\n" * 100)
    return 2.0 * n


def right_and_slow(n):
    refuse(n)
    time.sleep(0.05)
    return 2.0 * n


# --- wrong values ----------------------------------------------------------------------------------------------


def always_wrong(n):
    refuse(n)
    return 2.0 * n + 0.5


def wrong_at_13(n):
    refuse(n)
    return 2.0 * n + (n == 13)


def wrong_by_a_little(n):
    refuse(n)
    return 2.0 * n + 2.0**-39


def wrong_but_at_0(n):
    """Be wrong everywhere; the script in miniature.py is right at 0."""
    refuse(n)
    return 2.0 * n + 0.5


def tripled(n):
    refuse(n)
    return 3.0 * n


def never_refuses(n):
    return 2.0 * n


def refuses_with_another_error(n):
    if n == 5:
        raise KeyError("5")
    return 2.0 * n


def wrong_now_and_then(n):
    refuse(n)
    wrong_now_and_then.calls += 1
    return 2.0 * n + (wrong_now_and_then.calls % 5 == 3)


wrong_now_and_then.calls = 0


def nan(n):
    return float("nan")


def infinite(n):
    return float("inf")


def complex_number(n):
    return complex(2 * n, 0)


def text(n):
    return str(2.0 * n)


def hexadecimal_text(n):
    return (2.0 * n).hex()


def truth(n):
    return True


def nothing(n):
    return None


def a_list(n):
    return [2.0 * n]


def raises_at_13(n):
    refuse(n)
    if n == 13:
        raise RuntimeError("thirteen")
    return 2.0 * n


def exits(n):
    sys.exit(0)


class Unusable(Exception):
    pass


def unusable_at_13(n):
    if n == 13:
        raise Unusable("there is nothing left to call")
    return 2.0 * n


DISTURBED = []


def disturbed_at_13(n):
    if n == 13:
        DISTURBED.append("something ended, and was replaced")
    return 2.0 * n


def disturbances():
    return DISTURBED


def unsupported(n):
    raise Unsupported("this subject does not double")


def raises_at_2_and_triples(n):
    refuse(n)
    if n == 2:
        raise ZeroDivisionError("two")
    return 3.0 * n


def tripled_since_2(n):
    refuse(n)
    return (2.0 if os.environ["RANKDIFF_TEST_VERSION"] < "2" else 3.0) * n


def too_few_batch(inputs):
    return [right(n) for (n,) in inputs[1:]]


# --- texts -----------------------------------------------------------------------------------------------------


def says_it(n):
    return f"twice {n} is {2 * n}\n"


def says_it_in_capitals(n):
    return says_it(n).upper()


def half_a_character(n):
    return "\udc80"


def as_long_as_a_text_may_be(n):
    return "\N{GRINNING FACE}" * 10000


def longer_than_a_text_may_be(n):
    return "x" * 10001


# --- ends, hangs -----------------------------------------------------------------------------------------------


def ends_at_13(n):
    refuse(n)
    if n == 13:
        os._exit(7)
    return 2.0 * n


def segfaults_at_13(n):
    refuse(n)
    if n == 13:
        os.kill(os.getpid(), signal.SIGSEGV)
    return 2.0 * n


def segfaults_at_13_batch(inputs):
    return [segfaults_at_13(n) for (n,) in inputs]


def hangs_at_13(n):
    refuse(n)
    if n == 13:
        time.sleep(3600)
    return 2.0 * n


def hangs_always(n):
    time.sleep(3600)


def ends_always(n):
    os._exit(3)


def loses_its_process_at_13(n):
    refuse(n)
    if n == 13:
        raise Crashed("signal SIGILL")
    return 2.0 * n


def loses_its_process_at_13_in_place_batch(inputs):
    return [
        Crashed("signal SIGILL") if n == 13 else ValueError("5 is refused") if n == 5 else 2.0 * n for (n,) in inputs
    ]


def eats_memory(n):
    return [0.0] * 2**28  # 2 GiB: there, and beyond the limit


def ends_once(n):
    """End the process the first time that the file named in RANKDIFF_TEST_ONCE is not there."""
    refuse(n)
    path = os.environ["RANKDIFF_TEST_ONCE"]
    if n == 13 and not os.path.exists(path):
        open(path, "w").close()
        os._exit(9)
    return 2.0 * n


# --- worse -----------------------------------------------------------------------------------------------------


def raises_odd_text(n):
    raise ValueError("bad \udc80 name")


class Speechless(Exception):
    def __str__(self):
        raise RuntimeError("no text")


def raises_without_text(n):
    raise Speechless


def nests(n):
    value = 0.0
    for _ in range(500):
        value = [value]
    return value


def a_huge_integer(n):
    return 10**5000


def right_as_longdouble(n):
    refuse(n)
    return numpy.longdouble(2 * n)


def ends_by_a_nameless_signal_at_13(n):
    refuse(n)
    if n == 13:
        os.kill(os.getpid(), 40)
    return 2.0 * n


def leaves_a_child_and_ends_at_13(n):
    refuse(n)
    if n == 13:
        if os.fork() == 0:
            time.sleep(300)
        os._exit(7)
    return 2.0 * n


def forks_a_child_that_comes_back(n):
    refuse(n)
    if n == 13:
        child = os.fork()
        if child:
            os.waitpid(child, 0)
    return 2.0 * n


def dribbles_at_13(n):
    refuse(n)
    if n == 13:
        import socket

        channel = socket.socket(fileno=int(sys.argv[1]))
        while True:
            channel.send(b"x")
            time.sleep(0.05)
    return 2.0 * n


def ends_then_does_not_start(n):
    """End at 50, and leave the mark that keeps ``adapter_that_starts_once.py`` from starting again."""
    if n >= 50:
        open(os.environ["RANKDIFF_TEST_ONCE"], "w").close()
        os._exit(4)
    refuse(n)
    return 2.0 * n
