# SPDX-License-Identifier: Apache-2.0
"""Hours of comings and goings at one event: five nodes, of which three are killed, stopped and started again; guests who
enter, send photos and delete them; walls that listen. The two nodes that run all the time use no more memory, files and
disk at the end than after the warm-up, beyond what the event's new operations need. It prints the slopes. With
DISPOSABLE_LONG; DISPOSABLE_ENDURANCE_SECONDS (7200) is its length, from 300 on."""

import json
import os
import random
import signal
import socket
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from client import Client
from party import Node, eventually, is_in
from test_large_event import link
from test_metrics import metrics

SECONDS = max(300, int(os.environ.get("DISPOSABLE_ENDURANCE_SECONDS", "7200")))
WARM_UP = SECONDS / 5
SAMPLE_SECONDS = 5
# Guests stay, and delete their oldest photo once they have this many: so the gallery stays as large as it is.
GUESTS, PHOTOS_EACH, WALLS = 12, 4, 3
# More than this is a leak, whatever the event has grown by.
MEMORY_GROWTH_MAX, OPERATION_BYTES = 32 << 20, 4_096
FILE_GROWTH_MAX = 12
WAL_MAX = 32 << 20

pytestmark = pytest.mark.skipif("DISPOSABLE_LONG" not in os.environ, reason="it takes hours: make test-long")


class LocalGuest(Client):
    """A phone with an address of its own, which waits where a node tells it to."""

    numbers = iter(range(1, 60_000))

    def __init__(self, node):
        number = next(self.numbers)
        self.source = (f"127.2.{number // 250}.{number % 250 + 1}", 0)
        self.photos = []
        super().__init__(link(node))

    def request(self, method, path, body=None, headers=None):
        for _ in range(20):
            status, fields, answer = super().request(method, path, body, headers)
            if status != 429:
                break
            time.sleep(int(fields.get("Retry-After") or 1))
        return status, fields, answer

    def send(self, file):
        status, code, photo = self.upload(file.read_bytes())
        assert status == 204 and photo, f"{status} {code}"
        self.photos.append(photo)

    def delete_oldest(self):
        status, _, answer = self.request("DELETE", f"api/photos/{self.photos.pop(0)}")
        assert status in (202, 404), answer


class Wall:
    """A projector: a session that listens to the updates, and is opened again from time to time."""

    def __init__(self, node):
        self.guest = LocalGuest(node)
        host, port = node.ready["portal"].rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), source_address=self.guest.source)
        self.socket.sendall(f"GET {self.guest.path}api/updates HTTP/1.1\r\nHost: {host}:{port}\r\n"
                            f"Authorization: Bearer {self.guest.session}\r\n\r\n".encode())
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        try:
            while self.socket.recv(65_536):
                pass
        except OSError:
            pass  # it was closed

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        assert self.guest.request("DELETE", "api/session")[0] in (200, 204)


def sample(node):
    """What a node uses now."""
    process = Path(f"/proc/{node.process.pid}")
    status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
    event = node.ready["event"][:8]
    return {
        "memory": int(status["VmRSS"].split()[0]) << 10, "threads": int(status["Threads"]),
        "files": len(list((process / "fd").iterdir())),
        "wal": sum(file.stat().st_size for file in node.folder.rglob("*-wal")),
        "temporary": len(temporary(node)),
        "operations": metrics(node.origin)("disposable_event_operations", event=event)}


def temporary(node):
    """Copies that a node makes for a moment."""
    return [file for pattern in ("incoming/*", "uploads/tmp-*", "*.part") for file in node.folder.rglob(pattern)]


def slope_an_hour(points, name):
    """Of the least-squares line."""
    mean_x = sum(at for at, _ in points) / len(points)
    mean_y = sum(values[name] for _, values in points) / len(points)
    above = sum((at - mean_x) * (values[name] - mean_y) for at, values in points)
    return 3_600 * above / sum((at - mean_x) ** 2 for at, _ in points)


def mean(points, name):
    return sum(values[name] for _, values in points) / len(points)


