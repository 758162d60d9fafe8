# SPDX-License-Identifier: Apache-2.0
"""Takes a picture of every page and view, and chooses from them: screenshots.py FOLDER [--all COMPLETE [PART ...]]

FOLDER gets the pictures of README.md and docs/, and a sheet of small ones for each language and theme. COMPLETE gets all
pictures, or those of the parts of the tour (tour.py) with these names; FOLDER is then made from what is in COMPLETE. The
parties run on loopback; scenes.py renders their photos.
"""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter
from playwright.sync_api import sync_playwright

import scenes
from tour import LANGUAGES, THEMES, tour_all

BYTE_COUNT_MAX = 60_000
OVERVIEW_BYTE_COUNT_MAX = 280_000
SHEET_BYTE_COUNT_MAX = 130_000
# The guests add so many photos before the first picture.
PHOTO_COUNT = 12
# The views on a sheet, in two rows.
ON_SHEETS = (
    "01-door", "03-welcome", "05-introduction", "07-gallery-further", "09-consent", "11-sending", "13-select", "20-photo",
    "24-caption", "40-handover-code", "45-moment", "81-board")


def keep(screenshot, folder, name):
    """Saves a picture of a page as a small file. Returns the picture."""
    picture = Image.open(io.BytesIO(screenshot)).convert("RGB")
    drawn = io.BytesIO()
    picture.quantize(80, dither=Image.Dither.NONE).save(drawn, "PNG", optimize=True)
    for path in folder.glob(f"{name}.*"):
        path.unlink()
    path, content = folder / f"{name}.png", drawn.getvalue()
    if len(content) > BYTE_COUNT_MAX:
        path, content = folder / f"{name}.jpg", jpeg(picture, BYTE_COUNT_MAX)
    path.write_bytes(content)
    print(f"{path}  {len(content):,} bytes")
    return picture


def jpeg(picture, byte_count_max):
    """Returns the JPEG of the best quality that has at most this many bytes."""
    for quality in range(88, 20, -4):
        content = io.BytesIO()
        picture.save(content, "JPEG", quality=quality, optimize=True, progressive=True)
        if content.tell() <= byte_count_max:
            break
    return content.getvalue()


def overview(folder, wall, light, dark):
    """The picture at the top of the README: the wall between a phone in light colours and one in dark colours."""
    canvas = Image.new("RGB", (1600, 660), (244, 236, 222))
    canvas.paste((30, 26, 24), (800, 0, 1600, 660))
    place(canvas, wall, 368, 60, 864, 6)
    place(canvas, light, 64, 85, 276, 20)
    place(canvas, dark, 1260, 85, 276, 20)
    write(folder / "overview.jpg", canvas, OVERVIEW_BYTE_COUNT_MAX)


def place(canvas, picture, x, y, width, radius):
    """Draws a screen with round corners, a dark edge and a shadow on the canvas."""
    edge = 7
    picture = picture.resize((width, round(picture.height * width / picture.width)), Image.Resampling.LANCZOS)
    frame = Image.new("RGB", (picture.width + 2 * edge, picture.height + 2 * edge), (17, 15, 14))
    frame.paste(picture, (edge, edge), rounded(picture.size, radius))
    shadow = Image.new("L", canvas.size)
    shadow.paste(130, (x - edge, y - edge + 10, x + width + edge, y + picture.height + edge + 10))
    canvas.paste((0, 0, 0), (0, 0), shadow.filter(ImageFilter.GaussianBlur(14)))
    canvas.paste(frame, (x - edge, y - edge), rounded(frame.size, radius + edge))


def rounded(size, radius):
    mask = Image.new("L", (size[0] * 4, size[1] * 4))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, size[0] * 4 - 1, size[1] * 4 - 1), radius * 4, fill=255)
    return mask.resize(size, Image.Resampling.LANCZOS)


def render(folder):
    """Writes each scene to a file; every third photo of the guests is upright."""
    folder.mkdir()
    paths = []
    for number in range(len(scenes.SCENES)):
        sides = (1200, 1600) if number % 3 == 1 and number < PHOTO_COUNT else (1600, 1200)
        paths.append(folder / f"IMG_{number + 1:04}.jpg")
        paths[-1].write_bytes(scenes.photo(number, *sides))
    return paths


def sheet(complete, path, language, theme):
    """Writes one picture of many views on a phone."""
    width, height, gap, across = 234, 416, 10, 6
    canvas = Image.new("RGB", (across * (width + gap) + gap, 2 * (height + gap) + gap), (128, 120, 112))
    for number, view in enumerate(ON_SHEETS):
        with Image.open(complete / f"{language}-{view}-phone-{theme}.png") as picture:
            small = picture.resize((width, height), Image.Resampling.LANCZOS)
        canvas.paste(small, (gap + number % across * (width + gap), gap + number // across * (height + gap)))
    write(path, canvas, SHEET_BYTE_COUNT_MAX)


def write(path, picture, byte_count_max):
    path.write_bytes(jpeg(picture, byte_count_max))
    print(f"{path}  {path.stat().st_size:,} bytes")


def choose(complete, folder):
    """Makes the pictures of README.md and docs/, and the sheets, from the complete set."""
    folder.mkdir(parents=True, exist_ok=True)
    taken = lambda name: Image.open(complete / f"{name}.png").convert("RGB")
    wall = taken("en-71-wall-desktop-light")
    overview(folder, wall, taken("en-07-gallery-further-phone-light"), taken("en-11-sending-phone-dark"))
    write(folder / "wall.jpg", wall, BYTE_COUNT_MAX)
    write(folder / "desk-photos-light.jpg", taken("en-91-desk-photos-marked-desktop-light"), BYTE_COUNT_MAX)
    for language in LANGUAGES:
        for theme in THEMES:
            sheet(complete, folder / f"pages-{language}-{theme}.jpg", language, theme)


def main():
    folder, given = Path(sys.argv[1]), sys.argv[2:]
    with tempfile.TemporaryDirectory(prefix="disposable-browser-") as scratch, sync_playwright() as playwright:
        scratch = Path(scratch)
        complete = Path(given[1]) if given[:1] == ["--all"] else scratch / "complete"
        wrong = tour_all(playwright, render(scratch / "camera"), scratch, complete, given[2:])
        if wrong:
            sys.exit("\n".join(wrong))
        choose(complete, folder)


if __name__ == "__main__":
    main()
