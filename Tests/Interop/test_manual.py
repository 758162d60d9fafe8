# SPDX-License-Identifier: Apache-2.0
"""The manual in its two languages, and the links of all documents."""

import re

import pytest

from party import ROOT

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "protocol").glob("*.md"))]
TRANSLATED = sorted((ROOT / "docs/fr").glob("*.md"))
LINK = re.compile(r"\]\(([^)\s]+)\)|<img src=\"([^\"]+)\"")


def prose(document):
    return re.sub(r"^```.*?^```", "", document.read_text(), flags=re.MULTILINE | re.DOTALL)


def headings(document):
    return re.findall(r"^(#+) (.*)$", prose(document), re.MULTILINE)


def anchor(heading):
    """As GitHub makes it."""
    plain = re.sub(r"[`*]", "", heading.strip().lower())
    return re.sub(r"[^\w\- ]", "", plain.replace("\u00a0", " ")).replace(" ", "-")


def table_rows(document):
    return len(re.findall(r"^\|", prose(document), re.MULTILINE))


@pytest.mark.parametrize("document", TRANSLATED, ids=lambda path: path.name)
def test_both_languages_have_the_same_sections_and_tables(document):
    english = ROOT / "docs" / document.name
    assert [level for level, _ in headings(document)] == [level for level, _ in headings(english)]
    assert table_rows(document) == table_rows(english)
    assert f"(fr/{document.name})" in english.read_text() and f"(../{document.name})" in document.read_text()


@pytest.mark.parametrize("document", TRANSLATED, ids=lambda path: path.name)
def test_both_languages_name_the_same_commands_and_options(document):
    def code(path):
        words = (re.sub(r"\s+", " ", text) for text in re.findall(r"`([^`]+)`", prose(path)))
        return {text for text in words if text.startswith(("disposable ", "--"))}
    missing = code(ROOT / "docs" / document.name) - code(document)
    assert missing == set()


@pytest.mark.parametrize("document", TRANSLATED, ids=lambda path: path.name)
def test_the_french_text_has_french_signs(document):
    text = re.sub(r"`[^`]*`|\]\([^)]*\)|https?://\S+|<[^>]+>", "", prose(document))
    assert not re.findall(r".{0,20}[^\s\u00a0:|][:;!?](?=\s).{0,10}", text)
    assert not re.findall(r".{0,20}(?: [:;!?»]|« ).{0,10}", text)
    assert "'" not in text


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(document):
    for found in LINK.finditer(prose(document)):
        target = found[1] or found[2]
        if re.match(r"[a-z]+:", target):
            continue
        name, _, part = target.partition("#")
        path = (document.parent / name).resolve() if name else document
        assert path.exists(), f"{document.name}: {target}"
        if part and path.suffix == ".md":
            anchors = {anchor(text) for _, text in headings(path)}
            assert part in anchors, f"{document.name}: {target}"
