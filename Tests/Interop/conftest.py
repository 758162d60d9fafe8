# SPDX-License-Identifier: Apache-2.0
"""What the tests share: the Python peer, nodes of the built program, photos. What is missing is a failure that says so;
what needs root is skipped aloud without it."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "examples/python-peer"), str(ROOT / "Tests/Browser")]

from lan import Lan  # noqa: E402
from party import BUILD, Painter, longest_first  # noqa: E402
from variants import register, take_shares  # noqa: E402

# The files that take longest begin first, so that none runs by itself at the end.
LONGEST = "multiplying fold commands spare wedding docs reveal bundle trees vectors guest_api".split()


def pytest_collection_modifyitems(config, items):
    take_shares(config, items)
    longest_first(items, LONGEST)


def pytest_configure(config):
    register(config)
    programs = ("disposable", "disposable-image-worker", "disposable-lab", "embed-example")
    missing = [str(BUILD / program) for program in programs if not (BUILD / program).exists()]
    if missing:
        raise pytest.UsageError(f"missing: {', '.join(missing)}; `make test-interop` builds and installs it")


@pytest.fixture(scope="session")
def painter(tmp_path_factory):
    painter = Painter(tmp_path_factory.mktemp("camera"))
    yield painter
    painter.stop()


@pytest.fixture
def folder():
    """A short path, as sockets lie in it."""
    with tempfile.TemporaryDirectory(prefix="disposable-interop-") as folder:
        yield Path(folder)


@pytest.fixture
def small_volume(folder):
    """A folder on a disk of 96 MiB, of which a node keeps 2 % free."""
    if os.geteuid() != 0:
        (pytest.fail if "CI" in os.environ else pytest.skip)("mounting a small volume needs root")
    path = folder / "volume"
    path.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=96m", "tmpfs", path], check=True)
    yield path
    subprocess.run(["umount", "-l", path], check=True)


@pytest.fixture
def running(folder):
    """A list of what must end with the test: everything in it is killed, the last first, before the test's folder goes."""
    processes = []
    yield processes
    for process in reversed(processes):
        process.kill()


@pytest.fixture
def make_lan(running):
    """Makes a network of so many hosts, which is gone with the test, after what ran on it."""
    def make(host_count):
        if os.geteuid() != 0:
            (pytest.fail if "CI" in os.environ else pytest.skip)("network namespaces need root")
        lan = Lan(host_count)
        running.append(lan)
        return lan
    return make


def pytest_terminal_summary(terminalreporter):
    """Prints what tests have measured."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties if report.when == "call" else []:
            terminalreporter.write_line(f"{name}: {value}")
