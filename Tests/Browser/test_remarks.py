# SPDX-License-Identifier: Apache-2.0
"""Annotations on the guests' page: captions and comments of photos, and the host's notices."""

import json
import re

from client import Client
from playwright.sync_api import expect


def said(node, *arguments):
    """Returns the id of the annotation."""
    return json.loads(node.command(*arguments, "--json").splitlines()[-1])["id"]


def test_a_caption_is_shown_under_the_photo_and_follows_its_changes(pair, guests, painter, size):
    bea = guests(pair, size).open(pair.host.link).enter("Bea")
    before = len(pair.host.gallery())
    photo = said(pair.other, "add", painter.photo(), "--caption", "The cake,\n<b>late</b>")
    bea.expect_photos(before + 1)
    bea.open_photo("everyone")
    caption = bea.page.locator("#photo-caption")
    expect(caption).to_be_visible()
    # As it was written, with its line breaks, and as text.
    assert caption.inner_text() == "The cake,\n<b>late</b>"
    later = said(pair.other, "caption", photo, "The cake")
    expect(caption).to_have_text("The cake")
    pair.other.command("remove", later)
    expect(caption).to_have_text("The cake,\n<b>late</b>")


def test_the_author_writes_changes_and_deletes_a_caption_which_everyone_sees(pair, guests, painter, size):
    bea = guests(pair, size).open(pair.host.link).enter("Bea")
    cleo = guests(pair, size).open(pair.host.link).enter("Cleo")
    bea.choose([painter.photo()])
    bea.expect_all_sent()
    # The newest photo of everyone.
    expect(cleo.tiles().first.locator("img")).to_have_attribute("alt", re.compile("by Bea,"))
    for guest, tab in [(bea, "mine"), (cleo, "everyone")]:
        guest.open_photo(tab)
    # Somebody else's photo has no button for it.
    expect(cleo.page.locator("#caption-edit")).to_be_hidden()
    edit, field = bea.page.locator("#caption-edit"), bea.page.locator("#caption-field")
    expect(edit).to_have_text("Write a caption")
    edit.click()
    expect(field).to_be_focused()
    field.fill("The <b>cake</b>\nis late")
    # Keys belong to the text, and Escape leaves it and not the photo.
    bea.page.keyboard.press("ArrowLeft")
    bea.page.keyboard.press("Escape")
    expect(bea.page.locator("#photo")).to_be_visible()
    expect(edit).to_be_focused()
    expect(bea.page.locator("#photo-caption")).to_be_hidden()
    edit.click()
    field.fill("The <b>cake</b>\nis late")
    bea.page.locator("#caption-form button[type=submit]").click()
    for guest in (bea, cleo):
        expect(guest.page.locator("#photo-caption")).to_be_visible()
        assert guest.page.locator("#photo-caption").inner_text() == "The <b>cake</b>\nis late"
    expect(edit).to_have_text("Change the caption")
    edit.click()
    assert field.input_value() == "The <b>cake</b>\nis late"
    field.fill("The cake")
    field.press("Control+Enter")
    expect(cleo.page.locator("#photo-caption")).to_have_text("The cake")
    edit.click()
    field.fill("  ")
    bea.page.locator("#caption-form button[type=submit]").click()
    expect(cleo.page.locator("#photo-caption")).to_be_hidden()
    expect(edit).to_have_text("Write a caption")


def test_what_the_host_says_stands_above_the_photos_until_it_is_read_or_taken_away(lone_party, guests, size):
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    notice = bea.page.locator("#notice")
    expect(notice).to_be_hidden()
    said(lone_party.host, "notice", "Cake at five")
    expect(notice).to_be_visible()
    expect(notice).to_contain_text("Cake at five")
    bea.page.get_by_role("button", name="Hide this").click()
    expect(notice).to_be_hidden()
    latest = said(lone_party.host, "notice", "Cake at six")
    expect(notice).to_contain_text("Cake at six")
    # A guest who enters later sees it as well.
    cleo = guests(lone_party, size).open(lone_party.host.link).enter("Cleo")
    expect(cleo.page.locator("#notice")).to_contain_text("Cake at six")
    lone_party.host.command("remove", latest)
    expect(cleo.page.locator("#notice")).to_contain_text("Cake at five")
    # This guest has dismissed it.
    expect(notice).to_be_hidden()


def test_the_page_shows_what_the_organizer_has_changed(lone_party, guests, size):
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    expect(bea.page.locator("#event-name")).to_have_text("Garden party")
    lone_party.host.command("event", "edit", "--name", "Garden party, in the barn")
    expect(bea.page.locator("#event-name")).to_have_text("Garden party, in the barn")
    # It is over when the host closes it, whatever this phone's clock says.
    later = guests(lone_party, size).open(lone_party.host.link)
    expect(later.page.locator("#welcome")).to_be_visible()
    expect(later.page.locator("#welcome-when")).not_to_contain_text("over")
    lone_party.host.command("event", "close", "--yes")
    later.page.reload()
    expect(later.page.locator("#welcome-title")).to_have_text("Garden party, in the barn is over")
    lone_party.host.command("event", "open")
    later.page.reload()
    expect(later.page.locator("#welcome")).to_be_visible()
    expect(later.page.locator("#welcome-when")).not_to_contain_text("over")


