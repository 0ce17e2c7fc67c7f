"""Read a model file, and print a description of it."""

from argparse import Namespace
from collections.abc import Iterator
from typing import Any, NamedTuple

from kpca.base import BaseKernelPCA
from kpca.command.columns import columns_of, flat, take_reader
from kpca.kernels.registry import KERNELS
from kpca.landmark_kernel_pca import LandmarkKernelPCA
from kpca.novelty import KernelPCANovelty
from kpca.persistence import NOTES, archive, description_of, load
from kpca.reading.cells import plain
from kpca.reading.columns import NUMBER, Column, ColumnReader
from kpca.reading.errors import shortlist

COMPONENTS = ("KernelPCA", "KernelPCANovelty", "LandmarkKernelPCA", "PCA", "SparsePCA")
SHOWN = 50  # largest number of columns in the description


class Model(NamedTuple):
    """Content of a model file."""

    whole: Any  # the model without the step that reads cells
    steps: list[Any]  # steps that prepare rows
    last: Any  # step with the components; None if there are no components
    predicts: bool  # whether the model ends in a classifier or regressor
    reader: ColumnReader
    has_names: bool  # whether columns are found by name
    description: dict[str, Any]

    @property
    def components(self) -> Any:
        """The estimator with the components, even if it is inside a detector.

        Raises
        ------
        ValueError
            If the model is a predictor without components.
        """
        if self.last is None:
            raise ValueError(
                "It predicts from columns, without components: take the file model.npz of the run"
            )
        return getattr(self.last, "estimator_", self.last)

    @property
    def names_used(self) -> list[str]:
        """Names of the columns that the model finds by name and uses."""
        columns = self.reader.columns if self.has_names else []
        return [plain(column.name) for column in columns if column.used]

    @property
    def notes(self) -> dict[str, str]:
        """Notes that were saved with the model."""
        return dict(self.description.get(NOTES, {}))


def read_model(path: str) -> Model:
    """Read a model file.

    Raises
    ------
    ValueError
        If the file is not a model file, or if its model neither has components nor predicts.
    """
    whole = load(path)
    reader = take_reader(whole)
    estimators = flat(whole)
    names = [type(step).__name__ for step in estimators] or ["NoneType"]
    predicts = names[-1] not in COMPONENTS and hasattr(whole, "predict")
    if names[-1] not in COMPONENTS and not predicts:
        raise ValueError(f"{path}: the model ends in {names[-1]}, without components")
    description = description_of(archive.read(path))
    has_names = reader is not None or hasattr(estimators[0], "feature_names_in_")
    reader = reader or ColumnReader(columns_of(estimators))
    while names and names[-1] not in COMPONENTS:
        names.pop()
    *steps, last = estimators[: len(names)] or [None]
    return Model(whole, steps, last, predicts, reader, has_names, description)


def validity(model: Model, *, is_stored: bool) -> str:
    """Return a sentence on the new rows for which the fraction of false alarms holds.

    Only a threshold that is stored in the file takes the groups of the run into account.
    """
    group = model.notes.get("group")
    if group and is_stored:
        return f"this holds for rows of a new {group!r} that are drawn as the others were"
    return (
        "this holds for rows drawn as the others were; of new persons, patients or batches more "
        "rows can exceed it, unless it is the threshold in novelty.npz of a run with group="
    )


def info(options: Namespace) -> None:
    """Print what is in a model file."""
    for name, text in _lines(read_model(options.model)):
        print(f"{_printable(name):12}  {_printable(text)}".rstrip())


def _lines(model: Model) -> Iterator[tuple[str, str]]:
    steps = (getattr(step, "regressor", step) for step in flat(model.whole))
    yield "model", " → ".join(type(step).__name__ for step in steps)
    if model.last is not None:
        yield from _components(model.components)
    detector = model.last
    if isinstance(detector, KernelPCANovelty):
        yield (
            "novelty",
            f"{detector.statistic} above {detector.limit_:.6g}, as at most "
            f"{100 * detector.false_alarm:.3g} % of ordinary rows, by "
            f"{len(detector.calibration_)} held-out rows",
        )
        yield "", validity(model, is_stored=True)
    if model.predicts:
        classes = getattr(model.whole, "classes_", ())
        prediction = shortlist([*map(str, classes)], limit=8) if len(classes) else "a number"
        n = len(getattr(model.whole, "residuals_", ()))
        prediction += ", with probabilities" if hasattr(model.whole, "sigmoids_") else ""
        prediction += f", with intervals up to {100 * n / (n + 1):.4g} %" if n else ""
        yield "predicts", prediction
    yield "columns", f"{len(model.reader.columns)}, {'by name' if model.has_names else 'in order'}"
    for column in model.reader.columns[:SHOWN]:
        yield f"  {column.name}", _words(column)
    if len(model.reader.columns) > SHOWN:
        yield "  …", ""
    for name, note in model.notes.items():
        yield f"note {name}", note
    version = model.description["version"]
    of_sklearn = model.description["scikit-learn"]
    yield "file", f"version {version}, written with scikit-learn {of_sklearn}"


def _components(last: Any) -> Iterator[tuple[str, str]]:
    if isinstance(last, BaseKernelPCA):
        used = KERNELS[last.kernel].uses if last.kernel in KERNELS else ()
        values = (getattr(last, f"{name}_", getattr(last, name)) for name in used)
        parameters = (f"{name} {value:.6g}" for name, value in zip(used, values, strict=True))
        yield "kernel", ", ".join([str(last.kernel), *parameters])
    ratios = getattr(last, "adjusted_variance_ratio_", last.explained_variance_ratio_)
    of = getattr(last, "variance_denominator_", "trace")
    of = "" if of == "trace" else f" ({of})"
    by_landmarks = isinstance(last, LandmarkKernelPCA)
    # The ratios of a model with landmarks are lower bounds.
    share = f"{'at least ' if by_landmarks else ''}{_percent(ratios.sum())}"
    yield "components", f"{len(ratios)}, with {share} of the variance{of}"
    yield "", shortlist([*map(_percent, ratios)], limit=8)
    if isinstance(last, BaseKernelPCA):
        landmarks = f", by {last.X_fit_.shape[0]} landmarks" if by_landmarks else ""
        yield "rows fitted", f"{last.expansion().centering.n}{landmarks}"
        yield "solver", last.solver_.name


def _words(column: Column) -> str:
    if not column.used:
        return "not used"
    description = column.kind
    if column.parts:
        description = f"date: {', '.join(column.parts)}"
    elif column.kind != NUMBER:
        description = f"category: {shortlist([*map(str, column.values)], limit=8)}"
    return f"{description}; may be missing" if column.may_be_missing else description


def _percent(ratio: float) -> str:
    return f"{100 * ratio:.1f} %"


def _printable(text: str) -> str:
    return text if text.isprintable() else repr(text)  # A file may contain control characters.
