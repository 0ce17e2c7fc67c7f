"""Titles and features of synthetic data, without NumPy, because Snakemake's rules import this."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Synthetic:
    """Title of a generator's data in figures, number of features, and kind of answer."""

    title: str
    features: int = 2
    answer: str = "label"  # "label" or "target": what is predicted from the features


SYNTHETIC = {
    "rings": Synthetic("rings"),
    "moons": Synthetic("moons"),
    "spirals": Synthetic("spirals"),
    "swiss_roll": Synthetic("Swiss roll", features=3, answer="target"),
    "clusters": Synthetic("clusters"),
    "parabola": Synthetic("parabola (target: its x)", answer="target"),
    "linear": Synthetic("linear"),
}
