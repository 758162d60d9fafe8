# SPDX-License-Identifier: Apache-2.0
"""Clocks that are wrong: one photo of the wall's clock corrects the times of a camera, and most phones those of another."""

import subprocess
from datetime import datetime, timezone

from client import Client
from party import BUILD, Node, eventually

HOUR = 3_600_000
# A camera that believes it is years ago, in another time zone.
THERE = 1_514_764_800_000
SHOWN = datetime(2026, 11, 26, 21, 14, 5, tzinfo=timezone.utc)


def milliseconds(text):
    return round(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1_000)


def test_one_photo_of_the_walls_clock_corrects_the_times_of_a_camera(folder, running, painter, monkeypatch):
    monkeypatch.setenv("TZ", "UTC")
    host = Node(folder / "host", "host", "Garden party", "--as", "Anna", "--frames", "unlimited")
    running.append(host)
    clock = painter.photo(taken_at=THERE)
    later, earlier = painter.photo(taken_at=THERE + 2 * HOUR), painter.photo(taken_at=THERE - 25 * HOUR)
    host.command("add", later, earlier, "--camera-clock", f"{clock}={SHOWN:%Y-%m-%dT%H:%M:%S}")
    host.command("add", clock)
    taken = {photo["sha256"]: milliseconds(photo["takenAt"]) for photo in eventually("three", lambda: (
        lambda photos: len(photos) == 3 and photos)(host.gallery()))}
    shown = round(SHOWN.timestamp() * 1_000)
    assert sorted(taken.values()) == [THERE, shown - 25 * HOUR, shown + 2 * HOUR]
    # Without a date it is the last time that clocks showed this.
    another = painter.photo(taken_at=THERE + HOUR)
    host.command("add", another, "--camera-clock", f"{clock}=00:00:00")
    midnight = datetime.now(timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)
    new = next(milliseconds(photo["takenAt"]) for photo in host.gallery() if milliseconds(photo["takenAt"]) not in taken.values())
    assert (midnight.timestamp() * 1_000 + HOUR - new) % (24 * HOUR) == 0

    def refused(value):
        return subprocess.run([BUILD / "disposable", "add", another, "--camera-clock", value, "--data", host.folder],
                              capture_output=True, text=True, timeout=120)
    for value in ("21:14:05", f"{clock}=25:00:00", f"{clock}=21:14", f"{clock}="):
        assert refused(value).returncode == 2, value
    nothing = folder / "nothing.jpg"
    nothing.write_bytes(b"no photo")
    answer = refused(f"{nothing}=21:14:05")
    assert answer.returncode != 0 and "the photo of the clock" in answer.stderr


def test_photos_of_a_phone_whose_clock_is_wrong_have_the_time_of_the_others(folder, running, painter):
    host = Node(folder / "host", "host", "Garden party", "--as", "Anna", "--frames", "unlimited")
    running.append(host)
    # All phones are half an hour ahead of this machine; the last one is three hours ahead.
    send = lambda name, hours, at: Client(host.link).enter(name).upload(
        painter.photo(taken_at=int(THERE + at)).read_bytes(), ahead=str(round(hours * HOUR)))[2]
    photos = [send(name, .5, minute * 60_000) for minute, name in enumerate(["Bea", "Cleo", "Dora"])]
    wrong = send("Emil", 3, 2.5 * HOUR + 90_000)
    taken = {photo["id"]: milliseconds(photo["takenAt"]) for photo in host.gallery()}
    assert [taken[photo] - taken[photos[0]] for photo in photos] == [0, 60_000, 120_000]
    # It was taken between the second and the third.
    assert taken[wrong] - taken[photos[0]] == 90_000
