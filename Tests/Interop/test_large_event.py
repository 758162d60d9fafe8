# SPDX-License-Identifier: Apache-2.0
"""A large honest event on real nodes: many guests send photos to one page node while a node is removed and the invitation
is replaced. Nobody is refused, and every node comes to every photo. Sizes: DISPOSABLE_EVENT_NODES (6),
DISPOSABLE_EVENT_GUESTS (40), DISPOSABLE_EVENT_PHOTOS of each (3)."""

import json
import os
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from client import Client
from party import Node, eventually, is_in, sha256

NODES, GUESTS, PHOTOS = (
    int(os.environ.get(f"DISPOSABLE_EVENT_{name}", standard)) for name, standard in (("NODES", 6), ("GUESTS", 40), ("PHOTOS", 3)))
PATIENCE = 600 + 3 * GUESTS * PHOTOS
AT_ONCE = 24

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif("DISPOSABLE_LONG" not in os.environ, reason="it takes minutes: make test-long")]


class EventGuest(Client):
    """A phone with an address of its own. It waits where it is told to (429), and notes every other refusal."""

    patience = PATIENCE
    refusals, waits = [], Counter()
    lock = threading.Lock()

    def __init__(self, number, link):
        self.source = (f"127.1.{number // 250}.{number % 250 + 1}", 0)
        super().__init__(link)
        self.enter(f"Guest {number}")

    def request(self, method, path, body=None, headers=None):
        deadline = time.monotonic() + PATIENCE
        while True:
            status, fields, answer = super().request(method, path, body, headers)
            if status < 400:
                return status, fields, answer
            with self.lock:
                if status != 429 or "Retry-After" not in fields or time.monotonic() > deadline:
                    self.refusals.append((method, path, status, answer))
                    return status, fields, answer
                self.waits[json.loads(answer)["error"]["code"]] += 1
            time.sleep(int(fields["Retry-After"]))

    def send(self, photo):
        status, code, name = self.upload(photo.read_bytes())
        assert status == 204 and name, f"{status} {code}"


def link(node):
    """Under which guests enter now."""
    token = json.loads(node.command("invite", "--json"))["localURL"].split("#")[1]
    return f"{node.origin}/#{token}"


def memory(node):
    """Resident now and at most, in MB."""
    lines = open(f"/proc/{node.process.pid}/status").read().splitlines()
    fields = {name: rest for name, _, rest in (line.partition(":") for line in lines)}
    return [int(fields[name].split()[0]) // 1024 for name in ("VmRSS", "VmHWM")]


def on_every_node(nodes, wanted):
    """Whether each node has every photo with its original, and no other."""
    for node in nodes:
        photos = node.gallery()
        if len(photos) != wanted.total() or any(photo["state"] != "complete" for photo in photos):
            return False
    return all(Counter(photo["sha256"] for photo in node.gallery()) == wanted for node in nodes)


def test_nobody_is_refused_at_a_large_event(folder, running, painter, record_property):
    def node(name, *arguments):
        made = Node(folder / name, *arguments, "--as", name)
        running.append(made)
        return made

    host = node("Anna", "host", "Garden party", "--frames", "unlimited")
    invitation = host.ready["invitation"]
    nodes = [host] + [node(f"Node {number}", "join", invitation) for number in range(1, NODES)]
    leaving = node("Mallory", "join", invitation)
    for each in [*nodes, leaving]:
        is_in(each)
    page = nodes[1]
    host.command("role", "grant", "page", "Node 1")
    began = time.monotonic()

    photos = painter.photos(GUESTS * PHOTOS, width=320, height=240)
    turns = [photos[turn::PHOTOS] for turn in range(PHOTOS)]
    with ThreadPoolExecutor(AT_ONCE) as phones:
        entering = link(page)
        early = list(phones.map(lambda number: EventGuest(number, entering), range(GUESTS // 2)))
        first = phones.map(lambda pair: pair[0].send(pair[1]), zip(early, turns[0]))
        host.command("role", "revoke", "participant", "Mallory", "--yes")
        host.command("invite", "rotate", "--yes")
        eventually("the page node has the new invitation", lambda: link(page) != entering, PATIENCE)
        entering = link(page)
        late = list(phones.map(lambda number: EventGuest(number, entering), range(GUESTS // 2, GUESTS)))
        list(first)
        guests = early + late
        rest = [(guest, photo) for guest, photo in zip(late, turns[0][len(early):])]
        rest += [pair for turn in turns[1:] for pair in zip(guests, turn)]
        list(phones.map(lambda pair: pair[0].send(pair[1]), rest))
    sent = time.monotonic()

    assert not EventGuest.refusals, EventGuest.refusals[:5]
    wanted = Counter(map(sha256, photos))
    eventually("every photo on every node", lambda: on_every_node(nodes, wanted), PATIENCE, every=2)
    eventually("one gallery", lambda: len({each.status()["digest"] for each in nodes}) == 1, PATIENCE)
    assert not any(each.status()["waiting"] for each in nodes)
    now, most = memory(page)
    record_property("large event", f"{NODES} nodes, {GUESTS} guests, {len(photos)} photos: sent in {sent - began:.0f} s, on every node "
                    f"after {time.monotonic() - began:.0f} s; page node {now} MB, at most {most} MB; waits {dict(EventGuest.waits)}")
