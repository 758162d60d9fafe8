# SPDX-License-Identifier: Apache-2.0
"""A toast never covers what is at the bottom of the page: the buttons, and the strip that says what is being sent."""

from playwright.sync_api import expect

from guest import throttle
from party import eventually

TOAST = """import("/shared/dom.js").then(({ toast }) =>
    toast("A sentence that is long enough for two lines on a small phone.", null, 60_000))"""


def expect_above(page, part):
    """Expects that the toast ends above a part of the page. Its place follows the part's height after a frame."""
    def ends_above():
        toast, below = (page.locator(one).bounding_box() for one in ("#toast", part))
        return toast["y"] + toast["height"] <= below["y"]
    eventually(f"the toast is above {part}", lambda: ends_above() or page.wait_for_timeout(100))


def test_a_toast_lies_above_the_buttons_and_above_the_strip_of_what_is_sent(lone_party, guests, painter, size):
    bea = guests(lone_party, size).open(lone_party.host.link).enter("Bea")
    page = bea.page
    page.evaluate(TOAST)
    expect(page.locator("#toast")).to_be_visible()
    expect_above(page, "#shutters")
    # Over a slow network a large photo takes a while, and the strip says so.
    bea.choose([painter.photo()])
    bea.expect_all_sent()
    slow = throttle(bea, 20_000)
    bea.choose([painter.photo(2400, 1800)])
    expect(page.locator("#progress")).to_be_visible()
    page.evaluate(TOAST)
    expect(page.locator("#toast")).to_contain_text("two lines")
    expect_above(page, "#progress")
    expect_above(page, "#bottom")
    throttle(bea, -1, slow)
    bea.expect_all_sent()
