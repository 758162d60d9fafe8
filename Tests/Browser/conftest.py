# SPDX-License-Identifier: Apache-2.0
"""Shared fixtures: browsers, parties, photos. Nothing is skipped: a missing requirement is a failure that names it."""

import os
import tempfile
import zlib
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from guest import Guest
from party import BUILD, Painter, Party, eventually, longest_first, others
from variants import register, take_shares

# The same engine as CHROMIUM in a program without windows, which takes a third less processor time.
HEADLESS = "/usr/bin/chromium-headless-shell"
CHROMIUM = "/usr/bin/chromium"
# A watchdog, not a measurement: machines that build at the same time are slow.
expect.set_options(timeout=90_000)

# The files that take longest begin first, so that none runs by itself at the end.
LONGEST = "journeys desk page keys closing missions moving wall plan breaks languages ended web_album page_sealing axe".split()


def pytest_collection_modifyitems(config, items):
    take_shares(config, items)
    longest_first(items, LONGEST)


def pytest_configure(config):
    register(config)
    needed = [BUILD / "disposable", BUILD / "disposable-image-worker", Path(HEADLESS), Path(CHROMIUM)]
    missing = [str(program) for program in needed if not program.exists()]
    if missing:
        raise pytest.UsageError(f"missing: {', '.join(missing)}; `make test-browser` builds and installs what is needed")


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as playwright:
        yield playwright


def launched(playwright, program):
    browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"] if os.geteuid() == 0 else [])
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def browser(playwright):
    yield from launched(playwright, HEADLESS)


@pytest.fixture(scope="module")
def whole_browser(playwright):
    """For what a program without windows does not have, as notifications."""
    yield from launched(playwright, CHROMIUM)


@pytest.fixture(scope="session")
def painter(tmp_path_factory):
    painter = Painter(tmp_path_factory.mktemp("camera"))
    yield painter
    painter.stop()


@pytest.fixture(scope="module")
def parties():
    """Makes parties; at the latest at the end of the file their nodes end and their folders are removed."""
    made = []
    with tempfile.TemporaryDirectory(prefix="disposable-browser-") as folder:
        def make(**options):
            party = Party(Path(folder) / f"party-{len(made) + 1}", **options)
            made.append(party)
            return party
        try:
            yield make
        finally:
            for party in made:
                party.end()


@pytest.fixture(scope="module")
def party(parties):
    """An event with the host's node, shared by all tests of a file."""
    party = parties(guests=0)
    yield party
    party.end()


@pytest.fixture(scope="module")
def pair(parties):
    """The same with another node."""
    party = parties()
    yield party
    party.end()


@pytest.fixture
def lone_party(parties):
    """An event with the host's node, for a test that breaks something or counts everything."""
    party = parties(guests=0)
    yield party
    party.end()


@pytest.fixture
def own_party(parties):
    """The same with another node."""
    party = parties()
    yield party
    party.end()


@pytest.fixture
def shared_party(parties):
    """An event with three nodes, of which two serve guests: the host's and Ben's."""
    party = parties(guests=2)
    party.host.grant("page", "Node 1")
    party.other.command("rename", "Ben")
    eventually("both know of each other's pages", lambda: (
        "Ben" in others(party.host) and "Anna" in others(party.other)))
    yield party
    party.end()


@pytest.fixture
def later_party(parties):
    """An event whose photos are shown when the host reveals them."""
    party = parties(options=["--reveal", "by-host"], guests=0)
    yield party
    party.end()


# Files about layout have both sizes, of which an ordinary run has a share; other tests run at one size, chosen by their name.
LAYOUT = {"test_desk", "test_page", "test_party", "test_plan", "test_remarks", "test_toast"}
SIZES = ["phone", "desktop"]


def pytest_generate_tests(metafunc):
    if "size" in metafunc.fixturenames:
        is_layout = metafunc.module.__name__ in LAYOUT
        one = SIZES[zlib.crc32(metafunc.function.__name__.encode()) % 2]
        both = [pytest.param(size, marks=pytest.mark.share(of=2)) for size in SIZES]
        metafunc.parametrize("size", both if is_layout else [one])


@pytest.fixture
def guests(browser, request):
    """Makes guests of a party; at the end checks their requests, scripts and console messages."""
    made = []

    def make(party, size, **options):
        guest = Guest(browser, party.origins, size, **options)
        made.append(guest)
        return guest

    yield make
    failures = []
    for guest in made:
        try:
            guest.check()
        except AssertionError as failure:
            failures.append(str(failure))
        guest.close()
    assert not failures, "\n".join(failures)


def pytest_terminal_summary(terminalreporter):
    """Prints the measurements of tests."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties if report.when == "call" else []:
            terminalreporter.write_line(f"{name}: {value}")
