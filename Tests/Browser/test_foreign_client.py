# SPDX-License-Identifier: Apache-2.0
"""A tus client that is independent of this project sends photos: tuspy from PyPI."""

import pytest
from tusclient import client as tus

from client import Client
from party import eventually, sha256


def uploader(guest, photo, url=None):
    server = tus.TusClient(
        f"{guest.origin}{guest.path}uploads", headers={"Authorization": f"Bearer {guest.session}"})
    options = {"url": url} if url else {"metadata": {"filename": photo.name, "filetype": "image/jpeg"}}
    return server.uploader(str(photo), chunk_size=256 * 1024, **options)


@pytest.mark.parametrize("is_killed", [False, True], ids=["after_a_break", "after_a_kill_of_the_node"])
def test_tuspy_uploads_and_resumes(own_party, painter, is_killed):
    photo = painter.photo(4000, 3000)
    bea = Client(own_party.host.link).enter("Bea")
    first = uploader(bea, photo)
    for _ in range(3):
        first.upload_chunk()
    assert 0 < first.offset < photo.stat().st_size
    if is_killed:
        own_party.host.kill()
        own_party.host.start()
    second = uploader(bea, photo, url=first.url)
    assert second.offset == first.offset, "the node forgot what it had acknowledged"
    second.upload()
    eventually("the photo at the other node", lambda: own_party.other.gallery())
    for node in own_party.nodes:
        assert [entry["sha256"] for entry in node.gallery()] == [sha256(photo)]
        assert node.gallery()[0]["author"] == "Bea"
