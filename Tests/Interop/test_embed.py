# SPDX-License-Identifier: Apache-2.0
"""A node in another program: examples/embed, which uses the library `Disposable` alone. With DISPOSABLE_EMBED, the program
of that path, as built from the example's own package; otherwise the one that the tests' build has."""

import json
import os
import re
import subprocess
import threading
from pathlib import Path

from party import BUILD, sha256

EMBED = Path(os.environ.get("DISPOSABLE_EMBED", BUILD / "embed-example")).resolve()


def embed(*arguments):
    return subprocess.run([EMBED, *map(str, arguments)], capture_output=True, text=True, timeout=180)


def command(folder, *arguments):
    result = subprocess.run(
        [BUILD / "disposable", *arguments, "--data", folder], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout


def gallery(folder):
    lines = map(json.loads, command(folder, "gallery", "--json").splitlines())
    return [line for line in lines if line["type"] == "photo"]


def test_it_hosts_an_event_adds_a_photo_and_ends(folder, painter):
    photo = painter.photo()
    ended = embed(folder / "anna", photo)
    assert ended.returncode == 0, ended.stderr
    invitation, *lines = ended.stdout.splitlines()
    assert re.fullmatch("DISPOSABLE1:[A-Z2-7]+", invitation)
    assert re.fullmatch(r'1 of 1: \["Anna [0-9a-f]{64}"\]', lines[-1])
    [shown] = gallery(folder / "anna")
    assert shown["id"] in lines[-1]
    assert shown["sha256"] == sha256(photo)
    assert shown["caption"]["text"] == "From Swift"


def test_a_second_one_joins_by_invitation_and_both_have_both_photos(folder, running, painter):
    photos = [painter.photo(), painter.photo(640, 480)]

    def start(name, photo, *invitation):
        # Line by line, as neither ends: each waits for a third photo.
        process = subprocess.Popen(
            ["stdbuf", "-oL", EMBED, folder / name, photo, "3", *invitation], stdout=subprocess.PIPE, text=True)
        running.append(process)
        # A node that never answers ends, and with it the reading below.
        limit = threading.Timer(300, process.kill)
        limit.daemon = True
        limit.start()
        return process, process.stdout.readline().strip()

    def has_both(process):
        for line in process.stdout:
            if line.startswith("2 of 2: "):
                return re.fullmatch(r'2 of 2: \["\w+ [0-9a-f]{64}", "\w+ [0-9a-f]{64}"\]', line.strip())
        return False  # it has ended

    host, invitation = start("anna", photos[0])
    guest, _ = start("ben", photos[1], invitation)
    assert has_both(host) and has_both(guest)
    for name in ("anna", "ben"):
        # The commands work on the folder of a node that runs in another program.
        assert {photo["author"]: photo["sha256"] for photo in gallery(folder / name)} == {
            "Anna": sha256(photos[0]), "Ben": sha256(photos[1])}


def test_a_file_that_is_no_photo_and_a_text_that_is_no_invitation_are_errors_that_say_so(folder, painter):
    text = folder / "text.jpg"
    text.write_text("no photo")
    refused = embed(folder / "anna", text)
    assert refused.returncode == 1
    assert "neither a photo nor a video" in refused.stderr
    assert embed(folder / "anna", painter.photo()).returncode == 0, "the node has given its folder back"
    unread = embed(folder / "ben", painter.photo(), 1, "DISPOSABLE1:AAAA")
    assert (unread.returncode, unread.stderr) == (1, "embed: the invitation is damaged: a part of it is missing or changed\n")
