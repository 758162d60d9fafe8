#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Thirty guests at one access point send photos, while others open the page and a wall shows what comes. Prints one JSON
object with the figures and one for each goal."""
import argparse
import asyncio
import concurrent.futures
import contextlib
import json
import os
import pathlib
import random
import shutil
import statistics
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(ROOT / "Tests/Browser")]
from hosts import Lan, empty, end_in_order, inside, look_for_end, use_test_environment

use_test_environment()

from PIL import Image

import sites
from client import Client
from party import BUILD
from phones import Phone, Photo, Sender, ignore
from race import TOOLS
from readers import Reader, Wall
from uploads import compare, make_photos, sha256, tell

NODE = 1
# The page's limits (previews.js): the long side in pixels; bytes aimed at, and at most.
SIDE, BYTES, BYTES_MAX = 1_280, 100_000, 250_000
PREVIEW_GOAL, PAGE_GOAL, BOUND_GOAL = 2.0, 1.0, 1.15
# Seconds before the first guest chooses photos in which readers have the air for themselves.
QUIET_SECONDS = 5


def make_preview(path, target):
    """Writes the preview that the page would make, unless it is there: smaller pixels, and the first quality that is small
    enough. An empty file where there is none."""
    if os.path.exists(target):
        return
    new = f"{target}.new.jpg"
    with Image.open(path) as picture:
        picture.draft("RGB", (SIDE, SIDE))
        picture = picture.convert("RGB")
        picture.thumbnail((SIDE, SIDE), Image.LANCZOS)
        for quality in (75, 60, 45, 30):
            picture.save(new, "JPEG", quality=quality)
            if os.path.getsize(new) <= (BYTES_MAX if quality == 30 else BYTES):
                break
        else:
            open(new, "w").close()
    os.rename(new, target)


def make_previews(folder, files):
    """Returns the previews of photos, each made once."""
    os.makedirs(folder, exist_ok=True)
    targets = [f"{folder}/{os.path.basename(file)}" for file in files]
    with concurrent.futures.ProcessPoolExecutor() as pool:
        list(pool.map(make_preview, files, targets))
    return [pathlib.Path(target).read_bytes() for target in targets]


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else None


def sign_in(host, link, name=None):
    """Returns a session on a host; with a name, that of a guest who has agreed to the organizers' text."""
    with inside(host):
        client = Client(link)
        return client.enter(name) if name else client


