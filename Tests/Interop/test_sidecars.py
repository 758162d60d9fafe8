# SPDX-License-Identifier: Apache-2.0
"""Exported photos with sidecars, read by exiftool, the program by which Immich and others read them: text, author, comments and
time of each photo, whatever characters they have, and photos that are byte for byte the event's."""

import json
import subprocess
from datetime import datetime, timezone

import pytest

from party import Node, eventually, sha256

NOON = 1_755_345_600_000  # milliseconds
CAPTION = "L’été & <b>\"cake\"</b>\nof Ermintrude 🎂"
HOSTILE = "]]></rdf:li><!-- &lt; ' -->"


@pytest.fixture
def host(folder, running):
    node = Node(folder / "host", "host", "Garden party", "--as", "Anna & <Ben>", "--no-mdns")
    running.append(node)
    return node


def read(folder):
    """What exiftool finds in the sidecars, by the photo's file name."""
    sidecars = sorted(folder.glob("*.xmp"))
    result = subprocess.run(["exiftool", "-json", "-charset", "utf8", *sidecars], capture_output=True, text=True, check=True)
    found = json.loads(result.stdout)
    assert not [each for each in found if "Warning" in each or "Error" in each], found
    return {each["FileName"].removesuffix(".xmp"): each for each in found}


def test_exiftool_reads_captions_comments_authors_and_times(host, folder, painter):
    for photo in (painter.photo(taken_at=NOON), painter.photo(taken_at=NOON + 3_600_000)):
        host.command("add", photo)
    eventually("two photos", lambda: sum(photo["state"] == "complete" for photo in host.gallery()) == 2)
    first, second = sorted(host.gallery(), key=lambda photo: photo["takenAt"])
    host.command("caption", first["id"], CAPTION)
    host.command("comment", first["id"], HOSTILE)
    host.command("comment", first["id"], "So nice")

    host.command("zone", "Kitchen & <Hall>")

    target = folder / "library"
    host.command("export", target, "--sidecars")
    found = read(target)
    photos = {path.name: sha256(path) for path in target.iterdir() if path.suffix != ".xmp"}
    assert set(found) == set(photos) and set(photos.values()) == {first["sha256"], second["sha256"]}
    said = {photos[name]: each for name, each in found.items()}
    # exiftool prints a line feed as a period.
    assert said[first["sha256"]]["Description"].split("of Ermintrude")[0].rstrip(".\n") == CAPTION.split("\n")[0]
    assert said[first["sha256"]]["Description"].endswith("of Ermintrude 🎂")
    comments = said[first["sha256"]]["UserComment"]
    assert f"Anna & <Ben>: {HOSTILE}" in comments and "Anna & <Ben>: So nice" in comments
    assert not {"Description", "UserComment"} & set(said[second["sha256"]])
    for number, photo in enumerate((first, second)):
        assert said[photo["sha256"]]["Creator"] == "Anna & <Ben>"
        assert said[photo["sha256"]]["Subject"] == "Kitchen & <Hall>"
        taken = datetime.strptime(said[photo["sha256"]]["DateTimeOriginal"], "%Y:%m:%d %H:%M:%S.%f%z")
        assert taken == datetime.fromtimestamp(NOON / 1_000 + number * 3_600, timezone.utc)

    # Another export follows the event, and leaves a file of another program as it is.
    host.command("caption", first["id"], "Pie")
    other = next(target / f"{name}.xmp" for name in photos if photos[name] == second["sha256"])
    other.write_text("<x:xmpmeta xmlns:x='adobe:ns:meta/' x:xmptk='Other'/>")
    host.command("export", target, "--sidecars")
    assert {each.get("Description") for each in read(target).values()} == {"Pie", None}
    assert "Other" in other.read_text()
