# SPDX-License-Identifier: Apache-2.0
"""One peer, from the live connection to its end: messages (§7), reconciliation (§10), holdings and chunks (§11)."""

import asyncio
import ipaddress
import os
import random
import struct
import time
from collections import defaultdict, deque

import disposable_pb2 as pb
from connection import Closed
from event import CHUNK, TAG, Blob, Refused, blake2b, blob_root, domain, is_address
from messages import (ADDRESSES, ADMISSION, AUTHENTICATION, CANCEL, CHUNKS_PER_REQUEST_MAX, CLOSE, CODE, CODES, DATA,
                      DATA_MAX, HAVE, LIST, OPERATIONS, PAGES, PING, PONG, RECONCILE, RECONCILE_MAX, REFUSAL, REGISTER,
                      REQUEST, WANT, WANTED_MAX, runs)
from operations import EPOCH
from negentropy import Reconciliation, fingerprint

PING_SECONDS, SILENCE_SECONDS, SILENCE_WHILE_WAITING_SECONDS, IDLE_SECONDS, PAUSE_SECONDS = 15, 45, 10, 10, 5
PROBE_SECONDS = 2
DEFERRED_MAX, ORPHANS_MAX, ORPHAN_BYTES_MAX, IN_PROGRESS_MAX = 16, 1000, 1 << 20, 4096
ROUNDS_MAX, UNSENT_MAX, REQUESTS_MAX, BAD_CHUNKS_MAX, RANGES_MAX = 4096, 16 << 20, 256, 3, 524_288
NO_SET = pb.SetSummary(count=0, fingerprint=bytes(16))


class Bucket:
    """A rate in the long run, and how much at once (§6.10): who exceeds it is not read from until it is level."""

    def __init__(self, rate, level):
        self.rate, self.most, self.level, self.at = rate, level, level, time.monotonic()

    async def take(self, count):
        now = time.monotonic()
        self.level, self.at = min(self.level + (now - self.at) * self.rate, self.most) - count, now
        if self.level < 0:
            await asyncio.sleep(-self.level / self.rate)


class Download:
    """A request of ours: its chunks as they come, checked and written to `file`."""

    def __init__(self, number, blob, first, count, hashes, file):
        self.number, self.blob, self.hashes, self.file = number, blob, hashes, file
        self.chunk, self.end, self.bytes = first, first + count, bytearray()
        self.finished, self.progress = asyncio.get_running_loop().create_future(), time.monotonic()

    def finish(self, outcome):
        if not self.finished.done():
            self.finished.set_result(outcome)

    def take_list(self, data):
        hashes = [data[start:start + 32] for start in range(0, len(data), 32)]
        if len(hashes) != self.blob.chunk_count or blob_root(self.blob.byte_count, hashes) != self.blob.root:
            self.finish("bad")
        self.hashes, self.progress = hashes, time.monotonic()

    def take(self, data):
        if self.finished.done():
            return
        chunk = self.chunk
        if data.chunk != chunk or data.offset != len(self.bytes) or self.hashes is None and self.blob.chunk_count > 1:
            raise Refused("malformed", "data that does not continue what came")
        self.bytes += data.bytes
        self.progress = time.monotonic()
        length = self.blob.sealed_length(chunk)
        if len(self.bytes) > length:
            raise Refused("malformed", "data beyond the end of a chunk")
        if len(self.bytes) == length:
            name = blake2b(self.bytes)
            is_right = (name == self.hashes[chunk] if self.hashes else
                        blob_root(self.blob.byte_count, [name]) == self.blob.root)
            if not is_right:
                self.finish("bad")
                return
            self.file.write(self.bytes)
            self.chunk, self.bytes = chunk + 1, bytearray()
            if self.chunk == self.end:
                self.finish("done")


