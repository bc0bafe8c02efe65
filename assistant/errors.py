"""Errors that arise above the library, in the same family: each message is shown to the user as it stands."""

from vectorstore.errors import PaperchatError

__all__ = ["BadSetting", "ModelTrouble", "PaperchatError", "PortInUse", "QuestionsUnusable", "SavedUnusable"]


class BadSetting(PaperchatError):
    """A setting has a value that cannot be used."""


class PortInUse(PaperchatError):
    """The chat window's port is taken."""


class ModelTrouble(PaperchatError):
    """The language model cannot be reached, fails, or writes nothing of use."""


class QuestionsUnusable(PaperchatError):
    """Files of questions to evaluate with cannot be used."""


class SavedUnusable(PaperchatError):
    """A saved conversation cannot be read back."""
