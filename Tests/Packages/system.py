# SPDX-License-Identifier: Apache-2.0
"""A Debian system in a folder, and a node that runs in it, in a network of its own."""

import json
import os
import queue
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".build/package-tests"
MIRROR = os.environ.get("DISPOSABLE_MIRROR", "http://deb.debian.org/debian")
# A watchdog, for machines that do much else; the figures are printed.
LIMIT_SECONDS = 900

# Runs the rest of the arguments in a system: with its own processes, which end with the first one, and its own mounts.
ENTER = """
mount --make-rprivate / && mount -t proc proc "$0/proc" && mount -t tmpfs tmpfs "$0/tmp" || exit 125
mount --bind "$1" "$0/var/cache/apt/archives" || exit 125
root=$0; shift; exec chroot "$root" "$@"
"""


def base():
    """A minimal Debian 12; made once, and kept for the next run."""
    folder = CACHE / "base"
    if not folder.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        new = CACHE / "base.new"
        shutil.rmtree(new, ignore_errors=True)
        subprocess.run(
            ["debootstrap", "--variant=minbase", "bookworm", new, MIRROR], check=True, timeout=LIMIT_SECONDS,
            stdout=subprocess.DEVNULL)
        new.rename(folder)
    return folder


class Network:
    """A namespace that has the loopback interface and nothing else."""

    def __init__(self, name):
        self.name = name
        self._ip("netns", "add", name)
        self._ip("-n", name, "link", "set", "lo", "up")

    @property
    def within(self):
        return ["ip", "netns", "exec", self.name]

    def remove(self):
        self._ip("netns", "delete", self.name)

    @staticmethod
    def _ip(*arguments):
        subprocess.run(["ip", *arguments], check=True)


class System:
    """A copy of the minimal system."""

    def __init__(self, folder, network):
        self.folder, self.network = folder, network
        subprocess.run(["cp", "-a", "--reflink=auto", base(), folder], check=True)
        archives = CACHE / "archives"
        (archives / "partial").mkdir(parents=True, exist_ok=True)
        self.archives = archives

    def command(self, *arguments, as_user=None, is_connected=False):
        """A command of the system. It has the machine's network only where it says so: apt has to reach the mirror."""
        switch = ["setpriv", f"--reuid={as_user}", f"--regid={as_user}", "--init-groups"] if as_user else []
        return [
            *([] if is_connected else self.network.within),
            "unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER, self.folder, self.archives,
            "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/nonexistent", "LC_ALL=C.UTF-8",
            "DEBIAN_FRONTEND=noninteractive", *switch, *map(str, arguments)]

    def run(self, *arguments, is_allowed_to_fail=False, **options):
        result = subprocess.run(
            self.command(*arguments, **options), capture_output=True, text=True, timeout=LIMIT_SECONDS,
            stdin=subprocess.DEVNULL)
        if not is_allowed_to_fail:
            assert result.returncode == 0, f"{arguments}: {result.stdout}\n{result.stderr}"
        return result

    def bring(self, file, name):
        """A copy of a file, at /srv/NAME, for everybody."""
        target = self.folder / "srv" / name
        shutil.copyfile(file, target)
        target.chmod(0o644)
        return f"/srv/{name}"

    def files(self):
        """Everything but what apt notes for itself."""
        left_out = ("var/lib/apt/", "var/lib/dpkg/", "var/log/", "var/cache/", "proc/", "tmp/", "srv/")
        names = {str(path.relative_to(self.folder)) for path in self.folder.rglob("*")}
        return {name for name in names if not name.startswith(left_out)}

    def page(self, address):
        """What a browser on the same machine gets: status and body."""
        script = (
            "import sys, urllib.request\n"
            "with urllib.request.urlopen(sys.argv[1], timeout=20) as answer:\n"
            "    sys.stdout.buffer.write(answer.read())\n")
        result = subprocess.run(
            [*self.network.within, "/usr/bin/python3", "-c", script, address], capture_output=True, timeout=60)
        assert result.returncode == 0, result.stderr.decode()
        return result.stdout


class SystemNode:
    """A running node; `lines` has what it has said, by type."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL,
            start_new_session=True)
        self.lines, self.errors = queue.Queue(), []
        for read in (self._read, self._read_errors):
            threading.Thread(target=read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))
        self.lines.put(None)

    def _read_errors(self):
        self.errors += self.process.stderr

    def wait(self, kind):
        """The next message of a kind."""
        deadline = time.monotonic() + LIMIT_SECONDS
        while True:
            line = self.lines.get(timeout=max(0.1, deadline - time.monotonic()))
            assert line is not None, f"the node ended before it said {kind}: {''.join(self.errors)[-3000:]}"
            if line["type"] == kind:
                return line

    def terminate(self):
        """As systemd does it: SIGTERM to the node itself. Returns its exit code."""
        if self.process.poll() is None:
            os.kill(self._inner(), signal.SIGTERM)
        return self.process.wait(timeout=LIMIT_SECONDS)

    def _inner(self):
        """The node below `unshare`: the first process of its namespace."""
        process = self.process.pid
        while Path(f"/proc/{process}/comm").read_text().strip() == "unshare":
            children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
            process = int(children[0])
        return process

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
