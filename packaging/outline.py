#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the outline of the world for the map of the board, Sources/DisposablePortal/Public/board/world.svg, and the same as an
image that can be an event's plan, world.png.

The data are Natural Earth's countries at 1:110 million (https://www.naturalearthdata.com), which are in the public domain.
The wheel of geopandas 0.14.4 on PyPI carries them:

    pip download --no-deps geopandas==0.14.4
    packaging/outline.py geopandas-0.14.4-py3-none-any.whl

The same wheel gives the same file. The projection is Mercator's, in which what is near a place has its shape; `data-top`
and `data-bottom` are the latitudes of the edges, `data-width` and `data-height` the size. One path is the land, the other the borders between countries: a line
that two countries share is there once.

The image is the square of the web's maps: Mercator's projection between 85.051129 degrees south and north. Without a wheel only
the image is made, from the drawing that is there.
"""

import argparse
import hashlib
import math
import re
import struct
import zipfile
import zlib
from pathlib import Path

WHEEL = "3bb6473cb59d51e1a7fe2dbc24a1a063fb0ebdeddf3ce08ddbf8c7ddc99689aa"
SHAPES = "geopandas/datasets/naturalearth_lowres/naturalearth_lowres.shp"
TARGET = Path(__file__).resolve().parent.parent / "Sources/DisposablePortal/Public/board/world.svg"
TOP, BOTTOM = 84, -60
# Units of the drawing: a twentieth of a degree of longitude each.
WIDTH = 7_200
# A line may leave its points by so many units, and an island is at least so large in units of area.
TOLERANCE, ISLAND = 1.2, 16
BYTE_COUNT_MAX = 60_000
# The side of the image in pixels, and its colours: sea, land, borders.
SIDE = 2_048
COLOURS = bytes.fromhex("dce8ee b9b79a ffffff")


def mercator(latitude):
    return math.log(math.tan(math.pi / 4 + math.radians(latitude) / 2))


HEIGHT = round(WIDTH / (2 * math.pi) * (mercator(TOP) - mercator(BOTTOM)))


def project(longitude, latitude):
    """The place of a point in the drawing; what lies beyond an edge is on it."""
    part = (mercator(TOP) - mercator(min(TOP, max(BOTTOM, latitude)))) / (mercator(TOP) - mercator(BOTTOM))
    return (longitude + 180) / 360 * WIDTH, part * HEIGHT


def rings(data):
    """The rings of all polygons of a shapefile, as points of longitude and latitude; the last one repeats the first."""
    at = 100
    while at < len(data):
        words, = struct.unpack_from(">i", data, at + 4)
        kind, = struct.unpack_from("<i", data, at + 8)
        if kind == 5:
            part_count, point_count = struct.unpack_from("<ii", data, at + 44)
            starts = [*struct.unpack_from(f"<{part_count}i", data, at + 52), point_count]
            numbers = struct.unpack_from(f"<{2 * point_count}d", data, at + 52 + 4 * part_count)
            points = list(zip(numbers[::2], numbers[1::2]))
            for start, end in zip(starts, starts[1:]):
                yield points[start:end]
        at += 8 + 2 * words


def arcs(all_rings):
    """The rings cut where countries meet, each arc with the number of rings that have it."""
    neighbours = {}
    for ring in all_rings:
        for point, following in zip(ring, ring[1:]):
            neighbours.setdefault(point, set()).add(following)
            neighbours.setdefault(following, set()).add(point)
    counts = {}
    for ring in all_rings:
        loop = ring[:-1]
        cuts = [index for index, point in enumerate(loop) if len(neighbours[point]) > 2]
        if not cuts:
            cuts = [loop.index(min(loop))]
        for index, start in enumerate(cuts):
            end = cuts[(index + 1) % len(cuts)]
            count = (end - start) % len(loop) or len(loop)
            arc = [loop[(start + step) % len(loop)] for step in range(count + 1)]
            arc = min(arc, arc[::-1])
            counts[tuple(arc)] = counts.get(tuple(arc), 0) + 1
    return counts


def simplified(points):
    """The line without points that are nearer to it than the tolerance (Douglas and Peucker)."""
    if len(points) < 3:
        return points
    (x, y), (to_x, to_y) = points[0], points[-1]
    length = math.hypot(to_x - x, to_y - y)

    def distance(point):
        if length == 0:
            return math.hypot(point[0] - x, point[1] - y)
        return abs((to_x - x) * (point[1] - y) - (to_y - y) * (point[0] - x)) / length

    index = max(range(1, len(points) - 1), key=lambda each: distance(points[each]))
    if distance(points[index]) <= TOLERANCE:
        return [points[0], points[-1]]
    return simplified(points[:index + 1])[:-1] + simplified(points[index:])


def chained(lines):
    """Lines joined into closed rings: each begins where another one ends."""
    ends = {}
    for line in lines:
        ends.setdefault(line[0], []).append(line)
        ends.setdefault(line[-1], []).append(line)
    left = {id(line): line for line in lines}
    while left:
        ring = left.pop(next(iter(left)))
        while ring[0] != ring[-1]:
            following = next((line for line in ends[ring[-1]] if id(line) in left), None)
            if following is None:
                break
            del left[id(following)]
            ring = ring + (following if following[0] == ring[-1] else following[::-1])[1:]
        yield ring


def area(ring):
    return abs(sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in zip(ring, ring[1:]))) / 2


def path(lines, *, is_closed):
    """The lines in whole units, as an SVG path: each point as its distance from the one before."""
    commands = []
    for line in lines:
        points = [(round(x), round(y)) for x, y in line]
        points = [point for index, point in enumerate(points) if index == 0 or point != points[index - 1]]
        if is_closed:
            points = points[:-1]
        if len(points) < (3 if is_closed else 2):
            continue
        steps = [(x - last_x, y - last_y) for (last_x, last_y), (x, y) in zip(points, points[1:])]
        text = " ".join(f"{x} {y}" for x, y in steps).replace(" -", "-")
        commands.append(f"M{points[0][0]} {points[0][1]}l{text}" + ("z" if is_closed else ""))
    return "".join(commands)


def outline(data):
    """The drawing of the polygons in a shapefile."""
    # Antarctica lies below the lower edge.
    all_rings = [ring for ring in rings(data) if any(latitude > BOTTOM for _, latitude in ring)]
    coasts, borders = [], []
    for arc, count in sorted(arcs(all_rings).items()):
        line = [project(*point) for point in arc]
        if line[0] == line[-1]:
            # A ring has no ends to keep: it is cut at the point that is farthest from the first.
            middle = max(range(len(line)), key=lambda index: math.dist(line[index], line[0]))
            line = simplified(line[:middle + 1])[:-1] + simplified(line[middle:])
        else:
            line = simplified(line)
        (coasts if count == 1 else borders).append(line)
    land = [ring for ring in chained(coasts) if area(ring) >= ISLAND]
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" data-width="{WIDTH}" \
data-height="{HEIGHT}" data-top="{TOP}" data-bottom="{BOTTOM}">
<!-- Made by packaging/outline.py from Natural Earth 1:110m (public domain). -->
<path class="land" fill="#7b7a66" fill-rule="evenodd" d="{path(land, is_closed=True)}"/>
<path class="borders" fill="none" stroke="#dfe6e8" vector-effect="non-scaling-stroke" d="{path(borders, is_closed=False)}"/>
</svg>
"""


