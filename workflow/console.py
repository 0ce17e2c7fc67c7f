"""What a run prints: one line per finished job, with the time left, and the failures at the end."""

import logging
import textwrap
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import fmean
from typing import Any

from snakemake.logging import DefaultFormatter, get_event
from snakemake.settings.enums import Quietness
from snakemake_interface_logger_plugins.common import LogEvent

WIDTH = 100
_FOLLOWS = "input files updated by another job"
# Beginnings of messages of Snakemake that are not printed.
_LEFT_OUT = (
    *("Assuming unrestricted", "Using shell", "Provided ", "Rules claiming", "Select jobs"),
    *("Conda env", "Execute ", "Reasons:", "Exiting because", "At least one job"),
    *("Complete log", "Elapsed"),
)


class Console(DefaultFormatter):
    """Formats the messages of Snakemake for the terminal; the workflow tells why its jobs run."""

    def __init__(self, workflow: Any, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(workflow.output_settings.quiet)
        self._workflow, self._clock = workflow, clock
        self._waiting: Counter[str] = Counter()
        self._seconds: dict[str, list[float]] = defaultdict(list)
        self._started: dict[int, tuple[str, str, float]] = {}
        self._finished = ""
        self._start = clock()
        self.failures: dict[int, str] = {}  # what went wrong in jobs that did not end well

    def watch(self, record: logging.LogRecord) -> bool:
        """Count the jobs; a filter that lets every message of the logger pass."""
        message, now = vars(record), self._clock()
        match get_event(record):
            case LogEvent.RUN_INFO:
                jobs = {
                    rule: n for rule, n in message["stats"].items() if rule not in ("total", "all")
                }
                self._waiting.update(jobs)
                self._start = now
            case LogEvent.JOB_INFO:
                rule = message["rule_name"]
                name = " ".join([rule, *map(str, message["wildcards"].values())])
                self._started[message["jobid"]] = (rule, name, now)
            case LogEvent.JOB_FINISHED:
                rule, self._finished, start = self._started.pop(message["job_id"], ("", "", now))
                self._seconds[rule].append(now - start)
                self._waiting[rule] -= 1
                self.failures.pop(message["job_id"], None)  # of an earlier attempt
            case LogEvent.JOB_ERROR:
                _, name, _ = self._started.pop(message["jobid"], ("", message["rule_name"], now))
                self.failures[message["jobid"]] = _failure(name, message["log"])
        return True

    def format(self, record: logging.LogRecord) -> str:
        """Return what is printed of a message; nothing leaves it out."""
        text = str(record.msg)
        match get_event(record):
            case LogEvent.RUN_INFO:
                return self._plan(vars(record)["stats"])
            case LogEvent.PROGRESS:
                done, total = vars(record)["done"], vars(record)["total"]
                seconds = self.seconds_left() if done < total else None
                left = "" if seconds is None else f", about {_duration(seconds)} left"
                return f"{done} of {total} jobs done{left}: {self._finished}"
            case LogEvent.JOB_ERROR:
                return f"Failed: {vars(record)['rule_name']}; the other jobs go on."
            case LogEvent.JOB_INFO | LogEvent.JOB_FINISHED | LogEvent.WORKFLOW_STARTED:
                return ""
            case LogEvent.GROUP_INFO | LogEvent.GROUP_ERROR:
                return ""  # its jobs say the same
            case LogEvent.ERROR if "returned non-zero exit status" in text:
                return ""  # its log says why
        shown = text.removeprefix("WorkflowError:\n")
        return "" if shown.startswith(_LEFT_OUT) else str(super().format(record))

    def _plan(self, stats: dict[str, int]) -> str:
        """Print how many jobs there are, and why; Snakemake repeats it at the end of a dry run."""
        if self._finished:
            return ""
        self._finished = "nothing"
        rules = sorted(stats.keys() - {"total"}, key=lambda rule: (-stats[rule], rule))
        listed = [f"{stats[rule]} {rule}" if stats[rule] > 1 else rule for rule in rules]
        dag = self._workflow.dag
        reasons = Counter(r for job in dag.needrun_jobs() for r in dag.reason(job).get_names())
        why = [f"{reason} ({n})" for reason, n in reasons.most_common() if reason != _FOLLOWS]
        lines = (f"{stats['total']} jobs: {', '.join(listed)}.", f"Reasons: {', '.join(why)}.")
        return "\n".join(textwrap.fill(line, WIDTH, subsequent_indent="  ") for line in lines)

    def seconds_left(self) -> float | None:
        """Return how long the other jobs take, at the rate of those that are done.

        A job takes as long as those of its rule took, or else as those of its priority.
        """
        alike: dict[object, list[float]] = defaultdict(list)
        for rule, some in self._seconds.items():
            alike[self._priority(rule)] += some
        work = 0.0
        for rule, n in self._waiting.items():
            known = self._seconds.get(rule) or alike[self._priority(rule)]
            if n and not known:
                return None
            work += n * fmean(known or [0.0])
        return work * (self._clock() - self._start) / sum(map(sum, alike.values()))

    def _priority(self, rule: str) -> object:
        return self._workflow.get_rule(rule).priority if self._workflow.is_rule(rule) else rule


def shorten(workflow: Any, logger: logging.Logger) -> Console | None:
    """Make a run print little, unless it is asked for all; return what it prints with."""
    quiet = set(workflow.output_settings.quiet or ())
    if not quiet & {Quietness.REASON, Quietness.RULES} or workflow.output_settings.verbose:
        return None
    console = Console(workflow)
    logger.addFilter(console.watch)
    for handler in logger.handlers:
        handler.setFormatter(console)
        # Snakemake prints an empty line before one of these, even if nothing is left of it.
        handler.addFilter(lambda record: get_event(record) != LogEvent.JOB_INFO)
    return console


def _failure(name: str, logs: Iterable[object]) -> str:
    """Return the errors in the log of a job; of a log without any, its last lines."""
    log = next((path for path in map(Path, map(str, logs)) if path.is_file()), None)
    if log is None:
        return f"Error in {name}:\nthere is no log: the job was ended from outside"
    lines = log.read_text(encoding="utf-8").splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith("ERROR")), -10)
    return "\n".join([f"Error in {name}:", *lines[start:], f"({log})"])


def _duration(seconds: float) -> str:
    """Return a duration in the unit that suits it.

    >>> _duration(8.2), _duration(64), _duration(200), _duration(5400)
    ('10 s', '60 s', '3 min', '90 min')
    """
    return f"{max(round(seconds, -1), 10):.0f} s" if seconds < 95 else f"{seconds / 60:.0f} min"
