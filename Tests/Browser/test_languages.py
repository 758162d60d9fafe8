# SPDX-License-Identifier: Apache-2.0
"""The pages in the person's language: the browser's, the one chosen in the page, or the one in the address."""

import re
import subprocess
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from party import ROOT, Node

PUBLIC = ROOT / "Sources/DisposablePortal/Public"
# The sentences of the guests' pages and of the wall, those of the desk, and those of the board of events.
CATALOGUES = {"guests": "/texts", "desk": "/texts/desk", "board": "/texts/board"}
# The parts that pages load on their first use.
PARTS = {folder.name: f"/texts/{folder.name}" for folder in sorted((PUBLIC / "texts").iterdir())
         if folder.is_dir() and folder.name not in CATALOGUES}
ALL = {**CATALOGUES, **PARTS}

# Every sentence with its path; functions with their number of values, and some of their results.
SENTENCES = """async ([file, name]) => {
    const found = {};
    const walk = (at, path) => {
        for (const [key, value] of Object.entries(at)) {
            const place = path ? `${path}.${key}` : key;
            if (typeof value === "string") found[place] = [0, value];
            else if (Array.isArray(value)) found[place] = [value.length, ""];
            else if (typeof value !== "function") walk(value, place);
            else {
                let said = "";
                try { said = String(value(12, 36, 2)); } catch { /* takes an object */ }
                found[place] = [value.length, said];
            }
        }
    };
    walk((await import(file))[name], "");
    return found;
}"""


def sentences(page, file, name):
    return page.evaluate(SENTENCES, [file, name])


def tree(keys):
    """Returns nested dictionaries of the paths, with None for sentences."""
    root = {}
    for key in keys:
        *parents, leaf = key.split(".")
        at = root
        for parent in parents:
            at = at.setdefault(parent, {})
        at[leaf] = None
    return root


def sources(name):
    """Returns the scripts and pages that use a catalogue, without the catalogues."""
    files = [*PUBLIC.rglob("*.js"), *PUBLIC.rglob("*.html")]
    return {file: file.read_text() for file in files
            if PUBLIC / "texts" not in file.parents and section(file) == name}


def section(file):
    """Returns the catalogue that a script or page uses."""
    return next((name for name in ("desk", "board") if name in file.relative_to(PUBLIC).parts), "guests")


def references(file, text, name):
    """Returns the paths of sentences in a script or page."""
    attributes = re.findall(r'data-(?:text|label|hint)="([\w.-]+)"', text)
    found = [path.removeprefix("desk.") for path in attributes if path.startswith("desk.") == (name == "desk")]
    # `const words = text.invite` is another name for a part.
    names = {"text": "", **{alias: part + "." for alias, part in re.findall(r"const (\w+) = text\.([\w.]+);", text)}}
    for alias, path in re.findall(rf"(?<![\w./`-])({'|'.join(names)})((?:\.\w+)+)", text):
        found.append(names[alias] + path[1:])
    return found


@pytest.mark.parametrize("name", ALL)
def test_both_catalogues_have_the_same_sentences_of_about_the_same_length(party, guests, name):
    bea = guests(party, "phone").open(party.host.link)
    english = sentences(bea.page, f"{ALL[name]}/en.js", "english")
    french = sentences(bea.page, f"{ALL[name]}/fr.js", "french")
    assert french.keys() == english.keys()
    assert {key for key in english if english[key][0] != french[key][0]} == set(), "other placeholders"
    # A short word may be a few letters longer; the layout tests check the texts of buttons.
    long = {key: (len(said), len(french[key][1])) for key, (_, said) in english.items()
            if len(french[key][1]) > max(1.4 * len(said), len(said) + 12)}
    assert long == {}, "much longer than in English"
    total = [sum(len(said) for _, said in catalogue.values()) for catalogue in (english, french)]
    assert total[1] <= 1.4 * total[0]


def test_every_language_has_the_same_parts():
    tags = set(re.findall(r'(\w+): "', re.search(r"const languages = \{(.*)\}", (PUBLIC / "shared/text.js").read_text())[1]))
    assert {"en", "fr"} <= tags
    assert {"plan", "missions"} <= PARTS.keys()
    for folder in ALL.values():
        assert {file.stem for file in (PUBLIC / folder[1:]).glob("??.js")} == tags, folder


