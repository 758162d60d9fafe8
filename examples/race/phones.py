# SPDX-License-Identifier: Apache-2.0
"""Phones at one access point, as far as the node and the air notice them: the connections of a browser, and a guest who
sends photos as the page does (uploads.js)."""
import asyncio
import base64
import collections
import contextlib
import json
import os
import random
import socket
import time
import zlib

from hosts import inside

KIB, MIB = 1 << 10, 1 << 20
# As in uploads.js and tus.js.
AT_ONCE, AT_ONCE_QUICK, FIRST_SLICE, SLICE_MIN, SLICE_MAX = 2, 3, 256 * KIB, 128 * KIB, 8 * MIB
PROBES, PROBE_SECONDS, PROBE_PATIENCE = (64 * KIB, 256 * KIB), 0.1, 0.2
SMALL, QUICK_SECONDS, QUICK_RATE = 300_000, 2, 1_500_000
STALL_SECONDS, COMMIT_SECONDS = 15, 120
TUS = {"Tus-Resumable": "1.0.0"}

Answer = collections.namedtuple("Answer", "status fields body")


class Lost(Exception):
    """A connection that broke off, or on which nothing moved for too long."""


class Phone:
    """The connections of one browser on a host: at most six, which stay open."""

    def __init__(self, host, address, port, session=None):
        self.host, self.address, self.port, self.session = host, address, port, session
        self.places, self.idle, self.stream, self.breaks = asyncio.Semaphore(6), [], None, 0

    async def connect(self):
        with inside(self.host):
            made = socket.socket()
        made.setblocking(False)
        try:
            await asyncio.wait_for(asyncio.get_running_loop().sock_connect(made, (self.address, self.port)), STALL_SECONDS)
            return await asyncio.open_connection(sock=made)
        except BaseException:
            made.close()
            raise

    def head(self, method, path, headers, body):
        fields = {"Host": f"{self.address}:{self.port}", "Accept": "application/json"}
        if self.session:
            fields["Authorization"] = f"Bearer {self.session}"
        if body or method in ("POST", "PATCH", "PUT"):
            fields["Content-Length"] = str(len(body))
        lines = [f"{method} {path} HTTP/1.1", *[f"{name}: {value}" for name, value in {**fields, **headers}.items()]]
        return "\r\n".join([*lines, "", ""]).encode()

    async def ask(self, method, path, headers=None, body=b"", patience=STALL_SECONDS):
        """Returns the answer. `patience`: the seconds that it may take once the request has gone. Throws `Lost`."""
        async with self.places:
            for is_last in (False, True):
                is_used = bool(self.idle) and not is_last
                reader, writer = None, None
                try:
                    reader, writer = self.idle.pop() if is_used else await self.connect()
                    writer.write(self.head(method, path, headers or {}, body))
                    for start in range(0, len(body), 64 * KIB):
                        writer.write(body[start:start + 64 * KIB])
                        await asyncio.wait_for(writer.drain(), STALL_SECONDS)
                    answer, stays = await asyncio.wait_for(self.read(reader, method), max(patience, STALL_SECONDS))
                    if stays:
                        self.idle.append((reader, writer))
                    else:
                        writer.close()
                    return answer
                except (OSError, EOFError, asyncio.TimeoutError, ValueError) as error:
                    if writer:
                        writer.transport.abort()
                    # A connection that was idle may be closed by the server meanwhile: browsers ask once more.
                    is_late = isinstance(error, asyncio.TimeoutError)
                    if is_last or not is_used or is_late:
                        raise Lost(f"{method} {path}: {error!r}") from error
                except asyncio.CancelledError:
                    if writer:
                        writer.transport.abort()
                    raise

    @staticmethod
    async def read(reader, method):
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(lines[0].split()[1])
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:] if line)}
        body = b""
        if method == "HEAD" or status in (204, 304):
            pass
        elif fields.get("transfer-encoding") == "chunked":
            while size := int((await reader.readline()).split(b";")[0], 16):
                body += await reader.readexactly(size)
                await reader.readexactly(2)
            await reader.readline()
        else:
            body = await reader.readexactly(int(fields.get("content-length", 0)))
        return Answer(status, fields, body), fields.get("connection", "").lower() != "close"

    async def listen(self, path, hear):
        """Follows the event stream at a path, on a connection of its own that is opened again when it ends: calls
        `hear(event, data)`. Returns once it is open."""
        await self.places.acquire()
        is_open = asyncio.Event()

        def note(event, data):
            is_open.set()
            hear(event, data)

        self.stream = asyncio.create_task(self.follow(path, note))
        await asyncio.wait_for(is_open.wait(), 60)

    async def follow(self, path, hear):
        while True:
            with contextlib.suppress(OSError, EOFError, ValueError, asyncio.TimeoutError):
                reader, writer = await self.connect()
                try:
                    writer.write(self.head("GET", path, {"Accept": "text/event-stream"}, b""))
                    head = await reader.readuntil(b"\r\n\r\n")
                    if b" 200 " in head.split(b"\r\n")[0]:
                        await self.hear_all(reader, b"chunked" in head.lower(), hear)
                finally:
                    writer.transport.abort()
            self.breaks += 1
            await asyncio.sleep(1)

    @staticmethod
    async def hear_all(reader, is_chunked, hear):
        event, rest = "", b""
        while True:
            # The node sends a beat every five seconds.
            if is_chunked:
                size = int((await asyncio.wait_for(reader.readuntil(b"\r\n"), STALL_SECONDS)).split(b";")[0], 16)
                rest += (await reader.readexactly(size + 2))[:-2]
            else:
                rest += (piece := await asyncio.wait_for(reader.read(64 * KIB), STALL_SECONDS))
                size = len(piece)
            if not size:
                return
            *lines, rest = rest.split(b"\n")
            for line in lines:
                name, _, value = line.decode().strip().partition(":")
                if name == "event":
                    event = value.strip()
                elif name == "data":
                    hear(event, json.loads(value))

    def close(self):
        if self.stream:
            self.stream.cancel()
        for _, writer in self.idle:
            writer.transport.abort()


