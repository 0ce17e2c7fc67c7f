"""The old name of `kpca.study` and of the packages of `workflow`, kept for one release."""

import warnings

warnings.warn(
    "the package `pipeline` has new names: `from kpca.study import answer` and "
    "`python -m kpca.study.compare A B`",
    FutureWarning,
    stacklevel=2,
)

from kpca.study import answer as answer  # noqa: E402
