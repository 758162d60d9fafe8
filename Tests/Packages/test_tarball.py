# SPDX-License-Identifier: Apache-2.0
"""The tarball: it brings all libraries but a listed few, and runs in a minimal system that has not one package more."""

import re
import subprocess

from system import SystemNode

GLIBC_MAX = (2, 36)
# Of the C library and the compiler: every distribution has them.
COMMON = {
    "ld-linux-x86-64.so.2", "libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libutil.so.1",
    "libgcc_s.so.1", "libstdc++.so.6",
}
# The image worker's, from the distribution: libvips brings some eighty others. Without it a node works and makes no
# previews, and says so.
IMAGES = {"libvips.so.42", "libglib-2.0.so.0", "libgobject-2.0.so.0", "libgio-2.0.so.0"}


def unpacked(tarball, folder):
    subprocess.run(["tar", "-C", folder, "-xf", tarball], check=True)
    (name,) = [path.name for path in folder.iterdir() if path.name.startswith("disposable-")]
    return name


def read(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def test_it_needs_the_listed_libraries_and_a_glibc_of_2_36(tarball, tmp_path):
    folder = tmp_path / unpacked(tarball, tmp_path) / "lib/disposable"
    own = {path.name for path in folder.iterdir()}
    files = [path for path in folder.iterdir() if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]
    assert len(files) > 10
    versions = set()
    for file in files:
        header = read("readelf", "-d", file)
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", header))
        assert needed - own <= COMMON | (IMAGES if file.name == "disposable-image-worker" else set()), file.name
        assert not re.search(r"R(UN)?PATH.*\[(?!\$ORIGIN\])", header), file.name
        versions |= {tuple(map(int, found.split("."))) for found in re.findall(r"GLIBC_([0-9.]+)", read("objdump", "-T", file))}
    print(f"\n{tarball.name}: the newest symbol is of glibc {'.'.join(map(str, max(versions)))}")
    assert max(versions) <= GLIBC_MAX


def test_a_system_without_any_package_more_serves_guests(tarball, system):
    folder = f"/srv/{unpacked(tarball, system.folder / 'srv')}"
    host = SystemNode(system.command(
        f"{folder}/bin/disposable", "host", "Garden party", "--data", "/srv/data", "--json", "--interface", "lo"))
    try:
        ready = host.wait("ready")
        page = f"http://127.0.0.1:{ready['portal'].rsplit(':')[-1]}"
        assert b"<!doctype html>" in system.page(f"{page}/e/{ready['event'][:8]}/").lower()
        assert b"nacl" in system.page(f"{page}/nacl.js")
        assert host.terminate() == 0
    finally:
        host.kill()
