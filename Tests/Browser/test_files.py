# SPDX-License-Identifier: Apache-2.0
"""The files of the pages: every address in them leads to a file, every file is used, and each lies in the folder of what
uses it (docs/architecture.md, "Folders of the pages")."""

import posixpath
import re

import pytest

from party import ROOT

PORTAL = ROOT / "Sources/DisposablePortal"
PUBLIC = PORTAL / "Public"
FILES = {str(file.relative_to(PUBLIC)) for file in PUBLIC.rglob("*") if file.is_file()}
# The portal serves these libraries from other packages. `disposable invite --template` uses the drawings.
LIBRARIES = {"nacl.js", "qrcode.js"}
DRAWINGS = {"print/poster.svg", "print/ticket.svg"}
# The pages, and the folders whose scripts each may use.
PAGES = {"guest": {"guest", "seal"}, "wall": {"wall"}, "desk": {"desk"}, "board": {"board"}}
COMMON = {"shared", "texts"}

QUOTED = re.compile(r"""["'`]((?:\.{1,2})?/[\w./-]*\.(?:js|css|html|svg|png|txt|mp4|webm))["'`]""")
STARTED = re.compile(r'data-start="([^"]+)"')
STYLES = re.compile(r'loadStyle\("([^"]+)"\)')
PARTS = re.compile(r'loadTexts\("([^"]+)"\)')
READ = re.compile(r'(?:data-page=|pageOf\()"([^"]+)"')
URLS = re.compile(r"""\burl\(["']?([^"')]+)""")
LANGUAGES = re.findall(r'(\w+): "', re.search(r"const languages = \{(.*)\}", (PUBLIC / "shared/text.js").read_text())[1])
OWN_TEXTS = re.findall(r'"(\w+)"', re.search(r"const pages = \[(.*)\]", (PUBLIC / "shared/text.js").read_text())[1])


def without_comments(text):
    """Types in comments load nothing."""
    return re.sub(r"/\*.*?\*/|^\s*//.*?$", "", text, flags=re.DOTALL | re.MULTILINE)


def texts(part):
    return {f"texts/{part and part + '/'}{language}.js" for language in LANGUAGES}


def named(file, text):
    """Returns the files that a page, script or style sheet names."""
    here = posixpath.dirname(file)
    at = lambda address: address[1:] if address.startswith("/") else posixpath.normpath(posixpath.join(here, address))
    found = {at(address) for address in QUOTED.findall(text)} | {at(address) for address in URLS.findall(text)}
    found |= {f"{style}.css" for style in STYLES.findall(text)}
    found |= set().union(*(texts(part) for part in PARTS.findall(text)))
    for page in READ.findall(text):
        found |= {page if language == "en" else f"{language}/{page}" for language in LANGUAGES}
    for script in STARTED.findall(text):
        # start.js loads the sentences first, then the page's own script.
        part = script.split("/")[0]
        found |= {f"{script}.js"} | texts("") | (texts(part) if part in OWN_TEXTS else set())
    # The portal serves this script at the path of each event, with the addresses that it may ask.
    return found | ({"shared/prober.js"} if "${base}prober.js" in text else set())


def contents(file):
    return (PUBLIC / file).read_text() if file.endswith((".js", ".css", ".html")) else ""


def used(file):
    return named(file, without_comments(contents(file)))


def reached(files):
    """Returns the files, and everything that they load; pages to which they lead are others."""
    found, ahead = set(), list(files)
    while ahead:
        file = ahead.pop()
        if file in found or file in LIBRARIES:
            continue
        found.add(file)
        ahead += [name for name in used(file) if not name.endswith(".html")]
    return found


def served():
    """Returns the files that the portal's own code names."""
    code = "\n".join(file.read_text() for file in PORTAL.rglob("*.swift"))
    found = set(re.findall(r'files\.response\("([^"]+)"', code)) | set(re.findall(r'PageFiles\.folder \+ "/([^"]+)"', code))
    return found | {address for address in re.findall(r'\b(?:href|src)=\\?"/([\w./-]+\.\w+)', code)}


def folder(file):
    return file.split("/")[0] if "/" in file else ""


def test_every_address_in_a_page_leads_to_a_file():
    lost = {file: names for file in FILES if (names := named(file, contents(file)) - FILES - LIBRARIES)}
    assert lost == {}
    assert served() <= FILES
    assert {"guest/index.html", "wall/index.html", "desk/index.html", "board/index.html", "shared/style.css"} <= served()
    # The names of most files are found, and not only of some.
    assert len(reached(["guest/index.html"])) > 100


def test_every_file_of_the_pages_is_used():
    found, ahead = set(), [*served(), *DRAWINGS]
    while ahead:
        file = ahead.pop()
        if file not in found and file in FILES:
            found.add(file)
            ahead += used(file)
    assert FILES - found == set()


@pytest.mark.parametrize("page", PAGES)
def test_a_page_uses_its_own_files_and_shared_ones(page):
    allowed = PAGES[page] | COMMON
    scripts = {file for file in FILES if folder(file) in PAGES[page] and file.endswith((".js", ".html", ".css"))}
    strange = {file: names for file in scripts
               if (names := {name for name in used(file) if folder(name) and folder(name) not in allowed | set(LANGUAGES)})}
    assert scripts and strange == {}


def test_shared_files_are_those_of_several_pages():
    shared = {file for file in FILES if folder(file) == "shared"}
    assert {file: names for file in shared if (names := {name for name in used(file) if folder(name) not in COMMON
                                                         and name not in LIBRARIES | {"words.txt", "icon.svg"}})} == {}
    # Pages for reading (help, privacy) lie outside, since people know their addresses.
    users = [reached(file for file in FILES if file.endswith(".html") and folder(file) in folders)
             for folders in [*({page} for page in PAGES), {"", *LANGUAGES}]]
    assert {file for file in shared if sum(file in files for files in users) < 2} == set()
