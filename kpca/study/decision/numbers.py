"""Numbers in sentences and figures. Jobs that draw tables load nothing else of a decision."""


def number(value: float, digits: int = 3) -> str:
    """Return a number with the minus sign that is as long as a digit, and no negative zero.

    >>> number(0.9624), number(-0.02), number(-0.0001)
    ('0.962', '−0.020', '0.000')
    """
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")
