#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the documentation of the libraries as one static site, from modules that are built: `make docs`.

    packaging/docs.py BUILD OUTPUT    BUILD is SwiftPM's folder of built modules, such as .build/release

Warnings are errors: a link to nothing, a parameter that is missing among others. Nothing is downloaded. The site is in
OUTPUT/site; serve it with any web server, as `python3 -m http.server --directory OUTPUT/site`.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# The products Disposable and DisposableCore, and DisposableNode, which has the types of Disposable's results.
MODULES = ["DisposableKit", "DisposableNode", "DisposableModel", "DisposableWire", "DisposableSync", "DisposableNoise",
           "DisposableCrypto"]


def tool(name):
    """The path of a program of the toolchain: on the path, or beside the compiler."""
    beside = Path(shutil.which("swift") or "").resolve().parent / name
    found = shutil.which(name) or (beside if beside.exists() else None)
    if not found:
        sys.exit(f"{name} is missing: it is a part of the Swift toolchain, 6.3 or later, from swift.org")
    return found


def run(*command):
    subprocess.run([str(word) for word in command], check=True)


def module_map_flags(build):
    """Name the C modules that the modules import: those of this package, and of its dependencies."""
    checkouts = next((folder / "checkouts" for folder in build.resolve().parents if (folder / "checkouts").exists()), None)
    if not checkouts:
        sys.exit(f"{build} is no folder of built modules: run `make docs`")
    maps = [*ROOT.glob("Sources/C*/module.modulemap"), *build.glob("*C*.build/module.modulemap"),
            *checkouts.glob("*/Sources/*/module.modulemap"), *checkouts.glob("*/Sources/*/include/module.modulemap")]
    return [word for path in sorted(maps) for word in ("-Xcc", f"-fmodule-map-file={path}")]


def symbol_graph(module, build, folder):
    folder.mkdir(parents=True)
    run(tool("swift-symbolgraph-extract"), "-module-name", module, "-I", build / "Modules", "-target",
        f"{os.uname().machine}-unknown-linux-gnu", "-minimum-access-level", "public", "-output-dir", folder,
        "-module-cache-path", folder.parent / "cache", *module_map_flags(build))


def convert(module, symbols, archive):
    catalogue = ROOT / "Sources" / module / f"{module}.docc"
    run(tool("docc"), "convert", *([catalogue] if catalogue.exists() else []), "--additional-symbol-graph-dir", symbols,
        "--fallback-display-name", module, "--fallback-bundle-identifier", f"disposable.{module}",
        "--fallback-default-module-kind", "Module", "--warnings-as-errors", "--output-dir", archive)


def make(build, output):
    shutil.rmtree(output, ignore_errors=True)
    archives = []
    for module in MODULES:
        symbol_graph(module, build, output / "symbols" / module)
        archives.append(output / f"{module}.doccarchive")
        convert(module, output / "symbols" / module, archives[-1])
    run(tool("docc"), "merge", *archives, "--synthesized-landing-page-name", "Disposable", "--output-path", output / "site")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        make(Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute())
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error.cmd[0]} ended with {error.returncode}")