class Peer:
    def __init__(self, node, connection):
        self.node, self.connection, self.device = node, connection, connection.claims.device
        self.admission, self.deferred, self.waiting, self.waiting_bytes = None, [], {}, 0
        self.is_greeted = self.has_been_told = False
        self.epochs_said = set()
        self.holdings, self.range_count, self.refused, self.bad_count = defaultdict(list), 0, set(), 0
        self.news, self.begin, self.download, self.request_number = asyncio.Event(), asyncio.Event(), None, 0
        self.wanted, self.reconciling, self.answers = set(), None, asyncio.Queue(1)
        self.bodies_wanted, self.bodies_wanted_at = set(), float("-inf")
        self.requests, self.has_requests, self.waiting_chunks = deque(), asyncio.Event(), 0
        self.session_ended = 0.0
        self.steering, self.operations = Bucket(64, 512), Bucket(50, 500 + (1 << 18))

    @property
    def is_trusted(self):
        return not self.node.is_member or self.device in self.node.members

    async def run(self):
        """Until the connection ends: the code, and the pause in milliseconds that was asked for."""
        self.meet()
        self.node.try_to_join()
        works = (self._read, self._keep_alive, self._reconcile, self._fetch, self._serve)
        tasks = [asyncio.create_task(work()) for work in works]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            done.pop().result()
        except Closed as closed:
            return closed.code, closed.retry_after_ms
        except Refused as refused:
            code = {"limit exceeded": "limitExceeded", "not admitted": "notAdmitted"}.get(refused.kind, "malformed")
            self.connection.close(code)
            self.node.say(f"closed {self.device.hex()[:16]} {refused}")
            return code, 0
        except (OSError, EOFError):
            return None, 0
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.connection.close()
        return None, 0

    def send(self, kind, message):
        if self.connection.writer.is_closing():
            return
        if self.connection.writer.transport.get_write_buffer_size() > UNSENT_MAX:
            self.connection.writer.transport.abort()
            return
        self.connection.send(kind, message)

    def end(self, code):
        self.connection.close(code)
        raise Closed(code)

    # ------------------------------------------------------------ admission (§6.7)

    def meet(self, is_new=False):
        """When the peer is live, and again when the circle of members has changed."""
        if is_new or not self.is_trusted:
            self.prove()
        if self.is_trusted and not self.is_greeted:
            self.is_greeted = True
            self.ping()
            self._tell_addresses()
            self._take_deferred()

    def prove(self):
        """Shows that this node is a member; and lets in who is none."""
        if self.node.is_member:
            self.node.send_operations(self, self.node.proof())
            if self.device not in self.node.members:
                epoch = self.node.epoch
                signature = self.node.event.admission(self.node.key, self.device, epoch)
                self.send(ADMISSION, pb.AdmissionMessage(sponsor=self.node.device, signature=signature, epoch=epoch))

    def wait_with(self, operation):
        """Keeps an operation whose author nobody has let in yet; the oldest go first."""
        self.waiting[operation.id] = operation
        while len(self.waiting) > ORPHANS_MAX or sum(
                252 + len(each.body or b"") for each in self.waiting.values()) > ORPHAN_BYTES_MAX:
            del self.waiting[next(iter(self.waiting))]

    def _take_deferred(self):
        deferred, self.deferred = self.deferred, []
        for kind, message in deferred:
            self._handle(kind, message)

    # ------------------------------------------------------------ reading

    async def _read(self):
        while True:
            kind, message = await self.connection.receive()
            if message is None or kind in (RECONCILE, WANT, PING, ADMISSION, ADDRESSES, REGISTER, PAGES):
                await self.steering.take(1)
            if message is None:  # of a later version, and optional
                continue
            if kind == OPERATIONS:
                await self.operations.take(sum(each.header[60:92] == self.device for each in message.operations))
            if not self.is_trusted and kind not in (PING, PONG, CLOSE, ADMISSION, OPERATIONS):
                if len(self.deferred) == DEFERRED_MAX:
                    raise Refused("not admitted")
                self.deferred.append((kind, message))
                continue
            self._handle(kind, message)
            await self.connection.drain()

    def _handle(self, kind, message):
        {AUTHENTICATION: self._on_authentication, PING: self._on_ping, PONG: self._compare, CLOSE: self._on_close,
         ADMISSION: self._on_admission, ADDRESSES: self._on_addresses, REGISTER: self._on_register, PAGES: self._on_pages,
         OPERATIONS: self._on_operations, RECONCILE: self._on_reconcile, WANT: self._on_want, HAVE: self._on_have,
         REQUEST: self._on_request, LIST: self._on_list, DATA: self._on_data, REFUSAL: self._on_refusal,
         CANCEL: self._on_cancel}[kind](message)

    def _on_authentication(self, _):
        raise Refused("malformed", "a second Authentication")

    def _on_close(self, message):
        raise Closed(CODES.get(message.code, "shuttingDown"), message.retry_after_ms)

    def _on_admission(self, message):
        if self.node.is_member:
            self.prove()
        else:
            self.admission = message
            self.node.try_to_join()

    def _on_operations(self, message):
        self.epochs_said |= {blake2b(domain("operation id"), each.header) for each in message.operations
                             if each.header[1:2] == bytes([EPOCH])}
        self.node.take(message.operations, self)
        if self.connection.event.secret != self.node.event.secret and self.node.epoch in self.epochs_said:
            self.end("rotated")

    def _on_addresses(self, message):
        for address in message.addresses:
            host = ipaddress.ip_address(address.ip)
            if not host.is_loopback or ipaddress.ip_address(self.connection.address[0].split("%")[0]).is_loopback:
                self.node.found((str(host), address.port))

    def _on_register(self, _):
        """What a node says of its own disk; this one shows nobody."""

    def _on_pages(self, _):
        """Where guests' pages are; this node serves none, so it has nobody to tell."""

    def _tell_addresses(self):
        def place(peer):
            host = ipaddress.ip_address(peer.connection.address[0].split("%")[0])
            port = peer.connection.address[1] if peer.connection.is_dialler else peer.connection.claims.listen_port
            return pb.NodeAddress(ip=host.packed, port=port), host

        mine, host = place(self)
        others = [peer for peer in self.node.peers.values() if peer is not self and peer.is_trusted]
        for peer in others:
            theirs, other_host = place(peer)
            if is_address(theirs) and (host.is_loopback or not other_host.is_loopback):
                self.send(ADDRESSES, pb.Addresses(addresses=[theirs]))
            if is_address(mine) and (other_host.is_loopback or not host.is_loopback):
                peer.send(ADDRESSES, pb.Addresses(addresses=[mine]))

    # ------------------------------------------------------------ pings and reconciliation (§6.8, §10)

    def _summaries(self):
        return pb.Ping(**{name: pb.SetSummary(count=len(items), fingerprint=fingerprint(each.id for each in items))
                          if self.is_trusted else NO_SET
                          for name, items in zip(("content", "authority"), self.node.sets)})

    def ping(self):
        message = self._summaries()
        message.nonce = random.getrandbits(64)
        self.send(PING, message)

    def probe(self):
        """Asks for a sign of life; without one it is gone."""
        asked_at = time.monotonic()
        self.ping()
        asyncio.get_running_loop().call_later(PROBE_SECONDS, lambda: self.connection.heard_at > asked_at or
                                              self.connection.close("unresponsive"))

    async def _keep_alive(self):
        pinged_at = time.monotonic()
        while True:
            await asyncio.sleep(1)
            now = time.monotonic()
            limit = SILENCE_WHILE_WAITING_SECONDS if self.download else SILENCE_SECONDS
            silence = now - max(self.connection.heard_at, self.download.asked_at if self.download else 0)
            if silence > limit:
                self.end("unresponsive")
            if now - pinged_at > PING_SECONDS or self.download and limit / 2 < silence and now - pinged_at > limit / 2:
                pinged_at = now
                self.ping()
                if not self.is_trusted:
                    self.prove()

    def _on_ping(self, message):
        answer = self._summaries()
        answer.nonce = message.nonce
        self.send(PONG, answer)
        self._compare(message)

    def _compare(self, message):
        if self.is_trusted and (message.authority, message.content) != (NO_SET, NO_SET):
            ours = self._summaries()
            if (ours.authority, ours.content) == (message.authority, message.content):
                self.tell_everything()
                self.want_bodies()
                self.node.in_step.set()
            elif self._begins(len(self.node.operations), message.authority.count + message.content.count):
                self.begin.set()

    def want_bodies(self):
        """§7.8: where the sets are equal, what bodies are missing; and again later, as the peer may have them by then."""
        now = time.monotonic()
        if self.node.bodiless and now - self.bodies_wanted_at > PING_SECONDS / 2:
            self.bodies_wanted_at = now
            missing = sorted(self.node.bodiless)
            self.bodies_wanted = set(random.sample(missing, min(len(missing), WANTED_MAX)))
            self.send(WANT, pb.Want(ids=sorted(self.bodies_wanted)))

    def _begins(self, ours, theirs):
        """§10.2: who has more begins, unless it is much more."""
        is_early = time.monotonic() - self.session_ended < PAUSE_SECONDS
        if not self.node.is_member or self.reconciling is not None or is_early:
            return False
        if ours == theirs:
            return (self.node.device, self.node.instance) < (self.device, self.connection.claims.instance)
        return ours - theirs <= IN_PROGRESS_MAX if ours > theirs else theirs - ours > IN_PROGRESS_MAX

    async def _reconcile(self):
        while True:
            await self.begin.wait()
            try:
                for number in (1, 0):
                    self.reconciling = number
                    await self._reconcile_set(number)
                    if number == 1:
                        self.tell_everything()
            except TimeoutError:
                pass  # a later ping starts again
            self.reconciling, self.session_ended = None, time.monotonic()
            self.begin.clear()
            self.ping()

    async def _reconcile_set(self, number):
        ours = {operation.id: operation for operation in self.node.sets[number]}
        session = Reconciliation((operation.item for operation in ours.values()), RECONCILE_MAX, is_initiator=True)
        message, rounds = session.first(), 0
        while message is not None:
            self.send(RECONCILE, pb.Reconcile(set=number, initiator=True, message=message))
            answer = await asyncio.wait_for(self.answers.get(), IDLE_SECONDS)
            rounds += 1
            if rounds > ROUNDS_MAX:
                raise Refused("malformed", "a reconciliation without end")
            message = session.answer(answer)
        self.node.send_operations(self, [ours[item] for item in dict.fromkeys(session.have)])
        await self.connection.drain()
        need = [item for item in dict.fromkeys(session.need) if item not in self.node.operations]
        for start in range(0, len(need), WANTED_MAX):
            self.wanted = {item for item in need[start:start + WANTED_MAX] if item not in self.node.operations}
            self.send(WANT, pb.Want(ids=sorted(self.wanted), set=number))
            left, since = len(self.wanted), time.monotonic()
            while self.wanted and time.monotonic() - since < IDLE_SECONDS:
                await asyncio.sleep(0.02)
                if len(self.wanted) < left:
                    left, since = len(self.wanted), time.monotonic()

    def _on_reconcile(self, message):
        if message.initiator:
            items = (operation.item for operation in self.node.sets[message.set])
            answer = Reconciliation(items, RECONCILE_MAX).answer(message.message)
            self.send(RECONCILE, pb.Reconcile(set=message.set, message=answer))
            if message.set == 0:
                self.tell_everything()
        elif message.set == self.reconciling and self.answers.empty():
            self.answers.put_nowait(message.message)

    def _on_want(self, message):
        self.node.send_operations(self, [self.node.operations[item] for item in message.ids
                                         if item in self.node.operations])

    # ------------------------------------------------------------ who has what (§11.4)

    def tell_everything(self):
        """The first Have of a connection."""
        if not self.has_been_told:
            self.has_been_told = True
            self.tell([(blob, operation) for blob in self.node.here for operation, _ in self.node.described[blob]])

    def tell(self, described):
        """Pairs of a blob that is here and an operation that describes it."""
        if not self.has_been_told or not self.is_trusted:
            return
        sequences = defaultdict(set)
        for blob, operation in described:
            sequences[operation.device, blob.blob_class].add(operation.sequence)
        holdings = []
        for (device, blob_class), numbers in sequences.items():
            runs, end = [], 0
            for number in sorted(numbers):
                if runs and number == end:
                    runs[-1] += 1
                else:
                    runs += [number - end, 1]
                end = number + 1
            holdings += [pb.Holding(device=device, blob_class=blob_class, runs=part) for part in self._parts(runs)]
        for start in range(0, len(holdings), 16):  # 16 of the largest fit a frame
            self.send(HAVE, pb.Have(holdings=holdings[start:start + 16]))

    @staticmethod
    def _parts(runs):
        """Runs cut to what one holding takes; each part counts its first gap from 0."""
        position = 0
        for start in range(0, len(runs), 1024):
            part = runs[start:start + 1024]
            length = sum(part)
            part[0] += position
            yield part
            position += length

    def _on_have(self, message):
        """Partial holdings are passed over: only whole blobs are asked for here."""
        for holding in message.holdings:
            ranges = runs(holding)
            self.range_count += len(ranges)
            if self.range_count > RANGES_MAX:
                raise Refused("limit exceeded", "ranges")
            self.holdings[holding.device, holding.blob_class] += ranges
        self.tell_everything()
        self.news.set()

    def has(self, operation, blob):
        return any(start <= operation.sequence < end
                   for start, end in self.holdings.get((operation.device, blob.blob_class), ()))

    # ------------------------------------------------------------ asking (§11.5)

    async def _fetch(self):
        while True:
            blob = self.node.next_blob(self)
            if blob is None:
                await self.news.wait()
                self.news.clear()
                continue
            self.node.fetching.add(blob)
            path = self.node.store.blob(blob)
            part = path.with_name(path.name + ".part")
            try:
                with open(part, "wb") as file:
                    outcome, hashes = "done", None
                    for first in range(0, blob.chunk_count, CHUNKS_PER_REQUEST_MAX):
                        outcome, hashes = await self._ask(blob, first, hashes, file)
                        if outcome != "done" or blob not in self.node.described:  # taken away meanwhile
                            break
                    file.flush()
                    os.fsync(file.fileno())
                if outcome == "done":
                    part.rename(path)
                    self.node.got(blob)
                elif outcome == "bad":
                    self.bad_count += 1
                    if self.bad_count >= BAD_CHUNKS_MAX:
                        self.node.shunned[self.device] = time.monotonic() + 600
                        self.end("limitExceeded")
            finally:
                part.unlink(missing_ok=True)
                self.node.fetching.discard(blob)
                self.node.wake()

    async def _ask(self, blob, first, hashes, file):
        """One request, to its end: "done", "bad" or "refused", and the list of chunks."""
        count = min(CHUNKS_PER_REQUEST_MAX, blob.chunk_count - first)
        self.request_number = self.request_number % 0xFFFF_FFFF + 1
        download = self.download = Download(self.request_number, blob, first, count, hashes, file)
        download.asked_at = time.monotonic()
        self.send(REQUEST, pb.ChunkRequest(request=download.number, root=blob.root, blob_class=blob.blob_class,
                                           byte_count=blob.byte_count, first_chunk=first, chunk_count=count,
                                           with_list=blob.chunk_count > 1 and hashes is None))
        try:
            while not download.finished.done() and time.monotonic() - download.progress < IDLE_SECONDS:
                await asyncio.wait([download.finished], timeout=1)
        finally:
            self.download = None
        outcome = download.finished.result() if download.finished.done() else "late"
        if outcome in ("bad", "late"):
            self.send(CANCEL, pb.Cancel(request=download.number))
        if outcome.startswith("busy"):
            await asyncio.sleep(int(outcome.split()[1]) / 1000)
        elif outcome != "done":
            self.refused.add(blob)
        return outcome, download.hashes

    def _on_list(self, message):
        if self.download and message.request == self.download.number:
            self.download.take_list(message.hashes)

    def _on_data(self, data):
        if self.download and data.request == self.download.number:
            self.download.take(data)

    def _on_refusal(self, message):
        if self.download and message.request == self.download.number:
            self.download.finish(f"busy {min(message.retry_after_ms, 60_000)}" if message.retry_after_ms else "refused")

    # ------------------------------------------------------------ answering

    def _on_request(self, message):
        blob = Blob(message.blob_class, message.root, message.byte_count)
        cost = message.chunk_count + message.with_list
        if blob in self.node.withheld:
            self._refuse(message, "removed")
        elif blob not in self.node.here or message.first_chunk + message.chunk_count > blob.chunk_count:
            self._refuse(message, "notHere")
        elif self.waiting_chunks + cost > REQUESTS_MAX:
            self._refuse(message, "busy", 1000)
        else:
            self.waiting_chunks += cost
            self.requests.append((message, blob))
            self.has_requests.set()

    def _refuse(self, message, code, retry_after_ms=0):
        self.send(REFUSAL, pb.Refusal(request=message.request, code=CODE[code], retry_after_ms=retry_after_ms))

    def _on_cancel(self, message):
        for entry in [entry for entry in self.requests if entry[0].request == message.request]:
            self._drop(entry)

    def _drop(self, entry):
        if entry in self.requests:
            self.requests.remove(entry)
            self.waiting_chunks -= entry[0].chunk_count + entry[0].with_list

    async def _serve(self):
        while True:
            await self.has_requests.wait()
            if not self.requests:
                self.has_requests.clear()
                continue
            entry = message, blob = self.requests[0]
            if blob not in self.node.here:
                self._refuse(message, "removed")
                self._drop(entry)
                continue
            chunks = range(message.first_chunk, message.first_chunk + message.chunk_count)
            with open(self.node.store.blob(blob), "rb") as file:
                if message.with_list:
                    hashes = b"".join(blake2b(file.read(CHUNK + TAG)) for _ in range(blob.chunk_count))
                    self.send(LIST, pb.ChunkList(request=message.request, hashes=hashes))
                for chunk in chunks:
                    file.seek(chunk * (CHUNK + TAG))
                    sealed = file.read(blob.sealed_length(chunk))
                    for offset in range(0, len(sealed), DATA_MAX):
                        if entry not in self.requests:
                            break
                        if blob not in self.node.here:
                            self._refuse(message, "removed")
                            self._drop(entry)
                            break
                        head = struct.pack(">III", message.request, chunk, offset)
                        self.send(DATA, head + sealed[offset:offset + DATA_MAX])
                        await self.connection.drain()
            self._drop(entry)
