# SPDX-License-Identifier: Apache-2.0
"""The table of dependencies in docs/architecture.md against the packages that the build names."""

import re
import subprocess

import pytest

from party import ROOT

TABLE = (ROOT / "docs/architecture.md").read_text().split("\n## Dependencies\n")[1].split("\n## ")[0]
ROWS = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in TABLE.splitlines() if line.startswith("| ")][1:]
SWIFT = re.findall(r'\.package\(url: "[^"]+/([^"/]+)", exact: "([^"]+)"', (ROOT / "Package.swift").read_text())
NAMED = re.search(r"^RUN_PACKAGES := ((?:.*\\\n)*.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)[1]
# pkg-config finds the others, and is in no program.
DEBIAN = [name for name in NAMED.replace("\\", " ").split() if name != "pkg-config"]


def versions(name):
    """The versions of a dependency in the table, by its name."""
    for cells in ROWS:
        names = re.findall(r"[\w.+-]+", cells[0])
        if name in names:
            return cells[1]
    pytest.fail(f"{name} is not in the table")


def test_every_row_says_version_purpose_licence_and_what_was_considered_instead():
    assert len(ROWS) > 15
    for cells in ROWS:
        assert len(cells) == 5 and all(cells), cells


@pytest.mark.parametrize("name, version", SWIFT)
def test_a_package_of_swift_has_the_version_of_the_build(name, version):
    assert versions(name) == version


@pytest.mark.parametrize("name", DEBIAN)
def test_a_package_of_debian_has_the_version_of_the_tests(name):
    installed = subprocess.run(
        ["dpkg-query", "-W", "-f=${Version} ${VERSION_ID}", name], capture_output=True, text=True, check=True).stdout
    if 'VERSION_ID="12"' not in open("/etc/os-release").read():
        pytest.skip("the table has the versions of Debian 12")
    assert re.sub(r"^\d+:", "", installed).startswith(tuple(versions(name).split(", ")))