def test_comments_and_reactions_of_guests_appear_on_every_node(own_party, guests, painter, size):
    own_party.host.command("add", painter.photo())
    bea = guests(own_party, size).open(own_party.host.link).enter("Bea")
    cleo = guests(own_party, size).open(own_party.other.link).enter("Cleo")
    for guest in (bea, cleo):
        guest.expect_photos(1)
        guest.open_photo("everyone")
    heart = bea.page.locator("#photo-reactions button").first
    expect(bea.page.locator("#photo-reactions button")).to_have_count(6)
    heart.click()
    expect(heart).to_have_attribute("aria-pressed", "true")
    expect(cleo.page.locator("#photo-reactions button").first).to_have_accessible_name("❤, 1")
    expect(cleo.page.locator("#photo-reactions button").first).to_have_attribute("aria-pressed", "false")

    bea.page.click("#photo-comments-show")
    expect(bea.page.locator("#comments-none")).to_be_visible()
    bea.page.fill("#comment-field", "What a <i>cake</i>!")
    bea.page.locator("#comment-form button").click()
    expect(bea.page.locator("#comments li")).to_have_count(1)
    expect(bea.page.locator("#comment-field")).to_have_value("")
    # On the other node's page, live, and as text.
    expect(cleo.page.locator("#photo-comments-count")).to_have_text("1")
    cleo.page.click("#photo-comments-show")
    expect(cleo.page.locator("#comments li")).to_contain_text("What a <i>cake</i>!")
    expect(cleo.page.locator("#comments li strong")).to_have_text("Bea")
    # Only the author can delete a comment; arrow keys move the caret, and do not change the photo.
    expect(cleo.page.locator("#comments li button")).to_have_count(0)
    cleo.page.fill("#comment-field", "Thanks")
    cleo.page.keyboard.press("ArrowLeft")
    expect(cleo.page.locator("#comment-field")).to_have_value("Thanks")
    cleo.page.locator("#comment-form button").click()
    expect(bea.page.locator("#comments li")).to_have_count(2)
    bea.page.locator("#comments li").first.get_by_role("button").click()
    expect(bea.page.locator("#comments li")).to_have_count(1)
    expect(cleo.page.locator("#comments li")).to_have_count(1)
    heart.click()
    expect(cleo.page.locator("#photo-reactions button").first).to_have_accessible_name("❤, 0")
    # Nothing exceeds the edge.
    width = bea.page.evaluate("document.documentElement.scrollWidth")
    assert width <= bea.page.viewport_size["width"]
    # A guest without JavaScript can read them.
    dora = guests(own_party, size, scripts=False)
    dora.open(own_party.host.origin)
    dora.page.get_by_label("code", exact=False).fill(own_party.code)
    dora.page.locator("form button:visible").click()
    dora.page.get_by_role("link", name="To the photos").click()
    dora.page.get_by_text("Comments: 1").click()
    expect(dora.page.locator("figure .prose")).to_contain_text("Cleo Thanks")


def test_earlier_comments_load_on_demand_and_stay_when_new_ones_arrive(lone_party, guests, painter, size):
    photo = said(lone_party.host, "add", painter.photo())
    crowd = [Client(lone_party.host.link).enter(f"Guest {number}") for number in range(13)]
    for number in range(60):
        # A new guest may write five comments at once.
        guest = crowd[number // 5]
        status, _, answer = guest.json("POST", f"api/photos/{photo}/comments", {"text": f"Number {number}"})
        assert status == 201, answer
        first = answer["id"] if number == 0 else first
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    bea.expect_photos(1)
    bea.open_photo("everyone")
    expect(bea.page.locator("#photo-comments-count")).to_have_text("60")
    bea.page.click("#photo-comments-show")
    comments, earlier = bea.page.locator("#comments li"), bea.page.locator("#comments-earlier")
    expect(comments).to_have_count(50)
    expect(comments.first).to_contain_text("Number 10")
    expect(earlier).to_have_text("10 earlier comments")
    earlier.click()
    expect(comments).to_have_count(60)
    expect(comments.first).to_contain_text("Number 0")
    expect(earlier).to_be_hidden()
    crowd[12].json("POST", f"api/photos/{photo}/comments", {"text": "The last word"})
    expect(comments).to_have_count(61)
    expect(comments.first).to_contain_text("Number 0")
    expect(comments.last).to_contain_text("The last word")
    # A deleted comment before the newest page is no longer shown.
    _, _, page = crowd[0].json("GET", f"api/photos/{photo}/comments?before={first}")
    assert page == {"comments": [], "earlierCount": 0}
    assert crowd[0].request("DELETE", f"api/photos/{photo}/comments/{first}")[0] == 204
    expect(comments).to_have_count(50)
    expect(earlier).to_have_text("10 earlier comments")
    earlier.click()
    expect(comments).to_have_count(60)
    expect(comments.first).to_contain_text("Number 1")
    # A guest without JavaScript sees the newest three, and pages of all.
    dora = guests(lone_party, size, scripts=False)
    dora.open(lone_party.host.origin)
    dora.page.get_by_label("code", exact=False).fill(lone_party.code)
    dora.page.locator("form button:visible").click()
    dora.page.get_by_role("link", name="To the photos").click()
    dora.page.get_by_text("Comments: 60").click()
    expect(dora.page.locator("figure .prose")).to_have_count(3)
    dora.page.get_by_role("link", name="All 60 comments").click()
    expect(dora.page.locator(".prose")).to_have_count(50)
    dora.page.get_by_role("link", name="10 earlier comments").click()
    expect(dora.page.locator(".prose")).to_have_count(10)
