# SPDX-License-Identifier: Apache-2.0
"""The page in the guest's language: the browser's, or the one chosen in the page."""

import re

import pytest
from playwright.sync_api import expect

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


def test_both_catalogues_have_the_same_sentences_of_about_the_same_length(party, guests):
    bea = guests(party, "phone").open(party.host.link)
    english = sentences(bea.page, "/texts/en.js", "english")
    french = sentences(bea.page, "/texts/fr.js", "french")
    assert french.keys() == english.keys()
    assert {key for key in english if english[key][0] != french[key][0]} == set(), "other placeholders"
    # A short word may be a few letters longer; the layout tests check the texts of buttons.
    long = {key: (len(said), len(french[key][1])) for key, (_, said) in english.items()
            if len(french[key][1]) > max(1.4 * len(said), len(said) + 12)}
    assert long == {}, "much longer than in English"
    total = [sum(len(said) for _, said in catalogue.values()) for catalogue in (english, french)]
    assert total[1] <= 1.4 * total[0]


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


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_in_french_and_from_right_to_left_nothing_is_wider_than_a_small_phone(party, guests, painter, direction):
    party.host.command("add", painter.photo())
    bea = guests(party, "phone", locale="fr-FR" if direction == "ltr" else "en-GB")
    bea.page.set_viewport_size({"width": 320, "height": 568})
    # As a catalogue of such a language does; the page sets its own direction once that is loaded.
    bea.page.add_init_script(f"setInterval(() => {{ document.documentElement.dir = '{direction}'; }}, 20)")
    bea.open(party.host.link)
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
        bea.page.wait_for_timeout(300)
        assert bea.page.locator("html").get_attribute("dir") == direction
        assert bea.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), view
        wide = bea.page.evaluate("""() => [...document.querySelectorAll("button, a, input, h1, h2, p, label")]
            .filter((element) => element.offsetParent && !element.closest(".offscreen, #photo-reactions"))
            .filter((element) => { const box = element.getBoundingClientRect(); return box.right > innerWidth + 1 || box.left < -1; })
            .map((element) => element.outerHTML.slice(0, 80))""")
        assert wide == [], view
