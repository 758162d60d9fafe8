# SPDX-License-Identifier: Apache-2.0
"""Two hundred guests at one node: all listen, 180 browse, 20 send large photos; then a thousand streams that are idle.
With DISPOSABLE_LONG at that size, otherwise at a fifth of it. The figures are properties of the test."""

import asyncio
import json
import os
import random
import time
from pathlib import Path

import pytest

from party import Node, eventually, sha256
from test_guest_api import Guest

pytestmark = pytest.mark.long
IS_LONG = "DISPOSABLE_LONG" in os.environ
GUESTS, SENDERS, PHOTOS_EACH, IDLE = (200, 20, 3, 1_000) if IS_LONG else (40, 4, 2, 200)
SECONDS = 20 if IS_LONG else 5
RSS_MAX = 300 << 20


class Browser:
    """The connections of one guest: HTTP/1.1 by hand, since a thousand clients share this process."""

    def __init__(self, node, session):
        self.host, self.port = node.ready["portal"].rsplit(":", 1)
        self.head = f"Host: {node.ready['portal']}\r\nAuthorization: {session}\r\nAccept: application/json\r\n"
        self.path = node.path
        self.streams = []

    async def ask(self, path, method="GET", headers="", body=b""):
        """Status, headers and body, on a connection of its own."""
        reader, writer = await asyncio.open_connection(self.host, self.port)
        try:
            length = f"Content-Length: {len(body)}\r\n" if body else ""
            writer.write(f"{method} {self.path if path[0] != '/' else ''}{path} HTTP/1.1\r\n{self.head}{headers}{length}"
                         "Connection: close\r\n\r\n".encode() + body)
            await writer.drain()
            head, _, content = (await reader.read(-1)).partition(b"\r\n\r\n")
            lines = head.decode().split("\r\n")
            fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
            return int(lines[0].split()[1]), fields, content
        finally:
            writer.close()

    async def listen(self):
        """Opens a stream and keeps it; its first event has come when this returns."""
        reader, writer = await asyncio.open_connection(self.host, self.port)
        writer.write(f"GET {self.path}api/updates HTTP/1.1\r\n{self.head}\r\n".encode())
        await asyncio.wait_for(reader.readuntil(b"event: hello"), 120)
        self.streams.append((writer, asyncio.create_task(self._drain(reader))))

    @staticmethod
    async def _drain(reader):
        while await reader.read(65_536):
            pass

    def close(self):
        for writer, task in self.streams:
            task.cancel()
            writer.close()


async def browse(browser, until, times):
    """Pages of 60 photos and their thumbnails, with pauses, as a thumb scrolls."""
    while time.monotonic() < until:
        begun = time.monotonic()
        status, _, body = await browser.ask("api/photos?limit=60")
        times["page"].append(time.monotonic() - begun)
        assert status == 200
        photos = json.loads(body[body.index(b"{"):body.rindex(b"}") + 1])["photos"]
        for photo in random.sample(photos, 6):
            if "thumbnail" not in photo["has"]:
                continue
            begun = time.monotonic()
            status, _, _ = await browser.ask(f"photos/{photo['id']}/thumbnail")
            times["thumbnail"].append(time.monotonic() - begun)
            assert status == 200
            await asyncio.sleep(random.uniform(.1, .4))
        await asyncio.sleep(random.uniform(.5, 1.5))


async def send(browser, files, latencies):
    tus = "Tus-Resumable: 1.0.0\r\n"
    for file in files:
        data = file.read_bytes()
        status, fields, body = await browser.ask("uploads", "POST", f"{tus}Upload-Length: {len(data)}\r\nContent-Length: 0\r\n")
        assert status == 201, body
        location = fields["location"]
        for start in range(0, len(data), 1 << 20):
            status, fields, body = await browser.ask(location, "PATCH", (
                f"{tus}Upload-Offset: {start}\r\nContent-Type: application/offset+octet-stream\r\nPrefer: respond-async\r\n"),
                data[start:start + (1 << 20)])
            assert status == 204, body
        begun = time.monotonic()
        while "disposable-photo" not in fields:
            await asyncio.sleep(.1)
            status, fields, body = await browser.ask(location, "HEAD", tus)
            assert status == 200, status
        latencies.append(time.monotonic() - begun)


def p99(values):
    return round(1_000 * sorted(values)[int(.99 * len(values))], 1) if values else None


def resident(node, field="VmHWM"):
    lines = Path(f"/proc/{node.process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith(field))


async def party(node, guests, files, record_property):
    browsers = [Browser(node, guest.headers["Authorization"]) for guest in guests]
    try:
        for browser in browsers:
            await browser.listen()
        idle, busy, latencies = ({"page": [], "thumbnail": []}, {"page": [], "thumbnail": []}, [])
        watching = browsers[SENDERS:]
        await asyncio.gather(*(browse(each, time.monotonic() + SECONDS, idle) for each in watching))
        sending = [asyncio.create_task(send(each, files[index::SENDERS], latencies))
                   for index, each in enumerate(browsers[:SENDERS])]
        begun = time.monotonic()
        while not all(task.done() for task in sending):
            await asyncio.gather(*(browse(each, time.monotonic() + SECONDS / 2, busy) for each in watching))
        for task in sending:
            await task
        record_property("sent, s", round(time.monotonic() - begun, 1))
        for kind in idle:
            record_property(f"p99 of a {kind} while {SENDERS} send, ms", p99(busy[kind]))
            record_property(f"p99 of a {kind} while nobody sends, ms", p99(idle[kind]))
        record_property("median from the last byte to the photo, s", round(sorted(latencies)[len(latencies) // 2], 2))
        record_property("memory of the node at most, MB", round(resident(node) / 1e6))
        for _ in range(IDLE // len(browsers)):
            await asyncio.gather(*(each.listen() for each in browsers))
        record_property(f"memory with {IDLE} more streams, MB", round(resident(node, "VmRSS") / 1e6))
        status, _, _ = await browsers[0].ask("api/photos?limit=60")
        assert status == 200
    finally:
        for browser in browsers:
            browser.close()


@pytest.fixture
def node(tmp_path):
    node = Node(tmp_path / "host", "host", "Garden party", "--as", "Anna", "--frames", "unlimited")
    yield node
    node.kill()


def test_a_node_serves_everybody_while_many_send(node, painter, record_property):
    node.command("add", *painter.photos(60, width=640, height=480))
    files = painter.photos(SENDERS * PHOTOS_EACH, width=4000, height=3000)
    guests = [Guest(node, f"Guest {index}" if index < SENDERS else None) for index in range(GUESTS)]
    asyncio.run(party(node, guests, files, record_property))
    gallery = eventually("every photo", lambda: (
        lambda photos: len(photos) == 60 + len(files) and photos)(node.gallery()))
    assert {sha256(file) for file in files} <= {photo["sha256"] for photo in gallery}
    assert resident(node) <= RSS_MAX
