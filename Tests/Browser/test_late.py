# SPDX-License-Identifier: Apache-2.0
"""Answers that arrive late or out of order: they do not undo newer changes, by hand or by others."""

import pytest
from playwright.sync_api import expect

from guest import Guest
from party import eventually


class Held:
    """Holds the next answer to a request of a page until it is released."""

    def __init__(self, page, pattern):
        self.page, self.answers = page, []
        page.route(pattern, lambda route: self.answers.append((route, route.fetch())), times=1)

    def wait(self):
        eventually("the question", lambda: self.page.wait_for_timeout(50) or self.answers)
        return self

    def let_go(self):
        (route, answer), = self.wait().answers
        route.fulfill(response=answer)
        # Long enough for a page that would take it for the newest.
        self.page.wait_for_timeout(1_000)


@pytest.fixture
def desk(lone_party, browser):
    """The desk of the host's node."""
    guest = Guest(browser, lone_party.origins, "desktop").open(lone_party.host.desk())
    expect(guest.page.locator("#overview")).to_be_visible()
    yield guest.page
    guest.check()
    guest.close()


def show(desk, section):
    desk.click(f'#nav a[href$="/{section}"]')
    expect(desk.locator("#main")).to_have_attribute("data-section", section)


def test_a_file_picked_before_the_gallery_is_loaded_has_its_tile(lone_party, guests, tmp_path):
    bea = guests(lone_party, "phone")
    bea.allow("422")
    looks = Held(bea.page, "**/api/photos?limit=60&veiled=1")
    bea.open(lone_party.host.link).enter("Bea")
    letter = tmp_path / "letter.jpg"
    letter.write_text("Dear all, this is no photo.")
    bea.choose([letter])
    expect(bea.page.locator(".upload.is-failed")).to_contain_text("This is not a photo")
    looks.let_go()
    expect(bea.page.locator(".upload.is-failed")).to_have_count(1)


def test_a_notice_sent_while_a_guest_enters_is_shown(lone_party, guests):
    bea = guests(lone_party, "phone")
    questions = []
    # The page has the event already, and does not follow its stream yet.
    bea.page.route("**/api/changes", lambda route: questions.append(route), times=1)
    bea.open(lone_party.host.link).enter("Bea")
    eventually("the question", lambda: bea.page.wait_for_timeout(50) or questions)
    lone_party.host.command("notice", "Cake at five")
    questions[0].continue_()
    expect(bea.page.locator("#notice")).to_contain_text("Cake at five")


def test_an_older_answer_about_the_event_does_not_undo_a_newer_one(lone_party, guests):
    bea = guests(lone_party, "phone").open(lone_party.host.link).enter("Bea")
    name = bea.page.locator("#event-name")
    expect(bea.page.locator("#everyone")).to_contain_text("No photos yet")
    bea.page.wait_for_load_state("networkidle")
    older = Held(bea.page, "**/api/me")
    lone_party.host.command("event", "edit", "--name", "In the barn")
    older.wait()
    lone_party.host.command("event", "edit", "--name", "In the garden")
    expect(name).to_have_text("In the garden")
    older.let_go()
    expect(name).to_have_text("In the garden")


def test_older_comments_do_not_replace_newer_ones(lone_party, guests, painter):
    lone_party.host.command("add", painter.photo())
    bea, cleo = (guests(lone_party, "phone").open(lone_party.host.link).enter(name) for name in ("Bea", "Cleo"))
    for guest in (bea, cleo):
        guest.expect_photos(1)
        guest.open_photo("everyone")
        guest.page.click("#photo-comments-show")
        expect(guest.page.locator("#comments-none")).to_be_visible()
    older = Held(bea.page, "**/comments")
    for number, words in enumerate(("One", "Two"), 1):
        cleo.page.fill("#comment-field", words)
        cleo.page.locator("#comment-form button").click()
        expect(cleo.page.locator("#comments li")).to_have_count(number)
        older.wait()
    expect(bea.page.locator("#comments li")).to_have_count(2)
    older.let_go()
    expect(bea.page.locator("#comments li")).to_have_count(2)


def test_a_heart_counts_while_a_comment_is_sent_and_newly_typed_text_stays(lone_party, guests, painter):
    lone_party.host.command("add", painter.photo())
    bea = guests(lone_party, "phone").open(lone_party.host.link).enter("Bea")
    bea.expect_photos(1)
    bea.open_photo("everyone")
    bea.page.click("#photo-comments-show")
    expect(bea.page.locator("#comments-none")).to_be_visible()
    comment = Held(bea.page, "**/comments")
    bea.page.fill("#comment-field", "What a cake!")
    bea.page.locator("#comment-form button").click()
    comment.wait()
    heart = bea.page.locator("#photo-reactions button").first
    heart.click()
    expect(heart).to_have_attribute("aria-pressed", "true")
    bea.page.fill("#comment-field", "And what a day")
    comment.let_go()
    expect(bea.page.locator("#comments li")).to_have_count(1)
    expect(bea.page.locator("#comment-field")).to_have_value("And what a day")