class Evening:
    """One run at a node that has started. `photos`: files and their previews."""

    def __init__(self, chosen, site, photos):
        self.chosen, self.site = chosen, site
        hosts = iter(range(NODE + 1, NODE + 2 + chosen.guests + chosen.readers))
        at = site.address, site.port
        self.senders = []
        for number in range(chosen.guests):
            host, name = next(hosts), f"Guest {number + 1}"
            client = sign_in(host, site.link, name)
            own = [Photo(*photo) for photo in photos[number::chosen.guests]]
            self.senders.append(Sender(Phone(host, *at, client.session), client.path, name, own, chosen.making))
            look_for_end()
        self.readers = [Reader(next(hosts), *at, site.link.split("#")[1]) for _ in range(chosen.readers)]
        host = next(hosts)
        client = sign_in(host, site.link)
        self.wall = Wall(Phone(host, *at, client.session), client.path)
        self.is_over = False
        self.quiet_loads = []

    async def run(self):
        """Returns when all photos are made or the time limit is over."""
        await self.wall.phone.listen(f"{self.wall.path}api/updates", self.wall.hear)
        for sender in self.senders:
            await sender.phone.listen(f"{sender.path}api/updates", ignore)
        showing = asyncio.create_task(self.wall.show())
        reading = [asyncio.create_task(reader.read(lambda: self.is_over)) for reader in self.readers]
        await asyncio.sleep(QUIET_SECONDS)
        self.quiet_loads = [reader.times[:] for reader in self.readers]
        self.began = time.monotonic()
        sending = [asyncio.create_task(self.send(sender)) for sender in self.senders]
        tasks = [*sending, *reading, showing]
        try:
            await self.wait(sending, tasks)
            self.is_over = True
            # Pages that are being loaded count, however long they take.
            await asyncio.wait(reading, timeout=60)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for phone in (self.wall.phone, *(sender.phone for sender in self.senders)):
                phone.close()

    async def wait(self, sending, tasks):
        """Returns when all have sent their photos or the time limit is over. Throws an error of this program itself."""
        while not all(task.done() for task in sending) and time.monotonic() - self.began < self.chosen.limit:
            look_for_end()
            await asyncio.wait([task for task in tasks if not task.done()], timeout=0.5)
            for task in tasks:
                if task.done():
                    task.result()

    async def send(self, sender):
        await asyncio.sleep(random.uniform(0, self.chosen.spread))
        await sender.send()

    def figures(self):
        total = sum(photo.size for sender in self.senders for photo in sender.photos)
        # Between two stations every byte uses the air twice.
        bound = total * 8 / 1e6 / self.chosen.megabits * (2 if self.chosen.wireless_node else 1)
        first, every, shown = [], [], []
        for sender in self.senders:
            announced = [moment - sender.chosen_at for moment in self.wall.announced[sender.name]]
            every += announced
            if announced:
                first.append(min(announced))
            if self.wall.shown[sender.name]:
                shown.append(min(self.wall.shown[sender.name]) - sender.chosen_at)
        quiet = [load for loads in self.quiet_loads for load in loads]
        loads = [load for reader, before in zip(self.readers, self.quiet_loads) for load in reader.times[len(before):]]
        saved = max((max(sender.saved_at) for sender in self.senders if sender.saved_at), default=None)
        made = max(sender.made_at for sender in self.senders)
        unfinished = sum(not sender.made_at for sender in self.senders)
        previews = [len(photo.preview) for sender in self.senders for photo in sender.photos]
        page = [count for reader in self.readers for count in reader.byte_counts]
        phones = [self.wall.phone, *(sender.phone for sender in self.senders)]
        return {
            "kind": "air", "megabits": self.chosen.megabits, "guests": len(self.senders), "readers": len(self.readers),
            "photos": sum(len(sender.photos) for sender in self.senders), "megabytes": total / 1e6,
            "previewKilobytes": statistics.median(previews) / 1e3, "loadAverage": os.getloadavg()[1],
            "isNodeWireless": self.chosen.wireless_node,
            "guestsAnnounced": len(first), "firstPreviewP50": percentile(first, .5),
            "firstPreviewP95": percentile(first, .95), "everyPreviewP50": percentile(every, .5),
            "everyPreviewP95": percentile(every, .95), "previewsAnnounced": len(every), "guestsShownByWall": len(shown),
            "firstShownByWallP50": percentile(shown, .5),
            "pageLoads": len(loads), "pageLoadP50": percentile(loads, .5), "pageLoadP95": percentile(loads, .95),
            "pageLoadP95Before": percentile(quiet, .95),
            "pageKilobytes": statistics.median(page) / 1e3 if page else None,
            "failedPageLoads": sum(len(reader.failed) for reader in self.readers),
            "secondsUntilSaved": saved - self.began if saved else None,
            "secondsUntilMade": None if unfinished else made - self.began,
            "guestsUnfinished": unfinished,
            "bound": bound, "ofTheBound": None if unfinished or not saved else (saved - self.began) / bound,
            "failedUploads": sum(len(sender.failed) for sender in self.senders),
            "retries": sum(sender.retries for sender in self.senders),
            "streamBreaks": sum(phone.breaks for phone in phones),
            "why": sorted({text for sender in self.senders for text in sender.failed}
                          | {text for reader in self.readers for text in reader.failed})[:5],
        }


