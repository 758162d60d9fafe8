# SPDX-License-Identifier: Apache-2.0
"""A guest's computer becomes a node without the Internet: it downloads the program from a node, byte for byte, runs it, and
joins. A file that cannot be offered stops the command before there is an event."""

import os
import shutil
import subprocess

import pytest

from party import BUILD, Node, eventually, is_in, sha256
from test_guest_api import Guest

VERSION = subprocess.run([BUILD / "disposable", "--version"], check=True, capture_output=True, text=True).stdout.strip()
NAME = f"disposable-{VERSION}-{os.uname().machine}"


@pytest.fixture(scope="module")
def tarball(tmp_path_factory):
    """A tarball like that of packaging/build.py, with the programs of this build and without the libraries."""
    folder = tmp_path_factory.mktemp("packages")
    stage = folder / NAME
    (stage / "lib/disposable").mkdir(parents=True)
    for program in ("disposable", "disposable-image-worker"):
        shutil.copy2(BUILD / program, stage / "lib/disposable")
    resources = "disposable_DisposablePortal.resources"
    shutil.copytree(BUILD / resources, stage / "lib/disposable" / resources)
    (stage / "bin").mkdir()
    (stage / "bin/disposable").symlink_to("../lib/disposable/disposable")
    path = folder / f"{NAME}.tar.xz"
    subprocess.run(["tar", "-C", folder, "-cJf", path, NAME], check=True, env={**os.environ, "XZ_OPT": "-0"})
    return path


def test_a_guests_computer_gets_the_very_program_and_joins_with_it(folder, tarball, running):
    host = Node(folder / "host", "host", "Garden party", "--as", "Anna", "--offer-program", tarball)
    running.append(host)
    guest = Guest(host)
    for operation, path in [("program", "api/program"), ("programPage", "program"), ("programFile", "program/file")]:
        guest.call(operation, "GET", f"/:/{path}", 403)
    guest.become("Bea")
    said = guest.call("program", "GET", "/:/api/program").json()["program"]
    assert said == {"name": tarball.name, "byteCount": tarball.stat().st_size, "sha256": sha256(tarball), "version": VERSION}
    # The owner's screen shows the hash.
    assert host.status()["program"]["sha256"] == said["sha256"]
    page = guest.call("programPage", "GET", "/:/program?lang=fr", headers={"Accept": "text/html"}).text
    assert said["sha256"] in page and f"sha256sum {tarball.name}" in page and host.ready["invitation"] not in page

    # The connection breaks in the middle, and the browser goes on where it was.
    half = said["byteCount"] // 2
    first = guest.call("programFile", "GET", "/:/program/file", 206, {"Range": f"bytes=0-{half - 1}"})
    rest = guest.call("programFile", "GET", "/:/program/file", 206, {
        "Range": f"bytes={half}-", "If-Range": first.headers["ETag"]})
    guest.call("programFile", "GET", "/:/program/file", 304, {"If-None-Match": first.headers["ETag"]})
    guest.call("programFile", "GET", "/:/program/file", 416, {"Range": f"bytes={said['byteCount']}-"})
    assert first.content + rest.content == tarball.read_bytes()
    saved = folder / tarball.name
    saved.write_bytes(first.content + rest.content)
    assert sha256(saved) == said["sha256"]
    subprocess.run(["tar", "-C", folder, "-xf", saved], check=True)
    program = folder / NAME / "bin/disposable"
    assert subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.strip() == VERSION

    class Downloaded(Node):
        def _program(self, arguments, listen, portal):
            return [program, *super()._program(arguments, listen, portal)[1:]]

    other = Downloaded(folder / "bea", "join", host.ready["invitation"], "--as", "Bea’s computer")
    running.append(other)
    is_in(other)
    assert os.readlink(f"/proc/{other.process.pid}/exe") == str((folder / NAME / "lib/disposable/disposable").resolve())
    eventually("both are equal", lambda: other.status()["digest"] == host.status()["digest"])


def test_a_replaced_file_is_not_sent_under_the_hash_that_people_have_compared(folder, tarball, running):
    offered = folder / "disposable.tar.xz"
    shutil.copy(tarball, offered)
    host = Node(folder / "host", "host", "Garden party", "--as", "Anna", "--offer-program", offered)
    running.append(host)
    guest = Guest(host)
    guest.become("Bea")
    guest.call("programFile", "GET", "/:/program/file", 206, {"Range": "bytes=0-9"})
    with open(offered, "r+b") as file:
        file.seek(1_000)
        file.write(b"malware")
    for operation, path in [("programPage", "program"), ("programFile", "program/file")]:
        answer = guest.call(operation, "GET", f"/:/{path}", 503)
        assert answer.json()["error"]["code"] == "program-changed"
    # The node looks at it again when it starts.
    host.kill()
    host.start("--offer-program", offered)
    assert host.status()["program"]["sha256"] == sha256(offered)
    assert guest.call("programFile", "GET", "/:/program/file", 206, {"Range": "bytes=1000-1006"}).content == b"malware"


def test_the_link_on_the_page_opens_the_desk_and_no_other_link_does_anything(folder, running):
    host = Node(folder / "host", "host", "Garden party", "--as", "Anna")
    running.append(host)
    assert host.command("desk", "--print", "disposable:desk").startswith(f"{host.origin}/desk#")
    for link in ["disposable:join", "disposable:desk?x", "disposable://desk", "DISPOSABLE:desk", "https://example.org"]:
        ended = subprocess.run([BUILD / "disposable", "desk", "--print", link, "--data", folder / "other"], capture_output=True,
                               text=True, timeout=120)
        assert ended.returncode != 0 and "the only link" in ended.stderr, link
    assert not (folder / "other").exists()


def test_a_desk_of_a_running_node_says_which_options_have_no_effect(folder, running):
    host = Node(folder / "host", "host", "Garden party", "--as", "Anna")
    running.append(host)
    for options, warned in [([], False), (["--spare-for", "192.0.2.1"], True)]:
        opened = subprocess.run([BUILD / "disposable", "desk", "--print", *options, "--data", host.folder],
                                capture_output=True, text=True, timeout=120)
        assert opened.returncode == 0 and opened.stdout.startswith(f"{host.origin}/desk#"), opened.stderr
        assert ("without --spare-for of this command" in opened.stderr) == warned, opened.stderr


@pytest.mark.parametrize("kind, sentence", [
    ("missing", "No such file"), ("link", "is a symbolic link"), ("folder", "is not a regular file"), ("empty", "0 bytes"),
    ("huge", "1073741825 bytes"), ("zip", "not the name of a package"), ("no-portal", "--no-portal")])
def test_a_file_that_cannot_be_offered_stops_the_command_before_there_is_an_event(folder, kind, sentence):
    path = folder / ("disposable.zip" if kind == "zip" else "disposable.deb")
    if kind == "link":
        (folder / "other.deb").write_bytes(b"x")
        path.symlink_to(folder / "other.deb")
    elif kind == "folder":
        path.mkdir()
    elif kind != "missing":
        path.write_bytes(b"" if kind == "empty" else b"x")
        if kind == "huge":
            os.truncate(path, (1 << 30) + 1)
    options = ["--no-portal"] if kind == "no-portal" else []
    ended = subprocess.run(
        [BUILD / "disposable", "host", "Garden party", "--data", folder / "data", "--offer-program", path, *options],
        capture_output=True, text=True, timeout=120)
    assert ended.returncode != 0 and sentence in ended.stderr, ended.stderr
    assert not (folder / "data").exists()
