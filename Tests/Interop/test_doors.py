# SPDX-License-Identifier: Apache-2.0
"""A machine that begins handshakes without end, with a replaced secret, keeps no other machine out (§6.2, §14.1)."""

import json
import subprocess
import sys

from lan import LanNode
from party import ROOT

PROGRAM = ROOT / "Tests/Interop/doors.py"


def test_half_open_handshakes_of_one_machine_take_no_place_of_others(folder, running, make_lan):
    lan = make_lan(3)
    host = LanNode(lan.host(1), folder / "host", "host", "Garden party", "--as", "Anna")
    running.append(host)
    old = host.ready["invitation"]
    host.command("invite", "rotate", "--yes")
    new = json.loads(host.command("invite", "--node", "--json"))["invitation"]
    assert new != old
    address = f"10.77.0.1:{host.ready['listen'].rpartition(':')[2]}"
    stranger = subprocess.Popen([*lan.host(2), sys.executable, PROGRAM, "halfway", old, address], stdout=subprocess.PIPE,
                                text=True)
    running.append(stranger)
    assert stranger.stdout.readline() == "busy\n"
    dialled = subprocess.run([*lan.host(3), sys.executable, PROGRAM, "newcomers", new, address], capture_output=True, text=True,
                             timeout=300)
    assert dialled.stdout.split() == ["in"] * 8, dialled
    assert stranger.poll() is None