def goals(result):
    for name, key, most in (("first preview on the wall's stream, p95, seconds", "firstPreviewP95", PREVIEW_GOAL),
                            ("page load, p95, seconds", "pageLoadP95", PAGE_GOAL),
                            ("all originals acknowledged, of the bound", "ofTheBound", BOUND_GOAL),
                            ("failed uploads", "failedUploads", 0), ("guests unfinished", "guestsUnfinished", 0)):
        measured = result[key]
        yield {"kind": "goal", "goal": name, "atMost": most, "measured": measured,
               "isMet": measured is not None and measured <= most}
    yield {"kind": "goal", "goal": "guests with a preview on the wall's stream", "atLeast": result["guests"],
           "measured": result["guestsAnnounced"], "isMet": result["guestsAnnounced"] == result["guests"]}
    bad = result["wrong"] + result["missing"] + result["twice"]
    yield {"kind": "goal", "goal": "photos that are wrong, missing or there twice", "atMost": 0, "measured": bad,
           "isMet": bad == 0}


def check(chosen):
    """Ends with the command that installs what is missing."""
    if os.geteuid() != 0:
        sys.exit("air: network namespaces need root: sudo " + " ".join(sys.argv))
    if chosen.guests + chosen.readers > 50:
        sys.exit("air: at most 50 guests and readers together")
    missing = {package for tool, package in TOOLS.items() if not shutil.which(tool)}
    if missing:
        sys.exit("air: programs are missing: apt install --no-install-recommends " + " ".join(sorted(missing)))
    for program in ("disposable", "disposable-image-worker"):
        if not os.access(BUILD / program, os.X_OK):
            sys.exit(f"air: there is no {BUILD / program}: make build, or set DISPOSABLE_BUILD")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--guests", type=int, default=30, help="guests who send (default: 30)")
    options.add_argument("--photos", type=int, default=10, help="photos of 4 MB that each of them sends (default: 10)")
    options.add_argument("--readers", type=int, default=3, help="guests who open the page all the time (default: 3)")
    options.add_argument("--megabits", type=float, default=50, help="of the access point, a second (default: 50)")
    options.add_argument("--spread", type=float, default=0,
                         help="seconds within which the guests choose their photos (default: 0, all at once)")
    options.add_argument("--making", type=float, default=0.2,
                         help="seconds that a phone takes to make a preview (default: 0.2)")
    options.add_argument("--wireless-node", action="store_true", help="the node reaches the access point by radio, too")
    options.add_argument("--limit", type=float, default=1_800, help="seconds after which the run is given up")
    options.add_argument("--folder", default="/var/tmp/disposable-race", help="where photos and copies are (5 GB)")
    chosen = options.parse_args()
    check(chosen)
    sites.Disposable.binary = str(BUILD / "disposable")
    end_in_order()
    try:
        measure(chosen)
    except KeyboardInterrupt:
        sys.exit("air: ended before it was complete; hosts and processes are gone")


def measure(chosen):
    files = make_photos(chosen.folder, chosen.guests * chosen.photos)
    previews = make_previews(f"{chosen.folder}/previews", files)
    wanted = [sha256(file) for file in files]
    place = empty(f"{chosen.folder}/run-air")
    with contextlib.ExitStack() as ending:
        ending.callback(shutil.rmtree, place, ignore_errors=True)
        with contextlib.ExitStack() as running:
            lan = running.enter_context(Lan(place, NODE + chosen.guests + chosen.readers + 1, air=chosen.megabits,
                                            cabled=0 if chosen.wireless_node else 1))
            site = sites.Disposable(place, NODE)
            running.callback(site.stop)
            site.start()
            evening = Evening(chosen, site, list(zip(files, previews)))
            before = site.processor()
            asyncio.run(evening.run())
            result = {**evening.figures(), "nodeCPUSeconds": site.processor() - before,
                      "nodePeakMegabytes": site.server.peak, **compare(site.stored(), wanted)}
        result |= lan.said()
    tell(result)
    for goal in goals(result):
        tell(goal)


if __name__ == "__main__":
    main()
