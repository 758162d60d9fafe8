# SPDX-License-Identifier: Apache-2.0
"""A photographer's memory card is copied in (`disposable watch`) while guests send photos to the same node. Another node,
behind a slow cable, has every preview before it has the originals, and the memory of the node stays flat. With
DISPOSABLE_LONG 2,000 photos, otherwise 60."""

import ctypes
import os
import shutil
import subprocess
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from client import Client
from lan import LanNode
from party import BUILD, eventually, is_in, sha256
from test_metrics import PortalNode

pytestmark = pytest.mark.long
IS_LONG = "DISPOSABLE_LONG" in os.environ
PHOTOS, GUESTS, EACH, MEGABITS = (2_000, 8, 25, 20) if IS_LONG else (60, 4, 3, 8)
PATIENCE = 1_800 if IS_LONG else 300
CLONE_NEWNET = 0x40000000
MEMORY_MAX = 300
GROWTH_MAX = 50


def enter_host(lan, number):
    """Moves this thread to a host of the network, for the sockets that it opens from now on (setns(2))."""
    space = os.open(f"/run/netns/{lan.environment['LAN_NAME']}-{number}", os.O_RDONLY)
    libc = ctypes.CDLL(None, use_errno=True)
    failed = libc.setns(space, CLONE_NEWNET)
    os.close(space)
    if failed:
        raise OSError(ctypes.get_errno(), "setns")


class Sampler:
    """The memory of a process in MB, from time to time."""

    def __init__(self, process):
        self.path, self.values, self.is_over = f"/proc/{process.pid}/status", [], threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.is_over.wait(1):
            lines = open(self.path).read().splitlines()
            self.values.append(next(int(line.split()[1]) >> 10 for line in lines if line.startswith("VmRSS")))

    def halves(self):
        """The largest value of the first half, and of the second."""
        self.is_over.set()
        self.thread.join()
        middle = max(1, len(self.values) // 2)
        return max(self.values[:middle]), max(self.values[middle:] or self.values)


def send(link, name, photos):
    guest = Client(link).enter(name)
    for photo in photos:
        status, code, made = guest.upload(photo.read_bytes())
        assert status == 204 and made, (status, code)


def states(node):
    return Counter(photo["state"] for photo in node.gallery())


def test_a_card_of_photos_is_added_while_guests_send(folder, running, make_lan, painter, record_property):
    lan = make_lan(2)
    anna = PortalNode(lan.host(1), folder / "anna", "host", "Garden party", "--as", "Anna", "--frames", "unlimited")
    running.append(anna)
    ben = LanNode(lan.host(2), folder / "ben", "join", anna.ready["invitation"], "--as", "Ben")
    running.append(ben)
    is_in(ben)
    card_photos = painter.photos(PHOTOS, width=1200, height=900)
    sent = painter.photos(GUESTS * EACH, width=1200, height=900)
    card = folder / "card/DCIM/100CANON"
    card.mkdir(parents=True)
    lan("rate", 2, MEGABITS)
    watch = subprocess.Popen([*lan.host(1), BUILD / "disposable", "watch", folder / "card", "--data", anna.folder],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    running.append(watch)
    memory = Sampler(anna.process)
    began = time.monotonic()
    total = PHOTOS + len(sent)
    with ThreadPoolExecutor(GUESTS, initializer=enter_host, initargs=(lan, 1)) as crowd:
        sending = [crowd.submit(send, anna.link, f"Guest {number}", sent[number::GUESTS]) for number in range(GUESTS)]
        for photo in card_photos:
            shutil.copy(photo, card)
        for each in sending:
            each.result()
    guests_done = time.monotonic() - began
    eventually("all are at Anna's", lambda: states(anna)["complete"] == total, PATIENCE, every=1)
    added = time.monotonic() - began
    # No speed is asserted: whenever the last preview has come over the slow cable, originals are still on their way.
    there = eventually("every preview is at Ben's", lambda: (
        lambda now: now.total() == total and now["preview"] + now["complete"] == total and now)(states(ben)), PATIENCE, every=0.5)
    previews = time.monotonic() - began
    assert there["complete"] < total, "previews come first"
    eventually("every original is at Ben's", lambda: states(ben)["complete"] == total, PATIENCE, every=1)
    originals = time.monotonic() - began
    wanted = Counter(map(sha256, card_photos + sent))
    for node in (anna, ben):
        assert Counter(photo["sha256"] for photo in node.gallery()) == wanted
    first, second = memory.halves()
    record_property("a card of photos", f"{PHOTOS} photos on the card and {len(sent)} of {GUESTS} guests, "
                    f"{sum(photo.stat().st_size for photo in card_photos + sent) / 1e6:.0f} MB: guests' sent after {guests_done:.0f} s, "
                    f"all added after {added:.0f} s, over {MEGABITS} Mbit/s all previews after {previews:.0f} s "
                    f"(then {there['complete']} originals), all originals after {originals:.0f} s; "
                    f"memory of the node at most {first} MB in the first half and {second} MB in the second")
    assert second <= MEMORY_MAX and second <= first + GROWTH_MAX
