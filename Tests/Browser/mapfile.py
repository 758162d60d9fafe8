# SPDX-License-Identifier: Apache-2.0
"""Small map files for tests: drawn tiles in an MBTiles or a PMTiles file."""

import io
import json
import math
import sqlite3
import struct

from PIL import Image, ImageDraw

# A tile of zoom 12 with the town of Besançon, and an area inside of it that no smaller tile shows whole.
TILE = (12, 2116, 1436)
ZOOMS = range(12, 15)


def corner(zoom, column, row):
    """Latitude and longitude of a tile's north-western corner."""
    return (math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * row / 2 ** zoom)))), column / 2 ** zoom * 360 - 180)


def area():
    """West, south, east and north of the tile, without its edges."""
    (north, west), (south, east) = corner(*TILE), corner(TILE[0], TILE[1] + 1, TILE[2] + 1)
    margin = (east - west) / 100
    return west + margin, south + margin, east - margin, north - margin


def place(latitude, longitude):
    """The place on the tile as fractions of its width and height."""
    count = 2 ** TILE[0]
    down = (1 - math.asinh(math.tan(math.radians(latitude))) / math.pi) / 2
    return (longitude + 180) / 360 * count - TILE[1], down * count - TILE[2]


def tiles():
    """All tiles below the one, each with its name drawn on it: (zoom, column, row), PNG."""
    for zoom in ZOOMS:
        more = 2 ** (zoom - TILE[0])
        for row in range(TILE[2] * more, TILE[2] * more + more):
            for column in range(TILE[1] * more, TILE[1] * more + more):
                image = Image.new("RGB", (256, 256), ((column * 40) % 60 + 180, 225, (row * 40) % 60 + 180))
                pen = ImageDraw.Draw(image)
                pen.rectangle((0, 0, 255, 255), outline="#777")
                pen.line((0, 128, 255, 128), fill="#fff", width=9)
                pen.text((8, 8), f"{zoom}/{column}/{row}", fill="#333")
                content = io.BytesIO()
                image.save(content, "PNG")
                yield (zoom, column, row), content.getvalue()


def mbtiles(path, attribution="© <a href='https://example.org'>Town</a>"):
    """Writes the tiles into an MBTiles file, whose rows begin in the south."""
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path)
    database.executescript("""
        CREATE TABLE metadata (name TEXT, value TEXT);
        CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
        CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);""")
    bounds = ",".join(str(edge) for edge in area())
    database.executemany("INSERT INTO metadata VALUES (?, ?)",
                         {"format": "png", "bounds": bounds, "attribution": attribution}.items())
    for (zoom, column, row), content in tiles():
        database.execute("INSERT INTO tiles VALUES (?, ?, ?, ?)", (zoom, column, 2 ** zoom - 1 - row, content))
    database.commit()
    database.close()
    return path


def number(zoom, x, y):
    """The number of a tile in PMTiles: the zooms one after the other, each along a Hilbert curve."""
    first, side, along = (4 ** zoom - 1) // 3, 2 ** zoom // 2, 0
    while side:
        right, below = int(bool(x & side)), int(bool(y & side))
        along += side * side * ((3 * right) ^ below)
        if not below:
            if right:
                x, y = 2 ** zoom - 1 - x, 2 ** zoom - 1 - y
            x, y = y, x
        side //= 2
    return first + along


def varint(value):
    content = b""
    while value > 0x7F:
        content += bytes([value & 0x7F | 0x80])
        value >>= 7
    return content + bytes([value])


def pmtiles(path, attribution="© Town"):
    """Writes the tiles into a PMTiles file of version 3, without compression and leaves."""
    entries = sorted((number(*name), content) for name, content in tiles())
    contents = b"".join(content for _, content in entries)
    numbers = [each for each, _ in entries]
    root = varint(len(entries)) + b"".join(varint(each - before) for before, each in zip([0, *numbers], numbers))
    root += b"".join(varint(1) for _ in entries) + b"".join(varint(len(content)) for _, content in entries)
    root += varint(1) + b"".join(varint(0) for _ in entries[1:])
    metadata = json.dumps({"attribution": attribution}).encode()
    header, offset = b"PMTiles\x03", 127
    for length in (len(root), len(metadata), 0, len(contents)):
        header += struct.pack("<QQ", offset, length)
        offset += length
    header += struct.pack("<QQQ", len(entries), len(entries), len(entries))
    header += bytes([1, 1, 1, 2, ZOOMS[0], ZOOMS[-1]]) + struct.pack("<4i", *[round(edge * 1e7) for edge in area()])
    path.write_bytes(header.ljust(127, b"\0") + root + metadata + contents)
    return path
