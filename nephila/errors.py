"""The errors that Nephila raises for a person to read: each message says what to change.

The command line prints the message of a `NephilaError` as one line and exits with status 2.
"""


class NephilaError(Exception):
    """Base of every error that a user can mend; the message is one clear line."""


class ConfigError(NephilaError):
    """A job file, flag or setting cannot be used as it is."""


class StateError(NephilaError):
    """The state directory (frontier, ledger) is unusable, locked or of another job."""


class SinkError(NephilaError):
    """An output cannot be written as configured."""


class InputError(NephilaError):
    """A page, file or URL given by the user cannot be read."""
