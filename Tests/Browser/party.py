# SPDX-License-Identifier: Apache-2.0
"""A party on the loopback interface: nodes of the built program, and photos painted by its image worker."""

import hashlib
import json
import os
import signal
import socket
import struct
import subprocess
import threading
import time
from pathlib import Path

from client import Client

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("DISPOSABLE_BUILD", ROOT / ".build/release")).resolve()


class TimedOut(AssertionError):
    """A watchdog: a limit that only a hang exceeds."""


def eventually(what, find, within=180, every=0.1):
    """Returns the first truthy value of `find()`. Raises `TimedOut` with the last value otherwise. The longer it takes, the
    less often it looks, up to once a second, and it pauses for as long as a look takes, up to a second: many looks are a
    process, which takes the processor from what they wait for."""
    began = time.monotonic()
    deadline = began + within
    while True:
        looked = time.monotonic()
        value = find()
        if value:
            return value
        now = time.monotonic()
        if now > deadline:
            raise TimedOut(f"not within {within} s: {what}; last: {value!r}")
        time.sleep(max(every, min(1, max(now - looked, (now - began) / 10))))


def longest_first(items, names):
    """Sorts tests so that the files of these names begin first, in this order."""
    def place(item):
        name = item.path.stem.removeprefix("test_")
        return names.index(name) if name in names else len(names)
    items.sort(key=place)


def read_code(picture):
    """Returns the text of a picture with one QR code."""
    # QR codes only: stripes in a photo may be mistaken for another kind of code.
    command = ["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", picture]
    read = subprocess.run(command, check=True, capture_output=True, text=True)
    return read.stdout.strip()


