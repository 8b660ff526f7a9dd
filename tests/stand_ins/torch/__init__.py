"""A stand-in for torch: the names that lenskit's metrics and item lists look up when they are imported.

It computes nothing. With it they can be tested on a Python for which torch would be a download of several GB.
"""

__version__ = "2.4.0"


class Tensor:
    """Nothing is one."""


class Generator:
    """Nothing is one."""


def is_tensor(_):
    return False


class jit:
    @staticmethod
    def ignore(function):
        return function


class cuda:
    @staticmethod
    def is_available():
        return False
