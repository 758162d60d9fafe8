#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes packages of the release build, in .build/packages: `packaging/build.py deb` and `packaging/build.py tarball`.

Both contain the programs, stripped, and beside them the libraries of the Swift runtime that they need. Linked
statically, the two programs would hold the runtime twice. `--fast` compresses less, for tests; `--version` names
another version.
"""

import argparse
import gzip
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / ".build/release"
OUTPUT = ROOT / ".build/packages"
PROGRAMS = ["disposable", "disposable-image-worker"]
RESOURCES = "disposable_DisposablePortal.resources"
# Debian's package node-tweetnacl, which is in the Makefile's list. The package carries the file, because Debian's
# package needs node.js, of 60 MB, and the page needs this file alone.
SIGNING_LIBRARY = Path("/usr/share/nodejs/tweetnacl/nacl-fast.min.js")
APPLICATION = "org.disposable.Disposable"
MANUAL = ["guest", "operations", "organizer", "troubleshooting", "venue", "fr/guest", "fr/operations", "fr/organizer",
          "fr/troubleshooting", "fr/venue"]
# What the tarball brings along, because not every distribution has them under these names.
CARRIED = {"libsodium.so.23", "libsqlite3.so.0", "libqrencode.so.4", "libavahi-common.so.3", "libz.so.1"}


def output(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **options).stdout


def run(*command, **options):
    subprocess.run([str(word) for word in command], check=True, **options)


def from_history(*command, otherwise):
    """What git says of the last commit; the sources may also be without history."""
    try:
        return output("git", "-C", ROOT, *command).strip()
    except (OSError, subprocess.CalledProcessError):
        return otherwise


def program_version():
    return output(BUILD / "disposable", "--version").strip()


def standard_version():
    """Of a build between releases: each commit has a higher one, and the release itself a higher one still."""
    return f"{program_version()}~git{from_history('rev-list', '--count', 'HEAD', otherwise='0')}"


def place(source, target, mode=0o644):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(mode)


def write(text, target, mode=0o644):
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    target.chmod(mode)


def compress(text, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    target.chmod(0o644)


def libraries(program):
    """The libraries that the loader finds for a program: {name: path}."""
    found = re.findall(r"^\s*(\S+) => (/\S+)", output("ldd", program), flags=re.MULTILINE)
    return {name: Path(path).resolve() for name, path in found}


def place_programs(folder, carried=frozenset()):
    """The programs, the Swift runtime and the pages' files, which all look for each other in one folder."""
    found = {}
    for program in PROGRAMS:
        found |= libraries(BUILD / program)
    needed = {name: path for name, path in found.items() if "/lib/swift/" in str(path) or name in carried}
    for name, path in [*((program, BUILD / program) for program in PROGRAMS), *needed.items()]:
        target = folder / name
        # Libraries of Debian are stripped already.
        place(path, target, 0o755 if name in PROGRAMS else 0o644)
        run("strip", "--strip-unneeded", "--remove-section=.comment", "--remove-section=.note", target)
        if re.search(r"R(UN)?PATH", output("readelf", "-d", target)):
            run("chrpath", "-r", "$ORIGIN", target, stdout=subprocess.DEVNULL)
    public = BUILD / RESOURCES / "Public"
    for file in sorted(path for path in public.rglob("*") if path.is_file()):
        place(file, folder / RESOURCES / "Public" / file.relative_to(public))
    place(SIGNING_LIBRARY, folder / SIGNING_LIBRARY.name)


def place_manual(share, version):
    """Manual pages, completions of shells, and the manual's texts."""
    pages = OUTPUT / "man"
    shutil.rmtree(pages, ignore_errors=True)
    run(ROOT / "packaging/manual.py", pages, version, input=output(BUILD / "disposable", "--experimental-dump-help").encode())
    for page in sorted(pages.iterdir()):
        compress(page.read_text(), share / "man/man1" / f"{page.name}.gz")
    shutil.rmtree(pages)
    for shell, path in [
        ("bash", "bash-completion/completions/disposable"), ("zsh", "zsh/vendor-completions/_disposable"),
        ("fish", "fish/vendor_completions.d/disposable.fish"),
    ]:
        script = output(BUILD / "disposable", "--generate-completion-script", shell)
        # The shell reads the file, nobody runs it.
        write(re.sub(r"^#!/bin/bash\n", "", script), share / path)
    for text in MANUAL:
        compress((ROOT / f"docs/{text}.md").read_text(), share / f"doc/disposable/{text}.md.gz")
    place(ROOT / "packaging/debian/copyright", share / "doc/disposable/copyright")


def place_desktop(share):
    place(ROOT / f"packaging/{APPLICATION}.desktop", share / f"applications/{APPLICATION}.desktop")
    place(ROOT / f"packaging/{APPLICATION}.metainfo.xml", share / f"metainfo/{APPLICATION}.metainfo.xml")
    icon = ROOT / "Sources/DisposablePortal/Public/icon.svg"
    place(icon, share / f"icons/hicolor/scalable/apps/{APPLICATION}.svg")


