import pandas as pd

from pipeline.drawing import forest, style


def row(kernel: str, **changes: object) -> dict[str, object]:
    chosen = {"dataset": "iris", "method": "linear_svm", "main": True, "criterion": "cv"}
    chosen["baseline"] = "pca"
    intervals = {"mean": 0.9, "low": 0.8, "high": 1.0}
    intervals |= {"gain": 0.0, "gain_low": -0.1, "gain_high": 0.1}
    return chosen | {"kernel": kernel} | intervals | changes


ROWS = [
    row("best kernel", criterion="cv_over_kernels"),
    row("mine"),
    row("pca"),
    row("raw"),
    row("raw", method="rbf_svm"),
    row("rbf"),
    row("rbf", criterion="label_free", mean=0.7),
    row("rbf", method="linear_svm_whitened"),
    row("rbf", method="kmeans"),
    row("rbf", method="embedding"),
    row("pca", method="embedding", dataset="plain"),
    row("rbf", main=False),
    row("linear"),
    row("best kernel", baseline="raw"),
]
METHODS = ["linear_svm", "linear_svm_whitened", "rbf_svm", "embedding"]


def test_lines_are_ordered_baselines_first_the_best_kernel_last() -> None:
    found = forest.order(forest.lines(pd.DataFrame(ROWS), METHODS))

    assert found == ["raw", "rbf_svm", "pca", "rbf", "rbf, whitened", "mine", "best kernel"]


def test_trustworthiness_stands_in_only_where_there_is_nothing_else() -> None:
    found = forest.lines(pd.DataFrame(ROWS), METHODS)

    assert set(found.loc[found["method"] == "embedding", "dataset"]) == {"plain"}


def test_label_free_is_hollow_and_beside_label_tuned() -> None:
    rows = forest.lines(pd.DataFrame(ROWS[5:7]), METHODS)
    ax = style.figure()[1][0, 0]

    forest.draw(ax, rows, forest.order(rows))

    tuned, free = ax.lines[1], ax.lines[3]
    assert (tuned.get_xdata()[0], free.get_xdata()[0]) == (0.9, 0.7)
    assert tuned.get_markerfacecolor() == style.BLUE
    assert free.get_markerfacecolor() == "white"
    assert 0 < free.get_ydata()[0] - tuned.get_ydata()[0] < 0.5


def test_small_differences_are_not_blown_up() -> None:
    rows = forest.lines(pd.DataFrame([row("rbf", low=0.899, high=0.901)]), METHODS)
    ax = style.figure()[1][0, 0]

    forest.draw(ax, rows, forest.order(rows))

    low, high = ax.get_xlim()
    assert high - low >= forest.LEAST_WIDTH - 1e-12
