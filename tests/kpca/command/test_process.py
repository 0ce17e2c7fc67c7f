"""The command as a shell sees it: exit codes, pipes, signals, memory and time to start."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kpca import save
from tests.kpca.command.models import FULL, rbf

KPCA = [sys.executable, "-m", "kpca.command"]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("model") / "m.npz"
    save(rbf().fit(FULL.to_numpy()), path)
    return str(path)


def rows(path: Path, n: int) -> str:
    path.write_text("170.25,70.5\n" * n)
    return str(path)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*KPCA, *arguments], capture_output=True, text=True, check=False)


def test_exit_codes_and_streams(model: str, tmp_path: Path) -> None:
    new = rows(tmp_path / "new.csv", 3)
    fine, bad, wrong = run("transform", model, new), run("info", "no\nfile"), run("transform")
    assert "usage: kpca transform" in run("transform", "--help").stdout
    assert (fine.returncode, bad.returncode, wrong.returncode) == (0, 1, 2)
    assert fine.stdout.count("\n") == 4
    assert fine.stderr == "" == bad.stdout == wrong.stdout
    assert bad.stderr == "kpca: no file: No such file or directory\n"


def test_a_closed_pipe_ends_quietly(model: str, tmp_path: Path) -> None:
    new = rows(tmp_path / "new.csv", 20_000)
    with subprocess.Popen(
        [*KPCA, "transform", model, new], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 128 + signal.SIGPIPE


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_nothing_half(sent: signal.Signals, model: str, tmp_path: Path) -> None:
    """Standard input stays open, so that the command waits for more when the signal comes."""
    arguments = ["transform", model, "-", "-o", str(tmp_path / "out.csv")]
    with subprocess.Popen(
        [*KPCA, *arguments],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Of tests in the background a shell has Ctrl-C ignored.
        preexec_fn=lambda: signal.signal(sent, signal.SIG_DFL),
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(b"1,2\n" * 10)
        process.stdin.flush()
        process.stdin.write(b"1,2\n" * 100_000)
        deadline = time.monotonic() + 60
        while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert list(tmp_path.iterdir())  # the temporary file
        process.send_signal(sent)
        assert process.wait(60) == 128 + sent
        assert process.stderr.read() == b""
    assert list(tmp_path.iterdir()) == []


def test_the_memory_does_not_grow_with_the_file(model: str, tmp_path: Path) -> None:
    def peak(n: int) -> int:
        arguments = ["transform", model, rows(tmp_path / "new.csv", n), "-o", os.devnull]
        code = "import resource, sys\nfrom kpca.command import main\n"
        code += "assert main(sys.argv[1:]) == 0\n"
        code += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        command = [sys.executable, "-c", code, *arguments]
        return int(subprocess.run(command, capture_output=True, check=True).stdout)

    assert peak(100_000) < 1.1 * peak(10_000)
    assert not Path(os.devnull).is_file()


def test_a_pipe_takes_the_output_and_stays_one(model: str, tmp_path: Path) -> None:
    new, pipe = rows(tmp_path / "new.csv", 5), tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen([*KPCA, "transform", model, new, "-o", str(pipe)]) as process:
        lines = pipe.read_text().splitlines()
    assert process.returncode == 0
    assert [line.count(",") for line in lines] == [2] * 6
    assert pipe.is_fifo()
