# SPDX-License-Identifier: Apache-2.0
"""Bit flips in transit that the checksums of Wi-Fi and TCP miss: no corrupt photo is accepted."""

import os
from collections import Counter
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from flipping import FlippingProxy
from party import sha256

# Some 45 flips, and in make test-long some 1,000.
PHOTOS = 350 if "DISPOSABLE_LONG" in os.environ else 15
SHARE = 0.6


def most_slices(method, length, chance):
    return [chance.randrange(length)] if method == "PATCH" and chance.random() < SHARE else []


@pytest.mark.long
def test_no_flipped_bit_gets_into_a_photo(lone_party, guests, painter, size, tmp_path, record_property):
    photos = painter.photos(PHOTOS, width=640, height=480)
    node = urlsplit(lone_party.host.link)
    proxy = FlippingProxy((node.hostname, node.port), most_slices)
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
    assert Counter(lone_party.host.exported(tmp_path / "out").values()) == Counter(map(sha256, photos))
