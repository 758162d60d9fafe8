# SPDX-License-Identifier: Apache-2.0
"""From the QR code on the table to a photo on everybody's screen."""

import re
import subprocess

from playwright.sync_api import expect

from party import eventually, read_code, sha256


def link_in_qr(node, folder):
    """The link in the QR code that `invite` draws."""
    drawing, picture = folder / "qr.svg", folder / "qr.png"
    drawing.write_bytes(node.command("invite", "--qr", "svg", binary=True))
    subprocess.run(["rsvg-convert", "--width", "600", "--output", picture, drawing], check=True)
    return read_code(picture)


def test_a_guests_photo_appears_at_once_for_a_guest_of_another_node(own_party, guests, painter, size, tmp_path):
    cleo = guests(own_party, size).open(own_party.other.link).enter("Cleo")
    expect(cleo.page.locator("#everyone")).to_contain_text("No photos yet")
    reloads = cleo.page.evaluate("performance.getEntriesByType('navigation').length + performance.timeOrigin")

    link = link_in_qr(own_party.host, tmp_path)
    assert link == own_party.host.link
    bea = guests(own_party, size).open(link)
    expect(bea.page.locator("#welcome-title")).to_contain_text("Garden party")
    expect(bea.page.locator("#welcome-host")).to_contain_text("Anna")
    bea.enter("Bea")
    assert "#" not in bea.page.url, "the token is still in the address"
    photo = painter.photo(2000, 1500)
    bea.choose([photo])
    bea.expect_all_sent()
    bea.expect_photos(1, "mine")

    cleo.expect_photos(1)
    cleo.expect_pictures_loaded()
    expect(cleo.tiles().locator("img")).to_have_attribute("alt", re.compile("^Photo by Bea"))
    assert reloads == cleo.page.evaluate("performance.getEntriesByType('navigation').length + performance.timeOrigin")
    whole = eventually("the original at the other node", lambda: cleo.page.evaluate(
        """async () => {
            const { photos } = await (await fetch("api/photos")).json();
            return photos[0].has.includes("original") && photos[0].id;
        }"""))
    saved = cleo.context.request.get(f"{own_party.other.origin}{own_party.other.path}photos/{whole}/original").body()
    assert saved == photo.read_bytes()
    assert [sha256(photo)] == [entry["sha256"] for entry in own_party.host.gallery()]