@pytest.mark.parametrize("name", PARTS)
def test_every_sentence_of_a_part_is_used(party, guests, name):
    bea = guests(party, "phone").open(party.host.link)
    keys = sentences(bea.page, f"{PARTS[name]}/en.js", "english")
    text = "\n".join([*sources("guests").values(), *sources("board").values()])
    assert f'loadTexts("{name}")' in text or name in re.search(r"const pages = \[(.*)\]", text)[1]

    def is_used(key):
        *parents, leaf = key.split(".")
        # A group may be used as a whole: `words.errors[code]`.
        return re.search(rf"\b{leaf}\b", text) or any(re.search(rf"\.{parent}\[", text) for parent in parents)

    assert {key for key in keys if not is_used(key)} == set()


@pytest.mark.parametrize("name", CATALOGUES)
def test_every_sentence_of_a_catalogue_is_used_and_none_is_missing(party, guests, name):
    bea = guests(party, "phone").open(party.host.link)
    keys = sentences(bea.page, f"{CATALOGUES[name]}/en.js", "english")
    catalogue, files = tree(keys), sources(name)
    missing = set()
    for file, text in files.items():
        for path in references(file, text, name):
            at = catalogue
            for part in path.split("."):
                if at is None or (at is catalogue and part not in at):
                    break  # a method of a sentence, or a variable of that name
                if part not in at:
                    missing.add(f"{file.name}: {path}")
                    break
                at = at[part]
    assert missing == set()
    # The desk and the board also use keys of the guests' catalogue, and a catalogue uses its own keys.
    text = "\n".join([*files.values(), *((sources("desk") | sources("board")).values() if name == "guests" else []),
                      (PUBLIC / CATALOGUES[name][1:] / "en.js").read_text()])

    def is_used(key):
        *parents, leaf = key.split(".")
        ways = [rf"\.{leaf}\b", rf'="(?:desk\.)?{re.escape(key)}"']
        # A part may be used as a whole: `words.reveals[choice]`.
        ways += [rf"\.{part}(?![\w]|\.\w)" for part in parents]
        return any(re.search(way, text) for way in ways)

    assert {key for key in keys if not is_used(key)} == set()


def test_the_desk_words_every_reason_for_which_the_node_refuses_something(party, guests):
    bea = guests(party, "phone").open(party.host.link)
    keys = {key.split(".")[1] for key in sentences(bea.page, "/texts/desk/en.js", "english") if key.startswith("errors.")}
    swift = "\n".join(file.read_text() for file in (ROOT / "Sources").rglob("*.swift"))
    assert {key for key in keys - {"values", "other"} if f'"{key}"' not in swift} == set()
    folders = [ROOT / "Sources/disposable/Desk", ROOT / "Sources/disposable/Print"]
    desk = "\n".join(file.read_text() for folder in folders for file in folder.glob("*.swift"))
    reasons = set(re.findall(r'reason: "([a-z-]+)"', desk))
    mapped = (ROOT / "Sources/disposable/Desk/DeskReasons.swift").read_text()
    reasons |= set(re.findall(r'\("([a-z-]+)", \[', mapped))
    assert reasons - keys == set()


def test_a_french_browser_gets_the_page_in_french_and_can_change_to_english_for_good(party, guests, painter, size):
    bea = guests(party, size, locale="fr-FR").open(party.host.link)
    expect(bea.page.locator("html")).to_have_attribute("lang", "fr")
    expect(bea.page.locator("#welcome-join")).to_have_text("Rejoindre la fête")
    bea.enter("Béa")
    bea.choose([painter.photo()], agrees=False)
    expect(bea.page.locator("#ask")).to_contain_text("Tout le monde ici peut voir")
    bea.answer()
    bea.expect_photos(1, "mine")
    bea.open_me()
    bea.page.click("#me [data-languages] button:has-text('English')")
    expect(bea.page.locator("html")).to_have_attribute("lang", "en")
    expect(bea.page.locator("#tab-everyone")).to_have_text("Everyone")
    bea.page.reload()
    expect(bea.page.locator("#tab-everyone")).to_have_text("Everyone")


def test_an_unsupported_language_falls_back_to_english(party, guests):
    bea = guests(party, "phone", locale="de-DE").open(party.host.link)
    expect(bea.page.locator("html")).to_have_attribute("lang", "en")
    expect(bea.page.locator("#welcome-join")).to_have_text("Join the party")