class Churn:
    """Nodes that go and come back, one after the other, in a thread of their own."""

    def __init__(self, nodes):
        self.nodes, self.counts, self.failure = nodes, Counter(), None
        self.isOver = threading.Event()
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self):
        try:
            while not self.isOver.wait(random.uniform(5, 20)):
                node = random.choice(self.nodes)
                if random.random() < 0.5:
                    node.kill()
                    self.counts["killed"] += 1
                else:
                    node.process.send_signal(signal.SIGTERM)
                    assert node.process.wait(120) == 0, node.log()
                    self.counts["stopped"] += 1
                self.isOver.wait(random.uniform(1, 20))
                node.start()
        except BaseException as failure:
            self.failure = failure

    def end(self):
        self.isOver.set()
        self.thread.join()
        if self.failure:
            raise self.failure


def evening(page, guests, walls, painter, steady, sent):
    """The event's comings and goings until the time is over. Returns what each node of `steady` used, by its name."""
    points = {node.folder.name: [] for node in steady}
    begun = time.monotonic()
    next_sample = 0
    while (passed := time.monotonic() - begun) < SECONDS:
        guest = random.choice(guests)
        photo = painter.photo(320, 240)
        guest.send(photo)
        photo.unlink()
        sent["photos"] += 1
        if len(guest.photos) > PHOTOS_EACH:
            guest.delete_oldest()
            sent["deleted"] += 1
        if random.random() < 0.1:
            walls.pop(0).close()
            walls.append(Wall(page))
            sent["walls"] += 1
        if random.random() < 0.02:
            LocalGuest(page).enter("Somebody")
            sent["newcomers"] += 1
        if passed >= next_sample:
            next_sample = passed + SAMPLE_SECONDS
            for node in steady:
                points[node.folder.name].append((passed, sample(node)))
        time.sleep(random.uniform(0.2, 1))
    return points


def test_hours_of_comings_and_goings_leave_nothing_behind(folder, running, painter, record_property):
    def node(name, *arguments):
        made = Node(folder / name, *arguments, "--as", name)
        running.append(made)
        return made

    host = node("Anna", "host", "Garden party", "--frames", "unlimited")
    nodes = [host] + [node(f"Node-{number}", "join", host.ready["invitation"]) for number in range(1, 5)]
    for each in nodes:
        is_in(each)
    page = nodes[1]
    host.grant("page", "Node-1")
    eventually("it serves guests", lambda: metrics(page.origin)("disposable_events") == 1)
    guests = [LocalGuest(page if number % 2 else host).enter(f"Guest {number}") for number in range(GUESTS)]
    walls = [Wall(page) for _ in range(WALLS)]
    sent = Counter()
    churn = Churn(nodes[2:])
    try:
        points = evening(page, guests, walls, painter, [host, page], sent)
    finally:
        churn.end()
    for wall in walls:
        wall.close()

    wanted = sum(len(guest.photos) for guest in guests)
    eventually("every node has the photos that are left", lambda: all(
        [photo["state"] for photo in each.gallery()] == ["complete"] * wanted for each in nodes), 600, every=2)
    eventually("one gallery", lambda: len({each.status()["digest"] for each in nodes}) == 1, 600, every=2)
    for each in nodes:
        eventually("no temporary file is left", lambda: not temporary(each), 120, every=1)

    record_property("endurance", f"{SECONDS} s, {dict(sent)}, nodes {dict(churn.counts)}")
    for name, all_points in points.items():
        rest = [(at, values) for at, values in all_points if at >= WARM_UP]
        quarter = len(rest) // 4
        first, last = rest[:quarter], rest[-quarter:]
        slopes = {key: slope_an_hour(rest, key) for key in rest[0][1]}
        record_property(f"slopes of {name} an hour", json.dumps({
            "memory, MB": round(slopes["memory"] / 1e6, 2), "files": round(slopes["files"], 2),
            "threads": round(slopes["threads"], 2), "WAL, MB": round(slopes["wal"] / 1e6, 2),
            "temporary files": round(slopes["temporary"], 2), "operations": round(slopes["operations"])}))
        record_property(f"means of {name}, first and last quarter after the warm-up", "; ".join(
            f"{key} {mean(first, key):.0f} to {mean(last, key):.0f}" for key in rest[0][1]))
        allowed = MEMORY_GROWTH_MAX + OPERATION_BYTES * (mean(last, "operations") - mean(first, "operations"))
        assert mean(last, "memory") - mean(first, "memory") <= allowed, name
        assert mean(last, "files") - mean(first, "files") <= FILE_GROWTH_MAX, name
        assert max(values["wal"] for _, values in rest) <= WAL_MAX, name
