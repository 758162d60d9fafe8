# SPDX-License-Identifier: Apache-2.0
"""The page: its weight, its keyboard use, its accessible names, its width on a small phone."""

import re

import pytest
from playwright.sync_api import expect

from guest import SIZES
from party import eventually

WEIGHT_MAX = 250_000
FIRST_SCREEN_MAX = 60_000
VIEWS = ["code", "welcome", "words", "everyone", "mine", "photo", "me", "ask", "help", "privacy", "simple", "enter"]
WITH_PICTURES = {"code", "welcome", "everyone", "photo", "simple"}


def show(guest, party, view):
    """Opens a view as a guest does."""
    if view == "code":
        guest.open(party.host.origin)
        expect(guest.page.locator("#code")).to_be_visible()
    elif view in ("help", "privacy"):
        guest.open(f"{party.host.origin}/{view}.html")
    elif view == "enter":
        guest.open(f"{party.host.origin}/enter")
    else:
        guest.open(party.host.link)
        expect(guest.page.locator("#welcome")).to_be_visible()
        if view == "welcome":
            return
        if view == "words":
            guest.page.click("#returning")
            expect(guest.page.locator("#words")).to_be_visible()
            return
        guest.enter("Bea with a long name, as long as it gets")
        if view == "simple":
            guest.open(f"{party.host.origin}{party.host.path}simple")
            return
        guest.expect_photos(4)
        guest.expect_pictures_loaded()
        if view == "mine":
            guest.go("mine")
        elif view == "photo":
            guest.open_photo("everyone")
        elif view in ("me", "ask"):
            guest.open_me()
            guest.page.click("#me-words-show")
            expect(guest.page.locator("#me-words li")).to_have_count(12)
            if view == "ask":
                guest.page.click("#me-leave")
                expect(guest.page.locator("#ask")).to_be_visible()


@pytest.fixture(scope="module")
def illustrated(party, painter):
    party.host.command("add", *painter.photos(3), painter.photo(480, 640))
    return party


