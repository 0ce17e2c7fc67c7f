"""The actions transform, predict, novelty and denoise of the command ``kpca``."""

from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from kpca import preimage
from kpca.base import BaseKernelPCA
from kpca.command import say
from kpca.command.columns import undo
from kpca.command.model import Model, read_model, validity
from kpca.command.rows import NewRows, written
from kpca.kernel_pca import KernelPCA
from kpca.novelty import KernelPCANovelty, novelty_scores, order, statistics
from kpca.novelty.explanation import COLUMNS
from kpca.reading.errors import shortlist
from kpca.reading.text import STANDARD
from kpca.types import Array

LIMIT = "novelty limit"  # name of the note with the residual that few of the fitted rows exceed

Columns = dict[str, Sequence[Any]]  # columns of the output by name
# A `Work` computes output columns from rows in the form that the model's components take.
Work = Callable[[NewRows, Any], Columns]


def transform(options: Namespace) -> None:
    """Write the scores of rows."""
    model = read_model(options.model)
    components = model.components
    k = len(components.explained_variance_ratio_)
    names = [f"component_{j + 1}" for j in range(k)]
    _write(options, model, names, lambda _, P: _columns(names, components.transform(P)))


def predict(options: Namespace) -> None:
    """Write the predicted class or number of each row."""
    model = read_model(options.model)
    if not model.predicts:
        raise ValueError(
            f"{options.model} holds no classifier or regressor: take the file predictor.npz that a "
            "run writes next to model.npz, or save a pipeline that ends in one"
        )

    whole = model.whole
    for attribute, option in (("sigmoids_", "probabilities"), ("residuals_", "interval")):
        if getattr(options, option) and not hasattr(whole, attribute):
            raise ValueError(
                f"{options.model} holds nothing for --{option}: a run stores probabilities of "
                "classes, or intervals of a number, in predictor.npz of your own file"
            )
    names = ["prediction"]
    parts = [whole.predict]
    if options.probabilities:
        names += [f"probability_{name}" for name in whole.classes_]
        parts.append(whole.predict_proba)
    if options.interval:
        names += ["low", "high"]
        parts.append(partial(whole.predict_interval, level=options.interval))

    def predicted(_: NewRows, X: Any) -> Columns:
        return _columns(names, np.column_stack([part(X).astype(object) for part in parts]))

    _write(options, model._replace(steps=[]), names, predicted)


def _columns(names: Sequence[str], matrix: Array) -> Columns:
    return dict(zip(names, matrix.T.tolist(), strict=True))


def novelty(options: Namespace) -> None:
    """Write how novel each row is and why, and print what the threshold means."""
    model = read_model(options.model)
    detector, meaning = _detector(model, options)
    detector.feature_names_in_ = _variables(model)
    count = 0
    novel = 0
    largest = 0.0  # largest error of a contribution

    def judged(_: NewRows, P: Any) -> Columns:
        nonlocal count, novel, largest
        columns = detector.explain(P)
        largest = float(np.nan_to_num(columns.pop("error")).max(initial=largest))
        count += len(columns["novel"])
        novel += columns["novel"].sum()
        columns["novel"] = np.where(columns["novel"], "yes", "no")
        return {
            name: [cell if cell == cell else "" for cell in column.tolist()]
            for name, column in columns.items()
        }

    _write(options, model, COLUMNS, judged)
    statistic = detector.statistic
    say(f"{novel} of {count} rows are novel: their {statistic} is above {meaning}")
    if largest:
        say(f"the {statistic} of single variables is off by about {largest:.2g} at most")
    say(validity(model, is_stored=_is_stored(model, options)))


def _variables(model: Model) -> list[str]:
    """Return the names of the prepared columns, such as ``colour_red``."""
    names = list(model.reader.get_feature_names_out())
    for step in model.steps:
        # If a function does not name its columns, keep the names of its inputs, which are right in
        # most cases.
        if not hasattr(step, "get_feature_names_out"):
            continue
        names = list(step.get_feature_names_out(names))
        # Remove the prefix of each column name, which is the name of the transformer.
        if type(step).__name__ == "ColumnTransformer":
            names = [name.partition("__")[2] or name for name in names]
    width = model.components.n_features_in_
    return names if len(names) == width else [f"x{number + 1}" for number in range(width)]


def denoise(options: Namespace) -> None:
    """Write the pre-image of each row, in the columns and units of the file."""
    model = read_model(options.model)
    failed = 0
    carried = set[str]()
    last = _kernel_pca(model, options)
    if options.preimage:
        last.set_params(preimage=options.preimage)
    if last.preimage == preimage.LEARNED and not last.fit_inverse_transform:
        _find_way_back(last)

    def restored(rows: NewRows, P: Any) -> Columns:
        nonlocal failed
        # These are the steps of `KernelPCA.denoise`, with a count of failures.
        images = last.find_preimages(last.transform(P), P)
        failed += int(np.count_nonzero(~images.converged))
        names = model.reader.get_feature_names_out()
        back = dict(zip(names, undo(model.steps, images.points).T, strict=True))
        columns = Columns()
        for name, source in rows.sources.items():
            if name in back and np.isfinite(back[name]).all():
                columns[source] = back[name].tolist()
            else:
                carried.add(repr(name))
        return columns

    _write(options, model, [], restored)
    if carried:
        say(f"written as they came, since they cannot be had back: {shortlist(sorted(carried))}")
    if failed:
        say(f"warning: the pre-images of {failed} rows did not converge")


