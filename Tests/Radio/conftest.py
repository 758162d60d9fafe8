# SPDX-License-Identifier: Apache-2.0
"""What the tests of radios share. They need root, the programs that `make test-radio` installs, and Debian's mirror
once; what is missing is the reason of a skip."""

import os
import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from machine import ROOT, Machine, image  # noqa: E402
from party import Painter  # noqa: E402
from system import Network  # noqa: E402


def missing():
    """Why no machine can be started here; `None` if one can."""
    if os.geteuid() != 0:
        return "needs root: debootstrap and chroot"
    programs = [name for name in ("qemu-system-x86_64", "debootstrap", "mkfs.ext4") if not shutil.which(name)]
    return f"missing: {', '.join(programs)}; `make test-radio` installs it" if programs else None


def pytest_collection_modifyitems(items):
    if reason := missing():
        for item in items:
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def package():
    """The package that `make deb` has made of this commit."""
    made = sorted((ROOT / ".build/packages").glob("disposable_*.deb"), key=lambda path: path.stat().st_mtime)
    made = [path for path in made if "~git0_" not in path.name]
    assert made, "there is no package: `make deb` makes it"
    return made[-1]


@pytest.fixture
def start(package, tmp_path):
    """Starts machines, which end in every case."""
    network = Network(f"radio{os.getpid()}")
    started = []
    try:
        disk = image(package, network)

        def make(files, settings):
            machine = Machine(disk, tmp_path, files, settings)
            started.append(machine)
            return machine

        yield make
    finally:
        for machine in started:
            machine.kill()
        network.remove()


@pytest.fixture
def photos(tmp_path):
    painter = Painter(tmp_path / "camera")
    yield painter.photos(12, width=640, height=480)
    painter.stop()


def pytest_terminal_summary(terminalreporter):
    """Prints what tests have measured."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties if report.when == "call" else []:
            terminalreporter.write_line(f"{name}: {value}")
