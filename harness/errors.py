"""What can go wrong, one class per kind; each message says what was expected, what was found, what to do."""


class RankdiffError(Exception):
    """A run that could not be done. The command line prints its message and ends with status 2."""


class UnknownCaseError(RankdiffError):
    """A name that is neither a case nor a library."""


class UnknownModeError(RankdiffError):
    """A mode that a library, or a case, does not have."""


class BrokenCasesError(RankdiffError):
    """An entry point of the group ``rankdiff.cases`` that does not load, or is no library."""


class BrokenLedgerError(RankdiffError):
    """A ledger that cannot be read: the message names file, line and what was expected."""


class BrokenReportError(RankdiffError):
    """A report that is none, of which a part is missing, or that was edited."""


class SummaryError(RankdiffError):
    """A job summary that cannot be written."""


class AcceptError(RankdiffError):
    """A divergence that cannot be written to a ledger: nothing shows it whole, or its link and reason are missing."""


class NotInstalledError(RankdiffError):
    """Something to test that is not on this machine."""


class UnusableError(RankdiffError):
    """Something to test that is on this machine, or was named by the user, and cannot be used."""


class UnreachableError(UnusableError):
    """Something under test that cannot be had now, since a network or a server failed; it says nothing about that."""


class BadRequirementError(RankdiffError):
    """A subject that is no requirement which an installer takes."""


class NoReleasesError(RankdiffError):
    """Releases of a distribution that cannot be listed, or of which none is in a range."""


class UnknownEnvironmentError(RankdiffError):
    """A name that is no environment in the cache, or one that cannot be removed."""


class PatchError(RankdiffError):
    """A proposed change that cannot be used: it does not apply, is none, or reaches where it must not."""


class BadInputError(RankdiffError):
    """A text that is no input of the case that it is meant for."""


class FindingsFolderError(RankdiffError):
    """A findings folder that cannot be written."""


class CacheFolderError(RankdiffError):
    """A cache folder that cannot be written."""


class MiscountedDomainError(RankdiffError):
    """A domain whose enumeration does not hold as many inputs as its closed formula says."""


class BundleError(RankdiffError):
    """A bundle that cannot be written, or does not show what it should."""


class BrokenResultsError(RankdiffError):
    """Kept results, or a finding, that cannot be read: the message names the place and what was expected."""


class NoResultsError(RankdiffError):
    """Results of releases that are not there."""


class PageError(RankdiffError):
    """A page that cannot be written."""


class BrokenAdapterError(RankdiffError):
    """An adapter without the function that a case calls."""


class WorkerFailedToStartError(RankdiffError):
    """A worker that ended, or said something else, before it was ready: the subject cannot run."""


class WorkerSlowToStartError(WorkerFailedToStartError):
    """A worker that gave no greeting within its time limit: an overloaded machine may be the cause, not the subject."""


class CancelledRunError(Exception):
    """A run that another thread ended."""


class InterruptedRunError(Exception):
    """A run that the user ended."""


class WorkerDiedError(Exception):
    """A worker that ended while inputs were with it."""

    def __init__(self, how: str) -> None:
        super().__init__(how)
        self.how = how


class WorkerHungError(Exception):
    """A worker that gave no answer within its time limit."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"no answer within {seconds:g} s")
        self.seconds = seconds


class WorkerGarbledError(Exception):
    """A worker whose answer is not one outcome per input."""
