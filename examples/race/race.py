#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Copies photos from one host to others, with this project and with what people would use instead."""
import argparse
import hashlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rivals
from hosts import HERE, Lan, empty
from rivals import RIVALS

# `share`: the part of the photos that is used; `bound`: the least seconds, by bytes, of any program.
ROWS = {
    "pair": dict(title="2 hosts, as fast as they can", receivers=1, share=1.0),
    "lossy": dict(title="2 hosts, 100 Mbit/s, 3 ms, 0.5 % loss, CUBIC", receivers=1, share=0.2, megabits=100,
                  delay_ms=3, loss_percent=0.5),
    "lossy-choice": dict(title="the same, CUBIC unless a program chooses BBR", receivers=1, share=0.2, megabits=100,
                         delay_ms=3, loss_percent=0.5, allowed="reno cubic bbr"),
    "lossy-bbr": dict(title="the same, BBR", receivers=1, share=0.2, megabits=100, delay_ms=3, loss_percent=0.5,
                      congestion="bbr", allowed="reno cubic bbr"),
    "swarm": dict(title="1 host to 8, 50 Mbit/s each", receivers=8, share=0.2, megabits=50),
}
TOOLS = {"ip": "iproute2", "tc": "iproute2", "cc": "gcc", "sysctl": "procps", "setpriv": "util-linux"}


def check(chosen, binary):
    """Ends with the command that installs what is missing."""
    if os.geteuid() != 0:
        sys.exit("race: network namespaces need root: sudo " + " ".join(sys.argv))
    missing = {package for tool, package in TOOLS.items() if not shutil.which(tool)}
    programs = {"rsync": ["rsync"], "openssh-server": ["/usr/sbin/sshd"], "openssh-client": ["ssh"],
                "aria2": ["aria2c"], "mktorrent": ["mktorrent"], "syncthing": ["syncthing"], "iperf3": ["iperf3"]}
    for name in chosen:
        missing |= {package for package in RIVALS[name].packages
                    if not all(shutil.which(program) for program in programs[package])}
    for module, package in (("numpy", "python3-numpy"), ("PIL", "python3-pil")):
        if subprocess.run(["/usr/bin/python3", "-c", f"import {module}"], capture_output=True).returncode:
            missing.add(package)
    if missing:
        sys.exit("race: programs are missing: apt install --no-install-recommends " + " ".join(sorted(missing)))
    if "disposable" in chosen:
        if not os.access(binary, os.X_OK):
            sys.exit(f"race: there is no {binary}: swift build -c release, or --disposable PATH")
        if not os.access(f"{os.path.dirname(binary)}/disposable-image-worker", os.X_OK):
            sys.exit(f"race: there is no disposable-image-worker beside {binary}: swift build -c release")


def sums(folder):
    """Returns the sorted SHA-256 of the photos in a folder: an export chooses names of its own."""
    found = []
    for base, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if name.endswith(".jpg"):
                with open(f"{base}/{name}", "rb") as file:
                    found.append(hashlib.file_digest(file, "sha256").hexdigest())
    return sorted(found)


def source_of(row, folder, photos):
    """Returns a folder with the row's share of the photos, as hard links."""
    count = max(1, round(ROWS[row]["share"] * photos))
    path = f"{folder}/of-{count}"
    if not os.path.isdir(path):
        os.makedirs(path)
        for name in sorted(os.listdir(f"{folder}/photos"))[:count]:
            os.link(f"{folder}/photos/{name}", f"{path}/{name}")
    return path


def once(row, name, folder, source):
    """Runs one rival once, compares all copies, and returns its figures."""
    plan = ROWS[row]
    hosts = range(2, plan["receivers"] + 2)
    place = empty(f"{folder}/run")
    network = {key: plan[key] for key in ("megabits", "delay_ms", "loss_percent", "congestion", "allowed")
               if key in plan}
    with Lan(place, plan["receivers"] + 1, **network):
        rival = RIVALS[name](place, source, hosts)
        ends, failures = {}, []
        try:
            rival.prepare()
            os.sync()
            time.sleep(0.5)
            before = {program: program.look() for program in rival.programs()}
            began = time.monotonic()
            rival.start()

            def follow(host):
                try:
                    rival.finish(host)
                    ends[host] = time.monotonic() - began
                except Exception as error:
                    failures.append(error)

            threads = [threading.Thread(target=follow, args=(host,)) for host in hosts]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            if failures:
                raise failures[0]
            cost = {program: program.look() - before.get(program, 0) for program in rival.programs()}
        finally:
            rival.stop()
        if rival.is_compared:
            wanted = sums(source)
            for host in hosts:
                if sums(rival.copies(host)) != wanted:
                    raise RuntimeError(f"{name}: the copy of host {host} is not the same")
    seconds = max(ends.values())
    receivers = [rival.receivers[host] for host in hosts]
    gigabytes = rival.byte_count / 1e9
    return {
        "row": row, "rival": name, "megabytes": rival.byte_count / 1e6, "seconds": seconds,
        "megabytesPerSecond": rival.byte_count / 1e6 / seconds,
        "senderCPUSecondsPerGigabyte": sum(cost[program] for program in rival.sender) / gigabytes,
        "receiverCPUSecondsPerGigabyte":
            statistics.median(sum(cost[program] for program in programs) for programs in receivers) / gigabytes,
        "senderPeakMegabytes": max(program.peak for program in rival.sender),
        "receiverPeakMegabytes": statistics.median(max(program.peak for program in programs) for programs in receivers),
        "bound": bound(row, rival.byte_count),
    }


