# SPDX-License-Identifier: Apache-2.0
"""Three nodes on hosts of their own, and on a fourth one a member that multiplies what it can (§14.1). Honest nodes go on: photos
arrive everywhere, nodes that were restarted come to the same gallery, and somebody new is let in."""

import json
import os
import subprocess
import sys
import threading

import pytest

from lan import LanNode
from party import ROOT, eventually, is_in

PATIENCE = 300
# Each look is a process for each node: without a pause they take the processor from the nodes.
POLL = 2
# Its devices. The registers of 160 are more than a node has room for in bytes already; those of 400 take it minutes.
COUNTS = {"connections": 400, "joins": 400, "registers": 400 if "DISPOSABLE_LONG" in os.environ else 160}
PROGRAM = ROOT / "Tests/Interop/multiplying.py"


class Multiplier:
    """The member's program in a host's namespace."""

    def __init__(self, lan, host, what, invitation, addresses, devices, errors):
        self.lines = []
        with open(errors, "wb") as log:
            self.process = subprocess.Popen(
                [*lan.host(host), "env", f"DEVICES={' '.join(devices)}", f"COUNT={COUNTS[what]}", sys.executable, PROGRAM, what, invitation, *addresses],
                stdout=subprocess.PIPE, stderr=log, text=True)
        self.errors = errors
        threading.Thread(target=lambda: self.lines.extend(self.process.stdout), daemon=True).start()

    def wait_until_busy(self):
        def is_busy():
            assert self.process.poll() is None, self.errors.read_text()[-3000:]
            return self.lines
        eventually("the member has multiplied", is_busy, PATIENCE)

    def kill(self):
        self.process.kill()
        self.process.wait()


def keys(node):
    return [person["key"] for person in json.loads(node.command("event", "show", "--json"))["people"]]


def complete_count(node):
    return sum(photo["state"] == "complete" for photo in node.gallery())


# "connections": 390 of one machine are tried again each second, and take all places at all nodes. When they counted
# for views (§6.11), nodes closed each other for them and met again after minutes. It takes half a minute, of which 25 s
# are a wait.
@pytest.mark.long
@pytest.mark.parametrize("what", ["connections", "joins", "registers"])
def test_a_member_that_multiplies_holds_up_nobody(what, folder, running, make_lan, painter):
    lan = make_lan(5)

    def join(name, host, *arguments):
        node = LanNode(lan.host(host), folder / name.lower(), *arguments, "--as", name)
        running.append(node)
        return node

    anna = join("Anna", 1, "host", "Garden party", "--frames", "unlimited")
    invitation = anna.ready["invitation"]
    nodes = [anna, join("Ben", 2, "join", invitation), join("Chloe", 3, "join", invitation)]
    for node in nodes:
        is_in(node)
    eventually("all know each other", lambda: len(keys(anna)) == 3, PATIENCE)
    addresses = [f"10.77.0.{number}:{node.ready['listen'].rpartition(':')[2]}" for number, node in enumerate(nodes, 1)]
    mallory = Multiplier(lan, 4, what, invitation, addresses, keys(anna), folder / "mallory.log")
    running.append(mallory)
    mallory.wait_until_busy()
    if what == "registers":
        # Registers that arrive before the joins are ignored: then the test would show nothing.
        eventually("the registers are kept", lambda: len(anna.status()["nodes"]) > 3 * COUNTS[what] / 4, PATIENCE, POLL)

    for number, node in enumerate(nodes):
        node.command("add", painter.photo(name=f"before{number}.jpg", seed=number))
    eventually("all photos everywhere", lambda: all(complete_count(node) == 3 for node in nodes), PATIENCE, POLL)
    for node in nodes[1:]:
        node.kill()
    for node in nodes[1:]:
        node.start()
    dora = join("Dora", 5, "join", invitation)
    is_in(dora)
    nodes.append(dora)
    for number, node in enumerate(nodes):
        node.command("add", painter.photo(name=f"after{number}.jpg", seed=10 + number))
    eventually("all photos everywhere, again", lambda: all(complete_count(node) == 7 for node in nodes), PATIENCE, POLL)
    assert mallory.process.poll() is None, mallory.errors.read_text()[-3000:]
    mallory.kill()
    eventually("one gallery", lambda: len({node.status()["digest"] for node in nodes}) == 1, PATIENCE)
