#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Made the folder `data` beside it, and `expected.json`: two real nodes at an event, the first one's folder kept.

    DISPOSABLE_BUILD=.build/debug .build/interop-tests/bin/python Tests/Fixtures/version-1/make.py

It is here to show how; do not run it again. What matters about the folder is that an older program made
it. A later one goes beside it, as version-1-of-DATE or version-2.
"""

import json
import shutil
import signal
import sqlite3
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "Browser"))

from party import Node, Painter, eventually, sha256  # noqa: E402

# Far away, so that the time of keeping is not over when somebody looks.
START = "2199-06-01T18:00"


def end(node):
    """As Ctrl-C does it."""
    node.process.send_signal(signal.SIGINT)
    assert node.process.wait(60) == 0, node.log()


def status(node):
    return json.loads(node.command("status", "--json").splitlines()[0])


def add(node, path, *options):
    lines = map(json.loads, node.command("add", str(path), "--json", *options).splitlines())
    return next(line["id"] for line in lines if line["type"] == "added")


def fold_log(path):
    """What the node has in its log goes into the database's one file, as it would by and by. The schema's number."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    schema = database.execute("PRAGMA user_version").fetchone()[0]
    database.close()
    return schema


def main():
    data = HERE / "data"
    assert not data.exists(), f"{data} is there already; read what is said above"
    with tempfile.TemporaryDirectory(prefix="disposable-fixture-") as folder:
        folder = Path(folder)
        painter = Painter(folder / "camera")
        pictures = [painter.photo(120, 90, seed=seed) for seed in (1, 2, 3, 4)]
        painter.stop()
        plain = ["--no-mdns", "--no-portal"]
        host = Node(folder / "host", "host", "Version one", "--as", "Anna", "--starts", START, "--frames", "5",
                    "--consent-text", "No photos of the children.", *plain)
        ben = Node(folder / "ben", "join", host.ready["invitation"], "--as", "Ben", "--agree", *plain)
        try:
            eventually("Ben is in", lambda: status(ben)["isAdmitted"])
            ben.command("consent", "--agree")
            cake = add(host, pictures[0], "--caption", "The cake")
            barn, blurred = add(ben, pictures[1]), add(ben, pictures[2])
            taken_back = add(host, pictures[3])
            host.command("remove", taken_back)
            eventually("Anna has Ben's", lambda: status(host)["photoCount"] == 3 and status(host)["completeCount"] == 3)
            host.command("role", "grant", "moderator", "Ben")
            host.command("hide", blurred)
            host.command("event", "edit", "--place", "The barn")
            ben.command("comment", cake, "Is there more?")
            ben.command("react", cake, "❤")
            host.command("notice", "Cake at five.")
            eventually("both know the same", lambda: (
                status(host)["digest"] == status(ben)["digest"]
                and status(host)["operationCount"] == status(ben)["operationCount"]
                and status(host)["peers"][0]["isSynchronized"]))
            said = status(host)
            gallery = host.gallery()
            event = json.loads(host.command("event", "--json").splitlines()[0])
        finally:
            end(ben)
            end(host)
        schema = fold_log(next((folder / "host").rglob("event.sqlite")))
        shutil.copytree(folder / "host", data, ignore=shutil.ignore_patterns(
            "node.sock", "lock", "port", "page-port", "incoming", "*-shm"))
        assert not list(data.rglob("*-wal")), "a log is left"
        expected = {
            "event": said["event"], "name": said["name"], "schema": schema, "digest": said["digest"],
            "operationCount": said["operationCount"], "memberCount": said["memberCount"], "place": event["parameters"]["place"],
            "notices": [notice["text"] for notice in said["notices"]],
            "photos": [{"id": photo["id"], "author": photo["author"], "frame": photo["frame"], "sha256": photo["sha256"],
                        "caption": photo.get("caption", {}).get("text"),
                        "comments": [comment["text"] for comment in photo["comments"]],
                        "reactions": photo["reactions"]} for photo in gallery],
            "hidden": blurred, "removed": taken_back,
            "files": {str(path.relative_to(data)): sha256(path) for path in sorted(data.rglob("*")) if path.is_file()},
        }
        assert sorted(photo["sha256"] for photo in gallery) != [] and {cake, barn} == {photo["id"] for photo in gallery}
        (HERE / "expected.json").write_text(json.dumps(expected, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
