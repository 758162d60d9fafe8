# SPDX-License-Identifier: Apache-2.0
"""Consent of guests: not required for viewing, required for adding, and again after the host has changed the text."""

import pytest
from playwright.sync_api import expect

TEXT = "No photos of the <b>children</b>.\nThe cake is fine."


@pytest.fixture
def asking_party(parties, tmp_path):
    text = tmp_path / "text"
    text.write_text(TEXT)
    party = parties(options=["--consent-text", text], guests=0)
    yield party
    party.end()


def test_the_first_photo_asks_for_consent_and_viewing_does_not(asking_party, guests, painter, size):
    painted = painter.photos(3)
    asking_party.host.command("add", painted[0])
    bea = guests(asking_party, size).open(asking_party.host.link).enter("Bea")
    bea.expect_photos(1)
    bea.open_photo("everyone")
    bea.page.click("#photo-close")
    dialog = bea.page.locator("#ask")
    expect(dialog).to_be_hidden()

    bea.choose([painted[1]], agrees=False)
    expect(dialog).to_be_visible()
    # As text, with its line breaks.
    assert TEXT in dialog.locator(".prose").inner_text()
    expect(dialog).to_contain_text("Everyone here can see and save the photos I add.")
    bea.answer(yes=False)
    expect(bea.page.locator("#toast")).to_contain_text("Nothing was sent")
    assert len(asking_party.host.gallery()) == 1

    bea.choose([painted[1]])
    bea.expect_photos(1, "mine")
    bea.expect_all_sent()
    # One consent is enough, here and after a reload.
    bea.page.reload()
    bea.expect_party()
    bea.choose([painted[2]], agrees=False)
    bea.expect_photos(2, "mine")
    shown = asking_party.host.command("event", "show")
    assert "1 of them to the present consent text" in shown


def test_a_changed_text_needs_consent_again_also_for_queued_photos(asking_party, guests, painter, size, tmp_path):
    bea = guests(asking_party, size).open(asking_party.host.link).enter("Bea")
    photos = painter.photos(2)
    bea.choose([photos[0]])
    bea.expect_photos(1, "mine")
    other = tmp_path / "other"
    other.write_text("A line that is rather long. " * 40)
    # The page does not know the change: the node refuses the upload, and the page asks.
    bea.page.route("**/api/me", lambda route: route.abort())
    asking_party.host.command("event", "edit", "--consent-text", other)
    bea.allow("ERR_FAILED|403")
    bea.page.wait_for_timeout(1500)
    bea.page.unroute("**/api/me")
    bea.choose([photos[1]], agrees=False)
    dialog = bea.page.locator("#ask")
    expect(dialog).to_be_visible()
    # Long texts are folded.
    expect(dialog.locator(".prose")).to_be_hidden()
    dialog.locator("summary").click()
    expect(dialog.locator(".prose")).to_contain_text("A line that is rather long.")
    bea.answer()
    bea.expect_photos(2, "mine")
