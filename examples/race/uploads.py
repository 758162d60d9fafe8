#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The same browser sends the same photos to this project's page for guests and to other servers, and prints one JSON object
for each run, each median and each goal."""
import argparse
import collections
import contextlib
import hashlib
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(ROOT / "Tests/Browser")]
from hosts import (
    Lan, NAME, empty, end_in_order, look_for_end, processor_seconds, tree, use_test_environment,
)

use_test_environment()

from playwright.sync_api import Error, expect, sync_playwright

import sites
from flipping import FlippingProxy
from party import BUILD
from race import TOOLS, names

# `network`: that of two hosts; without one everything is on the loopback interface. `cut`: whether the cable is unplugged
# once; `kills`: how many times the server is killed; `flips`: the bytes of large bodies for each bit that is flipped.
CONDITIONS = {
    "loopback": dict(network=None),
    "lossy": dict(network=dict(megabits=100, delay_ms=3, loss_percent=0.5)),
    "unplugged": dict(network=dict(megabits=100), cut=True),
    "killed": dict(network=dict(megabits=100), kills=10),
    "flipped": dict(network=None, flips=1_000_000),
}
CUT_SECONDS = 30
# Seconds without any change, and seconds in all, after which a run counts as ended.
PATIENCE, LIMIT = 180, 3_600
# A page on a busy machine takes its time.
expect.set_options(timeout=90_000)
SERVER, BROWSER = 1, 2
# Bodies of fewer bytes are no part of a photo.
BODY_BYTES = 60_000


class Browser:
    """Chromium in a process of its own, on a host or, with host 0, on this machine."""

    def __init__(self, playwright, folder, host, program):
        self.host, self.pid_file = host, f"{folder}/browser.pid"
        place = f"ip netns exec {NAME}-{host}" if host else ""
        # The pid is the browser's, as each program here replaces the one before.
        starter = pathlib.Path(f"{folder}/browser")
        starter.write_text(f'#!/bin/sh\necho $$ >"{self.pid_file}"\nexec {place} "{program}" "$@"\n')
        starter.chmod(0o755)
        self.chromium = playwright.chromium.launch(
            executable_path=str(starter), handle_sigint=False, handle_sigterm=False, handle_sighup=False,
            args=["--no-proxy-server", *(["--no-sandbox"] if os.geteuid() == 0 else [])])
        self.pid = int(open(self.pid_file).read())

    def processor(self):
        return processor_seconds(tree(self.pid))

    def sent_bytes(self):
        """Returns how many bytes have left the browser's host, 0 on this machine."""
        if self.host:
            for line in open(f"/proc/{self.pid}/net/dev"):
                if line.strip().startswith("eth0:"):
                    return int(line.split(":")[1].split()[8])
        return 0

    def close(self):
        self.chromium.close()


class Trouble:
    """Disturbs a run at a share of its bytes: pulls the browser's cable, or kills the server, again and again."""

    def __init__(self, plan, lan, site, total, seed):
        self.lan, self.site, self.total = lan, site, total
        self.kills, self.healing = 0, None
        chance = random.Random(seed)
        # None at the very end, where it would come too late to disturb anything.
        self.kill_at = sorted(chance.uniform(0.02, 0.9) for _ in range(plan.get("kills", 0)))
        self.cut_at = 1 / 3 if plan.get("cut") else None

    def happen(self, sent):
        share = sent / self.total
        if self.cut_at is not None and share >= self.cut_at:
            self.cut_at = None
            self.lan.cut(BROWSER)
            self.healing = time.monotonic() + CUT_SECONDS
        if self.healing and time.monotonic() >= self.healing:
            self.healing = None
            self.lan.heal(BROWSER)
        if self.kill_at and share >= self.kill_at[0]:
            self.kill_at.pop(0)
            self.site.kill_and_start()
            self.kills += 1

    def is_over(self):
        return self.healing is None


def flips(bytes_for_each):
    """Returns what chooses the places of flipped bits in the bodies of requests."""
    def places(method, length, chance):
        place, found = chance.expovariate(1 / bytes_for_each), []
        while place < length and length >= BODY_BYTES:
            found.append(int(place))
            place += chance.expovariate(1 / bytes_for_each)
        return found

    return places


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def compare(stored, wanted):
    """Returns how many photos are complete, have wrong bytes, are missing, and are there more than once."""
    found, wanted = collections.Counter(stored), collections.Counter(wanted)
    complete = sum(min(found[one], wanted[one]) for one in wanted)
    wrong = sum(count for one, count in found.items() if one not in wanted)
    return {"complete": complete, "wrong": wrong, "missing": sum(wanted.values()) - complete,
            "twice": sum(found.values()) - wrong - complete}