def test_help_and_privacy_have_the_same_structure_in_both_languages(party, guests):
    bea = guests(party, "phone", locale="fr-FR").open(party.host.link)
    link = bea.page.locator("#welcome a[data-page='privacy.html']")
    expect(link).to_have_attribute("href", "/fr/privacy.html")
    for name in ("help", "privacy"):
        shapes = []
        for folder in ("", "fr/"):
            bea.page.goto(f"{party.host.origin}/{folder}{name}.html")
            assert bea.page.locator("html").get_attribute("lang") == (folder[:2] or "en")
            shapes.append({tag: bea.page.locator(f"main {tag}").count() for tag in ("h1", "h2", "details", "li", "p")})
            other = bea.page.locator(f"a[hreflang='{'en' if folder else 'fr'}']")
            expect(other).to_have_attribute("href", re.compile(rf"{name}\.html$"))
        assert shapes[0] == shapes[1]


# Lists the elements that extend beyond the sides of the screen, except those in rows that scroll horizontally.
BEYOND = """() => [...document.querySelectorAll("button, a, input, select, h1, h2, p, label, summary")]
    .filter((element) => element.offsetParent && !element.closest(".offscreen, #photo-reactions, #nav, .sheet-bar"))
    .filter((element) => { const box = element.getBoundingClientRect(); return box.right > innerWidth + 1 || box.left < -1; })
    .map((element) => element.outerHTML.slice(0, 80))"""


def turned(guest, direction):
    """Sets the direction as a catalogue of such a language does; the page sets its own once that is loaded."""
    guest.page.set_viewport_size({"width": 320, "height": 568})
    guest.page.add_init_script(f"setInterval(() => {{ document.documentElement.dir = '{direction}'; }}, 20)")
    return guest


def expect_within(guest, direction, view):
    guest.page.wait_for_timeout(300)
    assert guest.page.locator("html").get_attribute("dir") == direction
    assert guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), view
    assert guest.page.evaluate(BEYOND) == [], view


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_in_french_and_from_right_to_left_the_desk_is_no_wider_than_a_small_phone(party, guests, painter, direction):
    party.host.command("add", painter.photo())
    url = party.host.desk()
    desk = turned(guests(SimpleNamespace(origins={url.split("/desk#")[0]}), "phone",
                         locale="fr-FR" if direction == "ltr" else "en-GB"), direction).open(url)
    page = desk.page
    for section in ["overview", "photos", "invite", "people", "settings"]:
        page.click(f"#nav [data-section={section}]")
        expect(page.locator("#main")).to_have_attribute("data-section", section)
        page.evaluate("for (const one of document.querySelectorAll('#main details')) one.open = true")
        expect_within(desk, direction, section)
        if section != "photos":
            continue
        page.locator("#grid li button").first.click()
        expect(page.locator(".viewer")).to_be_visible()
        expect_within(desk, direction, "viewer")
        # The buttons point to where the photos are.
        before, after = (page.locator(f".viewer .{name}").bounding_box()["x"] for name in ("before", "after"))
        assert (before < after) == (direction == "ltr")
        page.keyboard.press("Escape")
    page.click("#another")
    expect(page.locator("#create-form")).to_be_visible()
    expect_within(desk, direction, "a new event")


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_in_french_and_from_right_to_left_the_board_is_no_wider_than_a_small_phone(party, guests, direction):
    bea = turned(guests(party, "phone", locale="fr-FR" if direction == "ltr" else "en-GB"), direction)
    page = bea.page
    bea.open(f"{party.host.origin}/board")
    expect(page.locator("#events > li").first).to_be_visible()
    expect_within(bea, direction, "list")
    page.locator("#events a").first.click()
    expect(page.locator("#event h1, #event h2").first).to_be_visible()
    expect_within(bea, direction, "details")


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_in_french_and_from_right_to_left_nothing_is_wider_than_a_small_phone(party, guests, painter, direction):
    party.host.command("add", painter.photo())
    bea = turned(guests(party, "phone", locale="fr-FR" if direction == "ltr" else "en-GB"), direction).open(party.host.link)
    expect(bea.page.locator("#welcome")).to_be_visible()
    views = {
        "welcome": lambda: None,
        "everyone": lambda: bea.enter("Béatrice-Clémentine de la Rochefoucauld"),
        "photo": lambda: bea.open_photo("everyone"),
        "closed": lambda: bea.page.click("#photo-close"),
        "me": lambda: bea.open_me(),
    }
    for view, show in views.items():
        show()
        expect_within(bea, direction, view)


