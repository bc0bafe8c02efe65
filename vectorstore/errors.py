"""The errors a person may see. Each message is one line that says what happened and what to do next."""


class PaperchatError(Exception):
    """Base of the family: its message is shown to the user as it stands."""


class UnreadablePath(PaperchatError):
    """A path that does not exist, or that holds nothing we can read."""


class LibraryMissing(PaperchatError):
    """There is no library at the given place."""


class LibraryMismatch(PaperchatError):
    """The library was made by another encoder or another schema than the one configured."""


class LibraryUnusable(PaperchatError):
    """The library's folder cannot be read or written."""


class LibraryBusy(PaperchatError):
    """Another process is writing to the library."""


class UnknownPaper(PaperchatError):
    """A paper's id that is not in the library."""


class EncoderUnusable(PaperchatError):
    """The configured encoder cannot be loaded, or its weights are not the expected ones."""
