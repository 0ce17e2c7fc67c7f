"""A simulated process with three faults.

``python -m kpca.study.monitoring.process FOLDER`` writes ``normal.csv`` and ``new.csv`` to FOLDER.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.signal import lfilter

FAULTS = ("offset", "stall", "overload")
ROWS = 1000
FAULTY = 60
SENSOR_NOISE = 0.1


def process(
    n: int, *, seed: int, correlation: float = 0.7, turns: bool = True, fault: str = ""
) -> pd.DataFrame:
    """Return the sensors of a simulated machine with a cycle and a load, one row per minute.

    The point (crank, speed) moves on a circle. Its phase and the load vary randomly along time. If
    the machine does not turn, crank and speed vary like the load, so that sensors are related
    linearly.

    Parameters
    ----------
    n : int
        Number of rows.
    seed : int
        Seed of the random numbers.
    correlation : float, default=0.7
        Autocorrelation at lag 1 of the load, of the noise, and of the two series whose angle is the
        phase.
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
    steps = rng.normal(size=(n, 9)) * np.sqrt(1 - correlation**2)
    steps[0] = rng.normal(size=9)
    crank, speed, load, *noise = lfilter([1], [1, -correlation], steps, axis=0).T
    radius = np.hypot(crank, speed) if turns else 1
    if fault == "stall":
        radius = 5 * radius
    crank = crank / radius
    speed = speed / radius
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


def write(folder: Path) -> None:
    """Write 1 000 normal rows and 300 new rows; the last 60 of each 100 new rows are faulty."""
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
