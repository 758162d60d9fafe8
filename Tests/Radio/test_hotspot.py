# SPDX-License-Identifier: Apache-2.0
"""Eight phones on the Wi-Fi of `disposable hotspot`: a virtual machine with Debian's kernel, NetworkManager and simulated
adapters. DISPOSABLE_RADIO_MINUTES (30) is how long they stay."""

import os
from pathlib import Path

from machine import ROOT

MINUTES = float(os.environ.get("DISPOSABLE_RADIO_MINUTES", "30"))
STATIONS = 8


def test_eight_stations_stay_on_the_hotspot_with_unbroken_streams(start, photos, record_property):
    machine = start([Path(__file__).with_name("inside.py"), ROOT / "Tests/Browser/client.py", *photos],
                    {"seconds": MINUTES * 60, "stations": STATIONS})
    *said, end = machine.wait(MINUTES * 60 + 1_200)
    assert "broken" not in end, f"{end['broken']}\n{machine.text()[-6000:]}"
    assert [each["station"] for each in said] == list(range(STATIONS))
    for each in said:
        assert not each["failures"], each
        # Never associated again since the first time.
        assert each["connected"] >= MINUTES * 60, each
        assert each["checks"] >= MINUTES and each["photos"] > 0, each
    assert end["associated"] == STATIONS
    assert end["gallery"] > 0
    record_property("hotspot", f"kernel {end['kernel']}: {STATIONS} stations for {MINUTES:g} minutes, "
                    f"{sum(each['checks'] for each in said)} checks, {end['gallery']} photos; "
                    f"each heard of {min(each['photos'] for each in said)} or more")
