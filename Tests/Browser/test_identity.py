# SPDX-License-Identifier: Apache-2.0
"""The identity of a guest: by code, by words, by return link, by name, and gone after leaving."""

import re

from playwright.sync_api import expect

from party import eventually, read_code


def me(guest):
    return guest.page.evaluate("fetch('api/me').then((answer) => answer.json())")


def show_words(guest):
    guest.open_me()
    guest.page.click("#me-words-show")
    expect(guest.page.locator("#me-words li")).to_have_count(12)
    return guest.page.locator("#me-words li").all_inner_texts()


def test_a_guest_without_a_camera_types_the_code(pair, guests, size):
    bea = guests(pair, size).open(pair.host.origin)
    bea.allow("403")
    field, error, button = (bea.page.locator(name) for name in ("#code-field", "#code-error", "#code-form button"))
    field.fill("K7QM")
    button.click()
    expect(error).to_contain_text("You typed 4")
    field.fill("0000-0000")
    button.click()
    expect(error).to_contain_text("That code doesn’t match.")
    # In a common spelling: without the dash, in lower case, O for 0.
    field.fill(f" {pair.code.lower().replace('-', ' ').replace('0', 'o')}")
    button.click()
    expect(bea.page.locator("#welcome-title")).to_contain_text("Garden party")
    bea.enter("Bea")


def test_a_guest_can_show_the_code_to_others(pair, guests, size):
    bea = guests(pair, size).open(pair.host.link).enter("Bea")
    bea.open_me()
    assert bea.page.locator("#me-code").inner_text() == pair.code, "another code than on the poster"
    assert bea.page.locator("#me-address").inner_text() == pair.host.ready["portal"]
    cleo = guests(pair, size).open(bea.page.locator("#me-link").inner_text())
    cleo.enter("Cleo")


def test_a_link_of_another_party_says_so_and_asks_for_the_code(pair, guests, size):
    bea = guests(pair, size)
    bea.allow("403")
    bea.open(f"{pair.host.origin}/#AAAAAAAAAAAAAAAAAAAAAA")
    expect(bea.page.locator("#code-error")).to_contain_text("This link is for another party.")


def test_the_page_offers_a_nickname_and_the_words_of_the_party(pair, guests, size):
    bea = guests(pair, size).open(pair.host.link)
    expect(bea.page.locator("#welcome-words li")).to_have_count(4)
    bea.page.click("#offer")
    nickname = bea.page.input_value("#name")
    assert re.fullmatch(r"\w+ \w+", nickname)
    bea.page.click("#welcome-form button[type=submit]")
    bea.expect_party()
    assert me(bea)["guest"]["name"] == nickname


def test_twelve_words_in_another_browser_give_the_same_author(pair, guests, painter, size):
    bea = guests(pair, size).open(pair.host.link).enter("Bea")
    bea.choose([painter.photo()])
    bea.expect_photos(1, "mine")
    author = me(bea)["guest"]["id"]
    words = show_words(bea)

    # At another node, too, and with words shortened to four letters.
    again = guests(pair, size).open(pair.other.link)
    again.page.click("#returning")
    field, error = again.page.locator("#words-field"), again.page.locator("#words-error")
    go = again.page.locator("#words-form button[type=submit]")
    field.fill(" ".join(words[:11]))
    go.click()
    expect(error).to_contain_text("11 of 12")
    field.fill(" ".join([*words[:5], "xylophonist", *words[6:]]))
    go.click()
    expect(error).to_contain_text("Word 6")
    field.fill("\n".join(word[:4].upper() for word in words))
    go.click()
    again.expect_party()
    assert me(again)["guest"]["id"] == author
    eventually("this node has the name", lambda: me(again)["guest"]["name"] == "Bea")
    again.go("mine")
    again.expect_photos(1, "mine")
    again.choose([painter.photo()])
    again.expect_photos(2, "mine")
    bea.page.click("#me-back")
    bea.go("mine")
    bea.expect_photos(2, "mine")


