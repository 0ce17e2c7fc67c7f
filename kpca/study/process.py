"""A simulated process with three faults, and what detectors find of them at equal false alarms.

``python -m kpca.study.process FOLDER`` writes ``normal.csv`` and ``new.csv`` into a folder, and
prints two tables: the rows that each detector finds of each fault, and false alarms with and
without the blocks that `kpca.KernelPCANovelty` asks for.
"""

import sys
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.covariance import EmpiricalCovariance
from sklearn.preprocessing import StandardScaler

from kpca import KernelPCA, KernelPCANovelty
from kpca.novelty import order

FAULTS = ("offset", "stall", "overload")
ROWS, FAULTY, FALSE_ALARM = 1000, 60, 0.05
CORRELATIONS = (0.5, 0.6, 0.7, 0.8, 0.9)
DRAWS = 3  # of which rates are means
SENSOR_NOISE = 0.1

Detector = Callable[[np.ndarray, np.ndarray], np.ndarray]  # (normal, new) → statistic of new rows


def process(
    n: int, *, seed: int, correlation: float = 0.7, turns: bool = True, fault: str = ""
) -> pd.DataFrame:
    """Return the sensors of a simulated machine with a cycle and a load, one row per minute.

    Crank and speed go around a circle, whose phase varies along time, as the load does. If the
    machine does not turn, both vary like the load, so that all sensors are linear.

    Parameters
    ----------
    n : int
        Number of rows.
    seed : int
        Seed of the random numbers.
    correlation : float, default=0.7
        Autocorrelation at lag 1 of the load, of the noise, and of what gives the phase.
    turns : bool, default=True
        Whether the machine turns.
    fault : {"", "offset", "stall", "overload"}, default=""
        "offset" adds 1 to the temperature, "stall" shrinks the circle to a fifth, and
        "overload" triples the load.

    Returns
    -------
    DataFrame of n rows
        Columns minute, crank, speed, vibration, stroke, power and temperature.
    """
    rng = np.random.default_rng(seed)
    crank, speed, load, *noise = _autoregressive(rng, n, 9, correlation)
    if turns:
        radius = np.hypot(crank, speed)
        crank, speed = crank / radius, speed / radius
    if fault == "stall":
        crank, speed = crank / 5, speed / 5
    if fault == "overload":
        load = 3 * load
    sensors = {
        "crank": crank,
        "speed": speed,
        "vibration": (crank + speed) / 2,
        "stroke": (crank - speed) / 2,
        "power": load / 4 + crank / 2,
        "temperature": load / 4 + speed / 2,
    }
    table = pd.DataFrame(sensors) + SENSOR_NOISE * np.transpose(noise)
    if fault == "offset":
        table["temperature"] += 1
    table.insert(0, "minute", np.arange(1, n + 1))
    return table


def detected(draws: int = DRAWS) -> pd.DataFrame:
    """Return the percentage of faulty rows that detectors find, at equal false alarms.

    The limit of each is the quantile of 2 000 other normal rows that 5 % of them exceed.
    """
    rates = []
    for fault in FAULTS:
        for seed in range(draws):
            tables = [
                process(600, seed=seed),
                process(2000, seed=101 + seed),
                process(600, seed=1000 + seed, fault=fault),
            ]
            normal, *new = _scaled(tables)
            for name, detector in DETECTORS.items():
                others, faulty = (detector(normal, rows) for rows in new)
                rate = 100 * (faulty > np.quantile(others, 1 - FALSE_ALARM)).mean()
                rates.append({"fault": fault, "detector": name, "rate": rate})
    means = pd.DataFrame(rates).pivot_table("rate", "fault", "detector", sort=False)
    return means.round(1).reset_index()


def promises(draws: int = DRAWS, n: int = ROWS) -> pd.DataFrame:
    """Return false alarms of ten processes, with and without the blocks that a fit asks for.

    The rate is in percent, and 5 % are asked. Blocks are empty if no rate can be promised.
    """
    rows = []
    for turns in (True, False):
        for correlation in CORRELATIONS:
            results = [_promised(n, correlation, turns, seed) for seed in range(draws)]
            means = pd.DataFrame(results).mean().round(1)
            kind = "turning" if turns else "linear"
            rows.append({"process": kind, "autocorrelation": correlation, "rows": n} | dict(means))
    return pd.DataFrame(rows)


def _promised(n: int, correlation: float, turns: bool, seed: int) -> dict[str, float]:
    table = process(2 * n, seed=seed, correlation=correlation, turns=turns)
    normal, new = _scaled([table[:n], table[n + 100 :]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # The column "warned" counts these warnings.
        alone = KernelPCANovelty(false_alarm=FALSE_ALARM).fit(normal)
    result = {
        "memory": alone.memory_,
        "warned": 100.0 * (alone.memory_ > 1),
        "false_alarms": 100 * (alone.predict(new) < 0).mean(),
        "block": np.nan,
        "with_blocks": np.nan,
    }
    block = order.block_length(alone.memory_)
    if alone.memory_ > 1 and n >= block * order.fewest(FALSE_ALARM):
        alone.fit(normal, groups=np.arange(n) // block)
        result |= {"block": block, "with_blocks": 100 * (alone.predict(new) < 0).mean()}
    return result


def _scaled(tables: Sequence[pd.DataFrame]) -> list[np.ndarray]:
    """Return the sensors of tables in the units of the first one."""
    sensors = [table.drop(columns="minute").to_numpy() for table in tables]
    scaler = StandardScaler().fit(sensors[0])
    return [scaler.transform(rows) for rows in sensors]


def _mahalanobis(normal: np.ndarray, new: np.ndarray) -> np.ndarray:
    return EmpiricalCovariance().fit(normal).mahalanobis(new)


def _residual(normal: np.ndarray, new: np.ndarray, **kernel: Any) -> np.ndarray:
    return KernelPCA(0.9, **kernel).fit(normal).reconstruction_error(new)


DETECTORS: dict[str, Detector] = {
    "Mahalanobis": _mahalanobis,
    "PCA residual": _residual,
    "kernel PCA residual": partial(_residual, kernel="rbf", gamma="median"),
}


def _autoregressive(
    rng: np.random.Generator, n: int, series: int, correlation: float
) -> np.ndarray:
    steps = rng.normal(size=(n, series)) * np.sqrt(1 - correlation**2)
    steps[0] = rng.normal(size=series)
    for row in range(1, n):
        steps[row] += correlation * steps[row - 1]
    return steps.T


def write(folder: Path) -> None:
    """Write 1 000 normal rows, and 300 new ones of which the last 60 of each hundred are faulty."""
    process(ROWS, seed=0).to_csv(folder / "normal.csv", index=False, float_format="%.4f")
    parts = []
    for number, fault in enumerate(FAULTS, start=1):
        parts += [
            process(100 - FAULTY, seed=number),
            process(FAULTY, seed=10 + number, fault=fault),
        ]
    new = pd.concat(parts)
    new["minute"] = ROWS + np.arange(1, len(new) + 1)
    new.to_csv(folder / "new.csv", index=False, float_format="%.4f")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
    print(detected().to_string(index=False))
    print()
    print(promises().to_string(index=False))