def follow(site, browser, trouble, files):
    """Sends the files. Returns the seconds until all were called sent or given up and until all were shown, None where
    that did not happen; what the page showed last; and the CPU seconds of server and browser."""
    sent_before, cpu_before = browser.sent_bytes(), (site.processor(), browser.processor())
    began = site.choose(files)
    acknowledged = visible = None
    before, moved_at = None, began
    while True:
        look_for_end()
        shown = sent, failed, seen = site.shown()
        now = time.monotonic()
        if acknowledged is None and sent + failed >= len(files):
            acknowledged = now - began
        if acknowledged is not None and (not site.has_gallery or seen >= len(files)):
            visible = now - began if site.has_gallery else None
            break
        if acknowledged is not None and failed and sent + failed >= len(files) and seen >= sent:
            break
        if shown != before:
            before, moved_at = shown, now
        if now - max(moved_at, began) > PATIENCE or now - began > LIMIT:
            break
        trouble.happen(browser.sent_bytes() - sent_before)
        site.page.wait_for_timeout(20)
    while not trouble.is_over():
        look_for_end()
        trouble.happen(0)
        time.sleep(0.2)
    cost = site.processor() - cpu_before[0], browser.processor() - cpu_before[1]
    return acknowledged, visible, shown, cost


def once(playwright, chosen, condition, name, number, files, wanted):
    """Runs one server once under one condition, and returns its figures."""
    plan = CONDITIONS[condition]
    place = empty(f"{chosen.folder}/run-uploads")
    total = sum(os.path.getsize(file) for file in files)
    with contextlib.ExitStack() as ending:
        lan = ending.enter_context(Lan(place, 2, **plan["network"])) if plan["network"] else None
        site = sites.SITES[name](place, SERVER if lan else 0)
        ending.callback(site.stop)
        site.start()
        browser = Browser(playwright, place, BROWSER if lan else 0, chosen.chromium)
        ending.callback(browser.close)
        proxy = None
        if plan.get("flips"):
            proxy = FlippingProxy((site.address, site.port), flips(plan["flips"]))
            ending.callback(proxy.close)
            site.front = proxy.port
        site.open(browser.chromium)
        os.sync()
        # The seed is the run's: every server is killed at the same shares.
        trouble = Trouble(plan, lan, site, total, number)
        acknowledged, visible, (sent, failed, _), (server, client) = follow(site, browser, trouble, files)
        resent, begun_again = site.resent()
        ways = compare(site.stored(), wanted)
    seconds = acknowledged or None
    return {
        "kind": "run", "program": name, "condition": condition, "run": number + 1, "photos": len(files),
        "megabytes": total / 1e6, "seconds": seconds, "megabytesPerSecond": total / 1e6 / seconds if seconds else None,
        "secondsUntilVisible": visible, "serverCPUSeconds": server, "browserCPUSeconds": client,
        "calledSent": sent, "calledFailed": failed, **ways, "kills": trouble.kills, "slicesResent": resent,
        "slicesResentPerKill": resent / trouble.kills if resent is not None and trouble.kills else None,
        "uploadsBegunAgain": begun_again, "flippedBits": proxy.count if proxy else 0,
    }


def medians(results):
    """Returns one object for each program and condition."""
    groups = {}
    for result in results:
        groups.setdefault((result["program"], result["condition"]), []).append(result)
    found = []
    for (program, condition), runs in groups.items():
        done = [run for run in runs if "failure" not in run]
        keys = [key for key, value in (done[0] if done else {}).items()
                if key != "run" and isinstance(value, (int, float, type(None)))]
        median = {key: statistics.median(values) for key in keys
                  if (values := [run[key] for run in done if run[key] is not None])}
        found.append({"kind": "median", "program": program, "condition": condition, "runs": len(done),
                      "failures": len(runs) - len(done), **median})
    return found


