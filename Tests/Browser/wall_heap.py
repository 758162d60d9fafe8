# SPDX-License-Identifier: Apache-2.0
"""wall_heap.py [PHOTOS [HOURS]]: measures the wall's memory while it runs, and prints one JSON object. The page's clock
is advanced artificially, so that two hours of 2,000 photos take minutes; pictures are fetched and decoded, and photos
are added meanwhile."""

import json
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from conftest import CHROMIUM
from party import Painter, Party, eventually

# Milliseconds that a photo stays, and the interval of measurements.
TURN = 8_000
SAMPLE_TURNS = 50
WARM_UP_SHARE = 0.2
# New photos are added at this interval, so that the list grows as it does at a party.
ARRIVAL_TURNS = 45


def slope(points):
    """The slope of the least-squares line through `points`."""
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)


def sample(session, page):
    session.send("HeapProfiler.collectGarbage")
    heap = session.send("Runtime.getHeapUsage")
    nodes = session.send("Memory.getDOMCounters")
    return {
        "heapMegabytes": heap["usedSize"] / 1e6, "elements": nodes["nodes"], "listeners": nodes["jsEventListeners"],
        "pictures": page.locator("#stage img").count(),
    }


def main(photo_count=2_000, hours=2.0):
    with sync_playwright() as playwright, tempfile.TemporaryDirectory(prefix="disposable-wall-") as folder:
        painter = Painter(Path(folder) / "camera")
        party = Party(Path(folder) / "party", guests=0)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            for start in range(0, photo_count, 100):
                batch = [painter.photo(320, 240) for _ in range(min(100, photo_count - start))]
                party.host.command("add", *batch)
                print(f"{start + len(batch)} of {photo_count} photos", file=sys.stderr)
            page = browser.new_page(viewport={"width": 1920, "height": 1080})
            page.clock.install()
            page.goto(f"{party.host.origin}/wall#{party.host.link.split('#')[1]}")
            page.clock.run_for(2_000)
            eventually("the first picture", lambda: page.locator("#stage .shown img").count())
            session = page.context.new_cdp_session(page)
            session.send("HeapProfiler.enable")
            turns = int(hours * 3_600_000 / TURN)
            points, samples, shown, most = [], [], set(), 0
            for turn in range(turns):
                before = page.locator("#stage .shown img").last.get_attribute("src")
                page.clock.run_for(TURN + 500)
                if page.get_attribute("#wall", "data-state") == "card":
                    page.clock.run_for(TURN + 500)
                eventually("another picture", lambda: page.locator("#stage .shown img").last.get_attribute("src") != before)
                shown.add(before)
                most = max(most, page.locator("#stage img").count())
                page.clock.run_for(1_100)
                if turn % ARRIVAL_TURNS == 0:
                    party.host.command("add", painter.photo(320, 240))
                if turn % SAMPLE_TURNS == 0 or turn == turns - 1:
                    samples.append(sample(session, page))
                    points.append((turn * (TURN + 1_600) / 3_600_000, samples[-1]["heapMegabytes"]))
                    print(json.dumps({"turn": turn, **samples[-1]}), file=sys.stderr)
            warm = points[int(len(points) * WARM_UP_SHARE):]
            print(json.dumps({
                "photos": photo_count, "turns": turns, "hours": round(points[-1][0], 2), "differentPhotos": len(shown),
                "picturesAtMost": most, "heapMegabytesAfterWarmUp": round(warm[0][1], 2),
                "heapMegabytesAtTheEnd": round(warm[-1][1], 2), "slopeMegabytesAnHour": round(slope(warm), 3),
                "elementsAfterWarmUp": samples[int(len(points) * WARM_UP_SHARE)]["elements"],
                "elementsAtTheEnd": samples[-1]["elements"],
            }))
        finally:
            browser.close()
            party.end()
            painter.stop()


if __name__ == "__main__":
    main(*(number(text) for number, text in zip((int, float), sys.argv[1:])))
