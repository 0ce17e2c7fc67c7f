"""Convert estimators and their values to JSON plus arrays, and back.

None, booleans, numbers, text and lists are written as they are. Any other value is written as
``{kind: parts}``, and its parts are converted in the same way. Reading a file only creates values
of the kinds and classes in the tables `KINDS`, `KNOWN` and `RECORDS`.
"""

from collections import UserList
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.recfunctions import repack_fields as packed

from kpca.persistence.classes import KNOWN, NEEDED, RECORDS, check_shapes, class_of, is_one_of
from kpca.types import Array

PLAIN = (type(None), bool, int, float, str)
NO_TREE = "The nodes of a decision tree do not go together"
# Python's own types come last, because the last of several types with the same name is used.
_TYPES = (*np.ScalarType, np.number, np.integer, np.floating, bool, object)
NAMED = {kind.__name__: kind for kind in _TYPES} | {"log": np.log, "exp": np.exp}
NAMES = {id(value): name for name, value in NAMED.items()}


class Kind(NamedTuple):
    """A kind of value: functions that recognize it, return its parts, and build it from parts."""

    applies: Callable[[Any], bool]
    parts: Callable[[Any], Any]
    value: Callable[[Any], Any]


def _objects(parts: list[Any]) -> Array:
    shape, values = parts
    return np.fromiter(values, object, len(values)).reshape(shape)


def _sparse(parts: list[Any]) -> Any:
    from scipy.sparse import csr_matrix

    *content, shape = parts
    matrix = csr_matrix(tuple(content), shape=tuple(shape))
    matrix.check_format(full_check=True)
    return matrix


def _check_nodes(children: Array, inner: Array) -> None:
    """Raise an error unless all nodes of a tree lead to leaves, which scikit-learn does not check.

    `children` has two columns, and `inner` says which nodes have children.
    """
    below = children[inner]
    # Each node except the root is the child of exactly one node, which comes before this child.
    is_whole = np.array_equal(np.sort(below, axis=None), np.arange(1, len(children)))
    if not len(children) or not is_whole or not (below > np.flatnonzero(inner)[:, None]).all():
        raise ValueError(NO_TREE)


