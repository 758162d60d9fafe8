#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes inputs from which fuzzing can start, out of protocol/vectors and with ImageMagick, exiftool and ffmpeg:
seeds.py .build/fuzz/corpus; then run.sh keep."""

import hashlib
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

VECTORS = pathlib.Path(__file__).parents[2] / "protocol" / "vectors"
OUT = pathlib.Path(sys.argv[1])


def vectors(kind):
    return [(path.stem, json.loads(path.read_text())) for path in sorted((VECTORS / kind).glob("*.json"))]


def seed(target, name, content):
    if isinstance(content, str):
        content = content.encode()
    (OUT / target).mkdir(parents=True, exist_ok=True)
    (OUT / target / name).write_bytes(content)


def peers():
    messages = [(name, bytes.fromhex(v["message"])) for name, v in vectors("message") if "message" in v]
    for name, message in messages:
        if len(message) <= 16384:
            seed("message", name, message)
        if len(message) <= 2000:
            framed = struct.pack(">H", len(message)) + message
            seed("frame", name, b"\x07" + framed + framed)
            seed("handshake", "sealed-" + name, b"\x04\xff" + message)
    small = [m for _, m in messages if m and m[0] in (0x21, 0x22, 0x23) and len(m) < 1000]
    for index, message in enumerate(small):
        seed("chunks", str(index), (struct.pack(">H", len(message)) + message) * 3)
    for name, v in vectors("auth"):
        seed("message", "auth-" + name, b"\x01" + bytes.fromhex(v["payload"]))
    for name, v in vectors("preface"):
        if "preface" in v:
            seed("preface", name, bytes.fromhex(v["preface"]))
    for name, v in vectors("handshake"):
        for side, stage, start in (("listener", 0, bytes.fromhex(v["challenge"])), ("dialler", 2, b"")):
            frames = [bytes.fromhex(step["bytes"]) for step in v["steps"] if step["from"] == side]
            if sum(map(len, frames)) < 4000:
                seed("handshake", f"{name}-{side}", bytes([stage, 255]) + start + b"".join(frames))
        for index, step in enumerate(v["steps"]):
            frame = bytes.fromhex(step["bytes"])
            if len(frame) < 4000:
                for stage in range(4):
                    seed("handshake", f"{name}-{index}-{stage}", bytes([stage, 255]) + frame)
    for name, v in vectors("operation"):
        header = bytes.fromhex(v["header"])
        seed("header", name, header)
        body = bytes.fromhex(v.get("body") or "")
        if len(header) == 188 and len(body) < 4000:
            seed("body", name, bytes([header[1], header[19]]) + body)
        if len(body) < 4000:
            signature = bytes.fromhex(v["signature"]).ljust(64, b"\0")[:64]
            record = b"\x0a" + varint(len(header)) + header + b"\x12\x40" + signature
            record += b"\x1a" + varint(len(body)) + body if body else b""
            seed("operations", name, struct.pack(">I", len(record)) + record)
            seed("bundle", name, b"\x02" + record)
    for name, v in vectors("card"):
        if len(v["text"]) < 4000:
            seed("cards", name, b"\x01" + v["text"].encode())
            entry = {"key": v["key"], "card": v["text"], "signature": v["signature"]}
            seed("cards", "list-" + name, b"\x00" + json.dumps({"cards": [entry], "here": [v["key"]]}).encode())
    for name, v in vectors("reconciliation"):
        if "message" in v:
            seed("reconciliation", name, bytes([v.get("role") == "initiator"]) + bytes.fromhex(v["message"]))
        for index, message in enumerate(v.get("messages", [])):
            text = message if isinstance(message, str) else message.get("message", "")
            if len(text) < 8000:
                seed("reconciliation", f"{name}-{index}", bytes([index % 2]) + bytes.fromhex(text))


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def texts():
    import base64
    for name, v in [*vectors("invitation"), *(("agreement-" + name, v) for name, v in vectors("agreement"))]:
        text = v["text"]
        if len(text) > 2000:
            continue
        seed("invitation", name, "\0" + text)
        digits = text.partition(":")[2].upper()
        try:
            payload = base64.b32decode(digits + "=" * (-len(digits) % 8))
            seed("invitation", "payload-" + name, b"\x01" + payload[:-4])
        except ValueError:
            pass
    pairs = [b"v=1", b"s=\x01\x02\x03\x04", b"t=" + bytes(16), b"flag", b"=nothing", b"v=again"]
    seed("record", "pairs", b"".join(bytes([len(p)]) + p for p in pairs))
    seed("record", "many", b"\x03a=b" * 40)
    multicasts()
    words = (VECTORS.parents[1] / "Sources/DisposablePortal/Public/words.txt").read_text().split()
    guest = bytes(range(16))
    bits = int.from_bytes(guest + hashlib.sha512(guest).digest()[:1], "big") >> 4
    seed("words", "words", " ".join(words[bits >> 11 * (11 - n) & 2047] for n in range(12)))
    seed("words", "code", "k7qm-3xpd o0il")
    seed("words", "token", base64.urlsafe_b64encode(guest).rstrip(b"="))
    kind = "multipart/form-data; boundary=\"--x\"\n"
    part = '----x\r\nContent-Disposition: form-data; name="photo"; filename="a \\"b\\".jpg"\r\nContent-Type: image/jpeg'
    part += "\r\n\r\n"
    for size in (0, 1, 7, 255):
        content = kind + part + "bytes\r\n--not\r\n" + part + "\r\n----x--\r\n"
        seed("form", str(size), bytes([size]) + content.encode())
    seed("request", "event", "/e/ab12cd34/api/me\ndisposable-ab12cd34-8027=QUJD; theme=dark\ncode=ABCD-1234&name=Zo%C3%AB")
    seed("request", "odd", "/../%2F//a\n=;;a=1;b=\"2\"; c=3 4; a=2\n&&a&=&%00=%7F&b=1&b=2")
    seed("tus", "metadata", "filename d29ybGQuanBn, type aW1hZ2U=,empty")
    seed("tus", "id", "00112233445566778899aabbccddeeff")


def multicasts():
    sys.path.append(str(VECTORS.parents[1] / "Tests/Interop"))
    import hostile_mdns as mdns

    def packet(kind, questions, *records, authorities=0):
        answers = len(records) - authorities
        return struct.pack(">6H", 0, kind, len(questions), answers, authorities, 0) + b"".join((*questions, *records))

    def question(owner, kind, group=1):
        return mdns.name(owner) + struct.pack(">HH", kind, group)

    own, host = f"own.{mdns.SERVICE}", "disposable-x.local"
    claim = mdns.record(own, mdns.SRV, 120, mdns.service(666, host))
    address = mdns.record("h.local", mdns.A, 120, bytes([10, 0, 0, 3]))
    packets = {
        "announcement": mdns.instance("a", "h.local", address),
        "goodbye": mdns.response(mdns.record(mdns.SERVICE, mdns.PTR, 0, mdns.name(f"a.{mdns.SERVICE}"), 1)),
        "question": packet(0, [question(mdns.SERVICE, mdns.PTR), question(own, mdns.ANY, 0x8001)]),
        "truncated": packet(0x200, [question(mdns.SERVICE, mdns.PTR)],
                            mdns.record(mdns.SERVICE, mdns.PTR, 4500, mdns.name(own), 1)),
        "claim": mdns.response(claim),
        "probe": packet(0, [question(own, mdns.ANY)], claim, authorities=1),
        "types": packet(0, [question("_services._dns-sd._udp.local", mdns.PTR)]),
    }
    packets.update({f"hostile-{number}": content for number, content in enumerate(mdns.packets())})
    for name, content in packets.items():
        seed("packet", name, content)
    # A pause and where from, a length, a packet: a second passes between them, and then none.
    for name, head in (("slow", 10), ("fast", 0), ("elsewhere", 0x88), ("legacy", 0x44), ("direct", 0x24)):
        seed("multicast", name, b"".join(bytes([head]) + struct.pack(">H", len(p)) + p for p in packets.values()))
    for name in ("announcement", "claim", "probe", "question"):
        content = packets[name]
        seed("multicast", name + "s", (bytes([14]) + struct.pack(">H", len(content)) + content) * 12)


def images():
    with tempfile.TemporaryDirectory() as folder:
        def run(*arguments):
            done = subprocess.run(arguments, cwd=folder, capture_output=True)
            if done.returncode:
                print(" ".join(arguments), "failed:", done.stderr.decode()[-200:], file=sys.stderr)

        for name in ("a.jpg", "a.png", "a.gif", "a.webp", "a.heic", "a.avif"):
            run("convert", "-size", "16x16", "plasma:red-blue", name)
        run("convert", "-size", "8x8", "plasma:red-blue", "plasma:blue-red", "b.gif")
        for name, codec in (("a.mp4", "mpeg4"), ("a.mov", "mpeg4"), ("a.webm", "libvpx")):
            run("ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=size=32x32:rate=2:duration=1",
                "-c:v", codec, "-b:v", "1k", "-metadata", "title=secret", "-metadata", "location=+47.1-122.2/", name)
        subtitles = pathlib.Path(folder) / "place.srt"
        subtitles.write_text("1\n00:00:00,000 --> 00:00:01,000\n47.1, -122.2\n")
        for name, codecs in (
            ("fragments.mp4", ("-c:v", "mpeg4", "-c:s", "mov_text", "-movflags", "frag_keyframe+empty_moov+default_base_moof")),
            ("oldFragments.mp4", ("-c:v", "mpeg4", "-c:s", "mov_text", "-movflags", "frag_keyframe+empty_moov")),
            ("subtitles.webm", ("-c:v", "libvpx", "-c:s", "webvtt")),
            ("live.webm", ("-c:v", "libvpx", "-c:s", "webvtt", "-live", "1")),
        ):
            run("ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=size=16x16:rate=2:duration=1",
                "-i", "place.srt", *codecs, "-b:v", "1k", "-metadata", "title=secret", name)
        subtitles.unlink()
        tags = ("-GPSLatitude=47.1", "-GPSLatitudeRef=N", "-Artist=Anna", "-SerialNumber=77", "-Orientation#=6",
                "-DateTimeOriginal=2025:08:16 14:03:22", "-OffsetTimeOriginal=+02:00", "-SubSecTimeOriginal=123",
                "-XMP:Creator=Anna", "-IPTC:By-line=Anna", "-Comment=secret")
        for path in sorted(pathlib.Path(folder).iterdir()):
            seed("image", "plain-" + path.name, path.read_bytes())
            run("exiftool", "-q", "-overwrite_original", *tags, path.name)
            if path.stat().st_size <= 16384:
                seed("image", "tagged-" + path.name, path.read_bytes())
        for order in ("II", "MM"):
            run("convert", "-size", "16x16", "plasma:red-blue", f"{order}.jpg")
            run("exiftool", "-q", "-overwrite_original", f"-ExifByteOrder={order}", *tags, f"{order}.jpg")
            content = (pathlib.Path(folder) / f"{order}.jpg").read_bytes()
            start = content.find(b"Exif\0\0") + 6
            seed("exif", order, content[start:start + 1500])

    def blob(content):
        return struct.pack("<I", len(content)) + content

    time = b"\x01" + struct.pack("<Q", 1) + b"\x01"
    renditions = b"\x01" + struct.pack("<II", 16, 16) + blob(b"a") + blob(b"b")
    seed("worker", "photo", b"\x02" + blob(b"jpeg"))
    seed("worker", "rendered", b"\x01\x00\x01\x01" + time + renditions)
    for kind in range(12):
        seed("worker", f"failed-{kind}", bytes([3, kind]) + bytes(16))


def tiles():
    """Directories of PMTiles: the number of entries, and the columns of their steps, runs, lengths and places."""
    for name, entries in {
        "one": [(0, 1, 9, 1)], "run": [(0, 1, 70_000, 1), (1, 4, 9, 0), (19_078_474, 1, 300, 70_010)],
        "leaves": [(0, 0, 4_000, 1), (5_461, 0, 3_000, 0)], "largest": [(2 ** 64 - 1, 2 ** 32 - 1, 2 ** 32 - 1, 2 ** 64 - 1)],
        "order": [(5, 1, 1, 1), (0, 1, 1, 0)], "none": [],
    }.items():
        content = varint(len(entries)) + b"".join(varint(entry[column]) for column in range(4) for entry in entries)
        seed("tiles", name, content)
        seed("tiles", "cut-" + name, content[:-1])


peers()
texts()
images()
tiles()
