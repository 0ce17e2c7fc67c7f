"""Say why nothing was chosen without labels."""

from collections.abc import Sequence

from pipeline.drawing import style
from pipeline.job import run


def draw(paths: Sequence[str]) -> None:
    """Draw a line of text."""
    style.note(
        "γ is chosen without labels among multiples of the median heuristic: give two or more of "
        "them,\n`kernels: { rbf: { median: [0.1, 1, 10] } }`, in the configuration.",
        paths,
    )


if __name__ == "__main__":
    run(draw)