def _kernel_pca(model: Model, options: Namespace) -> BaseKernelPCA:
    last = model.components
    if isinstance(last, BaseKernelPCA):
        return last
    kind = type(last).__name__
    raise ValueError(f"{options.action} takes a KernelPCA, and this model is a {kind}")


def _find_way_back(model: BaseKernelPCA) -> None:
    """Set a pre-image method that `fit` need not learn, or learn the ridge regression now."""
    if model.kernel == "precomputed":
        raise ValueError("the model was fitted to a kernel matrix, and has no rows to go back to")
    if model.kernel in preimage.WITH_FORMULA:
        model.set_params(preimage="fixed_point")
        return
    learned = preimage.learn(model.expansion(), model.X_fit_, model.alpha)
    model.X_transformed_fit_, model.dual_coef_ = learned
    model.set_params(fit_inverse_transform=True)


def _is_stored(model: Model, options: Namespace) -> bool:
    """Return whether the file holds the calibration of the statistic, and no reference is given."""
    stored = isinstance(model.last, KernelPCANovelty) and options.reference is None
    return stored and options.statistic in (None, model.last.statistic)


def _detector(model: Model, options: Namespace) -> tuple[KernelPCANovelty, str]:
    """Return a novelty detector, and the meaning of its limit.

    The limit comes from reference rows, from a detector in the file, from the rows that the model
    was fitted to, or from a note in the file.
    """
    last = _kernel_pca(model, options)
    stored = model.last if isinstance(model.last, KernelPCANovelty) else KernelPCANovelty()
    statistic = options.statistic or stored.statistic
    share = options.false_alarm or stored.false_alarm
    statistics.check_statistic(statistic, last.kernel)
    detector = KernelPCANovelty(statistic=statistic, false_alarm=share)
    detector.estimator_ = last
    basis = "the rows fitted exceed under models fitted without them"
    if options.reference:
        not_taken = [*options.keep, *options.ignore]
        with _named(options.reference):
            rows = NewRows(model, options.reference, options, leave_out=not_taken)
            batches = [
                (novelty_scores(last, X, statistic=statistic), last.transform(X))
                for _, X in rows.batches()
            ]
            if not batches:
                raise ValueError("there are no rows")
        values, scores = (np.concatenate(parts) for parts in zip(*batches, strict=True))
        detector.calibration_ = np.sort(values)
        detector.memory_ = order.memory(values, scores, np.arange(len(values)))
        basis = f"the rows of {options.reference} exceed"
    elif _is_stored(model, options):
        detector.calibration_ = stored.calibration_
        detector.memory_ = stored.memory_
    elif isinstance(last, KernelPCA):
        detector._calibrate()
    elif LIMIT in model.notes and options.statistic != "hotelling" and not options.false_alarm:
        detector.calibration_ = np.empty(0)
        detector.limit_ = float(model.notes[LIMIT])
        return detector, f"{detector.limit_:.6g}, which at most {share} of the rows fitted exceed"
    else:
        raise ValueError(
            "the model holds landmarks: give rows that set the threshold, --reference FILE, "
            "such as those that it was fitted to, or take novelty.npz next to it"
        )
    n = len(detector.calibration_)
    detector.limit_ = statistics.conformal_limit(detector.calibration_, share)
    if not np.isfinite(detector.limit_):
        raise ValueError(
            f"{n} rows set no threshold that {share:.3g} of ordinary rows exceed: take "
            f"{order.fewest(share)} rows or more, or raise --false-alarm"
        )
    if statistic == "residual" and statistics.is_rounding(detector.limit_, last):
        raise ValueError(
            "The model keeps all of the variance; there is no residual to test. Take the file "
            "novelty.npz that a run writes next to it, or --statistic hotelling."
        )
    order.warn_of_memory(detector.memory_, n, share)
    return detector, f"{detector.limit_:.6g}, which at most {share:.3g} of {basis}"


@contextmanager
def _named(path: str) -> Iterator[None]:
    """Put the name of a file before the message of an error."""
    try:
        yield
    except ValueError as error:
        where = "standard input" if path == STANDARD else path
        raise ValueError(f"{where}: {error}") from error


def _write(options: Namespace, model: Model, names: Sequence[str], work: Work) -> None:
    """Write the columns to copy, and after them the columns `names` that `work` computes.

    If `names` is empty, all columns of the rows are written, and the values that `work` returns
    replace their cells.
    """
    with _named(options.rows):
        rows = NewRows(model, options.rows, options, options.keep, options.ignore)
        header = rows.carried
        if not names:
            left_out = {*options.ignore, *rows.ignored}
            header = [name for name in rows.header if name not in left_out]
        if both := {*header} & {*names}:
            raise ValueError(f"column {min(both)!r} has the name of one that is computed")
        with written(options.output) as out:
            if names or not rows.is_headless:
                out.writerow([*header, *names])
            for cells, X in rows.batches():
                columns = cells[header].to_dict("list") | work(rows, X)
                written_columns = [columns[name] for name in (*header, *names)]
                out.writerows(zip(*written_columns, strict=True))
    if rows.left_out:
        say(f"{rows.left_out} rows have missing cells, as the fit left them out too: left out")
    if rows.ignored:
        listed = [repr(name) if name else "a column without a name" for name in rows.ignored]
        say(f"the model does not take {shortlist(listed, limit=8)}: ignored")