def bound(row, byte_count):
    """Returns the seconds that the network needs for one copy, None where nothing limits it. Receivers that pass on what
    they have need no more (Kumar and Ross, 2006), as all together send faster than each receives."""
    megabits = ROWS[row].get("megabits")
    return byte_count * 8 / 1e6 / megabits if megabits else None


def table(results):
    lines = ["| row | program | seconds (of runs) | MB/s | of the bound | CPU s per GB, sender / receiver | "
             "memory MB, sender / receiver |", "|---|---|---|---|---|---|---|"]
    for row in ROWS:
        for name in RIVALS:
            runs = [result for result in results if (result["row"], result["rival"]) == (row, name)]
            if not runs:
                continue
            failed = [result for result in runs if "failure" in result]
            runs = [result for result in runs if "failure" not in result]
            if not runs:
                lines.append(f"| {ROWS[row]['title']} | {name} | failed: {failed[0]['failure']} | | | | |")
                continue
            middle = lambda key: statistics.median(result[key] for result in runs)
            times = sorted(result["seconds"] for result in runs)
            ratio = f"{middle('seconds') / runs[0]['bound']:.2f}x" if runs[0]["bound"] else ""
            note = f", {len(failed)} failed" if failed else ""
            lines.append(
                f"| {ROWS[row]['title']} | {name} | {middle('seconds'):.1f} ({times[0]:.1f}-{times[-1]:.1f}{note}) "
                f"| {middle('megabytesPerSecond'):.1f} | {ratio} "
                f"| {middle('senderCPUSecondsPerGigabyte'):.1f} / {middle('receiverCPUSecondsPerGigabyte'):.1f} "
                f"| {middle('senderPeakMegabytes'):.0f} / {middle('receiverPeakMegabytes'):.0f} |")
    return "\n".join(lines)


def names(text, known):
    chosen = text.split(",")
    for name in chosen:
        if name not in known:
            raise argparse.ArgumentTypeError(f"there is no {name}; there are {', '.join(known)}")
    return chosen


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=lambda text: names(text, ROWS), default=list(ROWS), help=", ".join(ROWS))
    options.add_argument("--rivals", type=lambda text: names(text, RIVALS), default=list(RIVALS),
                         help=", ".join(RIVALS))
    options.add_argument("--runs", type=int, default=3, help="runs of each; the table has medians (default: 3)")
    options.add_argument("--photos", type=int, default=250, help="photos of 4 MB; some rows use a fifth (default: 250)")
    options.add_argument("--disposable", default=str(HERE.parent.parent / ".build/release/disposable"),
                         help="the program, with disposable-image-worker beside it")
    options.add_argument("--folder", default="/var/tmp/disposable-race", help="where photos and copies are (3 to 12 GB)")
    options.add_argument("--json", action="store_true", help="print one JSON object for each run, and no table")
    chosen = options.parse_args()
    binary = os.path.abspath(chosen.disposable)
    check(chosen.rivals, binary)
    rivals.Disposable.binary = binary
    photos = f"{chosen.folder}/photos"
    print(f"making {chosen.photos} photos, unless they are there ...", file=sys.stderr)
    subprocess.run(["/usr/bin/python3", HERE / "photos.py", photos, str(chosen.photos)], check=True)
    results = []
    # Rivals take turns, so that a busy moment of the machine does not hit all runs of one.
    for row in chosen.rows:
        source = source_of(row, chosen.folder, chosen.photos)
        for number in range(chosen.runs):
            for name in chosen.rivals:
                if ROWS[row]["receivers"] > 1 and not RIVALS[name].does_swarm:
                    continue
                try:
                    result = once(row, name, chosen.folder, source)
                except (RuntimeError, TimeoutError) as error:
                    result = {"row": row, "rival": name, "failure": str(error).strip().replace("\n", " ")[-200:]}
                results.append(result)
                if chosen.json:
                    print(json.dumps(result), flush=True)
                text = result.get("failure") or f"{result['seconds']:.1f} s"
                print(f"{row}, {name}, run {number + 1} of {chosen.runs}: {text}", file=sys.stderr, flush=True)
    if not chosen.json:
        print(table(results))
    shutil.rmtree(f"{chosen.folder}/run", ignore_errors=True)
    if any("failure" in result for result in results):
        sys.exit(1)


if __name__ == "__main__":
    main()
