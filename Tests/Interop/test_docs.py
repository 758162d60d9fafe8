# SPDX-License-Identifier: Apache-2.0
"""The documentation of the libraries, made from the modules that the tests' build has."""

import os
import re
import subprocess
import sys

import pytest

from party import BUILD, ROOT

sys.path.append(str(ROOT / "packaging"))
import docs  # noqa: E402


def test_it_is_made_without_a_warning(tmp_path):
    made = subprocess.run(
        [ROOT / "packaging/docs.py", BUILD, tmp_path / "docs"], capture_output=True, text=True, timeout=600)
    assert made.returncode == 0, made.stdout + made.stderr
    assert "warning:" not in made.stdout + made.stderr
    for page in ("disposablekit/embeddednode", "disposablekit/anodeintenlines", "disposablekit/layers",
                 "disposablesync/replica"):
        assert (tmp_path / "docs/site/documentation" / page / "index.html").exists(), page


def test_the_index_of_packages_is_told_of_the_same_modules():
    listed = re.findall(r"^ +- (\w+)$", (ROOT / ".spi.yml").read_text(), re.MULTILINE)
    assert listed == docs.MODULES


ARTICLE = (ROOT / "Sources/DisposableKit/DisposableKit.docc/ANodeInTenLines.md").read_text()


EXAMPLES = re.findall(r"```swift\n(.*?)```", ARTICLE, re.DOTALL)
assert len(EXAMPLES) >= 4


@pytest.mark.share(of=2)
@pytest.mark.parametrize("code", EXAMPLES)
def test_the_code_in_the_article_compiles(code, tmp_path):
    source = tmp_path / "main.swift"
    source.write_text(code)
    checked = subprocess.run(
        [docs.tool("swiftc"), "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-I", BUILD / "Modules",
         *docs.module_map_flags(BUILD), "-module-cache-path", tmp_path / "cache", source],
        capture_output=True, text=True, timeout=600, env={**os.environ, "NO_COLOR": "1"})
    assert checked.returncode == 0, checked.stderr