def ignore(event, data):
    """Hears an event, which the page draws."""


class Photo:
    """A file, and the preview that a phone makes of it: a JPEG."""

    def __init__(self, path, preview):
        self.path, self.preview, self.name = path, preview, os.path.basename(path)
        self.size, self.is_begun = os.path.getsize(path), False

    def piece(self, start, length):
        with open(self.path, "rb") as file:
            file.seek(start)
            return file.read(length)


class Sender:
    """A guest who chooses photos: previews first, one after the other, then the originals, two or three at once, in slices
    with a checksum. `making`: the seconds that the phone needs for a preview, which is ready here before."""

    def __init__(self, phone, path, name, photos, making):
        self.phone, self.path, self.name, self.photos, self.making = phone, path, name, photos, making
        self.slice, self.recent = FIRST_SLICE, (0.0, 0.0)
        self.chosen_at = 0.0
        # When the last byte of each photo was acknowledged, and when all photos were made.
        self.saved_at, self.made_at = [], 0.0
        self.failed, self.retries = [], 0
        # Addresses of uploads, and those of photos that the node makes in its turn.
        self.locations, self.taken = {}, []

    @property
    def rate(self):
        """Bytes a second of one connection; 0 until the first slice has gone."""
        return self.recent[0] / max(self.recent[1], 0.001)

    def learn(self, byte_count, seconds, is_first=False):
        """Notes the time of a slice, which the length of the next ones follows."""
        is_first = is_first or not self.rate
        before = (0.0, 0.0) if is_first else self.recent
        self.recent = byte_count + before[0] / 2, seconds + before[1] / 2
        if is_first:
            self.slice = max(SLICE_MIN, int(self.rate))
        elif seconds < 1:
            self.slice *= 2
        elif seconds > 4:
            self.slice = max(self.slice // 2, SLICE_MIN)
        self.slice = min(self.slice, SLICE_MAX)

    def is_quick(self, photo):
        """Whether the photo is at the node before a preview of it is made and sent."""
        return photo.size <= SMALL or (self.rate > 0 and photo.size / self.rate < QUICK_SECONDS)

    async def send(self):
        """Returns when every photo is made or has failed."""
        self.chosen_at = time.monotonic()
        # Photos that have not been begun; those of them that wait for their preview; and the one whose preview is made.
        self.left, self.waiting, self.lane = [*self.photos], set(self.photos), None
        self.moved = asyncio.Event()
        await asyncio.gather(self.send_previews(), *(self.send_originals(lane) for lane in range(AT_ONCE_QUICK)))
        await self.wait_for_photos()
        self.made_at = time.monotonic()

    def note_moved(self):
        """Wakes what waits for a photo that can be sent."""
        self.moved.set()
        self.moved = asyncio.Event()

    async def send_previews(self):
        while self.waiting:
            photo = next((one for one in self.left if one in self.waiting and not self.is_quick(one)), None)
            if photo is None:
                await self.moved.wait()
                continue
            self.lane = photo
            # Errors hold up no original.
            with contextlib.suppress(Lost, RuntimeError):
                if not self.rate and photo not in self.locations:
                    probing = asyncio.create_task(self.probe(photo))
                    # On a fast network no preview is made.
                    await asyncio.wait([probing], timeout=PROBE_PATIENCE)
                    if not self.is_quick(photo):
                        await asyncio.sleep(self.making)
                    await probing
                else:
                    await asyncio.sleep(self.making)
                if photo in self.left and not self.is_quick(photo) and len(photo.preview) < photo.size / 2:
                    await self.phone.ask("PUT", f"{await self.place(photo)}/preview", {**TUS, "Content-Type": "image/jpeg"},
                                         photo.preview)
            self.lane = None
            if not self.is_quick(photo):
                self.waiting.discard(photo)
            self.note_moved()

    async def probe(self, photo):
        """Learns the rate before, or while, the phone makes the first preview."""
        location, offset = await self.place(photo), 0
        photo.is_begun = True
        for size in PROBES:
            piece, begun = photo.piece(offset, size), time.monotonic()
            await self.patch(photo, location, offset, piece)
            self.learn(len(piece), time.monotonic() - begun, is_first=True)
            offset += size
            if self.recent[1] >= PROBE_SECONDS:
                break
        self.note_moved()

    async def next_original(self, lane):
        """Returns the next photo to be sent, None after the last."""
        while self.left:
            is_open = lane < AT_ONCE or self.rate > QUICK_RATE
            for photo in self.left if is_open else []:
                if photo not in self.waiting or (self.is_quick(photo) and photo is not self.lane):
                    self.left.remove(photo)
                    self.waiting.discard(photo)
                    self.note_moved()
                    return photo
            await self.moved.wait()
        return None

    async def place(self, photo):
        if photo not in self.locations:
            name = base64.b64encode(photo.name.encode()).decode()
            answer = await self.phone.ask("POST", f"{self.path}uploads", {
                **TUS, "Upload-Length": str(photo.size),
                "Upload-Metadata": f"filename {name},filetype {base64.b64encode(b'image/jpeg').decode()}"})
            self.expect(answer, 201)
            self.locations[photo] = answer.fields["location"]
        return self.locations[photo]

    @staticmethod
    def expect(answer, status):
        if answer.status != status:
            raise Refused(answer)

    async def send_originals(self, lane):
        while photo := await self.next_original(lane):
            tries = 0
            while True:
                try:
                    await self.transfer(photo)
                    break
                except Lost:
                    self.recent = 0.0, 0.0
                    pause = min(2 ** min(tries, 5), 30)
                except Refused as refused:
                    status = refused.answer.status
                    if status == 404:
                        photo.is_begun = False
                        self.locations.pop(photo, None)
                    elif status == 460:
                        self.slice = max(self.slice // 2, 64 * KIB)
                    elif status not in (409, 423, 429) and status < 500:
                        self.failed.append(f"{status} {refused.answer.fields.get('disposable-error')}")
                        break
                    pause = float(refused.answer.fields.get("retry-after", min(2 ** min(tries, 5), 30)))
                tries += 1
                self.retries += 1
                if tries > 100:
                    self.failed.append("given up")
                    break
                await asyncio.sleep(pause + random.uniform(0, 0.5))

    async def transfer(self, photo):
        location, offset = await self.place(photo), 0
        if photo.is_begun:
            answer = await self.phone.ask("HEAD", location, TUS)
            self.expect(answer, 200)
            if self.is_safe(answer):
                return self.note_safe(photo, answer)
            offset = int(answer.fields["upload-offset"])
        photo.is_begun = True
        while True:
            piece, begun = photo.piece(offset, self.slice), time.monotonic()
            answer = await self.patch(photo, location, offset, piece)
            self.learn(len(piece), time.monotonic() - begun)
            self.note_moved()
            if self.is_safe(answer):
                return self.note_safe(photo, answer)
            offset = int(answer.fields["upload-offset"])

    async def patch(self, photo, location, offset, piece):
        """Sends a slice and returns the answer."""
        is_last = offset + len(piece) == photo.size
        answer = await self.phone.ask("PATCH", location, {
            **TUS, "Upload-Offset": str(offset), "Content-Type": "application/offset+octet-stream",
            "Prefer": "respond-async",
            "Upload-Checksum": f"crc32 {base64.b64encode(zlib.crc32(piece).to_bytes(4)).decode()}"},
            piece, COMMIT_SECONDS if is_last else STALL_SECONDS)
        self.expect(answer, 204)
        return answer

    @staticmethod
    def is_safe(answer):
        """Whether the node has every byte on its disk."""
        return "disposable-photo" in answer.fields or answer.fields.get("preference-applied") == "respond-async"

    def note_safe(self, photo, answer):
        self.saved_at.append(time.monotonic())
        if "disposable-photo" not in answer.fields:
            self.taken.append(self.locations[photo])

    async def wait_for_photos(self):
        """Asks for the photos that the node has taken over, the oldest first, until all are made."""
        while self.taken:
            with contextlib.suppress(Lost):
                answer = await self.phone.ask("HEAD", self.taken[0], TUS)
                if answer.status >= 400 and answer.status not in (423, 429, 503):
                    self.failed.append(f"{answer.status} {answer.fields.get('disposable-error')}")
                    self.taken.pop(0)
                    continue
                if "disposable-photo" in answer.fields:
                    self.taken.pop(0)
                    continue
            await asyncio.sleep(1)


class Refused(RuntimeError):
    """An answer that is not the expected one."""

    def __init__(self, answer):
        super().__init__(f"{answer.status} {answer.body[:200]!r}")
        self.answer = answer
