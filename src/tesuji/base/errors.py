"""What people gave us and cannot be used: told in one line, never as a traceback."""


class InputError(ValueError):
    """Bad input: the message says what is wrong, where, and the cure.

    Raised by our own checks, those of the compiled core included. Any other `ValueError` is a defect of ours and is
    shown as one.
    """

    __module__ = "tesuji"  # the name by which users catch it
