#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Has many nodes at one event, each on a host of its own: how soon all know each other, what the idle event costs, and how
soon everybody has the thumbnails of new photos."""
import argparse
import glob
import json
import os
import shutil
import sqlite3
import statistics
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from hosts import HERE, NAME, Lan, Program, empty, end_in_order, look_for_end, run, wait_until
from photos import make_all

LIMIT = 600
# So many nodes add the photos, in turn.
ADDING = 10


class Node:
    """A node that keeps previews, as a phone would: a hundred copies of all originals do not fit on one disk."""

    def __init__(self, binary, folder, host, *arguments):
        self.binary, self.host, self.data, self.database = binary, host, f"{folder}/node-{host}", None
        self.program = Program(
            folder, host, binary, *arguments, "--no-portal", "--keep", "previews", "--json", "--data", self.data,
            plain_user=True)

    def ask(self, *arguments):
        return run("ip", "netns", "exec", f"{NAME}-{self.host}", self.binary, *arguments, "--data", self.data)

    def count(self, query):
        """Returns a number of the node's database; 0 before there is one."""
        try:
            if not self.database:
                [path] = glob.glob(f"{self.data}/events/*/event.sqlite")
                self.database = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=1)
            return self.database.execute(query).fetchone()[0]
        except (sqlite3.Error, ValueError):
            return 0

    def operations(self):
        return self.count("SELECT count(*) FROM operation")

    def thumbnails(self):
        return self.count("SELECT count(*) FROM blob WHERE class = 1 AND isComplete")

    def memory(self):
        """Returns the resident memory of the node without its image workers, in MB."""
        status = open(f"/proc/{self.program.pid}/status").read()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024


def spent(nodes):
    return sum(node.program.look() for node in nodes)


def bytes_carried():
    """Returns how many bytes have reached the switch from all hosts."""
    links = json.loads(run("ip", "-n", f"{NAME}-switch", "-s", "-j", "link"))
    return sum(link["stats64"]["rx"]["bytes"] for link in links if link["ifname"].startswith("port"))


def pause(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        look_for_end()
        time.sleep(0.2)


def gather(options, folder):
    """Starts the nodes; returns them, and the seconds until each has the operations of all."""
    host = Node(options.disposable, folder, 1, "host", "Crowd", "--frames", "unlimited", "--as", "Anna")

    def is_up():
        try:
            return host.ask("status")
        except RuntimeError:
            return False

    wait_until(is_up, 60, 0.3)
    invitation = next(word for word in host.ask("invite", "--node").split() if word.startswith("DISPOSABLE1:"))
    began = time.monotonic()
    nodes = [host] + [
        Node(options.disposable, folder, number, "join", invitation, "--as", f"Guest {number}")
        for number in range(2, options.nodes + 1)]

    def have_met():
        counts = {node.operations() for node in nodes}
        return len(counts) == 1 and min(counts) >= options.nodes

    wait_until(have_met, LIMIT, 0.5)
    return nodes, time.monotonic() - began


def share(options, nodes, photos):
    """Adds the photos one after the other; returns for each photo and node the seconds from the first node that has its
    thumbnail, which is the one that adds it, to this one, and the seconds of it all. The thumbnails that a node has are
    counted: the k-th of them belongs to the k-th photo, which is right if none overtakes another, and otherwise does not
    change their sum."""
    began, seen = time.monotonic(), [[] for _ in nodes]

    def look():
        look_for_end()
        now = time.monotonic()
        for node, times in zip(nodes, seen):
            times += [now] * (node.thumbnails() - len(times))

    for number, photo in enumerate(photos):
        node = nodes[number % min(ADDING, len(nodes))]
        adding = Program(os.path.dirname(node.data), node.host, node.binary, "add", photo, "--data", node.data)
        while adding.process.poll() is None or time.monotonic() < began + (number + 1) * options.interval:
            look()
            time.sleep(0.02)
        if adding.process.returncode:
            raise RuntimeError(open(adding.log).read())

    def is_everywhere():
        look()
        return all(len(times) >= len(photos) for times in seen)

    wait_until(is_everywhere, LIMIT)
    delays = [arrived - min(arrivals) for arrivals in zip(*seen) for arrived in arrivals if arrived > min(arrivals)]
    return delays or [0], time.monotonic() - began


def report(options, folder):
    with Lan(folder, options.nodes):
        nodes = []
        try:
            nodes, seconds = gather(options, folder)
            joined = spent(nodes)
            print(f"{options.nodes} nodes have the operations of all after {seconds:.1f} s, {joined:.0f} CPU s", flush=True)
            pause(options.rest)
            before, carried = spent(nodes), bytes_carried()
            pause(options.idle)
            share_of_core = (spent(nodes) - before) / options.idle / len(nodes) * 100
            rate = (bytes_carried() - carried) / options.idle / len(nodes)
            memory = sorted(node.memory() for node in nodes)
            print(f"idle for {options.idle:g} s: {share_of_core:.2f} % of a core and {rate:.0f} bytes/s a node, "
                  f"{statistics.median(memory):.0f} MB (median), {memory[-1]:.0f} MB (most)", flush=True)
            if not options.photos:
                return
            before = spent(nodes)
            delays, seconds = share(options, nodes, photos_of(options))
            delays.sort()
            memory = sorted(node.memory() for node in nodes)
            print(f"{options.photos} photos in {seconds:.1f} s, {spent(nodes) - before:.0f} CPU s: a thumbnail reaches another node after "
                  f"{statistics.median(delays):.2f} s (median), {delays[int(len(delays) * 0.95)]:.2f} s (p95), "
                  f"{delays[-1]:.2f} s (last); {statistics.median(memory):.0f} MB (median), {memory[-1]:.0f} MB (most)")
        finally:
            for node in nodes:
                node.program.stop()


def photos_of(options):
    folder = f"{options.folder}/of-crowd"
    make_all(folder, options.photos)
    return sorted(glob.glob(f"{folder}/*.jpg"))[:options.photos]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=100, help="how many, 2 to 120 (default: 100)")
    parser.add_argument("--photos", type=int, default=100, help="how many are added, 0 for none (default: 100)")
    parser.add_argument("--interval", type=float, default=1, help="seconds from photo to photo, at least (default: 1)")
    parser.add_argument("--rest", type=float, default=30, help="seconds before the idle event is measured (default: 30)")
    parser.add_argument("--idle", type=float, default=60, help="seconds for which it is measured (default: 60)")
    parser.add_argument("--folder", default="/var/tmp/disposable-race", help="for photos and data; needs 3 GB")
    parser.add_argument("--disposable", default=str(HERE.parent.parent / ".build/release/disposable"), metavar="PATH")
    options = parser.parse_args()
    if not 2 <= options.nodes <= 120:
        parser.error(f"--nodes is 2 to 120, not {options.nodes}")
    if os.geteuid() != 0:
        sys.exit("crowd: network namespaces need root: sudo " + " ".join(sys.argv))
    if not os.access(options.disposable, os.X_OK):
        sys.exit(f"crowd: there is no {options.disposable}: make build, or --disposable PATH")
    photos_of(options)
    folder = empty(f"{options.folder}/crowd")
    end_in_order()
    try:
        report(options, folder)
    except KeyboardInterrupt:
        sys.exit("crowd: ended")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
