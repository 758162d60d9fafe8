# SPDX-License-Identifier: Apache-2.0
"""The Debian package: its contents, and its life in a minimal system from installation to purge."""

import re
import shutil
import subprocess
import time

import pytest

from system import ROOT, SystemNode

SIZE_MAX = 25_000_000
DATA = "/var/lib/disposable"


@pytest.fixture(scope="module")
def contents(package, tmp_path_factory):
    folder = tmp_path_factory.mktemp("contents")
    subprocess.run(["dpkg-deb", "-x", package, folder], check=True)
    return folder


def run(*command, **options):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600, **options)
    assert result.returncode == 0, f"{command}: {result.stdout}\n{result.stderr}"
    return result.stdout + result.stderr


def test_the_package_is_small_and_lintian_finds_no_error(package):
    size = package.stat().st_size
    print(f"\n{package.name}: {size / 1e6:.1f} MB")
    assert size <= SIZE_MAX
    run("lintian", "--allow-root", "--fail-on", "error", "--tag-display-limit", "0", package)


def test_every_command_has_a_page_without_warnings(contents):
    pages = sorted((contents / "usr/share/man/man1").iterdir())
    commands = re.findall(r"^  ([a-z]+) ", run(contents / "usr/lib/disposable/disposable", "--help"), flags=re.MULTILINE)
    assert len(commands) > 20
    assert {page.name for page in pages} >= {f"disposable-{name}.1.gz" for name in commands if name not in ("help", "disposable")}
    for page in pages:
        result = subprocess.run(
            ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page], capture_output=True, text=True,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80"})
        assert (result.returncode, result.stderr) == (0, ""), page


def test_the_shells_accept_the_completions(contents):
    share = contents / "usr/share"
    run("bash", "-n", share / "bash-completion/completions/disposable")
    asked = run(
        "bash", "-c", f'. "{share}/bash-completion/completions/disposable"; complete -p disposable')
    assert "disposable" in asked
    for shell, path in [("zsh", "zsh/vendor-completions/_disposable"), ("fish", "fish/vendor_completions.d/disposable.fish")]:
        assert (share / path).stat().st_size > 1000
        if shutil.which(shell):
            run(shell, "-n", share / path)


def test_the_desktop_and_the_service_manager_accept_their_files(contents, tmp_path):
    run("desktop-file-validate", *(contents / "usr/share/applications").iterdir())
    run("appstreamcli", "validate", "--no-net", *(contents / "usr/share/metainfo").iterdir())
    for kind in ["system", "user"]:
        unit = tmp_path / kind / "disposable.service"
        unit.parent.mkdir()
        # The program is not installed here.
        text = (contents / f"usr/lib/systemd/{kind}/disposable.service").read_text()
        unit.write_text(text.replace("/usr/bin/disposable", "/usr/bin/true"))
        said = run("systemd-analyze", "verify", "--man=no", unit)
        assert said == "", said
    said = run("systemd-analyze", "security", "--offline=yes", "--no-pager", "--threshold=30", tmp_path / "system/disposable.service")
    print("\n" + said.strip().splitlines()[-1])


def test_a_bare_system_serves_guests_and_keeps_its_photos_over_an_upgrade(system, package, previous, photo):
    before = system.files()
    old, new = system.bring(previous, "old.deb"), system.bring(package, "new.deb")
    apt = ["apt-get", "install", "-y", "-q", "--no-install-recommends"]
    system.run("apt-get", "update", "-q", is_connected=True)
    system.run(*apt, "--download-only", old, is_connected=True)

    # From here on nothing comes from the mirror: the system has no network.
    start = time.monotonic()
    system.run(*apt, old)
    installed = time.monotonic()
    host = SystemNode(system.command(
        "disposable", "host", "Garden party", "--as", "Anna", "--data", DATA, "--json", "--interface", "lo",
        as_user="disposable"))
    try:
        ready = host.wait("ready")
        page = f"http://127.0.0.1:{ready['portal'].rsplit(':')[-1]}"
        assert b"<!doctype html>" in system.page(f"{page}/e/{ready['event'][:8]}/").lower()
        end = time.monotonic()
        print(f"\na guest's page {end - start:.1f} s after the start of the installation, which took {installed - start:.1f} s")
        # The page lacks nothing: its signing library and the encoder of codes.
        assert b"nacl" in system.page(f"{page}/nacl.js")
        assert b"qrcode" in system.page(f"{page}/qrcode.js")

        # The image worker has its libraries: there is a thumbnail.
        name = system.bring(photo, "photo.jpg")
        system.run("disposable", "add", name, "--data", DATA, as_user="disposable")
        (system.folder / "srv").chmod(0o777)
        system.run("disposable", "export", "/srv/album", "--album", "--data", DATA, as_user="disposable")
        assert len(list((system.folder / "srv/album/thumbnails").iterdir())) == 1
        assert host.terminate() == 0
    finally:
        host.kill()

    # The upgrade keeps the folder; the service's own command opens it.
    said = system.run("dpkg", "-i", new).stdout
    assert "Unpacking disposable" in said and "over (1.0~git0)" in said
    unit = (system.folder / "usr/lib/systemd/system/disposable.service").read_text()
    command = re.search(r"^ExecStart=(.*)$", unit, flags=re.MULTILINE).group(1).split()
    service = SystemNode(system.command(*command, "--json", "--interface", "lo", as_user="disposable"))
    try:
        service.wait("ready")
        photos = system.run("disposable", "gallery", "--json", "--data", DATA, as_user="disposable").stdout
        assert photos.count('"type":"photo"') == 1
        assert service.terminate() == 0
    finally:
        service.kill()
    system.run("disposable", "fsck", "--check", "--data", DATA, as_user="disposable")

    system.run("apt-get", "remove", "-y", "-q", "disposable")
    assert not (system.folder / "usr/bin/disposable").exists()
    assert any((system.folder / "var/lib/disposable/events").iterdir()), "photos outlive the program"
    system.run("dpkg", "--purge", "disposable")
    system.run("apt-get", "autoremove", "-y", "-q", "--purge")
    left = sorted(name for name in system.files() - before if "disposable" in name)
    assert left == []
    assert "disposable" not in (system.folder / "etc/passwd").read_text()


def test_the_container_file_names_what_the_package_has(contents):
    text = (ROOT / "packaging/Containerfile").read_text()
    entry = re.search(r'^ENTRYPOINT \["([^"]+)"', text, flags=re.MULTILINE).group(1)
    assert (contents / entry.lstrip("/")).is_symlink()
    assert "USER disposable" in text
