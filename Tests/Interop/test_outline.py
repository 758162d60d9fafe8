# SPDX-License-Identifier: Apache-2.0
"""The outline of the world: what packaging/outline.py makes of countries, and the drawing in the repository."""

import math
import re
import struct
import sys
import xml.etree.ElementTree as ElementTree
import zlib
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "packaging"))
import outline  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"


def shapefile(*countries):
    """A shapefile of polygons with one ring each."""
    records = b""
    for number, points in enumerate(countries, 1):
        ring = [*points, points[0]]
        body = struct.pack("<i4dii", 5, 0, 0, 0, 0, 1, len(ring)) + struct.pack("<i", 0)
        body += b"".join(struct.pack("<2d", *point) for point in ring)
        records += struct.pack(">ii", number, len(body) // 2) + body
    return bytes(100) + records


def paths(drawing):
    return {path.get("class"): path.get("d") for path in ElementTree.fromstring(drawing).iter(SVG + "path")}


def test_two_countries_are_one_land_with_one_border():
    west = [(0, 0), (10, 0), (10, 5), (10, 10), (0, 10)]
    east = [(10, 0), (20, 0), (20, 10), (10, 10), (10, 5)]
    drawn = paths(outline.outline(shapefile(west, east)))
    assert drawn["land"].count("M") == 1 and drawn["land"].endswith("z")
    assert drawn["borders"].count("M") == 1 and not drawn["borders"].endswith("z")
    # The point in the middle of the straight border is left out.
    assert len(re.findall(r"-?\d+", drawn["borders"])) == 4


def test_points_on_a_line_specks_and_antarctica_are_left_out():
    square = [(0, 0), (2, 0.001), (4, 0), (4, 4), (0, 4)]
    speck = [(30, 0), (30.1, 0), (30.1, 0.1)]
    antarctica = [(-170, -80), (170, -80), (170, -70), (-170, -70)]
    drawn = paths(outline.outline(shapefile(square, speck, antarctica)))
    assert drawn["land"].count("M") == 1 and drawn["borders"] == ""
    assert len(re.findall(r"-?\d+", drawn["land"])) == 8


def test_the_drawing_of_the_page_is_small_and_nothing_but_lines():
    text = outline.TARGET.read_text(encoding="ascii")
    assert len(text) <= outline.BYTE_COUNT_MAX
    drawing = ElementTree.fromstring(text)
    assert [child.tag for child in drawing] == [SVG + "path", SVG + "path"]
    assert drawing.get("viewBox") == f"0 0 {outline.WIDTH} {outline.HEIGHT}"
    assert (drawing.get("data-top"), drawing.get("data-bottom")) == (str(outline.TOP), str(outline.BOTTOM))
    assert all(re.fullmatch(r"[Mlz0-9 -]*", path.get("d")) for path in drawing)
    assert len(paths(text)["land"]) > 10_000


def pixels(content):
    """The rows of the image, each with its filter's byte before four pixels a byte."""
    packed, at = b"", 33
    while at < len(content):
        length, kind = struct.unpack_from(">I4s", content, at)
        packed += content[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    return zlib.decompress(packed)


def test_the_image_shows_land_sea_and_borders_where_they_are():
    content = outline.TARGET.with_suffix(".png").read_bytes()
    assert len(content) <= outline.BYTE_COUNT_MAX
    assert struct.unpack_from(">IIBB", content, 16) == (outline.SIDE, outline.SIDE, 2, 3)
    rows = pixels(content)

    def colour(latitude, longitude):
        """0 for the sea, 1 for land, 2 for a border."""
        x = int((longitude + 180) / 360 * outline.SIDE)
        y = int((1 - outline.mercator(latitude) / math.pi) / 2 * outline.SIDE)
        return rows[y * (outline.SIDE // 4 + 1) + 1 + x // 4] >> (6 - 2 * (x % 4)) & 3

    assert colour(47.2, 2.5) == colour(-25, 135) == colour(40, -100) == 1
    assert colour(0, -30) == colour(-65, 0) == colour(84.9, 0) == colour(50, -30) == 0
    assert colour(49, -110) == 2, "the border of the United States and Canada"


def test_the_image_is_that_of_the_drawing():
    content = outline.TARGET.with_suffix(".png").read_bytes()
    assert pixels(outline.image(outline.TARGET.read_text(encoding="ascii"))) == pixels(content)
