"""`InputError`, for input that a person can correct, and helpers for its message."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path

LONGEST = 2000  # largest number of characters in a line of a message


class InputError(ValueError):
    """The user's input cannot be used; the message says where the problem is and what to do."""


def input_error(subject: str, problems: Sequence[str]) -> InputError:
    """Return an error with one line per problem: place, value, requirement and remedy.

    >>> print(input_error("dataset 'mine'", ["line 3, column 'age': 'old' is not a number"]))
    dataset 'mine': 1 problem
      - line 3, column 'age': 'old' is not a number
    """
    count = f"{len(problems)} problem{'s' * (len(problems) != 1)}"
    return InputError("\n  - ".join(map(_one_line, [f"{subject}: {count}", *problems])))


def _one_line(text: str) -> str:
    """Return a text with unprintable characters escaped, and shortened to `LONGEST` characters.

    Both changes are needed, because names in a file can have any characters and any length.
    """
    printable = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    if len(printable) <= LONGEST:
        return printable
    half = LONGEST // 2
    return f"{printable[:half]}…{printable[-half:]}"


def nearest(word: str, choices: Sequence[str]) -> str:
    """Return a sentence that names the choice closest to `word`, and all choices.

    >>> nearest("specis", ["species", "age"])
    "did you mean 'species'? There are 'age', 'species'"
    >>> nearest("SPECIES", ["species"]), nearest("x", ["b", "a"]), nearest("x", [])
    ("did you mean 'species'? There are 'species'", "there are 'a', 'b'", 'there are none')
    """
    if not choices:
        return "there are none"
    close = closest(word, choices)
    listed = shortlist([repr(choice) for choice in sorted(choices)], limit=20)
    return (f"did you mean {close!r}? There are " if close else "there are ") + listed


def closest(word: str, choices: Iterable[str]) -> str:
    """Return the choice that is most similar to a word, ignoring case; "" if none is similar."""
    folded = {choice.casefold(): choice for choice in choices}
    close = get_close_matches(word.casefold(), folded, n=1)
    return folded[close[0]] if close else ""


def missing_file(path: Path) -> str:
    """Return a message that a file is missing, with the folder and a similar name.

    The message is empty if the file exists. If the system refuses the path, the message says why.
    """
    try:
        if path.is_file():
            return ""
        if path.exists():
            kind = "a folder" if path.is_dir() else "a pipe or a device"
            return f"`{path}` is {kind}; give the path of a file"
        if path.is_symlink():
            return f"`{path}` is a link to `{path.readlink()}`, which is not there"
        if not path.parent.is_dir():
            return f"no file `{path}`: there is no folder `{path.parent.absolute()}`"
        names = sorted(entry.name for entry in path.parent.iterdir() if entry.is_file())
    except (OSError, ValueError) as error:
        return f"no file `{path}`: {getattr(error, 'strerror', error)}"
    close = closest(path.name, names)
    question = f"; did you mean `{path.parent / close}`?" if close else ""
    return f"no file `{path}` (looked in {path.parent.absolute()}){question}"


def shortlist(items: Sequence[str], *, limit: int = 5) -> str:
    """Join the first `limit` items with commas and count the rest.

    >>> shortlist(["a", "b", "c", "d"], limit=2)
    'a, b and 2 more'
    """
    listed = ", ".join(items[:limit])
    return f"{listed} and {len(items) - limit} more" if len(items) > limit else listed
