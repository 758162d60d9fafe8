# SPDX-License-Identifier: Apache-2.0
"""A node that crashes leaves a report in its folder: version, build, time, signal and frames, and nothing about people."""

import json
import re
import resource
import signal
import subprocess
from datetime import datetime, timezone

import pytest

from party import BUILD, Node

FRAME = re.compile(r"([^/\s]*)(?:\(([^/]*)\))?\s*\[0x[0-9a-f]+\]")


def reports(node):
    """The reports in the node's folder, the oldest first."""
    return sorted((node.folder / "crashes").glob("*"))


def crash(node, number):
    """Ends the node's process with a signal of a crash, as the kernel would."""
    resource.prlimit(node.process.pid, resource.RLIMIT_CORE, (0, 0))
    node.process.send_signal(number)
    assert node.process.wait(180) == -number, node.log()


def build_id(program):
    """The identifier that the linker wrote into a program."""
    notes = subprocess.run(["readelf", "--notes", program], capture_output=True, text=True, check=True).stdout
    return re.search(r"Build ID: ([0-9a-f]+)", notes)[1]


def party(folder, running):
    node = Node(folder / "host", "host", "Garden party", "--as", "Anna")
    running.append(node)
    return node


def crashes_by_doctor(node):
    command = [BUILD / "disposable", "doctor", "--for", "1s", "--interface", "lo", "--json", "--data", node.folder]
    # It may find problems of this machine.
    lines = subprocess.run(command, capture_output=True, text=True, timeout=180).stdout.splitlines()
    return [line for line in map(json.loads, lines) if line.get("check") == "crashes"]


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGILL], ids=lambda number: number.name)
def test_a_crash_leaves_a_report_without_names(folder, running, number):
    node = party(folder, running)
    before = datetime.now(timezone.utc).replace(microsecond=0)
    crash(node, number)
    [report] = reports(node)
    assert report.stat().st_mode & 0o077 == 0, "only its owner reads it"
    title, version, build, time, by, frames, *lines = report.read_text().splitlines()
    assert (title, frames) == ("Disposable crash report", "frames:")
    assert version == "version: " + subprocess.run(
        [BUILD / "disposable", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    assert build == f"build: {build_id(BUILD / 'disposable')}"
    at = datetime.strptime(time, "time: %Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)
    assert before <= at <= datetime.now(timezone.utc)
    assert report.name == at.strftime("%Y-%m-%dT%H-%M-%SZ.txt")
    assert by == f"signal: {number.name}, sent by a process"
    assert len(lines) >= 3 and all(FRAME.fullmatch(line) for line in lines), lines
    assert any(match[1] for match in map(FRAME.fullmatch, lines)), "no frame names its module"
    for private in ("Anna", "Garden", str(node.folder), str(BUILD), "/"):
        assert private not in report.read_text()


@pytest.mark.parametrize("defect", ["trap", "abort", "overflow", "together"])
def test_a_defect_leaves_one_report(defect, tmp_path):
    ended = subprocess.run([BUILD / "disposable-lab", "crash", defect, tmp_path], capture_output=True, timeout=60,
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
    number = signal.Signals(-ended.returncode)
    expected = {"abort": {signal.SIGABRT}, "overflow": {signal.SIGSEGV}}.get(defect, {signal.SIGILL, signal.SIGTRAP})
    assert number in expected
    [report] = (tmp_path / "crashes").iterdir()
    lines = report.read_text().splitlines()
    assert lines[2] == f"build: {build_id(BUILD / 'disposable-lab')}"
    assert lines[4] == f"signal: {number.name}", "the kernel raised it"
    assert len(lines) >= 9 and all(FRAME.fullmatch(line) for line in lines[6:]), lines


def test_a_report_for_which_the_disk_has_no_room_leaves_nothing(small_volume):
    (small_volume / "crashes").mkdir()
    fill = small_volume / "fill"
    with open(fill, "wb", buffering=0) as file, pytest.raises(OSError):
        while True:
            file.write(bytes(1 << 16))
    subprocess.run([BUILD / "disposable-lab", "crash", "trap", small_volume], capture_output=True, timeout=60,
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
    assert not list((small_volume / "crashes").iterdir())


def test_a_node_runs_again_after_a_crash_and_the_doctor_names_it(folder, running):
    node = party(folder, running)
    [clean] = crashes_by_doctor(node)
    assert clean["state"] == "good"
    crash(node, signal.SIGSEGV)
    node.start()
    [found] = crashes_by_doctor(node)
    assert found["state"] == "note" and "SIGSEGV" in found["text"] and str(reports(node)[0]) in found["text"]
    assert "nothing was sent" in found["hint"]
    assert f"(build {build_id(BUILD / 'disposable')[:12]}, this program)" in found["text"]


def test_the_doctor_tells_reports_of_other_programs_apart(folder, running):
    node = party(folder, running)
    (node.folder / "crashes").mkdir()
    for day, build in enumerate(["", f"build: {build_id(BUILD / 'disposable-lab')}\n"], start=1):
        (node.folder / f"crashes/2020-01-0{day}T00-00-00Z.txt").write_text(
            f"Disposable crash report\nversion: 1.0\n{build}time: 2020-01-0{day}T00:00:00Z\nsignal: SIGILL\nframes:\n")
    another, unnamed = (found["text"] for found in crashes_by_doctor(node))
    assert f"version 1.0 (build {build_id(BUILD / 'disposable-lab')[:12]}) crashed" in another
    assert "version 1.0 crashed" in unnamed


def test_the_eleventh_report_replaces_the_oldest(folder, running):
    node = party(folder, running)
    node.kill()
    (node.folder / "crashes").mkdir()
    old = [node.folder / f"crashes/2020-01-{day:02}T00-00-00Z.txt" for day in range(1, 13)]
    other = node.folder / "crashes/notes.txt"
    for path in [*old, other]:
        path.write_text("Disposable crash report\n")
    node.start()
    assert reports(node) == [*old[2:], other], "the ten newest stay, and files that are no reports"
    crash(node, signal.SIGABRT)
    left = reports(node)
    assert left[:9] == old[3:] and left[10:] == [other]
    assert "signal: SIGABRT" in left[9].read_text()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_node_that_is_stopped_leaves_none(folder, running, number):
    node = party(folder, running)
    node.process.send_signal(number)
    assert node.process.wait(180) == 0, node.log()
    assert not (node.folder / "crashes").exists()
