# SPDX-License-Identifier: Apache-2.0
"""Phones and a projector that look: a reader who opens the page again and again, and the wall."""
import asyncio
import collections
import contextlib
import gzip
import json
import random
import re
import time

from phones import Lost, Phone, Refused

# Styles and scripts that a page names, and scripts that these import.
NAMED = re.compile(r'<(?:link rel="(?:stylesheet|modulepreload)" href|script[^>]*? src)="(/[^"]+)"')
IMPORTED = re.compile(r'^(?:import|export)\b(?:[^"\';(]*\bfrom)?\s*["\'](\.{0,2}/[^"\']+)["\']', re.MULTILINE)


class Reader:
    """A guest who scans the poster with a browser that has nothing of the page: the page with all that it imports, the
    session, the gallery's first page and the pictures of the first screen."""
    tiles = 12

    def __init__(self, host, address, port, token):
        self.place, self.token = (host, address, port), token
        self.times, self.byte_counts, self.failed = [], [], []

    async def fetch(self, phone, path, wanted=200):
        answer = await phone.ask("GET", path, {"Accept": "*/*", "Accept-Encoding": "gzip"})
        if answer.status != wanted:
            raise Refused(answer)
        self.byte_count += len(answer.body)
        body = answer.body
        return gzip.decompress(body) if answer.fields.get("content-encoding") == "gzip" else body

    async def modules(self, phone, paths, known):
        """Loads scripts and, as each one names them, those that it imports."""
        new = [path for path in dict.fromkeys(paths) if path not in known]
        known.update(new)

        async def load(path):
            text = (await self.fetch(phone, path)).decode()
            folder = path.rsplit("/", 1)[0]
            inner = IMPORTED.findall(text) if path.endswith(".js") else []
            await self.modules(phone, [name if name.startswith("/") else resolve(folder, name) for name in inner], known)

        await asyncio.gather(*(load(path) for path in new))

    async def open(self):
        """Opens the page once, with new connections."""
        phone = Phone(*self.place)
        self.byte_count = 0
        begun = time.monotonic()
        try:
            page = (await self.fetch(phone, "/")).decode()
            known = set()
            await self.modules(phone, NAMED.findall(page), known)
            # start.js loads the sentences first, then the page's own script.
            await self.modules(phone, ["/texts/en.js"], known)
            await self.modules(phone, ["/guest/door.js"], known)
            answer = await phone.ask("POST", "/api/session", {"Content-Type": "application/json"},
                                     json.dumps({"token": self.token}).encode())
            if answer.status != 200:
                raise Refused(answer)
            path = json.loads(answer.body)["path"]
            phone.session = answer.fields["set-cookie"].split(";")[0].split("=", 1)[1]
            await asyncio.gather(self.fetch(phone, f"{path}api/me"), self.modules(phone, ["/guest/app.js"], known))
            photos, _ = await asyncio.gather(self.fetch(phone, f"{path}api/photos?limit=60&veiled=1"),
                                             self.fetch(phone, f"{path}api/early"))
            shown = [photo["id"] for photo in json.loads(photos)["photos"] if "thumbnail" in photo["has"]][:self.tiles]
            await asyncio.gather(*(self.fetch(phone, f"{path}photos/{photo}/thumbnail") for photo in shown))
            self.times.append(time.monotonic() - begun)
            self.byte_counts.append(self.byte_count)
        except (Lost, Refused) as error:
            self.failed.append(str(error))
        finally:
            phone.close()

    async def read(self, is_over):
        """Opens the page again and again."""
        while not is_over():
            await self.open()
            await asyncio.sleep(random.uniform(1, 3))


def resolve(folder, name):
    parts = folder.split("/")
    for part in name.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


class Wall:
    """The projector: notes when a preview or a photo of each guest is announced, and shows the newest, one at a time, each
    for four seconds at least."""
    slide_seconds = 4

    def __init__(self, phone, path):
        self.phone, self.path = phone, path
        # By the name of the guest: when something was announced, and when its picture was there.
        self.announced, self.shown = collections.defaultdict(list), collections.defaultdict(list)
        self.newest = None

    def hear(self, event, data):
        if event not in ("early", "photo") or data["authorName"] is None:
            return
        # A photo that follows its preview is not announced again.
        if event == "early":
            self.announced[data["authorName"]].append(time.monotonic())
            self.newest = (data["authorName"], f"early/{data['id']}/preview")
        elif not self.announced[data["authorName"]]:
            self.announced[data["authorName"]].append(time.monotonic())

    async def show(self):
        while True:
            newest, self.newest = self.newest, None
            if newest:
                author, file = newest
                with contextlib.suppress(Lost):
                    answer = await self.phone.ask("GET", f"{self.path}{file}", {"Accept": "image/*"})
                    if answer.status == 200:
                        self.shown[author].append(time.monotonic())
                        await asyncio.sleep(self.slide_seconds)
            await asyncio.sleep(0.05)
