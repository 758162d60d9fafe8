# SPDX-License-Identifier: Apache-2.0
"""The blocks of commands in README and docs, typed as they stand there: by Anna, who hosts, and by Ben and others, who join,
each at a machine of a network of their own. Placeholders get values; a line that cannot run here has a reason."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import time

import pytest

from lan import LAN
from party import BUILD, ROOT, eventually

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(?:bash)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMANDS = ("disposable ", "disposable-lab ", "make ", "sudo ", "modprobe ", "sysctl ", "apt ", "lan ", "export ")
NEVER = {
    r"sudo disposable hotspot": "it changes the Wi-Fi of the machine",
    r"modprobe |sysctl net.ipv4.tcp_allowed": "it changes the kernel of the machine",
    r"disposable run --tls": "it needs programs with HTTPS: Tests/TLS runs it",
    r"disposable run --offer-program": "it needs the package: test_program runs it",
    r"disposable event map (town.mbtiles|--at)":
        "it needs a file with tiles, or the plan that belongs to the places: test_map runs it",
    r"disposable watch .*--camera-clock": "it needs a camera's photo of a clock: test_camera_clock runs it",
    r"sudo --preserve-env": "it takes the address of another machine: test_spare runs it",
}


def blocks(document):
    """The blocks of commands, each as its lines."""
    for text in BLOCK.findall(document.read_text().replace("\\\n", "")):
        lines = [line for line in text.splitlines() if line.strip()]
        if any(line.startswith("$ ") for line in lines):
            lines = [line[2:] for line in lines if line.startswith("$ ")]
        if lines[0].startswith(COMMANDS):
            yield [re.sub(r"\s{2,}#.*", "", line) for line in lines]


class Person:
    """Somebody at a machine, with a data folder, and perhaps a running node."""

    def __init__(self, lan, number, home):
        self.lan, self.number, self.home, self.count, self.node = lan, number, home, 0, None
        self.data = home / "data-0"

    def command(self, line):
        path = f"{BUILD}:{self.home.parent}/bin:{os.environ['PATH']}"
        return [*map(str, self.lan.host(self.number)), "env", f"PATH={path}", f"HOME={self.home}", f"DISPOSABLE_DATA={self.data}",
                "bash", "-e", "-o", "pipefail", "-c", line]

    def run(self, line):
        done = subprocess.run(self.command(line), cwd=self.home, capture_output=True, text=True, timeout=300, input="y\n")
        assert done.returncode == 0, f"{line}\n{done.stdout[-1000:]}\n{done.stderr[-2000:]}{self.log()}"
        return done.stdout

    def start(self, line):
        """A command that runs until Ctrl-C."""
        with open(self.home / "log", "ab") as log:
            return subprocess.Popen(
                self.command(f"exec {line}"), cwd=self.home, stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    def begin(self, line, is_new):
        """Runs a node, with a folder of its own where it hosts or joins."""
        self.end()
        if is_new:
            self.count += 1
            self.data = self.home / f"data-{self.count}"
        self.node = self.start(line)

        def is_in():
            assert self.node.poll() is None, f"{line} has ended: {self.log()}"
            done = subprocess.run(self.command("disposable status --json"), capture_output=True, text=True, timeout=60)
            said = json.loads(done.stdout) if done.returncode == 0 and done.stdout else {}
            return said.get("isAdmitted") and said.get("digest")
        eventually(f"the node of {line}", is_in)
        # Nobody presses Ctrl-C in the moment in which the node begins to listen for it.
        time.sleep(2)

    def end(self):
        """Ctrl-C."""
        if self.node:
            self.node.send_signal(signal.SIGINT)
            assert self.node.wait(60) == 0, self.log()
            self.node = None

    def kill(self):
        if self.node:
            self.node.kill()
            self.node.wait()

    def log(self):
        log = self.home / "log"
        return log.read_text(errors="replace")[-2000:] if log.exists() else ""


class Reading:
    """Somebody who types what a document says."""

    def __init__(self, lan, folder, running, painter):
        self.lan, self.folder, self.running, self.painter = lan, folder, running, painter
        (folder / "bin").mkdir()
        # On these machines everybody is an administrator already.
        sudo = folder / "bin/sudo"
        sudo.write_text("#!/bin/sh\nexec \"$@\"\n")
        sudo.chmod(0o755)
        for name in ("stick", "dnsmasq.d", "card/DCIM"):
            (folder / name).mkdir(parents=True)
        self.people = {}
        self.anna, self.ben = self.person("anna", 1), self.person("ben", 2)
        self.typist = self.anna

    def person(self, name, number):
        if name not in self.people:
            home = self.folder / name
            home.mkdir()
            for file in ("photo.jpg", "sketch.jpg"):
                self.painter.photo(640, 480).rename(home / file)
            shutil.copy(ROOT / "Sources/DisposablePortal/Public/print/poster.svg", home)
            self.people[name] = Person(self.lan, number, home)
            self.running.append(self.people[name])
        return self.people[name]

    def host(self):
        """Anna hosts, for what a document says about a party that there is."""
        if not self.anna.node:
            self.anna.begin('disposable host "Garden party" --as Anna', is_new=True)
            self.anna.run("disposable add photo.jpg")

    def join(self, name, number):
        self.host()
        person = self.person(name, number)
        if not person.node:
            person.begin(f"disposable join {self.invitation()} --as {name.capitalize()}", is_new=True)
        eventually(f"Anna knows {name}", lambda: name.capitalize() in self.anna.run("disposable people"))
        return person

    def invitation(self):
        return self.anna.run("disposable invite --node").strip()

    def filled(self, line):
        """The line with values in place of what stands for them."""
        if "DISPOSABLE1:" in line:
            self.host()
            line = re.sub(r"DISPOSABLE1:[A-Z0-9]*\.\.\.", self.invitation(), line)
        line = line.replace("FILE-or-FOLDER... [--caption TEXT]", 'photo.jpg --caption "The cake"')
        line = line.replace("/media/STICK", f"{self.folder}/stick").replace("/media/anna/CANON/DCIM", f"{self.folder}/card/DCIM")
        line = line.replace("/etc/dnsmasq.d", f"{self.folder}/dnsmasq.d")
        # Fewer tickets: each printed card is read back.
        line = line.replace("--tickets 150", "--tickets 8")
        line = re.sub(r"\bNAME\b", "Party", re.sub(r"\bPASSWORD\b", "password1", line))
        if "5f3a9c01" in line:
            [photo] = [json.loads(each)["id"] for each in self.anna.run("disposable gallery --json").splitlines()
                       if '"photo"' in each][:1]
            line = line.replace("5f3a9c01", photo[:8])
        return line

    def type(self, line):
        words = shlex.split(line)
        if words[0] == "make":
            subprocess.run(["make", "--dry-run", *words[1:]], cwd=ROOT, check=True, capture_output=True, timeout=60)
            return
        command = words[1] if words[0] == "disposable" else ""
        if command == "host":
            self.typist = self.anna
            self.anna.begin(self.filled(line), is_new=True)
            self.anna.run("disposable add photo.jpg")
        elif command == "join":
            self.typist = self.ben
            self.ben.begin(self.filled(line), is_new=True)
        elif command == "run":
            self.host()
            self.anna.begin(self.filled(line), is_new=False)
        elif command == "watch":
            self.watch(line)
        elif words[1:3] == ["carry", "import"]:
            self.join("ben", 2).run(self.filled(line))
        else:
            self.host()
            for name, number in [("Ben", 2), ("Eve", 3)]:
                if name in words:
                    self.join(name.lower(), number)
            self.typist.run(self.filled(line))

    def watch(self, line):
        self.host()
        before = self.anna.run("disposable gallery --json").count('"photo"')
        watching = self.anna.start(self.filled(line))
        try:
            # As cameras do it: the file grows, and then it has its name.
            self.painter.photo(640, 480).rename(self.folder / "card/DCIM/IMG_0001.JPG")
            eventually("the photo of the card", lambda: self.anna.run("disposable gallery --json").count('"photo"') > before)
        finally:
            watching.send_signal(signal.SIGINT)
            watching.wait(60)


def reason(line):
    return next((words for pattern, words in NEVER.items() if re.match(pattern, line)), None)


WITH_COMMANDS = [document for document in DOCUMENTS if any(True for _ in blocks(document))]


@pytest.mark.share(of=2, each=lambda parameters: parameters["document"].name)
@pytest.mark.parametrize("document", WITH_COMMANDS, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_commands_of_a_document_work_as_they_stand_there(document, folder, running, make_lan, painter, record_property):
    reading = Reading(make_lan(3), folder, running, painter)
    typed, left = 0, []
    for block in blocks(document):
        for line in block:
            if why := reason(line):
                left.append(f"{line} ({why})")
                continue
            reading.type(line)
            typed += 1
    for person in reading.people.values():
        person.end()
    record_property(f"commands of {document.relative_to(ROOT)}", f"{typed} typed; left out: {'; '.join(left) or 'none'}")
    assert typed or left


def test_the_network_on_one_machine_works_as_its_text_says(folder, make_lan, painter):
    make_lan(1)  # only to be told that it needs root
    [script] = BLOCK.findall((ROOT / "examples/lan/README.md").read_text())
    home = folder / "home"
    (home / "Pictures").mkdir(parents=True)
    painter.photo().rename(home / "Pictures/one.jpg")
    script = script.replace("/tmp/", f"{folder}/")
    name = f"text{os.getpid()}"
    environment = {**os.environ, "HOME": str(home), "LAN_NAME": name, "PATH": f"{BUILD}:{LAN.parent}:{os.environ['PATH']}"}
    try:
        done = subprocess.run(["bash", "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    finally:
        subprocess.run([LAN, "down"], env=environment, check=False)
    digests = re.findall(r"^ *digest +(\S+)$", done.stdout, re.MULTILINE)
    assert len(digests) >= 3 and len(set(digests[-3:])) == 1, done.stdout + done.stderr
    photos = re.findall(r"^ *photos +(\d+)", done.stdout, re.MULTILINE)
    assert photos[-3:] == ["1"] * 3, done.stdout
