# SPDX-License-Identifier: Apache-2.0
"""The program for a guest's own computer: under "Me", on a page without scripts, and its hash at the host's desk."""

import random
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from party import sha256
from test_axe import find

NAME = "disposable_1.0_amd64.deb"


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """Bytes that are no package: nobody looks into it."""
    path = tmp_path_factory.mktemp("package") / NAME
    path.write_bytes(random.Random(3).randbytes(1_700_000))
    return path


@pytest.fixture(scope="module")
def offering(parties, package):
    party = parties(guests=0, options=["--offer-program", str(package)])
    yield party
    party.end()


def downloaded(page):
    with page.expect_download() as saving:
        page.click("#program-file")
    return saving.value.suggested_filename, sha256(saving.value.path())


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale, title, heading, warning", [
    ("en-GB", "Help out with your computer", "Your computer as a photo box", "only if you know the owner"),
    ("fr-FR", "Aider avec votre ordinateur", "Votre ordinateur comme boîte à photos", "que si vous connaissez")])
def test_a_guest_finds_the_program_under_me_and_downloads_it(offering, package, guests, locale, title, heading, warning):
    bea = guests(offering, "phone", locale=locale).open(offering.host.link).enter("Bea")
    assert not any("program" in request.url for request in bea.requests)
    bea.open_me()
    expect(bea.page.locator("#me-program h2")).to_have_text(title)
    button = bea.page.locator("#program-open")
    assert button.bounding_box()["height"] >= 44
    found = []
    find(bea, "me", found)
    with bea.context.expect_page() as opening:
        button.click()
    page = opening.value
    expect(page.locator("h1")).to_have_text(heading)
    expect(page.locator("html")).to_have_attribute("lang", locale[:2])
    expect(page.locator("main")).to_contain_text(warning)
    expect(page.locator("#program-sha256")).to_have_text(sha256(package))
    # On a phone the hash and the commands do not make the page wider.
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert page.locator("#program-file").bounding_box()["height"] >= 44
    find(SimpleNamespace(page=page), "program", found)
    assert found == []
    assert downloaded(page) == (NAME, sha256(package))


def test_the_language_that_a_guest_has_chosen_is_that_of_the_page(offering, guests):
    bea = guests(offering, "desktop", locale="en-GB").open(offering.host.link)
    expect(bea.page.locator("#welcome")).to_be_visible()
    bea.page.evaluate("localStorage.setItem('disposable.language', 'fr')")
    bea.page.reload()
    bea.enter("Bea").open_me()
    with bea.context.expect_page() as opening:
        bea.page.click("#program-open")
    expect(opening.value.locator("html")).to_have_attribute("lang", "fr")


@pytest.mark.share(of=2)
@pytest.mark.parametrize("locale, back", [("en-GB", "Back to the photos"), ("fr-FR", "Retour aux photos")])
def test_without_scripts_the_page_of_photos_leads_to_it(offering, package, guests, locale, back):
    dan = guests(offering, "phone", scripts=False, locale=locale).open(f"{offering.host.origin}/enter")
    dan.page.fill("input[name=code]", offering.code)
    dan.page.locator("form button").click()
    dan.page.locator("a.main").click()
    expect(dan.page.locator("h1")).to_have_text("Garden party")
    dan.page.click("a[href$='/program']")
    expect(dan.page.locator("#program-sha256")).to_have_text(sha256(package))
    assert downloaded(dan.page) == (NAME, sha256(package))
    dan.page.get_by_role("link", name=back).click()
    expect(dan.page.locator("h1")).to_have_text("Garden party")


def test_the_host_reads_the_same_hash_at_the_desk_and_in_a_terminal(offering, package, guests):
    url = offering.host.desk()
    desk = guests(SimpleNamespace(origins={url.split("/desk")[0]}), "desktop").open(url)
    desk.page.click("#nav [data-section=invite]")
    desk.page.click("#show-node")
    expect(desk.page.locator("#program-sha256")).to_have_text(sha256(package))
    assert offering.host.status()["program"] == {
        "name": NAME, "byteCount": package.stat().st_size, "sha256": sha256(package)}
    assert sha256(package) in offering.host.command("status")


def test_where_none_is_offered_nothing_is_said_of_it(party, guests):
    bea = guests(party, "phone").open(party.host.link).enter("Bea")
    bea.allow("404")
    with bea.page.expect_response(lambda response: response.url.endswith("/api/program")):
        bea.open_me()
    expect(bea.page.locator("#message-write")).to_be_visible()
    expect(bea.page.locator("#me-program")).to_have_count(0)
    assert bea.page.goto(f"{party.host.origin}{party.host.path}program").status == 404
    bea.page.goto(f"{party.host.origin}{party.host.path}simple")
    expect(bea.page.locator("a[href$='/program']")).to_have_count(0)


def test_nobody_finds_it_before_entering(offering, guests):
    eve = guests(offering, "phone").open(offering.host.link)
    eve.allow("403")
    expect(eve.page.locator("#welcome")).to_be_visible()
    assert eve.page.goto(f"{offering.host.origin}{offering.host.path}program").status == 403
    expect(eve.page.locator("#program-sha256")).to_have_count(0)
