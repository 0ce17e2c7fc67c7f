"""What a run prints, from its plan to its last words."""

import logging
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from snakemake.api import Workflow
from snakemake.dag import DAG
from snakemake.settings.enums import Quietness
from snakemake_interface_logger_plugins.common import LogEvent

from workflow.console import Console, shorten
from workflow.messages import closing_words

CHANGED = "code has changed since last execution"
FOLLOWS = "input files updated by another job"


def workflow(*quiet: Quietness, reasons: Iterable[list[str]] = ()) -> Any:
    """Return what a console reads of a workflow: one job per list of reasons."""
    dag = SimpleNamespace(
        needrun_jobs=lambda: reasons, reason=lambda job: SimpleNamespace(get_names=lambda: job)
    )
    return SimpleNamespace(
        dag=dag,
        output_settings=SimpleNamespace(quiet=set(quiet), verbose=False),
        is_rule=lambda name: True,
        get_rule=lambda name: SimpleNamespace(priority=2 * (name in ("sweep", "dataset"))),
    )


class Run:
    """A console with a clock, which takes messages as Snakemake gives them."""

    def __init__(self, **stats: int) -> None:
        self.now = 0.0
        self.console = Console(workflow(reasons=[[CHANGED, FOLLOWS]] * 3), lambda: self.now)
        total = sum(stats.values())
        self.plan = self.say(LogEvent.RUN_INFO, stats=stats | {"total": total})

    def say(self, event: LogEvent | None, text: str = "", **message: Any) -> str:
        record = logging.LogRecord("", logging.INFO, "", 0, text, None, None)
        vars(record).update(message, event=event)
        assert self.console.watch(record)
        return self.console.format(record)

    def start(self, jobid: int, rule: str, **wildcards: str) -> None:
        self.say(LogEvent.JOB_INFO, jobid=jobid, rule_name=rule, wildcards=wildcards)

    def finish(self, jobid: int, done: int, total: int) -> str:
        assert self.say(LogEvent.JOB_FINISHED, job_id=jobid) == ""
        return self.say(LogEvent.PROGRESS, done=done, total=total)


def test_the_plan_counts_jobs_and_reasons_once() -> None:
    run = Run(gain=1, sweep=2)
    assert run.plan == f"3 jobs: 2 sweep, gain.\nReasons: {CHANGED} (3)."
    assert run.say(LogEvent.RUN_INFO, stats={"total": 3}) == ""
    long = Run(**{f"figure_number_{i}": 1 for i in range(60)}).plan
    assert max(map(len, long.splitlines())) <= 100


def test_the_time_left_follows_from_the_jobs_of_a_rule() -> None:
    run = Run(sweep=2, gain=1, rings=2)
    run.start(0, "sweep", dataset="iris")
    run.now = 60.0
    assert run.finish(0, 1, 5) == "1 of 5 jobs done: sweep iris"  # no figure has ended
    run.start(1, "rings")
    run.now = 80.0
    assert run.finish(1, 2, 5) == "2 of 5 jobs done, about 2 min left: rings"


def test_the_errors_of_a_job_are_kept_for_the_end(tmp_path: Path) -> None:
    log = tmp_path / "sweep.log"
    log.write_text("INFO begun\nERROR sweep failed\nValueError: no\n")
    run = Run(sweep=1)
    run.start(1, "sweep", dataset="iris")
    failed = run.say(LogEvent.JOB_ERROR, jobid=1, rule_name="sweep", log=[log])
    assert failed == "Failed: sweep; the other jobs go on."
    (told,) = run.console.failures.values()
    assert told == f"Error in sweep iris:\nERROR sweep failed\nValueError: no\n({log})"


def test_snakemake_has_what_the_rules_and_the_console_read() -> None:
    """None of it is documented: after an update, this says where to look first."""
    remedy = "adapt workflow/console.py and workflow/rules/common.smk; without `shorten`, and with "
    remedy += "`workflow.is_main_process` taken for true, a run prints more and computes the same"
    of_workflow = {"dag", "output_settings", "is_rule", "get_rule", "is_main_process", "local_exec"}
    of_workflow |= {"resource_settings", "config_settings"}
    assert of_workflow <= {*dir(Workflow), *Workflow.__annotations__}, remedy
    assert {"needrun_jobs", "reason"} <= {*dir(DAG)}, remedy


def test_what_snakemake_says_of_itself_is_left_out() -> None:
    run, killed = Run(sweep=1), "Command 'python' died with <Signals.SIGKILL: 9>."
    assert run.say(None, "Provided cores: 2") == ""
    assert run.say(None, "Nothing to be done") == "Nothing to be done"
    assert run.say(LogEvent.ERROR, "Command 'python' returned non-zero exit status 1.") == ""
    assert run.say(LogEvent.ERROR, killed) == killed
    logger = logging.getLogger("nobody")
    assert shorten(workflow(Quietness.HOST), logger) is None
    assert shorten(workflow(Quietness.REASON, Quietness.HOST), logger) is not None


def touched(folder: Path, *names: str) -> list[Path]:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return [folder / name for name in names]


def test_the_run_says_what_came_out_and_where_to_begin(tmp_path: Path) -> None:
    names = ("tables/scores.csv", "tables/claims.csv", "figures/comparison.svg")
    made = touched(tmp_path, *names, "figures/comparison.png", "provenance.csv")
    results = f"Results are in {tmp_path}: 2 tables in tables/, 1 figures in figures/."
    first = f"Look first at {tmp_path}/report/index.html."
    assert closing_words(tmp_path, made) == f"{results}\n{first}"
    touched(tmp_path, "figures/roll.svg", "figures/.roll.svg-x1", "my/figures/rings.svg")
    table = tmp_path / "tables/decisions.csv"
    rows = "".join(f'd{i},"PCA is enough."\n' for i in range(7))
    table.write_text(f"dataset,sentence\n{rows}")
    decided = [f"d{i}: PCA is enough." for i in range(5)]
    earlier = "Figures of an earlier configuration or another target: roll.svg."
    words = [*decided, f"… and 2 more in {table}.", results, first, earlier]
    assert closing_words(tmp_path, made).splitlines() == words