def sha256(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


class Node:
    """A `disposable` process with its folder, which survives `kill` and `start`."""

    def __init__(self, folder, *arguments, awaited="ready"):
        """`awaited`: the message that reports a completed start."""
        self.folder = Path(folder)
        self.folder.mkdir(parents=True)
        self.errors = self.folder.with_suffix(".log")
        self.process = None
        self.ready = None
        self.said = {}
        self.awaited = awaited
        self._launch(*arguments)

    @property
    def origin(self):
        return f"http://{self.ready['portal']}"

    @property
    def link(self):
        """The guests' link of this node's own page."""
        return f"{self.origin}/#{self.ready['guestURL'].split('#')[1]}"

    @property
    def path(self):
        """The event's path on this node: /e/1a2b3c4d/"""
        return f"/e/{self.ready['event'][:8]}/"

    def _program(self, arguments, listen, portal):
        return [BUILD / "disposable", *arguments, "--data", self.folder, "--json", "--interface", "lo", "--listen", listen,
                "--portal", portal]

    def _launch(self, *arguments, listen="127.0.0.1:0", portal="127.0.0.1:0", environment=None):
        with open(self.errors, "ab") as errors:
            self.process = subprocess.Popen(
                self._program(arguments, listen, portal), stdout=subprocess.PIPE, stderr=errors, text=True,
                env={**os.environ, **(environment or {})})
        self.said = {}  # the newest message of each type
        ready = threading.Event()

        def listen_to(output):
            for line in output:
                try:
                    message = json.loads(line)
                except ValueError:
                    continue
                self.said[message["type"]] = message
                if message["type"] == self.awaited:
                    ready.set()
            ready.set()

        threading.Thread(target=listen_to, args=(self.process.stdout,), daemon=True).start()
        if not ready.wait(180) or self.awaited not in self.said:
            self.kill()
            raise TimedOut(f"{self.folder.name} did not come up: {self.log()}")
        self.ready = self.said.get("ready")

    def log(self):
        return self.errors.read_text(errors="replace")[-3000:]

    def kill(self):
        """Kills the process, like the kernel or a power cut."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def start(self, *options, environment=None, portal=None):
        """Runs again after `kill`, at the same addresses, or with its pages at another one."""
        self._launch(
            "run", *options, listen=self.ready["listen"], portal=portal or self.ready["portal"], environment=environment)

    def finish(self, *options, environment):
        """Runs again after `kill`, and expects an exit without a signal: the node has no event left."""
        program = self._program(["run", *options], self.ready["listen"], self.ready["portal"])
        with open(self.errors, "ab") as errors:
            ended = subprocess.run(
                program, stdout=subprocess.DEVNULL, stderr=errors, env={**os.environ, **environment}, timeout=180)
        assert ended.returncode == 0, self.log()

    def command(self, *arguments, binary=False, timeout=120):
        """Returns a command's output about this node."""
        result = subprocess.run(
            [BUILD / "disposable", *arguments, "--data", self.folder], capture_output=True, text=not binary, timeout=timeout)
        assert result.returncode == 0, f"disposable {' '.join(map(str, arguments))}: {result.stderr}"
        return result.stdout

    def status(self):
        """Returns the state of the node and its only event."""
        return json.loads(self.command("status", "--json"))

    def desk(self):
        """Returns a fresh URL that opens the desk once."""
        return self.command("desk").strip()

    def gallery(self):
        """Returns every photo of the event, as the command line lists it."""
        lines = map(json.loads, self.command("gallery", "--json").splitlines())
        return [line for line in lines if line["type"] == "photo"]

    def grant(self, role, name):
        """Grants a role to a member, as soon as this node knows the member."""
        eventually(f"{self.folder.name} knows {name}", lambda: any(
            json.loads(line).get("name") == name for line in self.command("people", "--json").splitlines()))
        self.command("role", "grant", role, name)

    def exported(self, folder):
        """Returns the SHA-256 of every original, by the name of its file."""
        self.command("export", folder)
        return {file.name: sha256(file) for file in Path(folder).rglob("*") if file.is_file()}


def is_in(node):
    """Waits until a node is admitted and knows its event: before that it cannot add photos."""
    def status():
        said = json.loads(node.command("status", "--json"))
        return said["isAdmitted"] and said.get("digest")  # absent if there is none
    eventually(f"{node.folder.name} is in", status)


class Party:
    """An event with its organizer's node, and optional others."""

    def __init__(self, folder, name="Garden party", frames="unlimited", guests=1, host_name="Anna", options=()):
        self.folder = Path(folder)
        self.name = name
        self.nodes = []
        try:
            self.nodes.append(Node(self.folder / "host", "host", name, "--frames", frames, "--as", host_name, *options))
            for _ in range(guests):
                self.join()
        except BaseException:
            self.end()
            raise

    def join(self):
        """Returns one more node of the event."""
        name = f"Node {len(self.nodes)}"
        self.nodes.append(Node(
            self.folder / name.lower().replace(" ", "-"), "join", self.host.ready["invitation"], "--as", name))
        return self.nodes[-1]

    @property
    def host(self):
        return self.nodes[0]

    @property
    def other(self):
        return self.nodes[1]

    @property
    def origins(self):
        return {node.origin for node in self.nodes}

    @property
    def code(self):
        return json.loads(self.host.command("invite", "--json"))["guestCode"]

    def end(self):
        for node in self.nodes:
            node.kill()


def others(node):
    """Returns the origins of the other nodes that serve the event, by name."""
    return {other["name"]: other["origins"] for other in Client(node.link).me()["others"]}


class Painter:
    """Synthetic JPEGs like a camera's, all different."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        # The worker receives descriptors with its requests, which needs a socket.
        ours, theirs = socket.socketpair()
        self.helper = subprocess.Popen(
            [BUILD / "disposable-image-worker"], stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL)
        theirs.close()
        self.stream = ours.makefile("rwb")
        ours.close()
        self.count = 0

    def photo(self, width=640, height=480, name=None, seed=None, taken_at=None):
        """Paints a JPEG and returns its path. Grain makes 4000 x 3000 pixels about 3 MB."""
        self.count += 1
        seed = self.count if seed is None else seed
        taken_at = 1_755_345_600_000 + self.count * 60_000 if taken_at is None else taken_at
        request = struct.pack("<BQIIq", 2, seed, width, height, taken_at)
        self.stream.write(struct.pack("<I", len(request)) + request)
        self.stream.flush()
        (length,) = struct.unpack("<I", self.stream.read(4))
        kind, size = struct.unpack("<BI", self.stream.read(5))
        assert kind == 2, "the image worker could not paint"
        path = self.folder / (name or f"IMG_{self.count:04}.jpg")
        path.write_bytes(self.stream.read(length - 5))
        assert path.stat().st_size == size
        return path

    def photos(self, count, **options):
        return [self.photo(**options) for _ in range(count)]

    def stop(self):
        self.stream.close()
        self.helper.wait(60)
