# SPDX-License-Identifier: Apache-2.0
"""The Python peer as a process of its own, as a person would run it."""

import json
import subprocess
import sys
import threading
from pathlib import Path

from party import ROOT, TimedOut, eventually

PROGRAM = ROOT / "examples/python-peer/join.py"


class PythonPeer:
    """What it says is in `lines`; its folders outlive it."""

    program = PROGRAM

    def __init__(self, folder, invitation, *arguments, within=()):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.photos = self.folder / "photos"
        self.invitation, self.within = invitation, within
        self.start(*arguments)

    def start(self, *arguments):
        """`within`: a command in front of it, as `ip netns exec ...`."""
        self.lines = []
        self.errors = open(self.folder / "errors.log", "ab")
        self.process = subprocess.Popen(
            [*self.within, sys.executable, self.program, self.invitation, "--data", self.folder / "data",
             "--photos", self.photos, *map(str, arguments)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        threading.Thread(target=self._listen, args=(self.process.stdout, self.lines), daemon=True).start()

    @staticmethod
    def _listen(output, lines):
        lines.extend(line.split() for line in output)

    def _log(self):
        said = [" ".join(line) for line in self.lines]
        return "\n".join([*said, (self.folder / "errors.log").read_text()[-2000:]])

    def said(self, word, count=1, within=180):
        """The `count`th line that begins with a word; waits for it."""
        def find():
            found = [line[1:] for line in self.lines if line[0] == word]
            assert found[count - 1:] or self.process.poll() is None, f"it ended without saying {word}: {self._log()}"
            return found[count - 1:]
        try:
            return eventually(f"the Python peer says {word!r} ({count})", find, within)[0]
        except TimedOut as timed_out:
            raise TimedOut(f"{timed_out}\n{self._log()}") from None

    @property
    def digest(self):
        """The gallery's, as it last said it, whether or not all blobs were there."""
        return next((line[1] for line in reversed(self.lines) if line[0] == "digest"), None)

    @property
    def is_complete(self):
        return next((line[2] == "0" for line in reversed(self.lines) if line[0] == "digest"), False)

    @property
    def sealed_count(self):
        """How many photos it has and cannot open, as it last said."""
        return next((int(line[4]) for line in reversed(self.lines) if line[0] == "digest"), 0)

    @property
    def saved(self):
        """SHA-256 by photo, as it said when it had checked them."""
        return {line[1]: line[3] for line in self.lines if line[0] == "photo"}

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.errors.close()


class DishonestPeer(PythonPeer):
    """States what it is told to."""

    program = ROOT / "Tests/Interop/dishonest.py"

    def __init__(self, *arguments, **options):
        self.stated = 0
        super().__init__(*arguments, **options)

    def _order(self, order):
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()

    def state(self, kind, subject="", argument=0, content=None):
        """The id of what it has stated, about an id, with a body's message."""
        body = content.SerializeToString().hex() if content is not None else ""
        self._order({"kind": kind, "subject": subject, "argument": argument, "body": body})
        self.stated += 1
        return self.said("stated", self.stated)[0]

    def publish(self, photo, is_sealed=True):
        """The id of a photo that it has added, its keys in the clear if not `is_sealed`."""
        count = 1 + sum(line[0] == "published" for line in self.lines)
        self._order({"publish": str(photo), "isSealed": is_sealed})
        return self.said("published", count)[0]
