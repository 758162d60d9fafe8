# SPDX-License-Identifier: Apache-2.0
"""The journeys of a guest in all three engines: by keys alone, in both languages, and asleep."""

import json
import os
import re
import signal
import subprocess
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from films import video
from guest import UNREACHABLE
from keys import is_focused, reach, use, write
from party import sha256
from test_breaks import expect_exactly
from test_firefox import firefox, firefox_guest  # noqa: F401
from test_webkit import screen  # noqa: F401
from webkit import WebKitGuest

FULL = {"en": "Your film is full", "fr": "Votre pellicule est finie"}
OVER = {"en": "The party is over. Thank you!", "fr": "La fête est finie. Merci\u00a0!"}


@pytest.fixture(params=["chromium", "firefox", "webkit"])
def phone(request, guests):
    """Makes the guest of a party in one of the engines."""
    made = []

    def make(party):
        if request.param == "firefox":
            return request.getfixturevalue("firefox_guest")(party)
        if request.param == "webkit":
            made.append(WebKitGuest(request.getfixturevalue("screen"), party.origins))
            return made[-1]
        guest = guests(party, "phone", locale="en-GB")
        guest.allow(UNREACHABLE)
        guest.allow("429")
        return guest

    yield make
    try:
        for guest in made:
            guest.check()
    finally:
        for guest in made:
            guest.close()


@pytest.fixture
def short_film(parties):
    """An event with one node that serves guests, and three photos for each."""
    party = parties(guests=0, frames="3")
    yield party
    party.end()


def enter(guest, language):
    """Chooses the language on the welcome page, types a name, and enters: by keys."""
    guest.wait_for("#welcome")
    if language != "en":
        use(guest, f"#welcome [lang={language}]")
    guest.wait("the language", f"document.documentElement.lang === '{language}'")
    guest.wait_for("#welcome-join")
    write(guest, "#name", "Bea")
    guest.press("Enter")
    guest.wait_for("#party")


def agree(guest):
    guest.wait_for("#ask")
    use(guest, "#ask button[value=yes]")


def wait_for_photos(guest, count):
    """Waits until this many of the guest's own photos are there with their pictures, and none is on its way."""
    guest.wait(f"{count} photos", f"""!document.querySelector('#mine-grid .upload')
        && document.querySelectorAll('#mine-grid .tile:not([hidden])').length === {count}
        && [...document.querySelectorAll('#mine-grid .tile:not([hidden]) img')]
            .every((image) => image.complete && image.naturalWidth > 0)""", within=600)


def text(guest, selector):
    return guest.script("return document.querySelector(arguments[0]).textContent", selector)