def interactive(guest):
    """Returns every visible control with role, name and a mark, as the browser exposes it to a screen reader."""
    session = guest.context.new_cdp_session(guest.page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    roles = {"button", "link", "textbox", "searchbox", "checkbox", "radio", "combobox", "slider", "switch", "tab", "menuitem"}
    return [(node["role"]["value"], node.get("name", {}).get("value", "").strip()) for node in nodes
            if not node.get("ignored") and node["role"]["value"] in roles]


def expect_alternatives_of_pictures(bea):
    pictures = bea.page.eval_on_selector_all(
        "img", "images => images.map((image) => [image.getAttribute('src'), image.getAttribute('alt')])")
    assert all(alt is not None for _, alt in pictures), pictures
    assert all(re.match("Photo by .+", alt) for source, alt in pictures if "/photos/" in source and alt), pictures
    # Thumbnails behind and beside the photo are decorative.
    assert bea.page.locator("img[alt='']:not(.under)[src*='/photos/']").count() == 0
    assert bea.page.evaluate("document.documentElement.lang") == "en"


def expect_nothing_wider_than_the_screen(bea):
    width, inner = bea.page.evaluate("[document.scrollingElement.scrollWidth, innerWidth]")
    shown = bea.page.viewport_size["width"]
    assert width <= shown and inner <= shown, f"{width} wide on a screen of {shown}"
    # Touch targets are large enough for a thumb, and none is outside the screen.
    outside = bea.page.evaluate("""() => [...document.querySelectorAll("a[href], button, input, textarea")]
        .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        .filter((one) => { const box = one.getBoundingClientRect(); return box.width > 1 && (box.left < -1 || box.right > innerWidth + 1); })
        .map((one) => one.outerHTML.slice(0, 120))""")
    assert not outside, outside


VISIBLE = """[...(document.querySelector("dialog[open]") ?? document).querySelectorAll(
    "a[href], button, input, select, summary, textarea")].filter((one) => !one.closest("[inert]")
    && one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))"""


def expect_large_text_and_targets(bea):
    assert bea.page.evaluate("getComputedStyle(document.body).fontSize") == "18px"
    # Links within a sentence are as high as its lines.
    small = bea.page.evaluate(f"""() => {VISIBLE}.map((one) => one.closest("label") ?? one)
        .filter((one) => getComputedStyle(one).display !== "inline")
        .map((one) => [one, one.getBoundingClientRect()]).filter(([, {{ width, height }}]) => width < 47.5 || height < 47.5)
        .map(([one, {{ width, height }}]) => `${{width}} x ${{height}} ${{one.outerHTML.slice(0, 90)}}`)""")
    assert small == []


# The words of an element that stand on two lines.
BROKEN_WORDS = """(selector) => {
    const text = document.querySelector(selector).firstChild;
    const range = document.createRange();
    return [...text.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
    }).map(([word]) => word);
}"""


def double_text(bea):
    bea.page.set_viewport_size({"width": 390, "height": 844})
    bea.page.evaluate("document.documentElement.style.fontSize = '36px'")


def expect_nothing_cut_off_in_text_of_twice_the_size(bea, view):
    double_text(bea)
    bea.page.wait_for_timeout(300)
    assert bea.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    outside = bea.page.evaluate(f"""() => {VISIBLE}.filter((one) => !one.closest("#photo-reactions, .skip"))
        .filter((one) => {{ const box = one.getBoundingClientRect(); return box.width > 1 && (box.left < -1 || box.right > innerWidth + 1); }})
        .map((one) => one.outerHTML.slice(0, 120))""")
    assert outside == []
    if view == "photo":
        assert bea.page.evaluate(BROKEN_WORDS, "#photo-time") == []
    bea.page.evaluate("document.documentElement.style.fontSize = ''")
    bea.page.set_viewport_size(SIZES["phone"]["viewport"])


def expect_names_and_the_keyboard(bea):
    controls = interactive(bea)
    assert controls, "no controls"
    assert all(name for _, name in controls), [role for role, name in controls if not name]
    # The tiles of a grid are one stop, as is a choice of several; arrow keys reach the others (test_browsing).
    wanted = bea.page.evaluate("""() => {
        const root = document.querySelector("dialog[open]") ?? document;
        const all = [...root.querySelectorAll("a[href], button, input, textarea, select, summary, video[controls]")];
        const wanted = all.filter((one) => !one.disabled && one.type !== "hidden" && !one.closest("[inert], [hidden]")
            && one.getClientRects().length && !one.matches(".tile > [tabindex='-1'], [type=radio]:not(:checked)"));
        wanted.forEach((one, number) => { one.dataset.control = number; });
        document.activeElement?.blur();
        return wanted.length;
    }""")
    reached = set()
    for _ in range(2 * wanted + 10):
        bea.page.keyboard.press("Tab")
        reached.add(bea.page.evaluate("document.activeElement?.dataset?.control ?? null"))
        if len(reached - {None}) == wanted:
            break
    missed = bea.page.evaluate("""(reached) => [...document.querySelectorAll("[data-control]")]
        .filter((one) => !reached.includes(one.dataset.control)).map((one) => one.outerHTML.slice(0, 120))""", list(reached))
    assert not missed, f"not reached by keyboard: {missed}"


@pytest.mark.share(of=3, each=lambda chosen: chosen["size"])
@pytest.mark.parametrize("view", VIEWS)
def test_every_view_fits_the_screen_and_every_control_has_a_name_and_is_reached_by_keyboard(illustrated, guests, size, view):
    """One guest for all of it: most of the time goes into opening the view."""
    bea = guests(illustrated, size)
    show(bea, illustrated, view)
    if view in WITH_PICTURES:
        expect_alternatives_of_pictures(bea)
    expect_nothing_wider_than_the_screen(bea)
    if size == "phone":
        expect_large_text_and_targets(bea)
        expect_nothing_cut_off_in_text_of_twice_the_size(bea, view)
    expect_names_and_the_keyboard(bea)
    if view == "photo" and size == "phone":
        double_text(bea)
        bea.page.click("#photo-close")
        expect(bea.page.locator("#photo")).to_be_hidden()


def test_the_buttons_of_a_dialog_are_in_reach_on_a_small_phone_the_main_one_first(illustrated, guests):
    bea = guests(illustrated, "phone", locale="fr-FR")
    bea.page.set_viewport_size({"width": 320, "height": 480})
    bea.open(illustrated.host.link).enter("Bea")
    bea.open_me()
    bea.page.click("#me-leave")
    yes, no = (bea.page.locator(f"#ask button[value='{value}']").bounding_box() for value in ("yes", ""))
    assert yes["y"] < no["y"] and yes["width"] == no["width"]
    bea.answer(yes=False)
    for opener, dialog, button in (("#me-report", "#report", "#report .main"), ("#handover-show", "#handover", "#handover-close")):
        bea.page.click(opener)
        expect(bea.page.locator(button)).to_be_in_viewport(ratio=1)
        assert bea.page.evaluate("(one) => one.scrollHeight > one.clientHeight", bea.page.query_selector(dialog))
        bea.page.click(button)


def test_a_photo_can_be_opened_turned_and_closed_by_keyboard_and_back_button(illustrated, guests, size):
    bea = guests(illustrated, size)
    show(bea, illustrated, "everyone")
    tiles = bea.tiles().locator("button")
    tiles.first.focus()
    bea.page.keyboard.press("Enter")
    place = bea.page.locator("#photo-place")
    expect(place).to_have_text(re.compile(r"^1 of \d+$"))
    bea.page.keyboard.press("ArrowRight")
    expect(place).to_have_text(re.compile(r"^2 of \d+$"))
    bea.page.keyboard.press("Escape")
    expect(bea.page.locator("#photo")).to_be_hidden()
    tiles.first.click()
    expect(bea.page.locator("#photo")).to_be_visible()
    bea.page.go_back()
    expect(bea.page.locator("#photo")).to_be_hidden()
    expect(bea.page.locator("#everyone")).to_be_visible()


def weigh(guest):
    """Address and bytes of each request from now on, with an empty cache at first, heads included."""
    session = guest.context.new_cdp_session(guest.page)
    session.send("Network.enable")
    addresses, weights = {}, {}
    session.on("Network.requestWillBeSent", lambda event: addresses.update({event["requestId"]: event["request"]["url"]}))
    session.on("Network.loadingFinished", lambda event: weights.update({event["requestId"]: event["encodedDataLength"]}))
    return addresses, weights


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_the_first_screen_weighs_little(party, guests, record_property, locale):
    bea = guests(party, "phone", locale=locale)
    addresses, weights = weigh(bea)
    bea.page.add_init_script("""addEventListener("DOMContentLoaded", () => {
        const welcome = document.getElementById("welcome");
        new MutationObserver((_, observer) => {
            if (welcome.hidden) return;
            performance.mark("welcome");
            observer.disconnect();
        }).observe(welcome, { attributes: true });
    })""")
    bea.open(party.host.link)
    expect(bea.page.locator("#welcome")).to_be_visible()
    needed = set(bea.page.evaluate("""() => {
        const { startTime } = performance.getEntriesByName("welcome")[0];
        return performance.getEntries().filter((entry) => ["resource", "navigation"].includes(entry.entryType)
            && entry.startTime < startTime).map(({ name }) => name.split("#")[0]);
    }"""))
    asked = lambda: {request for request, address in addresses.items() if address.split("#")[0] in needed}
    eventually("all of them", lambda: bea.page.wait_for_timeout(100) or asked() <= set(weights))
    weight = int(sum(weights[request] for request in asked()))
    assert {"/shared/start.js", "/guest/door.js"} <= {address.removeprefix(party.host.origin) for address in needed}
    paint, shown = bea.page.evaluate("""() => ["first-contentful-paint", "welcome"]
        .map((name) => performance.getEntriesByName(name)[0]?.startTime)""")
    record_property("first screen", f"{locale}: {weight} bytes over the wire in {len(needed)} files, at most {FIRST_SCREEN_MAX}; "
                    f"first contentful paint after {paint:.0f} ms, welcome after {shown:.0f} ms")
    assert weight <= FIRST_SCREEN_MAX, sorted((int(weights[request]), addresses[request]) for request in asked())


def test_the_whole_page_weighs_little(party, guests, record_property):
    bea = guests(party, "phone")
    addresses, weights = weigh(bea)
    bea.open(party.host.link).enter("Bea")
    bea.open_me()
    bea.page.click("#me-words-show")
    bea.page.evaluate("import('/guest/camera/viewfinder.js')")
    # Not "networkidle", which a slow machine reaches before the tap that asks for the words.
    eventually("the words", lambda: bea.page.wait_for_timeout(100) or {"/words.txt", "/guest/camera/viewfinder.js"} <= {
        addresses[request].removeprefix(party.host.origin) for request in list(weights)})
    for name in ("help", "privacy"):
        bea.page.goto(f"{party.host.origin}/{name}.html", wait_until="networkidle")
    files = {}
    for request, weight in weights.items():
        address = addresses[request].removeprefix(party.host.origin)
        if not address.startswith("/e/") and not address.startswith("/api/"):
            files[address] = max(files.get(address, 0), weight)
    assert {"/", "/guest/app.js", "/nacl.js", "/shared/style.css", "/words.txt", "/help.html"} <= set(files), sorted(files)
    weight = int(sum(files.values()))
    record_property("page weight", f"{weight} bytes over the wire in {len(files)} files, at most {WEIGHT_MAX}")
    assert weight <= WEIGHT_MAX
