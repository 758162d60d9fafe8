# SPDX-License-Identifier: Apache-2.0
"""An outing of two days with a mission and a plan, for tests of the ways through a gallery."""

import json
import subprocess

import pytest

from party import ROOT

DANCE = "The first dance"


def added(node, *files):
    said = map(json.loads, node.command("add", *files, "--json").splitlines())
    return [line["id"] for line in said if line["type"] == "added"]


def outing(parties, painter, folder):
    """Two photos of yesterday and three of today, of which one each is on the plan."""
    clock = folder / "clock.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", clock, ROOT / "examples/lan/clock.c", "-ldl"], check=True)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"LD_PRELOAD": str(clock), "CLOCK_SHIFT": str(-24 * 3_600)}.items():
            patch.setenv(name, value)
        party = parties(guests=0, name="Outing", frames="9", options=[
            "--duration", "3d", "--retention", "30d", "--mission", DANCE, "--link", "website=https://outing.example/way"])
    small = lambda: painter.photo(160, 120)
    party.yesterday = added(party.host, small(), small())
    party.host.kill()
    party.host.start()
    party.host.command("event", "picture", "plan", painter.photo(600, 400))
    party.today = added(party.host, small(), small(), small())
    party.host.command("place", party.yesterday[0], "20", "30")
    party.host.command("place", party.today[0], "70", "60")
    return party