def _tree(parts: list[Any]) -> Any:
    """Rebuild a tree of scikit-learn, after a check of its nodes."""
    from sklearn.tree._tree import NODE_DTYPE, Tree

    columns, classes, nodes, values = parts
    nodes = nodes.astype(NODE_DTYPE)
    children = np.stack([nodes["left_child"], nodes["right_child"]], axis=1)
    inner = children[:, 0] >= 0
    _check_nodes(children, inner)
    if (children[~inner] != -1).any() or (nodes["feature"][inner] // columns != 0).any():
        raise ValueError(NO_TREE)
    depth = 0
    level = np.array([0])
    while len(level := children[level][inner[level]].ravel()):
        depth += 1
    tree = Tree(int(columns), np.array([classes], dtype=np.intp), 1)
    state = {"max_depth": depth, "node_count": len(nodes), "nodes": nodes, "values": values}
    tree.__setstate__(state)
    return tree


def _boosted_tree(nodes: Array) -> Any:
    """Rebuild a tree of scikit-learn's gradient boosting; it must have no splits by categories."""
    from sklearn.ensemble._hist_gradient_boosting.common import PREDICTOR_RECORD_DTYPE
    from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor

    nodes = nodes.astype(PREDICTOR_RECORD_DTYPE)
    inner = nodes["is_leaf"] == 0
    _check_nodes(np.stack([nodes["left"], nodes["right"]], axis=1).astype(np.int64), inner)
    if nodes["is_categorical"].any() or (nodes["feature_idx"] < 0).any():
        raise ValueError(NO_TREE)
    no_categories = np.empty((0, 8), dtype=np.uint32)
    return TreePredictor(nodes, no_categories, no_categories)


def _fields(record: Any) -> dict[str, Any]:
    """Return the attributes of a record that its constructor takes, by name."""
    names = signature(type(record)).parameters
    return {name: vars(record)[name] for name in names if name in vars(record)}


KINDS = {
    "tuple": Kind(lambda v: type(v) is tuple, list, tuple),
    "dict": Kind(lambda v: type(v) is dict, lambda v: [*map(list, v.items())], dict),
    "slice": Kind(
        lambda v: type(v) is slice, lambda v: [v.start, v.stop, v.step], lambda p: slice(*p)
    ),
    "dtype": Kind(lambda v: isinstance(v, np.dtype), lambda v: v.str, np.dtype),
    "type": Kind(lambda v: id(v) in NAMES, lambda v: NAMES[id(v)], NAMED.__getitem__),
    "scalar": Kind(lambda v: isinstance(v, np.generic), np.asarray, lambda array: array[()]),
    "objects": Kind(
        lambda v: isinstance(v, np.ndarray) and v.dtype == object,
        lambda v: [list(v.shape), list(v.flat)],
        _objects,
    ),
    "sparse": Kind(
        lambda v: hasattr(v, "indptr"),
        lambda v: [v.data, v.indices, v.indptr, list(v.shape)],
        _sparse,
    ),
    "tree": Kind(
        lambda v: type(v).__module__ == "sklearn.tree._tree",
        lambda v: [v.n_features, v.max_n_classes, packed(v.__getstate__()["nodes"]), v.value],
        _tree,
    ),
    "boosted tree": Kind(
        lambda v: type(v).__module__ == "sklearn.ensemble._hist_gradient_boosting.predictor",
        lambda v: packed(v.nodes),
        _boosted_tree,
    ),
    "record": Kind(
        lambda v: is_one_of(RECORDS, v),
        lambda v: [type(v).__name__, _fields(v)],
        lambda p: class_of(p[0], RECORDS)(**p[1]),
    ),
}


def _is_learned(name: str) -> bool:
    """Return whether `name` has the form of an attribute that `fit` sets, such as ``mean_``."""
    return name != name.strip("_") and not name.startswith("__")


def _is_part(name: str, value: Any) -> bool:
    """Return whether an attribute is saved with a model.

    Eigenvectors of a fit on Dask are left out, because they stay on the workers. Random generators
    are left out, because they are not used after the fit.
    """
    is_temporary = hasattr(value, "__dask_graph__") or isinstance(value, np.random.Generator)
    return _is_learned(name) and not is_temporary


@dataclass(frozen=True)
class Writer:
    """Converts values to JSON, and collects their arrays under separate names."""

    arrays: dict[str, Array] = field(default_factory=dict)

    def value(self, value: Any, name: str) -> Any:
        """Return a value as JSON; `name` is the name of its array, and is used in error messages.

        Raises
        ------
        ValueError
            If a file cannot store the value.
        """
        if type(value) in PLAIN:
            return value
        # Scikit-learn 1.6 stores the remaining columns of a `ColumnTransformer` as a UserList.
        if isinstance(value, list | UserList):
            return [self.value(item, f"{name}.{number}") for number, item in enumerate(value)]
        if hasattr(value, "get_params") and not isinstance(value, type):
            return {"estimator": self.estimator(value, name)}
        for kind, (applies, parts, _) in KINDS.items():
            if applies(value):
                return {kind: self.value(parts(value), name)}
        if type(value) is np.ndarray:
            # Keep the memory order (by rows or by columns), because sums in another order round
            # differently.
            self.arrays[name] = value if value.flags.forc else value.copy(order="K")
            return {"array": [name, value.dtype.str, list(value.shape)]}
        if hasattr(value, "__array__"):  # such as column labels of pandas
            return self.value(np.asarray(value), name)
        raise ValueError(
            f"{name}={value!r} cannot be saved: a model file holds numbers, text, arrays and known "
            "estimators. For a callable kernel, use its matrix and kernel='precomputed'."
        )

    def estimator(self, model: Any, name: str = "") -> dict[str, Any]:
        """Return an estimator, fitted or not, as JSON.

        Raises
        ------
        ValueError
            If its class is not in `KNOWN`, or a file cannot store one of its values.
        """
        class_name = type(model).__name__
        if not is_one_of(KNOWN, model):
            where = f"{name}: " if name else ""
            raise ValueError(
                f"{where}{type(model).__module__}.{class_name} cannot be saved: a model file holds "
                f"{', '.join(KNOWN)}, of this package or of scikit-learn."
            )
        parameters = model.get_params(deep=False)
        if not isinstance(parameters.get("random_state", 0), Integral):
            parameters["random_state"] = None  # It is not used after the fit.
        # A cache folder and a number of threads belong to this machine and not to the model.
        for name_of_machine in {"memory", "n_threads"} & parameters.keys():
            parameters[name_of_machine] = None
        fitted = {k: v for k, v in vars(model).items() if k not in parameters and _is_part(k, v)}
        return {
            "class": class_name,
            "parameters": self._values(parameters, name),
            "attributes": self._values(fitted, name),
        }

    def _values(self, values: Mapping[str, Any], name: str) -> dict[str, Any]:
        return {
            key: self.value(value, f"{name}.{key}".lstrip(".")) for key, value in values.items()
        }


@dataclass(frozen=True)
class Reader:
    """Restores values from the JSON and the arrays of a `Writer`."""

    arrays: Mapping[str, Array]
    version: str | None = None  # version of scikit-learn that wrote the file

    def value(self, written: Any) -> Any:
        """Return the value that was written as JSON.

        Raises
        ------
        ValueError
            If no `Writer` wrote this JSON; the message says what is wrong and what to do.
        """
        if type(written) in PLAIN:
            return written
        if isinstance(written, list):
            return [self.value(item) for item in written]
        ((kind, parts),) = written.items()
        if kind == "estimator":
            return self.estimator(parts)
        if kind == "array":
            return self._array(*parts)
        return KINDS[kind].value(self.value(parts))

    def estimator(self, written: Mapping[str, Any]) -> Any:
        """Return the estimator that was written as JSON.

        Raises
        ------
        ValueError
            In the cases of `value`, if the class, a parameter or an attribute is unknown, if the
            version of scikit-learn is another, if a fitted estimator lacks an attribute, or if
            shapes do not match.
        """
        from sklearn import __version__

        name = written["class"]
        now, then = (str(v).split(".")[:2] for v in (__version__, self.version))
        if class_of(name).__module__.startswith("sklearn") and now != then:
            raise ValueError(
                f"The model holds a {name} of scikit-learn {self.version}, and this is "
                f"{__version__}: what fitted estimators hold is private to a minor version. Load "
                f"it with scikit-learn {'.'.join(then)}, or fit it with {'.'.join(now)}"
            )
        parameters = {k: self.value(v) for k, v in written["parameters"].items()}
        fitted = {k: self.value(v) for k, v in written["attributes"].items()}
        cls = class_of(name)
        foreign = sorted(set(parameters) - set(signature(cls).parameters))
        foreign += sorted(key for key in fitted if not _is_learned(key))
        if foreign:
            raise ValueError(
                f"The model has foreign parameters: {name} knows no {', '.join(foreign)} here. If "
                "another version of this package wrote the file, fit the model again with this one"
            )
        lacking = sorted({*NEEDED.get(name, ())} - fitted.keys())
        if lacking and set(fitted) - {"_sklearn_output_config"}:
            raise ValueError(f"The model lacks {', '.join(lacking)} of its {name}")
        model = cls(**parameters)
        vars(model).update(fitted)
        check_shapes(model)
        return model

    def _array(self, name: str, dtype: str, shape: list[int]) -> Array:
        if name not in self.arrays:
            raise ValueError(f"The model lacks {name}")
        array = self.arrays[name]
        if (array.dtype.str, list(array.shape)) != (dtype, shape):
            raise ValueError(
                f"{name} has shape {array.shape} of {array.dtype.str}, not {shape} of {dtype}"
            )
        return array