def test_a_french_browser_gets_the_desk_in_french_and_can_change_to_english_for_good(lone_party, guests, painter, tmp_path):
    lone_party.host.command("add", painter.photo())
    url = lone_party.host.desk()
    desk = guests(SimpleNamespace(origins={url.split("/desk")[0]}), "desktop", locale="fr-FR").open(url)
    page = desk.page
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.get_by_role("navigation", name="Régie")).to_contain_text("Réglages")
    expect(page.locator("#figure-photos")).to_contain_text("photos")
    expect(page.locator("#figure-frames")).to_contain_text("photos prises")
    # A refusal by the node is worded by the page.
    page.click("#nav [data-section=settings]")
    desk.allow("409|422")
    page.locator("input[value='12']").evaluate("(input) => { input.disabled = false; }")
    page.get_by_role("radio", name="12").check()
    page.click("#save")
    expect(page.locator("#settings-error")).to_contain_text("les invités comptent sur leurs photos")
    # Paper and wall are in the desk's language.
    page.click("#nav [data-section=invite]")
    expect(page.get_by_role("link", name="Ouvrir le mur")).to_have_attribute("href", re.compile(r"/wall\?lang=fr#"))
    page.click("#make-card")
    expect(page.get_by_role("alert")).to_contain_text("Cet ordinateur n’a pas encore de réseau")
    page.get_by_label("Adresse sur place").fill("127.0.0.1")
    with page.expect_download() as download:
        page.click("#make-card")
    download.value.save_as(tmp_path / "carte.pdf")
    said = subprocess.run(["pdftotext", tmp_path / "carte.pdf", "-"], capture_output=True, text=True, check=True).stdout
    assert "Anna vous invite à prendre des photos." in said and "Scannez et clic" in said
    page.click("#side [data-languages] button:has-text('English')")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("h1")).to_have_text("Invite")
    page.reload()
    expect(page.locator("#nav")).to_contain_text("Settings")


def test_the_desk_creates_an_event_in_french(guests, tmp_path):
    node = Node(tmp_path / "desk", "desk", awaited="desk")
    try:
        url = node.said["desk"]["url"]
        page = guests(SimpleNamespace(origins={url.split("/desk")[0]}), "phone", locale="fr-FR").open(url).page
        page.fill("#name", "Les 40 ans de Zoé")
        expect(page.locator("#rules")).to_have_text("27 photos par invité · visibles aussitôt · ouvert 8 jours · supprimées 8 jours après")
        page.get_by_role("button", name="Créer l’événement").click()
        expect(page.locator("#share-text")).to_have_value(re.compile("Les 40 ans de Zoé\xa0: prenez des photos"))
    finally:
        node.kill()


@pytest.mark.parametrize("address, locale", [("", "fr-FR"), ("?lang=fr", "en-GB")])
def test_the_wall_speaks_the_language_of_its_browser_or_of_its_address(party, guests, painter, address, locale):
    token = party.host.link.split("#")[1]
    wall = guests(party, "desktop", locale=locale).open(f"{party.host.origin}/wall{address}#{token}")
    expect(wall.page.locator("html")).to_have_attribute("lang", "fr")
    expect(wall.page.locator("#call")).to_contain_text("Scannez, photographiez")
    wall.page.reload()
    expect(wall.page.locator("#call")).to_contain_text("Scannez, photographiez")


def test_without_scripts_a_french_browser_gets_french_pages_and_refusals(lone_party, guests, painter):
    bea = guests(lone_party, "phone", locale="fr-FR", scripts=False)
    bea.allow("404")
    bea.open(lone_party.host.origin)
    bea.page.get_by_role("link", name="En français").click()
    expect(bea.page.locator("html")).to_have_attribute("lang", "fr")
    bea.page.get_by_label("Code de l’affiche").fill(lone_party.code)
    bea.page.get_by_label("Votre nom").fill("Béa")
    bea.page.get_by_role("button", name="Entrer").click()
    bea.page.get_by_role("link", name="Voir les photos").click()
    bea.page.get_by_label("J’accepte").check()
    bea.page.set_input_files("input[type=file]", painter.photo())
    bea.page.get_by_role("button", name="Envoyer").click()
    expect(bea.page.locator("figure")).to_contain_text("Béa")
    expect(bea.page.locator("main")).to_contain_text("1 photo prise.")
    bea.page.goto(f"{lone_party.host.origin}/rien")
    expect(bea.page.locator("h1")).to_have_text("Il n’y a rien ici.")