def dependencies(stage):
    """The Debian packages of the libraries that the package does not contain."""
    folder = stage / "usr/lib/disposable"
    work = OUTPUT / "shlibdeps"
    write("Source: disposable\n\nPackage: disposable\nArchitecture: any\n", work / "debian/control")
    files = [folder / program for program in PROGRAMS] + sorted(folder.glob("*.so"))
    found = output(
        "dpkg-shlibdeps", "-O", f"-l{folder}", "--ignore-missing-info", "--warnings=0", *files, cwd=work)
    shutil.rmtree(work)
    return re.search(r"^shlibs:Depends=(.*)$", found, flags=re.MULTILINE).group(1)


def deb(version, is_fast):
    architecture = output("dpkg", "--print-architecture").strip()
    date = int(from_history("log", "-1", "--format=%ct", otherwise=str(int(time.time()))))
    maintainer = "{} <{}>".format(
        os.environ.get("DEBFULLNAME", "Disposable maintainers"), os.environ.get("DEBEMAIL", "maintainers@disposable.org"))
    stage = OUTPUT / "deb"
    shutil.rmtree(stage, ignore_errors=True)
    share = stage / "usr/share"
    place_programs(stage / "usr/lib/disposable")
    (stage / "usr/bin").mkdir(parents=True)
    (stage / "usr/bin/disposable").symlink_to("../lib/disposable/disposable")
    place_manual(share, version)
    place_desktop(share)
    for kind in ["system", "user"]:
        source = ROOT / "packaging" / ("user" if kind == "user" else ".") / "disposable.service"
        place(source, stage / f"usr/lib/systemd/{kind}/disposable.service")
    day = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(date))
    compress(
        f"disposable ({version}) unstable; urgency=medium\n\n  * Built from the sources of this day.\n\n"
        f" -- {maintainer}  {day}\n", share / "doc/disposable/changelog.gz")

    control = (ROOT / "packaging/debian/control").read_text()
    size = sum(path.lstat().st_size for path in stage.rglob("*") if not path.is_dir()) // 1024
    for name, value in {
        "VERSION": version, "ARCHITECTURE": architecture, "MAINTAINER": maintainer, "SIZE": str(size),
        "DEPENDS": dependencies(stage),
    }.items():
        control = control.replace(f"@{name}@", value)
    write(control, stage / "DEBIAN/control")
    for script in ["postinst", "prerm", "postrm"]:
        place(ROOT / f"packaging/debian/{script}", stage / f"DEBIAN/{script}", 0o755)
    sums = [f"{output('md5sum', path).split()[0]}  {path.relative_to(stage)}\n"
            for path in sorted(stage.rglob("*")) if path.is_file() and not path.is_symlink() and "DEBIAN" not in path.parts]
    write("".join(sums), stage / "DEBIAN/md5sums")
    for folder in [stage, *(path for path in stage.rglob("*") if path.is_dir())]:
        folder.chmod(0o755)
    target = OUTPUT / f"disposable_{version}_{architecture}.deb"
    # The output of this program is the path of what it made.
    run("dpkg-deb", "--root-owner-group", "-Zxz", "-z1" if is_fast else "-z9", "--build", stage, target,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(date)}, stdout=sys.stderr)
    shutil.rmtree(stage)
    return target


def tarball(version, is_fast):
    name = f"disposable-{version}-{os.uname().machine}"
    stage = OUTPUT / name
    shutil.rmtree(stage, ignore_errors=True)
    place_programs(stage / "lib/disposable", CARRIED)
    (stage / "bin").mkdir()
    (stage / "bin/disposable").symlink_to("../lib/disposable/disposable")
    place_manual(stage / "share", version)
    place_desktop(stage / "share")
    place(ROOT / "LICENSE", stage / "LICENSE")
    target = OUTPUT / f"{name}.tar.xz"
    run("tar", "-C", OUTPUT, "--owner=0", "--group=0", "--numeric-owner", "--sort=name", "-cJf", target, name,
        env={**os.environ, "XZ_OPT": "-1" if is_fast else "-9"})
    shutil.rmtree(stage)
    return target


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=["deb", "tarball"])
    parser.add_argument("--version", help="another version than that of the commit")
    parser.add_argument("--fast", action="store_true", help="compress less")
    options = parser.parse_args()
    OUTPUT.mkdir(parents=True, exist_ok=True)
    os.umask(0o022)
    made = {"deb": deb, "tarball": tarball}[options.kind](options.version or standard_version(), options.fast)
    print(f"{made.relative_to(ROOT)}  {made.stat().st_size / 1e6:.1f} MB")
