# SPDX-License-Identifier: Apache-2.0
"""What guests see of what is said: captions under photos, and what the host says to all."""

import json

from playwright.sync_api import expect


def said(node, *arguments):
    """The id of what was said."""
    return json.loads(node.command(*arguments, "--json").splitlines()[-1])["id"]


def test_a_caption_stands_under_the_photo_and_follows_its_changes(party, guests, painter, size):
    bea = guests(party, size).open(party.host.link).enter("Bea")
    before = len(party.host.gallery())
    photo = said(party.other, "add", painter.photo(), "--caption", "The cake,\n<b>late</b>")
    bea.expect_photos(before + 1)
    bea.open_photo("everyone")
    caption = bea.page.locator("#photo-caption")
    expect(caption).to_be_visible()
    # As it was written, line by line, and as text.
    assert caption.inner_text() == "The cake,\n<b>late</b>"
    later = said(party.other, "caption", photo, "The cake")
    expect(caption).to_have_text("The cake")
    party.other.command("remove", later)
    expect(caption).to_have_text("The cake,\n<b>late</b>")


def test_what_the_host_says_stands_above_the_photos_until_it_is_read_or_taken_away(own_party, guests, size):
    bea = guests(own_party, size).open(own_party.host.link).enter("Bea")
    notice = bea.page.locator("#notice")
    expect(notice).to_be_hidden()
    said(own_party.host, "notice", "Cake at five")
    expect(notice).to_be_visible()
    expect(notice).to_contain_text("Cake at five")
    bea.page.get_by_role("button", name="Hide this").click()
    expect(notice).to_be_hidden()
    latest = said(own_party.host, "notice", "Cake at six")
    expect(notice).to_contain_text("Cake at six")
    # Somebody who comes later is told as well.
    cleo = guests(own_party, size).open(own_party.host.link).enter("Cleo")
    expect(cleo.page.locator("#notice")).to_contain_text("Cake at six")
    own_party.host.command("remove", latest)
    expect(cleo.page.locator("#notice")).to_contain_text("Cake at five")
    # Which this guest has read.
    expect(notice).to_be_hidden()


def test_the_page_shows_what_the_organizer_has_changed(own_party, guests, size):
    bea = guests(own_party, size).open(own_party.host.link).enter("Bea")
    expect(bea.page.locator("#event-name")).to_have_text("Garden party")
    own_party.host.command("event", "edit", "--name", "Garden party, in the barn")
    expect(bea.page.locator("#event-name")).to_have_text("Garden party, in the barn")