@pytest.mark.share(of=3)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_keys_are_enough_for_a_whole_evening(short_film, phone, painter, tmp_path, language):
    bea = phone(short_film).open(short_film.host.link)
    enter(bea, language)

    # Shoot: a photo, one in Apple's format, and a video. They fill the film.
    photo, heic = painter.photo(1600, 1200), tmp_path / "photo.heic"
    subprocess.run(["convert", painter.photo(), heic], check=True)
    reach(bea, "#library")
    bea.pick([photo, heic, video(tmp_path / "dance.webm")])
    agree(bea)
    wait_for_photos(bea, 3)
    assert bea.script("return document.querySelectorAll('#mine-grid .tile img').length") == 2
    # WebKitGTK plays what the machine has codecs for.
    if not isinstance(bea, WebKitGuest):
        bea.wait("the still picture of the video", "document.querySelector('#mine-grid .tile canvas')")
    bea.wait_for("#full")
    assert text(bea, "#full h2") == FULL[language]
    reach(bea, "#instead-save")

    # Browse, write a caption, react and comment.
    reach(bea, "#mine-grid .tile button", back=True)
    bea.press("ArrowLeft")
    bea.press("ArrowRight")
    assert is_focused(bea, "#mine-grid .tile + .tile button")
    bea.press("Enter")
    bea.wait_for("#photo")
    place = text(bea, "#photo-place")
    use(bea, "#caption-edit")
    write(bea, "#caption-field", "The cake")
    use(bea, "#caption-form button[type=submit]")
    bea.wait("the caption", "document.querySelector('#photo-caption').textContent === 'The cake'")
    reach(bea, "#photo-reactions button")
    bea.press("Space")
    bea.wait("the heart", "document.querySelector('#photo-reactions button').getAttribute('aria-pressed') === 'true'")
    use(bea, "#photo-comments-show")
    write(bea, "#comment-field", "Bravo")
    use(bea, "#comment-form button[type=submit]")
    bea.wait("the comment", "document.querySelector('#comments').textContent.includes('Bravo')")
    use(bea, "#photo-comments-show", back=True)

    # Save.
    reach(bea, "#photo-save")
    bea.script("""fetch(document.activeElement.href).then(async (answer) => {
        window.saved = [answer.status, answer.headers.get("Content-Disposition"), (await answer.blob()).size]; });""")
    bea.wait("the file", "window.saved")
    status, disposition, size = bea.script("return window.saved")
    assert status == 200 and disposition.startswith("attachment") and size > 1_000

    # Delete the one beside it.
    bea.press("ArrowLeft" if bea.script("return document.querySelector('#photo-next').disabled") else "ArrowRight")
    bea.wait("the other photo", f"document.querySelector('#photo-place').textContent !== {json.dumps(place)}")
    use(bea, "#photo-remove", back=True)
    agree(bea)
    wait_for_photos(bea, 2)
    bea.press("Escape")
    bea.wait("the gallery", "!document.querySelector('#photo').getClientRects().length")
    bea.wait("the focus in the grid", "document.activeElement.matches('#mine-grid .tile button')")

    # Sign out, and continue as on another phone.
    use(bea, "#open-me", back=True)
    bea.wait_for("#me")
    code = re.search(r"\w{4}-\w{4}", text(bea, "#me-code"))[0]
    use(bea, "#me-words-show")
    bea.wait("the words", "document.querySelectorAll('#me-words li').length === 12")
    words = bea.script("return [...document.querySelectorAll('#me-words li')].map((item) => item.textContent).join(' ')")
    use(bea, "#me-leave")
    agree(bea)
    bea.wait_for("#code")
    assert language == bea.script("return document.documentElement.lang")
    write(bea, "#code-field", code)
    bea.press("Enter")
    bea.wait_for("#welcome")
    use(bea, "#returning")
    bea.wait_for("#words")
    write(bea, "#words-field", words)
    use(bea, "#words-form button[type=submit]")
    bea.wait_for("#party")
    use(bea, "#tab-mine")
    wait_for_photos(bea, 2)

    # The end.
    short_film.host.command("event", "close", "--yes")
    bea.wait_for("#over")
    assert text(bea, "#over h2") == OVER[language]
    use(bea, "#instead-save")
    bea.wait_for("#ask")
    bea.press("Escape")
    bea.wait("no dialog", "!document.querySelector('#ask').open")


@pytest.mark.share(of=3)
def test_keys_move_a_page_with_waiting_photos_to_another_node(shared_party, phone, painter):
    ben = shared_party.other
    bea = phone(shared_party).open(shared_party.host.link)
    enter(bea, "fr")
    photos = painter.photos(3, width=1600, height=1200)
    bea.expect_prober()
    shared_party.host.kill()
    reach(bea, "#library")
    bea.pick(photos)
    agree(bea)
    bea.wait_for("#moving-go")
    assert "Pas de connexion" in text(bea, "#out-of-reach")
    reach(bea, "#moving-go")
    bea.follow(lambda: bea.press("Enter"))
    bea.wait_for("#party")
    assert bea.script("return location.origin") == ben.origin
    use(bea, "#tab-mine")
    wait_for_photos(bea, 3)
    assert sorted(map(sha256, photos)) == sorted(entry["sha256"] for entry in ben.gallery())


def descendants(process):
    with suppress(FileNotFoundError):
        for task in os.listdir(f"/proc/{process}/task"):
            for child in Path(f"/proc/{process}/task/{task}/children").read_text().split():
                yield int(child)
                yield from descendants(child)


@contextmanager
def asleep():
    """The browsers of this test do nothing, as on a phone in a pocket."""
    def is_of_a_browser(process):
        with suppress(FileNotFoundError):
            return not re.match(r"disposable|node|python|pytest|Xvfb", Path(f"/proc/{process}/comm").read_text())

    def send(number):
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, number)

    processes = [process for process in descendants(os.getpid()) if is_of_a_browser(process)]
    assert processes
    send(signal.SIGSTOP)
    try:
        yield
    finally:
        send(signal.SIGCONT)


@pytest.mark.share(of=3)
def test_uploads_go_on_after_the_phone_has_slept_and_the_node_has_started_again(parties, phone, painter, tmp_path):
    party = parties(guests=0)
    bea = phone(party).open(party.host.link).enter("Bea")
    first = painter.photo()
    bea.choose([first])
    wait_for_photos(bea, 1)
    photos = painter.photos(12, width=1200, height=900)
    bea.choose(photos)
    bea.wait("uploads", "document.querySelector('.upload.is-sending')")
    with asleep():
        assert len(party.host.gallery()) < 13, "the sleep came too late to prove anything"
        party.host.kill()
        party.host.start()
    wait_for_photos(bea, 13)
    expect_exactly(party.host, [first, *photos], tmp_path / "out")
    party.end()
