# SPDX-License-Identifier: Apache-2.0
"""Short addresses, `/clip/CODE`: they fill in the code, or lead to the page of an event."""

from playwright.sync_api import expect


def test_a_short_address_fills_in_the_code_and_a_tap_enters_it(party, guests, size):
    bea = guests(party, size).open(f"{party.host.origin}/clip/{party.code.lower()}")
    expect(bea.page.locator("#code-field")).to_have_value(party.code)
    expect(bea.page).to_have_url(party.host.origin + "/")
    bea.page.locator("#code-form button").click()
    expect(bea.page.locator("#welcome-title")).to_contain_text("Garden party")
    expect(bea.page).to_have_url(party.host.origin + party.host.path)
    bea.enter("Bea")


def test_a_short_address_with_a_wrong_code_asks_for_the_right_one(party, guests, size):
    bea = guests(party, size)
    bea.allow("403")
    bea.open(f"{party.host.origin}/clip/0000-0000")
    bea.page.locator("#code-form button").click()
    expect(bea.page.locator("#code-error")).to_contain_text("That code doesn’t match.")
    bea.page.locator("#code-field").fill(party.code)
    bea.page.locator("#code-form button").click()
    bea.enter("Bea")


def test_the_digits_of_an_event_lead_a_guest_back_to_its_page(party, guests, size):
    bea = guests(party, size).open(party.host.link).enter("Bea")
    bea.open(f"{party.host.origin}/clip/{party.host.ready['event'][:8]}")
    bea.expect_party()
