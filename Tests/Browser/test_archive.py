# SPDX-License-Identifier: Apache-2.0
"""The archive of a node with several events: the desk lists archived ones last."""

import json

from playwright.sync_api import expect

from test_desk import nodes, sit  # noqa: F401


def test_an_event_in_the_archive_is_listed_last_until_it_is_taken_out(nodes, sit):  # noqa: F811
    node = nodes("desk", "desk", awaited="desk")
    desk = sit(node)
    page = desk.page
    for name in ["Winter ball", "Summer fair"]:
        page.fill("#name", name)
        page.click("#create")
        expect(page.locator("#code")).to_be_visible()
        page.click("#another")
        expect(page.locator("#create-form")).to_be_visible()
    # The form leads back to the event from which one came.
    page.click("#back")
    expect(page.locator("#event-name")).to_have_text("Summer fair")
    page.goto(page.url.split("#")[0])
    expect(page.locator("#events > option")).to_have_count(2)
    first = page.locator("#events > option").first.inner_text()
    desk.go("settings")
    page.click("#archive")
    expect(page.locator("#events optgroup option")).to_have_text([first])
    expect(page.locator("#archive")).to_have_text("Take out of the archive")
    # A desk that is opened again shows the other event.
    page.goto(page.url.split("#")[0] + "?again")
    expect(page.locator("#events option").first).not_to_have_text(first)
    expect(page.locator("#events")).not_to_have_value(page.locator("#events optgroup option").get_attribute("value"))
    said = json.loads(node.command("event", "archive", "--off", "--event", first, "--json"))
    assert (said["name"], said["isOn"]) == (first, False)
    page.reload()
    expect(page.locator("#events > option")).to_have_count(2)
    expect(page.locator("#events optgroup")).to_have_count(0)