def goals(results, found):
    """Returns what is to be reached beside what was measured, where it was measured."""
    of = {(one["program"], one["condition"]): one for one in found}

    def ratio(rival, condition, wanted):
        both = [of.get((program, condition), {}).get("seconds") for program in ("disposable", rival)]
        if all(both):
            yield {"kind": "goal", "goal": f"rate in relation to {rival}, {condition}", "atLeast": wanted,
                   "measured": both[1] / both[0], "isMet": both[1] / both[0] >= wanted}

    for condition in ("loopback", "lossy"):
        yield from ratio("copyparty", condition, 1.0)
    yield from ratio("nginx", "lossy", 0.95)
    ours = [one for one in results if one["program"] == "disposable" and "failure" not in one]
    per_kill = [one["slicesResentPerKill"] for one in ours if one["slicesResentPerKill"] is not None]
    if per_kill:
        yield {"kind": "goal", "goal": "slices resent for each kill", "atMost": 1, "measured": max(per_kill),
               "isMet": max(per_kill) <= 1}
    if ours:
        bad = sum(one["wrong"] + one["missing"] + one["twice"] for one in ours)
        yield {"kind": "goal", "goal": "photos that are wrong, missing or there twice", "atMost": 0, "measured": bad,
               "isMet": bad == 0}


def tell(result):
    rounded = {key: round(value, 3) if isinstance(value, float) else value for key, value in result.items()}
    print(json.dumps(rounded), flush=True)


def check(chosen):
    """Ends with the command that installs what is missing."""
    if any(CONDITIONS[one]["network"] for one in chosen.conditions):
        if os.geteuid() != 0:
            sys.exit("uploads: network namespaces need root: sudo " + " ".join(sys.argv))
        missing = {package for tool, package in TOOLS.items() if not shutil.which(tool)}
        if missing:
            sys.exit("uploads: programs are missing: apt install --no-install-recommends " + " ".join(sorted(missing)))
    if not os.access(chosen.chromium, os.X_OK):
        sys.exit(f"uploads: there is no {chosen.chromium}: make test-packages, or --chromium PATH")
    if "disposable" in chosen.programs:
        for program in ("disposable", "disposable-image-worker"):
            if not os.access(BUILD / program, os.X_OK):
                sys.exit(f"uploads: there is no {BUILD / program}: make build, or set DISPOSABLE_BUILD")


def make_photos(folder, count):
    """Returns the paths of so many photos, made unless they are there."""
    made = subprocess.run(["/usr/bin/python3", HERE / "photos.py", f"{folder}/photos", str(count)])
    look_for_end()
    if made.returncode:
        sys.exit("photos need: apt install --no-install-recommends python3-numpy python3-pil")
    return [f"{folder}/photos/photo-{number:04}.jpg" for number in range(count)]


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--conditions", type=lambda text: names(text, CONDITIONS), default=list(CONDITIONS),
                         help=", ".join(CONDITIONS))
    options.add_argument("--programs", type=lambda text: names(text, sites.SITES), default=list(sites.SITES),
                         help=", ".join(sites.SITES))
    options.add_argument("--photos", type=int, default=250, help="photos of 4 MB (default: 250)")
    options.add_argument("--runs", type=int, default=3, help="runs of each (default: 3)")
    options.add_argument("--install", action="store_true", help="install the servers that are missing")
    options.add_argument("--chromium", default="/usr/bin/chromium-headless-shell", help="the browser")
    options.add_argument("--folder", default="/var/tmp/disposable-race", help="where photos and copies are (4 GB)")
    chosen = options.parse_args()
    check(chosen)
    sites.Disposable.binary = str(BUILD / "disposable")
    if chosen.install:
        sites.install(chosen.programs)
    for name in list(chosen.programs):
        if reason := sites.why_left_out(name):
            chosen.programs.remove(name)
            tell({"kind": "left out", "program": name, "reason": reason})
    end_in_order()
    try:
        results = race(chosen)
    except KeyboardInterrupt:
        sys.exit("uploads: ended before it was complete; hosts and processes are gone")
    finally:
        shutil.rmtree(f"{chosen.folder}/run-uploads", ignore_errors=True)
    if any("failure" in result for result in results):
        sys.exit(1)


def race(chosen):
    """Runs everything, and returns the runs."""
    files = make_photos(chosen.folder, chosen.photos)
    wanted = [sha256(file) for file in files]
    results = []
    with sync_playwright() as playwright:
        for condition in chosen.conditions:
            # Programs take turns, so that a busy moment of the machine does not hit all runs of one.
            for number in range(chosen.runs):
                for name in chosen.programs:
                    look_for_end()
                    try:
                        result = once(playwright, chosen, condition, name, number, files, wanted)
                    except (AssertionError, Error, OSError, RuntimeError, TimeoutError) as error:
                        text = str(error).strip().replace("\n", " ")[-300:]
                        result = {"kind": "run", "program": name, "condition": condition, "run": number + 1,
                                  "failure": text}
                    results.append(result)
                    tell(result)
    found = medians(results)
    for result in [*found, *goals(results, found)]:
        tell(result)
    return results


if __name__ == "__main__":
    main()
