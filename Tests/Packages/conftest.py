# SPDX-License-Identifier: Apache-2.0
"""What the tests of packages share. They need root, the programs that `make test-deb` installs, and Debian's mirror once."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/Browser")]

from party import Painter  # noqa: E402
from system import Network, System  # noqa: E402


def pytest_collection_modifyitems(items):
    if os.geteuid() != 0 and not os.environ.get("CI"):
        for item in items:
            item.add_marker(pytest.mark.skip(reason="needs root: debootstrap, chroot and network namespaces"))


def build(*arguments):
    """A package, or what `make` has just built: its path."""
    said = subprocess.run(
        [ROOT / "packaging/build.py", *arguments], check=True, capture_output=True, text=True).stdout
    return ROOT / re.match(r"\S+", said).group()


@pytest.fixture(scope="session")
def package():
    """The package that `make deb` has made of this commit."""
    made = sorted((ROOT / ".build/packages").glob("disposable_*.deb"), key=lambda path: path.stat().st_mtime)
    made = [path for path in made if "~git0_" not in path.name]
    assert made, "there is no package: `make deb` makes it"
    return made[-1]


@pytest.fixture(scope="session")
def previous():
    """The same as a version before: there is no earlier package."""
    return build("deb", "--fast", "--version", "1.0~git0")


@pytest.fixture(scope="session")
def tarball():
    return build("tarball", "--fast")


@pytest.fixture
def network():
    network = Network(f"package{os.getpid()}")
    yield network
    network.remove()


@pytest.fixture
def system(network):
    with tempfile.TemporaryDirectory(prefix="disposable-system-") as folder:
        yield System(Path(folder) / "root", network)


@pytest.fixture
def photo(tmp_path):
    """A file as a camera writes it."""
    painter = Painter(tmp_path / "camera")
    yield painter.photos(1)[0]
    painter.stop()
