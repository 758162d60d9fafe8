# SPDX-License-Identifier: Apache-2.0
"""Bit flips in transit that the checksums of Wi-Fi and TCP miss: no corrupt photo is accepted."""

import os
import random
import socket
import threading
from collections import Counter
from urllib.parse import urlsplit

from playwright.sync_api import expect

from party import sha256

# Some 90 flips, and in make test-long some 1,000.
PHOTOS = 350 if "DISPOSABLE_LONG" in os.environ else 30
SHARE = 0.6


class FlippingProxy:
    """A proxy to a node that flips one bit in most slices. Everything else passes unchanged."""

    def __init__(self, node):
        self.node = node
        self.count = 0
        self.random = random.Random(1)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.origin = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.origins = {self.origin}
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                browser, _ = self.listener.accept()
            except OSError:
                return
            node = socket.create_connection(self.node)
            threading.Thread(target=self._requests, args=(browser, node), daemon=True).start()
            threading.Thread(target=self._copy, args=(node, browser), daemon=True).start()

    @staticmethod
    def _copy(source, target):
        try:
            while data := source.recv(65_536):
                target.sendall(data)
        except OSError:
            pass
        finally:
            for end in (source, target):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def _requests(self, browser, node):
        """Forwards requests; only the bodies of slices are changed."""
        incoming = browser.makefile("rb")
        try:
            while line := incoming.readline():
                head = [line]
                while (line := incoming.readline()) not in (b"\r\n", b""):
                    head.append(line)
                fields = {name.strip().lower(): value.strip() for name, _, value in (field.partition(b":") for field in head[1:])}
                node.sendall(b"".join(head) + b"\r\n")
                left = int(fields.get(b"content-length", 0))
                is_hit = head[0].startswith(b"PATCH") and left > 0 and self.random.random() < SHARE
                place = self.random.randrange(left) if is_hit else -1
                self.count += is_hit
                while left and (data := incoming.read(min(left, 65_536))):
                    if 0 <= place < len(data):
                        data = bytearray(data)
                        data[place] ^= 1 << self.random.randrange(8)
                    place -= len(data)
                    left -= len(data)
                    node.sendall(data)
        except OSError:
            pass
        finally:
            node.close()

    def close(self):
        self.listener.close()


def test_no_flipped_bit_gets_into_a_photo(own_party, guests, painter, size, tmp_path, record_property):
    photos = painter.photos(PHOTOS, width=640, height=480)
    node = urlsplit(own_party.host.link)
    proxy = FlippingProxy((node.hostname, node.port))
    try:
        bea = guests(proxy, size).open(f"{proxy.origin}/#{node.fragment}").enter("Bea")
        bea.allow("460")
        bea.choose(photos)
        expect(bea.page.locator("#mine-grid")).to_contain_text(f"{PHOTOS} photos", timeout=600_000)
        bea.expect_all_sent()
    finally:
        proxy.close()
    assert proxy.count >= PHOTOS / 4, "hardly a bit flipped"
    record_property("flipped bits", proxy.count)
    assert Counter(own_party.host.exported(tmp_path / "out").values()) == Counter(map(sha256, photos))
