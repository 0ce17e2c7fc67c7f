"""Names of kernels in sentences, figures and the configuration; `kpca.kernels` computes kernels.

The Snakefile imports this module, which therefore needs only the standard library. Run as a
program, the module writes the table of kernels in config/README.md.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from kpca.study.fitting.grid import AXES

LINEAR = "linear"  # the kernel whose components are those of PCA
README = Path(__file__).parents[3] / "config/README.md"


@dataclass(frozen=True)
class Family:
    """A built-in kernel: its names, its style in figures, and its keys in the configuration."""

    words: str  # name in a sentence
    label: str  # name in a figure
    color: str
    marker: str
    axes: tuple[str, ...] = ()  # keys of the configuration, in the order of the documentation

    @property
    def n_parameters(self) -> int:
        """Number of parameters; all keys that set γ count as one."""
        return len({AXES[axis].parameter for axis in self.axes})


FAMILIES = {
    "linear": Family("linear kernel, which equals PCA", "linear", "#CC79A7", "v"),
    "poly": Family(
        "polynomial kernel", "polynomial", "#E69F00", "^", ("degree", "gamma", "scale", "coef0")
    ),
    "rbf": Family("Gaussian kernel", "Gaussian", "#0072B2", "s", ("gamma", "sigma", "median")),
    "laplacian": Family("Laplacian kernel", "Laplacian", "#56B4E9", "D", ("gamma", "median")),
    "cauchy": Family("Cauchy kernel", "Cauchy", "#999933", "p", ("gamma", "median")),
    "exponential": Family("exponential kernel", "exponential", "#661100", ">", ("gamma", "median")),
    "matern32": Family(
        "Matérn kernel with ν = 3/2", "Matérn 3/2", "#6699CC", "h", ("gamma", "median")
    ),
    "anova": Family("ANOVA kernel", "ANOVA", "#882255", "X", ("degree", "gamma")),
    "sigmoid": Family("sigmoid kernel", "sigmoid", "#D55E00", "P", ("gamma", "scale", "coef0")),
    "cosine": Family("cosine kernel", "cosine", "#009E73", "*"),
}


def documented() -> str:
    """Return the text of config/README.md with an updated table of kernels, formulas and axes."""
    from kpca.kernels.registry import KERNELS

    lines = ["| kernel | formula | axes |", "|---|---|---|"]
    for name, family in FAMILIES.items():
        axes = ", ".join(f"`{axis}`" for axis in family.axes)
        lines.append(f"| `{name}` | {KERNELS[name].formula} | {axes} |")
    table = "".join(f"{line}\n" for line in lines)
    text = README.read_text(encoding="utf-8")
    return re.sub(r"(?m)^\| kernel \| formula .*\n(?:\|.*\n)*", lambda _: table, text)


if __name__ == "__main__":
    README.write_text(documented(), encoding="utf-8")
