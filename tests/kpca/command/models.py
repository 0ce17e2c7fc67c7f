"""Fitted models of several kinds, rows for them, and the command applied to both."""

import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, OrdinalEncoder, StandardScaler

from kpca import PCA, KernelPCA, KernelPCANovelty, LandmarkKernelPCA, save
from kpca.command import main

NUMBERS = ["height", "weight"]


def table(seed, n):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "height": rng.normal(170, 10, n),
            "weight": rng.normal(70, 9, n),
            "dose": rng.integers(0, 3, n).astype(float),
            "colour": rng.choice(["red", "größer, than", " blue"], n).astype(object),
        }
    )
    return frame.mask(rng.random(frame.shape) < 0.05)


ROWS = table(0, 120)
NEW = table(1, 700)
FULL = ROWS[NUMBERS].fillna(165.0)
FULL_NEW = NEW[NUMBERS].fillna(165.0)


def divided(**options):
    text_columns = make_pipeline(
        SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")
    )
    return ColumnTransformer(
        [("numbers", SimpleImputer(), NUMBERS), ("categories", text_columns, ["dose", "colour"])],
        **options,
    )


def rbf(**options):
    return KernelPCA(3, kernel="rbf", gamma="median", preimage="fixed_point", **options)


MIXED = make_pipeline(divided(sparse_threshold=0), StandardScaler(), rbf()).fit(ROWS)
SPARSE = make_pipeline(divided(sparse_threshold=1), rbf()).fit(ROWS)
# (model, rows of a frame): named columns, with everything missing filled where it has to be
NAMED = {
    "mixed": (MIXED, NEW),
    "sparse": (SPARSE, NEW),
    "nested": (make_pipeline(make_pipeline(StandardScaler()), "passthrough", rbf()), FULL_NEW),
    "bare": (KernelPCA(2, kernel="poly", degree=2), FULL_NEW),
    "linear": (KernelPCA(2), FULL_NEW),
    "pca": (make_pipeline(SimpleImputer(), PCA(2)), NEW[NUMBERS]),
    "landmarks": (
        LandmarkKernelPCA(3, kernel="rbf", gamma="median", preimage="fixed_point", n_landmarks=20),
        FULL_NEW,
    ),
    "codes": (
        make_pipeline(
            ColumnTransformer(
                [("codes", OrdinalEncoder(), ["colour"]), ("rest", "passthrough", NUMBERS)]
            ),
            MinMaxScaler(),
            rbf(),
        ),
        NEW.drop(columns="dose").dropna(),
    ),
}
for model, new in NAMED.values():
    model.fit(ROWS[new.columns].dropna() if new.notna().all(axis=None) else ROWS[new.columns])
UNNAMED = {
    "double": make_pipeline(StandardScaler(), rbf()).fit(FULL.to_numpy()),
    "single": rbf().fit(FULL.to_numpy(np.float32) / 8),
    "detector": make_pipeline(StandardScaler(), KernelPCANovelty()).fit(FULL.to_numpy()),
}


def run(folder, action, model, rows, *options, **notes):
    """Save a model, apply an action to rows, and return the output, if any, and what was said.

    The rows are a frame, the bytes of a CSV file, the path of a file, or "-".
    """
    save(model, folder / "m", notes=notes)
    if isinstance(rows, bytes):
        (folder / "new.csv").write_bytes(rows)
    elif isinstance(rows, pd.DataFrame):
        header = isinstance(rows.columns[0], str)
        rows.to_csv(folder / "new.csv", index=False, header=header)
    source = rows if isinstance(rows, Path | str) else folder / "new.csv"
    arguments = [action, str(folder / "m"), str(source), "-o", str(folder / "out.csv"), *options]
    stream = io.StringIO()
    with redirect_stdout(stream), redirect_stderr(stream):
        code = main(arguments)
    if code:
        return None, stream.getvalue()
    return pd.read_csv(folder / "out.csv"), stream.getvalue()
