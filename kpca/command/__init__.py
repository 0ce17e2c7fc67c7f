"""Apply a saved model to new rows, or describe it.

Rows are text (comma, semicolon, tab or blanks; .gz), also from standard input (-), or Parquet,
Feather, Excel, or the array X of an NPZ. Columns are found by name, in any order, and others are
ignored; a model that was fitted without names takes them in order, with or without a header. Output
is CSV, with every digit of every number. Ends with 0, or 1 for a model or rows that cannot be used,
or 2 for wrong arguments.
"""

# Only this part of the package prints. Modules that compute are imported after the arguments are
# read, so that wrong arguments are refused at once.

import argparse
import csv
import os
import signal
import sys
import warnings
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from kpca.reading.text import STANDARD

FRAMES = (".parquet", ".feather", ".arrow", ".xlsx", ".npz")  # Pandas or NumPy read these formats.


def _share(text: str) -> float:
    if not 0 < float(text) < 1:
        raise argparse.ArgumentTypeError("a fraction is between 0 and 1")
    return float(text)


def _names(text: str) -> list[str]:
    return next(csv.reader([text])) or [""]  # "" is the name of pandas' column of row numbers.


NAMES = {"type": _names, "action": "extend", "default": [], "metavar": "NAMES"}
SHARE = {"type": _share, "metavar": "SHARE"}
Options = dict[str, tuple[str, dict[str, Any]]]  # flags → help, and other arguments for argparse
ROWS: Options = {
    "rows": ("new rows, or - for standard input", {}),
    "--encoding": ("of a CSV file, such as latin-1", {"default": "utf-8-sig"}),
    "--sheet": ("of an Excel file: its name, or number (default: the first)", {}),
    "--decimal": (
        "mark, a comma or a point, of columns that do not show it themselves",
        {"choices": (",", ".")},
    ),
    "-o --output": ("a CSV file, perhaps .gz", {"default": STANDARD, "metavar": "FILE"}),
    "--keep": ("columns to carry to the output, a,b", NAMES),
    "--ignore": ("columns to leave out, a,b", NAMES),
}
PREDICT: Options = {
    "--probabilities": ("of each class, in columns probability_CLASS", {"action": "store_true"}),
    "--interval": (
        "columns low and high, between which that fraction of new rows lies, such as 0.9",
        {"type": _share, "metavar": "LEVEL"},
    ),
}
PREIMAGE = {"choices": ("ridge", "fixed_point", "mds")}
NOVELTY: Options = {
    "--statistic": (
        "distance from the components (default), or within them",
        {"choices": ("residual", "hotelling")},
    ),
    "--false-alarm": ("of ordinary new rows that may be called novel (default 0.05)", SHARE),
    "--reference": (
        "ordinary rows that set the threshold; required for a model of landmarks whose file has "
        "none, such as the rows that it was fitted to",
        {"metavar": "ROWS"},
    ),
}
ACTIONS: dict[str, tuple[str, Options]] = {
    "info": ("what is in a model file", {}),
    "transform": ("scores of rows, component by component", {}),
    "predict": ("the class or the number that is predicted of each row", PREDICT),
    "denoise": (
        "rows put back onto the components, in their own units",
        {"--preimage": ("in place of the method of the model", PREIMAGE)},
    ),
    "novelty": ("how novel each row is, with a threshold and yes or no", NOVELTY),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    _check(parser, options)
    # Exit by the exception `SystemExit`, so that unfinished files are removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        from kpca.command import actions, model

        with warnings.catch_warnings():
            warnings.simplefilter("always")  # The user's filters could hide or raise warnings.
            # Hide this warning, because the command has already matched columns by name.
            warnings.filterwarnings("ignore", "X does not have valid feature names")
            report = cache(lambda message: say(f"warning: {message}"))  # each warning once
            warnings.showwarning = lambda message, *_, **__: report(str(message))
            getattr(model if options.action == "info" else actions, options.action)(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:
        # The reader, such as `head`, has closed the pipe: nothing may be flushed into it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except ImportError as error:
        say(f'{_one_line(error)}: pip install "kpca[study]"')
        return 1
    except Exception as error:  # A malicious file can cause any exception.
        say(_one_line(error))
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    described, _, of_rows = str(__doc__).partition("\n\n")
    parser = argparse.ArgumentParser("kpca", description=described)
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, (summary, options_of_action) in ACTIONS.items():
        takes_rows = name != "info"
        action = actions.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            epilog=of_rows if takes_rows else None,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        action.add_argument("model", help="a file that kpca.save wrote")
        if takes_rows:
            options_of_action = ROWS | options_of_action
        for flags, (text, options) in options_of_action.items():
            action.add_argument(*flags.split(), help=text, **options)
    return parser


def _check(parser: argparse.ArgumentParser, options: Any) -> None:
    """Exit with an error if options contradict each other, or the output would replace an input."""
    if options.action == "info":
        return
    if both := set(options.keep) & set(options.ignore):
        parser.error(f"--keep and --ignore both name {min(both)!r}")
    output = Path(options.output)
    if output.suffix.lower() in FRAMES:
        parser.error(f"{output}: the output is CSV, and needs such a name")
    if not output.parent.is_dir():
        parser.error(f"{output}: there is no folder {output.parent}")
    sources = (options.rows, options.model, getattr(options, "reference", None))
    for source in map(Path, filter(None, sources)):
        if output.exists() and source.exists() and output.samefile(source):
            parser.error(f"{output} is read, and would be overwritten")


def _one_line(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or ''}: {error.strerror}".lstrip(": ")
    name = "" if isinstance(error, ValueError | OSError) else f"{type(error).__name__}: "
    return " ".join([f"{name}{error}", *getattr(error, "__notes__", [])])


def say(text: str) -> None:
    """Print a message on one line to standard error."""
    print("kpca:", " ".join(text.split()), file=sys.stderr)