def lines(text):
    """The lines of an SVG path that `path` has made, as absolute points."""
    for command in text.split("M")[1:]:
        numbers = [int(number) for number in re.findall(r"-?[0-9]+", command)]
        points, x, y = [], 0, 0
        for step_x, step_y in zip(numbers[::2], numbers[1::2]):
            x, y = x + step_x, y + step_y
            points.append((x, y))
        yield points + points[:1] if command.endswith("z") else points


def image(drawing):
    """A PNG of the drawing with four colours at most."""
    land, borders = (list(lines(text)) for text in re.findall(r' d="([^"]*)"', drawing))
    scale = SIDE / WIDTH
    # The square begins farther north than the drawing.
    above = WIDTH / (2 * math.pi) * (math.pi - mercator(TOP))

    def pixel(x, y):
        return x * scale, (y + above) * scale

    rows = [bytearray(SIDE) for _ in range(SIDE)]
    crossings = [[] for _ in range(SIDE)]
    for ring in land:
        for (x, y), (to_x, to_y) in zip(map(lambda each: pixel(*each), ring), map(lambda each: pixel(*each), ring[1:])):
            if y > to_y:
                x, y, to_x, to_y = to_x, to_y, x, y
            # The lines through the middles of pixels that the edge crosses.
            for row in range(max(0, math.ceil(y - .5)), min(SIDE, math.ceil(to_y - .5))):
                crossings[row].append(x + (row + .5 - y) / (to_y - y) * (to_x - x))
    for row, places in zip(rows, crossings):
        places.sort()
        for start, end in zip(places[::2], places[1::2]):
            first, last = max(0, round(start)), min(SIDE, round(end))
            row[first:last] = b"\1" * max(0, last - first)
    for line in borders:
        for one, other in zip(line, line[1:]):
            (x, y), (to_x, to_y) = pixel(*one), pixel(*other)
            count = math.ceil(max(abs(to_x - x), abs(to_y - y), 1))
            for step in range(count + 1):
                across, down = int(x + (to_x - x) * step / count), int(y + (to_y - y) * step / count)
                if 0 <= across < SIDE and 0 <= down < SIDE:
                    rows[down][across] = 2

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    packed = b"".join(b"\0" + bytes(row[at] << 6 | row[at + 1] << 4 | row[at + 2] << 2 | row[at + 3]
                                    for at in range(0, SIDE, 4)) for row in rows)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", SIDE, SIDE, 2, 3, 0, 0, 0)) + chunk(b"PLTE", COLOURS)
            + chunk(b"IDAT", zlib.compress(packed, 9)) + chunk(b"IEND", b""))


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("wheel", type=Path, nargs="?", help="geopandas-0.14.4-py3-none-any.whl")
    options.add_argument("--output", type=Path, default=TARGET)
    given = options.parse_args()
    if given.wheel:
        if hashlib.sha256(given.wheel.read_bytes()).hexdigest() != WHEEL:
            raise SystemExit(f"{given.wheel} is not the wheel of geopandas 0.14.4: its SHA-256 is another one.")
        with zipfile.ZipFile(given.wheel) as wheel:
            drawing = outline(wheel.read(SHAPES))
        if len(drawing) > BYTE_COUNT_MAX:
            raise SystemExit(f"The outline has {len(drawing)} bytes, more than {BYTE_COUNT_MAX}: raise the tolerance.")
        given.output.write_text(drawing, encoding="ascii")
        print(f"{given.output}: {len(drawing)} bytes")
    content = image(given.output.read_text(encoding="ascii"))
    given.output.with_suffix(".png").write_bytes(content)
    print(f"{given.output.with_suffix('.png')}: {len(content)} bytes")


if __name__ == "__main__":
    main()
