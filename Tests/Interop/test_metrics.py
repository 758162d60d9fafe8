# SPDX-License-Identifier: Apache-2.0
"""The numbers and the health of a node for programs on its own machine: `/metrics`, parsed strictly as Prometheus' text format
0.0.4, and `/health`. Another machine gets neither."""

import json
import math
import os
import re
import shutil
import subprocess
import sys
from urllib.parse import urlsplit

import requests

from lan import LanNode
from party import BUILD, Node, eventually
from test_guest_api import Guest

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
SAMPLE = re.compile(rf'({NAME})(?:\{{(.*)\}})? (\S+)')
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(?:,|$)')
SUFFIXES = {"histogram": ("_bucket", "_sum", "_count")}


def labels_of(text):
    found, position = {}, 0
    while position < len(text):
        match = LABEL.match(text, position)
        assert match, f"no label in {text[position:]!r}"
        assert match[1] not in found, f"{match[1]} twice in {text!r}"
        found[match[1]] = re.sub(r"\\(.)", lambda escape: {"n": "\n"}.get(escape[1], escape[1]), match[2])
        position = match.end()
    return found


def read(text):
    """Returns {name: {frozenset of labels: value}}, after checking everything that a reader may rely on."""
    assert text.endswith("\n")
    helps, types, samples = {}, {}, {}
    family = None
    for line in text.splitlines():
        if line.startswith("# HELP "):
            _, _, family, words = line.split(" ", 3)
            assert family not in helps and words, line
            helps[family] = words
        elif line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert name == family and name not in types and kind in ("counter", "gauge", "histogram"), line
            types[name] = kind
        else:
            match = SAMPLE.fullmatch(line)
            assert match, f"no sample: {line!r}"
            name, labels = match[1], labels_of(match[2] or "")
            assert name in [family + suffix for suffix in SUFFIXES.get(types[family], ("",))], f"{line} is not of {family}"
            value = float(match[3].replace("Inf", "inf"))
            assert math.isfinite(value), line
            series = samples.setdefault(name, {})
            assert frozenset(labels.items()) not in series, f"twice: {line}"
            series[frozenset(labels.items())] = value
    assert helps.keys() == types.keys()
    for family, kind in types.items():
        if kind == "counter":
            assert family.endswith("_total") and all(value >= 0 for value in samples[family].values())
        if kind == "histogram":
            check_histogram(samples, family)
    return samples


def check_histogram(samples, family):
    """Buckets are cumulative and in order, and the last one, +Inf, has the count of all."""
    histograms = {}
    for labels, value in samples[f"{family}_bucket"].items():
        others = dict(labels)
        bound = others.pop("le")
        histograms.setdefault(frozenset(others.items()), []).append((float(bound.replace("Inf", "inf")), value))
    assert histograms.keys() == samples[f"{family}_count"].keys() == samples[f"{family}_sum"].keys()
    for labels, buckets in histograms.items():
        bounds, counts = zip(*buckets)
        assert list(bounds) == sorted(set(bounds)) and bounds[-1] == math.inf
        assert list(counts) == sorted(counts) and counts[-1] == samples[f"{family}_count"][labels]


def metrics(origin):
    answer = requests.get(f"{origin}/metrics", timeout=60)
    assert answer.status_code == 200 and answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    samples = read(answer.text)

    def value(name, **labels):
        return samples[name][frozenset(labels.items())]
    value.names = samples.keys()
    value.text = answer.text
    return value


def counted(origin, event, photo_count):
    """Waits until the metrics have this many photos: the node counts once a second."""
    return eventually(f"{photo_count} photos", lambda: next((
        now for now in [metrics(origin)]
        if now("disposable_event_photos", event=event, state="shown") == photo_count), None))


