"""What is known of synthetic data before any is drawn; the rules read it, hence no NumPy here."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Synthetic:
    """The columns that a generator draws, and its name above a panel."""

    title: str
    features: int = 2
    answer: str = "label"  # "label" or "target": what a row has beside its features


SYNTHETIC = {
    "rings": Synthetic("rings"),
    "moons": Synthetic("moons"),
    "spirals": Synthetic("spirals"),
    "swiss_roll": Synthetic("Swiss roll", features=3, answer="target"),
    "clusters": Synthetic("clusters"),
    "parabola": Synthetic("parabola (target: its x)", answer="target"),
    "linear": Synthetic("linear"),
}