def test_the_return_link_in_another_browser_gives_the_same_author(pair, guests, size):
    bea = guests(pair, size).open(pair.host.link).enter("Bea")
    show_words(bea)
    expect(bea.page.locator("#me-return")).to_contain_text("http")
    link = bea.page.locator("#me-return").inner_text()
    again = guests(pair, size).open(link)
    again.expect_party()
    assert me(again)["guest"]["id"] == me(bea)["guest"]["id"]
    assert "#" not in again.page.url


def test_a_camera_reads_the_codes_that_the_page_draws(pair, guests, size, tmp_path):
    bea = guests(pair, size).open(pair.host.link).enter("Bea")
    show_words(bea)
    for code, link in (("#me-return-code", "#me-return"), ("#me-link-code", "#me-link")):
        picture = tmp_path / f"{code[1:]}.png"
        bea.page.locator(code).screenshot(path=picture)
        assert read_code(picture) == bea.page.locator(link).inner_text()


def test_a_reload_needs_neither_name_nor_link(pair, guests, size):
    bea = guests(pair, size).open(pair.host.link).enter("Bea")
    author = me(bea)["guest"]["id"]
    bea.page.reload()
    bea.expect_party()
    assert me(bea)["guest"]["id"] == author
    # The poster is scanned a second time, in another tab.
    bea.page = bea.context.new_page()
    bea.open(pair.host.link)
    bea.expect_party()
    assert me(bea)["guest"]["id"] == author


def test_a_new_name_is_seen_by_others_at_once(pair, guests, painter, size):
    cleo = guests(pair, size).open(pair.other.link).enter("Cleo")
    bea = guests(pair, size).open(pair.host.link).enter("Bea")
    bea.choose([painter.photo()])
    bea.expect_photos(1, "mine")
    newest = cleo.tiles().first.locator("img")
    expect(newest).to_have_attribute("alt", re.compile("by Bea"))
    bea.open_me()
    bea.page.fill("#me-name", "Beatrice")
    bea.page.click("#me-form button[type=submit]")
    expect(newest).to_have_attribute("alt", re.compile("by Beatrice"))


def test_after_leaving_no_data_of_the_guest_is_left_on_the_phone(pair, guests, size):
    bea = guests(pair, size).open(pair.host.link).enter("Bea")
    author = me(bea)["guest"]["id"]
    bea.open_me()
    bea.page.click("#me-leave")
    bea.answer(yes=False)
    expect(bea.page.locator("#me")).to_be_visible()
    bea.page.click("#me-leave")
    bea.answer()
    expect(bea.page.locator("#code")).to_be_visible()
    stored = bea.page.evaluate("Object.entries(localStorage).map((entry) => entry.join(' '))")
    assert not [entry for entry in stored if "seed" in entry or author in entry], stored
    assert not [cookie for cookie in bea.context.cookies() if cookie["value"]]
    bea.allow("401")
    bea.page.goto(f"{pair.host.origin}{pair.host.path}")
    expect(bea.page.locator("#code")).to_be_visible()
    bea.open(pair.host.link)
    expect(bea.page.locator("#welcome")).to_be_visible()


def test_a_guest_that_erases_everything_is_gone_for_others_too(pair, guests, painter, size):
    cleo = guests(pair, size).open(pair.other.link).enter("Cleo")
    bea = guests(pair, size).open(pair.host.link).enter("Bea")
    before = len(pair.host.gallery())
    cleo.expect_photos(before)
    bea.choose([painter.photo()])
    bea.expect_photos(1, "mine")
    expect(cleo.tiles()).to_have_count(before + 1)
    bea.open_me()
    bea.page.click("#me-erase")
    bea.answer(yes=False)
    expect(cleo.tiles()).to_have_count(before + 1)
    bea.page.click("#me-erase")
    bea.allow("401")  # requests of the page about its own removals, after it has left
    bea.answer()
    expect(bea.page.locator("#code")).to_be_visible()
    expect(cleo.tiles()).to_have_count(before)