def test_the_metrics_follow_photos_guests_and_nodes(folder, running, painter):
    host = Node(folder / "host", "host", "Garden party", "--as", "Anna")
    running.append(host)
    event = host.ready["event"][:8]
    before = metrics(host.origin)
    assert before("disposable_events") == 1 and before("disposable_events_rebuilding") == 0
    assert before("disposable_event_photos", event=event, state="shown") == 0
    assert before("disposable_info", version=subprocess.run(
        [BUILD / "disposable", "--version"], capture_output=True, text=True, check=True).stdout.strip()) == 1
    assert before("process_resident_memory_bytes") > 1 << 20
    assert before("disposable_disk_free_bytes") > 0 and before("disposable_disk_reserve_bytes") > 0

    photo = painter.photo()
    host.command("add", photo)
    ben = Node(folder / "ben", "join", host.ready["invitation"], "--as", "Ben")
    running.append(ben)
    eventually("Ben has the photo", lambda: [each["state"] for each in ben.gallery()] == ["complete"])
    there = counted(ben.origin, event, 1)
    assert there("disposable_event_photos_complete", event=event) == 1
    assert there("disposable_event_chunk_received_bytes_total", event=event, **{"class": "original"}) \
        >= photo.stat().st_size / 2
    after = counted(host.origin, event, 1)
    assert after("disposable_event_members", event=event) == before("disposable_event_members", event=event) + 1
    assert after("disposable_event_operations", event=event) > before("disposable_event_operations", event=event)
    assert after("disposable_event_peers", event=event) == 1
    for size in ("thumbnail", "preview", "original"):
        assert after("disposable_event_chunk_sent_bytes_total", event=event, **{"class": size}) > 0

    guest = Guest(host, "Gina")
    added = guest.upload(painter.photo(64, 48))
    guest.call("file", "GET", f"/:/photos/{added}/thumbnail")
    visited = counted(host.origin, event, 2)
    for kind in ("api", "upload", "thumbnail"):
        assert visited("disposable_request_duration_seconds_count", kind=kind) > 0
    assert visited("disposable_request_duration_seconds_count", kind="original") == 0
    # The size depends on the number of events, not on that of guests and photos.
    assert visited.names == after.names and visited.text.count("\n") == after.text.count("\n")
    for private in (host.ready["event"], added, "Gina", "Anna", "Garden", str(folder)):
        assert private not in visited.text


# ---------------------------------------------------------------- health

def health(origin):
    answer = requests.get(f"{origin}/health", timeout=60)
    assert answer.headers["Content-Type"] == "application/json"
    told = answer.json()
    assert told["isHealthy"] == (told["problems"] == []) == (answer.status_code == 200)
    assert answer.status_code in (200, 503) and all(each["message"] for each in told["problems"])
    return [each["code"] for each in told["problems"]]


def test_a_node_without_an_event_is_healthy(folder, running):
    node = Node(folder / "desk", "desk", "--print", awaited="desk")
    running.append(node)
    address = urlsplit(node.said["desk"]["url"])
    origin = f"{address.scheme}://{address.netloc}"
    assert health(origin) == []
    assert metrics(origin)("disposable_events") == 0


def test_a_node_below_the_reserve_of_its_disk_says_so(small_volume, running, painter):
    host = Node(small_volume / "host", "host", "Garden party", "--as", "Anna")
    running.append(host)
    assert health(host.origin) == []
    reserve = metrics(host.origin)("disposable_disk_reserve_bytes")
    ballast = small_volume / "ballast"
    with open(ballast, "wb") as file:
        os.posix_fallocate(file.fileno(), 0, shutil.disk_usage(small_volume).free - int(reserve * 3 / 4))
    eventually("the node is not healthy", lambda: health(host.origin) == ["room"])
    # The node counts once a second.
    eventually("the numbers say so", lambda: metrics(host.origin)("disposable_disk_free_bytes") < reserve)
    assert metrics(host.origin)("disposable_problems") >= 1
    ballast.unlink()
    eventually("the node is healthy again", lambda: health(host.origin) == [])
    host.command("add", painter.photo(64, 48))


# ---------------------------------------------------------------- other machines

class PortalNode(LanNode):
    """A node on a host of the network, with its pages."""

    def _program(self, arguments, listen, portal):
        return [*self.within, BUILD / "disposable", *arguments, "--data", self.folder, "--json"]


ASK = """
import json, sys, urllib.error, urllib.request
try:
    answer = urllib.request.urlopen(sys.argv[1], timeout=60)
except urllib.error.HTTPError as error:
    answer = error
fields = {name.lower(): value for name, value in answer.headers.items() if name.lower() != "date"}
print(json.dumps([answer.status, fields, answer.read().decode()]))
"""


def ask(within, url):
    """Status, headers and body, as a program on a host of the network gets them."""
    asked = subprocess.run([*within, sys.executable, "-c", ASK, url], capture_output=True, text=True, timeout=180)
    assert asked.returncode == 0, asked.stderr
    return json.loads(asked.stdout)


def test_other_machines_learn_nothing(folder, running, make_lan):
    lan = make_lan(2)
    host = PortalNode(lan.host(1), folder / "host", "host", "Garden party", "--as", "Anna")
    running.append(host)
    port = host.ready["portal"].rpartition(":")[2]
    assert ask(lan.host(2), f"http://10.77.0.1:{port}/help.html")[0] == 200
    unknown = ask(lan.host(2), f"http://10.77.0.1:{port}/nothing")
    for path in ("metrics", "health"):
        assert ask(lan.host(2), f"http://10.77.0.1:{port}/{path}") == unknown and unknown[0] == 404
        for address in ("127.0.0.1", "10.77.0.1"):
            assert ask(lan.host(1), f"http://{address}:{port}/{path}")[0] == 200