def test_the_page_does_not_ask_a_leaving_guest_for_a_code(lone_party, guests):
    bea = guests(lone_party, "phone").open(lone_party.host.link).enter("Bea")
    bea.expect_photos(0)
    bea.open_me()
    refused = []
    bea.page.on("response", lambda response: refused.append(response.url) if response.status == 401 else None)
    left = Held(bea.page, "**/api/session")
    bea.page.click("#me-leave")
    bea.answer()
    left.wait()
    # The node has ended the stream. The page opens a lost one again within some seconds.
    bea.page.wait_for_timeout(8_000)
    assert refused == []
    expect(bea.page.locator("#code")).to_be_hidden()
    left.let_go()
    bea.page.wait_for_url(f"{lone_party.host.origin}/")
    expect(bea.page.locator("#code")).to_be_visible()


def test_a_person_at_the_desk_stays_expanded_when_the_list_is_reloaded(lone_party, guests, desk):
    guests(lone_party, "phone").open(lone_party.host.link).enter("Dora")
    show(desk, "people")
    dora = desk.locator("#people li", has_text="Dora")
    expect(dora).to_be_visible()
    people = Held(desk, "**/people?*")
    lone_party.host.command("notice", "Cake at five")
    people.wait()
    dora.locator("summary").click()
    expect(dora.get_by_role("button", name="Remove from event")).to_be_visible()
    people.let_go()
    expect(dora.get_by_role("button", name="Remove from event")).to_be_visible()


def test_typed_text_at_the_desk_stays_when_the_settings_are_reloaded(lone_party, desk):
    show(desk, "settings")
    place = desk.get_by_label("Where", exact=True)
    expect(place).to_be_visible()
    settings = Held(desk, "**/settings")
    lone_party.host.command("event", "edit", "--name", "In the barn")
    settings.wait()
    place.fill("By the lake")
    settings.let_go()
    expect(place).to_have_value("By the lake")
    expect(desk.locator("#event-name")).to_have_text("In the barn")


def test_the_focused_photo_keeps_the_focus_when_all_photos_are_reloaded(lone_party, painter, desk):
    lone_party.host.command("add", *painter.photos(3))
    # A stream that ends at once is opened again, and after a gap everything is reloaded.
    desk.route("**/updates", lambda route: route.fulfill(
        content_type="text/event-stream", body="retry: 300\nevent: hello\ndata: {}\n\n"))
    desk.reload()
    show(desk, "photos")
    expect(desk.locator("#grid .shot")).to_have_count(3)
    desk.keyboard.press("j")
    expect(desk.locator("#grid .shot").first).to_be_focused()
    for _ in range(2):
        with desk.expect_response("**/photos?*"):
            pass
    desk.wait_for_timeout(200)
    expect(desk.locator("#grid .shot").first).to_be_focused()


def test_keys_move_between_photos_before_the_list_of_people_is_loaded(lone_party, painter, desk):
    lone_party.host.command("add", *painter.photos(2))
    people = Held(desk, "**/people?*")
    show(desk, "photos")
    expect(desk.locator("#grid .shot")).to_have_count(2)
    people.wait()
    desk.keyboard.press("j")
    expect(desk.locator("#grid .shot").first).to_be_focused()
    people.let_go()
    expect(desk.locator("#by option")).to_have_count(2)


def test_a_section_of_the_desk_that_is_loaded_late_does_not_replace_the_next_one(lone_party, desk):
    settings = Held(desk, "**/settings")
    show(desk, "settings")
    settings.wait()
    show(desk, "people")
    expect(desk.locator("#main h1")).to_have_text("People")
    settings.let_go()
    expect(desk.locator("#main h1")).to_have_text("People")
    expect(desk.locator("#main")).to_have_attribute("data-section", "people")


def test_the_name_at_the_desk_follows_a_change_during_a_gap(lone_party, desk):
    # Streams that end at once and send nothing: every change falls between two of them.
    desk.route("**/updates", lambda route: route.fulfill(
        content_type="text/event-stream", body="retry: 300\nevent: hello\ndata: {}\n\n"))
    desk.reload()
    expect(desk.locator("#event-name")).not_to_be_empty()
    lone_party.host.command("event", "edit", "--name", "In the barn")
    expect(desk.locator("#event-name")).to_have_text("In the barn")


def test_a_page_reloaded_before_its_session_is_open_keeps_its_key(lone_party, guests):
    bea = guests(lone_party, "phone")
    asked = []
    bea.page.route("**/api/session", lambda route: asked.append(route), times=1)
    bea.open(lone_party.host.link)
    eventually("the question", lambda: bea.page.wait_for_timeout(50) or asked)
    bea.page.reload()
    bea.enter("Bea")
    assert "#" not in bea.page.url
