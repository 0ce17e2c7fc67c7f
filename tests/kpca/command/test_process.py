"""The command as a shell sees it: exit codes, pipes, signals, memory and time to start."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kpca import save
from kpca.command import main
from tests.kpca.command.models import FULL, rbf
from tests.kpca.eigensolvers.test_memory import peak

KPCA = [sys.executable, "-m", "kpca.command"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "m.npz"
    save(rbf().fit(FULL.to_numpy()), path)
    return str(path)


def rows(path, n):
    path.write_text("170.25,70.5\n" * n)
    return str(path)


def test_exit_codes_and_streams(capsys):
    assert main(["info", "no\nfile"]) == 1
    streams = capsys.readouterr()
    assert (streams.out, streams.err) == ("", "kpca: no file: No such file or directory\n")
    for arguments, code in ((["transform", "--help"], 0), (["transform"], 2)):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == code
        streams = capsys.readouterr()
        assert "usage: kpca transform" in (streams.err if code else streams.out)
        assert (streams.out if code else streams.err) == ""


def test_a_closed_pipe_ends_quietly(model, tmp_path):
    new = rows(tmp_path / "new.csv", 10_000)
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
def test_a_signal_leaves_nothing_half(sent, model, tmp_path):
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
        process.stdin.write(b"1,2\n" * 10_000)
        process.stdin.flush()
        deadline = time.monotonic() + 60
        while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert list(tmp_path.iterdir())  # the temporary file
        process.send_signal(sent)
        assert process.wait(60) == 128 + sent
        assert process.stderr.read() == b""
    assert list(tmp_path.iterdir()) == []


def test_the_memory_does_not_grow_with_the_file(model, tmp_path):
    def needed(n):
        arguments = ["transform", model, rows(tmp_path / "new.csv", n), "-o", os.devnull]
        return peak(lambda: main(arguments))

    # This call imports everything.
    main(["transform", model, rows(tmp_path / "new.csv", 9), "-o", os.devnull])
    few = needed(8_000)
    assert needed(24_000) < 1.1 * few
    assert not Path(os.devnull).is_file()


def test_a_pipe_takes_the_output_and_stays_one(model, tmp_path):
    new = rows(tmp_path / "new.csv", 5)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = [*KPCA, "transform", model, new, "-o", str(pipe)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        lines = pipe.read_text().splitlines()
        assert process.communicate() == (b"", None)
    assert process.returncode == 0
    assert [line.count(",") for line in lines] == [2] * 6
    assert pipe.is_fifo()
