# SPDX-License-Identifier: Apache-2.0
"""Nodes with HTTPS on hosts of a network of their own, and a real browser on one of these hosts: there neither the
addresses nor plain HTTP make a page a secure context. The programs are built with the package trait TLS, into a folder
of their own: `make test-tls`."""

import base64
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/Browser"), str(ROOT / "Tests/Interop")]

from playwright.sync_api import expect, sync_playwright  # noqa: E402

from guest import Guest  # noqa: E402
from lan import Lan, LanNode  # noqa: E402
from party import BUILD, Painter  # noqa: E402

CHROMIUM = "/usr/bin/chromium"
CAMERA = ["--use-fake-device-for-media-stream=device-count=2", "--use-fake-ui-for-media-stream"]
expect.set_options(timeout=90_000)


def pytest_configure():
    if os.geteuid() != 0:
        raise pytest.UsageError("these tests make networks of their own, which needs root")
    missing = [str(program) for program in (BUILD / "disposable", BUILD / "disposable-image-worker", Path(CHROMIUM))
               if not program.exists()]
    if missing:
        raise pytest.UsageError(f"missing: {', '.join(missing)}; `make test-tls` builds and installs what is needed")


class TLSNode(LanNode):
    """A node that serves the pages to its host's network, over plain HTTP and HTTPS."""

    def __init__(self, lan, number, folder, *arguments, within=(), options=("--tls",)):
        self.lan, self.number, self.options = lan, number, options
        super().__init__([*lan.host(number), *within], folder, *arguments)

    def _program(self, arguments, listen, portal):
        return [*self.within, BUILD / "disposable", *arguments, "--data", self.folder, "--json",
                *(self.options if arguments[0] in ("host", "join", "run") else ())]

    @property
    def address(self):
        return f"10.77.0.{self.number}"

    @property
    def origin(self):
        return f"http://{self.address}:8027"

    @property
    def secure_origin(self):
        return f"https://{self.address}:8443"

    @property
    def link(self):
        return f"{self.origin}/#{self.ready['guestURL'].split('#')[1]}"

    @property
    def certificate(self):
        return self.folder / "page-certificate.pem"

    def run(self, *command, text="", host=None):
        """Runs a program on the node's host, or another one; returns its end."""
        return subprocess.run(
            [*self.lan.host(host or self.number), *map(str, command)], capture_output=True, text=True, input=text, timeout=180)



def fingerprint(certificate):
    """The SHA-256 of a certificate's public key, as Chromium takes it."""
    key = subprocess.run(["openssl", "x509", "-in", certificate, "-pubkey", "-noout"], check=True, capture_output=True).stdout
    der = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "der"], input=key, check=True, capture_output=True).stdout
    return base64.b64encode(hashlib.sha256(der).digest()).decode()


def make_certificate(folder, names, name="own", days=30):
    """Makes a certificate for names, "DNS:party.test,IP:10.77.0.1"; returns its file and that of its key."""
    certificate, key = folder / f"{name}.crt", folder / f"{name}.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-days", str(days),
         "-subj", "/CN=test", "-addext", f"subjectAltName={names}", "-keyout", key, "-out", certificate],
        check=True, capture_output=True)
    return certificate, key


@pytest.fixture
def folder():
    """A short path, as sockets lie in it."""
    with tempfile.TemporaryDirectory(prefix="disposable-tls-") as folder:
        yield Path(folder)


@pytest.fixture
def lan():
    lan = Lan(2)
    yield lan
    lan.kill()


@pytest.fixture
def start(lan, folder):
    """Starts nodes; they end in every case."""
    started = []

    def make(number, name, *arguments, **options):
        node = TLSNode(lan, number, folder / name, *arguments, **options)
        started.append(node)
        return node

    yield make
    for node in started:
        node.kill()


@pytest.fixture
def anna(start):
    return start(1, "anna", "host", "Garden party", "--as", "Anna", "--frames", "unlimited")


@pytest.fixture(scope="session")
def painter(tmp_path_factory):
    painter = Painter(tmp_path_factory.mktemp("camera"))
    yield painter
    painter.stop()


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        yield playwright.chromium


@pytest.fixture
def browse(chromium, lan, folder):
    """Opens Chromium on a host, with cameras; it trusts these certificates and no other one of their kind."""
    opened = []

    def make(number=1, trusted=(), arguments=()):
        program = folder / f"chromium-{len(opened)}"
        words = " ".join(f"'{word}'" for word in map(str, lan.host(number)))
        program.write_text(f"#!/bin/sh\nexec {words} {CHROMIUM} \"$@\"\n")
        program.chmod(0o755)
        keys = ",".join(map(fingerprint, trusted))
        browser = chromium.launch(executable_path=program, args=[
            *CAMERA, "--no-sandbox", *([f"--ignore-certificate-errors-spki-list={keys}"] if keys else []), *arguments])
        opened.append(browser)
        return browser

    yield make
    for browser in opened:
        browser.close()


@pytest.fixture
def guests():
    """Makes guests, and looks at the end for what a guest's page must not do."""
    made = []

    def make(browser, *nodes, size="phone", **options):
        guest = Guest(browser, {origin for node in nodes for origin in (node.origin, node.secure_origin)}, size, **options)
        made.append(guest)
        return guest

    yield make
    for guest in made:
        guest.check()
        guest.close()
