# SPDX-License-Identifier: Apache-2.0
"""What a node has and does with all of its peers: joining (§6.7), operations (§8.6), blobs (§11), dialling (§6.8)."""

import asyncio
import hashlib
import os
import random
import sqlite3
import time
from pathlib import Path

from nacl.exceptions import CryptoError
from nacl.public import SealedBox
from nacl.signing import SigningKey

import disposable_pb2 as pb
from connection import Closed, accept, dial
from event import (Blob, Refused, blake2b, domain, ephemeral_key, open_chunk, open_key, public, reopen_key, seal_blob,
                   seal_key)
from fold import State
from messages import BATCH_BYTES_MAX, BATCH_MAX, CLOSE, CODES, MAY_RETRY, OPERATIONS
from operations import CLAIM, EPOCH, JOIN, NAME, ORIGINAL, PHOTO, Operation, make
from peer import Peer

PEERS_MAX, STRANGERS_MAX, STRANGERS_PER_ADDRESS_MAX, ADDRESSES_MAX = 96, 32, 4, 512
REDIAL_SECONDS = 0.5, 60
SECRETS_MAX, SERVICE_SECONDS, REPLACED_MS = 8, 5, 10_000
DESTRUCTION_SECONDS = 3600
EXTENSIONS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/heic": "heic", "image/avif": "avif",
              "image/gif": "gif", "image/tiff": "tiff", "video/mp4": "mp4", "video/quicktime": "mov",
              "video/webm": "webm"}


class Store:
    """Operations and keys in SQLite, synced before `add` returns; sealed blobs as files named by their descriptions."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.database = sqlite3.connect(self.folder / "peer.sqlite")
        self.database.execute("PRAGMA journal_mode = WAL")
        self.database.execute("PRAGMA synchronous = FULL")
        self.database.execute("PRAGMA secure_delete = ON")
        self.database.execute("PRAGMA temp_store = MEMORY")
        self.database.execute("CREATE TABLE IF NOT EXISTS keys (name TEXT PRIMARY KEY, value BLOB)")
        self.database.execute("CREATE TABLE IF NOT EXISTS operations "
                              "(id BLOB PRIMARY KEY, header BLOB, signature BLOB, body BLOB) WITHOUT ROWID")
        self.database.execute("CREATE TABLE IF NOT EXISTS condemned (id BLOB PRIMARY KEY, seconds REAL)")

    def key(self, name):
        """32 bytes that are random the first time and the same ever after."""
        with self.database:
            self.database.execute("INSERT OR IGNORE INTO keys VALUES (?, ?)", (name, os.urandom(32)))
        return self.database.execute("SELECT value FROM keys WHERE name = ?", (name,)).fetchone()[0]

    def operations(self, event):
        rows = self.database.execute("SELECT header, signature, body FROM operations")
        return [operation for operation in (Operation(*row) for row in rows) if operation.event == event]

    def add(self, operations):
        with self.database:
            self.database.executemany(
                "INSERT INTO operations VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body",
                [(operation.id, operation.header, operation.signature, operation.body) for operation in operations])

    def condemned(self):
        """{operation whose body is to be destroyed: the seconds it has waited}"""
        return dict(self.database.execute("SELECT id, seconds FROM condemned"))

    def condemn(self, seconds):
        with self.database:
            self.database.execute("DELETE FROM condemned")
            self.database.executemany("INSERT INTO condemned VALUES (?, ?)", seconds.items())

    def destroy(self, operations):
        """Whether nothing is left of these operations' bodies: neither in the pages, where SQLite's balancing may have
        left copies that secure_delete does not know of, nor in the WAL."""
        try:
            with self.database:
                self.database.executemany("UPDATE operations SET body = NULL WHERE id = ?",
                                          [(operation.id,) for operation in operations])
            self.database.execute("VACUUM")
            is_busy, _, _ = self.database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.OperationalError:  # somebody reads it, or the disk is full
            return False
        return not is_busy

    def blob(self, blob):
        return self.folder / f"{blob.root.hex()}-{blob.blob_class}-{blob.byte_count}"


def write_durably(path, parts):
    part = path.with_name(path.name + ".part")
    try:
        with open(part, "wb") as file:
            for data in parts:
                file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)


class Passing:
    """Where operations come from that somebody brings on the way to another secret; what cannot be judged is dropped."""
    is_trusted, bodies_wanted = False, frozenset()

    def wait_with(self, operation):
        pass


class Node:
    """`say` hears of what happens, one line each; `photos` is the folder where the photos go; what was taken away is
    destroyed after `destruction_delay` seconds."""

    def __init__(self, event, data, photos, say=print, destruction_delay=DESTRUCTION_SECONDS):
        self.event, self.photos, self.say, self.destruction_delay = event, Path(photos), say, destruction_delay
        self.invited, self.secrets, self.epoch, self.rotated = event, [event], b"", asyncio.Event()
        self.photos.mkdir(parents=True, exist_ok=True)
        self.store = Store(Path(data) / event.id.hex()[:16])
        for part in self.store.folder.glob("*.part"):
            part.unlink()
        self.seconds, self.counted_at = self.store.condemned(), time.monotonic()
        self.key, self.import_secret = SigningKey(self.store.key("device")), self.store.key("import secret")
        self.device, self.instance, self.listen_port = public(self.key), os.urandom(16), 0
        self.operations = {operation.id: operation for operation in self.store.operations(event.id)}
        self.peers, self.fetching, self.shunned, self.device_at, self.dialling = {}, set(), {}, {}, {}
        self.strangers, self.tasks, self.admitted, self.in_step = [], None, asyncio.Event(), asyncio.Event()
        self.fold()
        # By original that is here and not in the folder: the keys that did not open it. Own photos do not go there, except
        # where others bring them back.
        self.unsaved = {operation.id: set() for blob in self.here if blob.blob_class == 3
                        for operation, _ in self.described[blob]
                        if operation.device != self.device and not self.file(operation).exists()}
        self.unopened = {}  # {photo: "sealed" or "unreadable"}
        self.remove_files()
        self.save_originals()

    # ------------------------------------------------------------ what is known

    def fold(self, state=None):
        """Draws the conclusions from the operations that are here; `state` may have been folded from them before."""
        everything = self.operations.values()
        self.state = state = state or State(self.event.key, everything)
        self.sets = [[each for each in everything if each.is_authority == is_authority]
                     for is_authority in (False, True)]
        self.members, self.charter = state.members, state.charter
        self.described = {}  # of photos not taken away for good: {blob: [(operation that describes it, reference)]}
        self.withheld = set()  # blobs of the others, until they are destroyed
        for photo in state.photos.values():
            for operation in [photo.operation, *photo.originals]:
                for blob, reference in operation.blobs():
                    if photo.status in ("removed", "erased"):
                        self.withheld.add(blob)
                    else:
                        self.described.setdefault(blob, []).append((operation, reference))
        for operation in everything:
            if operation.kind in (PHOTO, ORIGINAL) and state.ranks.is_discarded(operation):
                self.withheld.update(blob for blob, _ in operation.blobs())
        self.withheld -= self.described.keys()
        condemned = {each.id for each in everything if state.is_condemned(each)}
        self.bodiless = {each.id for each in everything if each.body is None and each.body_byte_count} - condemned
        due = {each for each in condemned if self.operations[each].body or each in self.seconds}
        if due != self.seconds.keys():
            self.count_seconds(due)
        self.here = {blob for blob in self.described if self.store.blob(blob).exists()}
        self.missing = sorted(blob for blob in self.described if blob not in self.here)
        if self.is_member and self.charter:
            self.admitted.set()
        self.follow_epochs()

    @property
    def is_member(self):
        return self.device in self.members

    # ------------------------------------------------------------ secrets (§6.12)

    def open_box(self, epoch):
        """The event under the secret that an epoch has sealed to this device; None where there is none, or a false one."""
        own = SealedBox(self.key.to_curve25519_private_key())
        for device, box in self.state.boxes[epoch.id][:]:
            if device == self.device:
                try:
                    event = self.invited.under(own.decrypt(box))
                except CryptoError:
                    continue
                if len(event.secret) == 32 and event.commits(epoch.content.commitment, epoch.subject):
                    return event
        return None

    def follow_epochs(self):
        """Looks which secrets this node has, and goes by that which is nearest to the current epoch's. None is kept
        anywhere: what is sealed to this device is among its operations."""
        epochs = {each.id: each for each in self.operations.values() if each.id in self.state.boxes}
        known = {epoch.id: event for epoch in epochs.values() if (event := self.open_box(epoch))}
        invited = next((epoch.id for epoch in epochs.values()
                        if self.invited.commits(epoch.content.commitment, epoch.subject)), b"")
        known.setdefault(invited, self.invited)
        way = [each.id for each in reversed(self.state.epochs)] + [b""]
        order = [each for each in way + sorted(set(known) - set(way)) if each in known]
        before, self.epoch = self.event.secret, order[0]
        self.secrets = [known[each] for each in order][:SECRETS_MAX]
        self.event = self.secrets[0]
        if self.event.secret != before:
            self.say(f"rotated {self.epoch.hex()}")
            self.rotated.set()
            for peer in list(self.peers.values()):
                self.leave_old_secret(peer)

    def leave_old_secret(self, peer):
        """Says goodbye to a peer under another secret, with the news where it may not have them."""
        if self.epoch in peer.epochs_said:
            peer.connection.close("rotated")
        elif peer.device in self.state.insiders:
            self.send_operations(peer, self.epoch_proof())
            asyncio.get_running_loop().call_later(SERVICE_SECONDS, lambda: peer.connection.close("rotated"))
        else:
            peer.connection.close("invitationReplaced", REPLACED_MS)

    def epoch_proof(self):
        """What shows which secret is the event's: the epochs, and the joins of this device and of who stated them. This
        peer knows of no rulings."""
        epochs = [each for each in self.sets[1] if each.kind == EPOCH]
        authors = {each.device for each in epochs}
        joins = [each for each in self.sets[1] if each.kind == JOIN and each.device in authors]
        return list({each.id: each for each in [*self.proof(), *joins, *epochs]}.values())

    async def renew(self, connection):
        """The one service under another secret than the current one. Both ends may have news."""
        if connection.claims.device not in self.state.insiders:
            connection.close("invitationReplaced", REPLACED_MS)
            return "invitationReplaced", REPLACED_MS
        self.send_operations(connection, self.epoch_proof())
        try:
            async with asyncio.timeout(SERVICE_SECONDS):
                while True:
                    kind, message = await connection.receive()
                    if kind == CLOSE:
                        raise Closed(CODES.get(message.code, "shuttingDown"), message.retry_after_ms)
                    if kind == OPERATIONS:
                        self.take([each for each in message.operations if len(each.header) == 188 and each.header[3] & 1],
                                  Passing())
                        if any(blake2b(domain("operation id"), each.header) == self.epoch for each in message.operations):
                            break
        except Closed as closed:
            return closed.code, closed.retry_after_ms
        except Refused:
            connection.close("malformed")
            return "malformed", 0
        except (OSError, EOFError):
            return None, 0
        except TimeoutError:
            pass
        connection.close("rotated")
        return "rotated", 0

    # ------------------------------------------------------------ what shows that this node is in

    def proof(self):
        """The charter, and the joins that lead from the event key to this device."""
        first, grew = {}, True
        joins = [operation for operation in self.sets[1] if operation.kind == JOIN]
        while grew:
            fresh = {join.device: join for join in joins if join.device not in first and
                     (join.content.sponsor == self.event.key or join.content.sponsor in first)}
            grew = bool(fresh)
            first.update(fresh)
        chain, device = [], self.device
        while device != self.event.key and device in first:
            chain.insert(0, first[device])
            device = first[device].content.sponsor
        return [self.charter] * bool(self.charter) + chain

    def time(self):
        """A timestamp for an operation of our own (§8.3)."""
        now = time.time_ns() // 1_000_000
        own = max((each.time for each in self.operations.values() if each.device == self.device), default=0)
        seen = max((each.time for each in self.operations.values() if each.milliseconds <= now + 60_000), default=0)
        return max(now << 16, own + 1, seen + 1)

    # ------------------------------------------------------------ operations

    def take(self, messages, peer):
        """Operations from a peer, in the steps of §8.6. What is wrong ends the connection; what is right is kept."""
        failure, fresh, waiting = None, {}, []
        entered = set(self.state.entered)
        for message in messages:
            try:
                operation = message if isinstance(message, Operation) else Operation(
                    message.header, message.signature, message.body if message.HasField("body") else None)
                if operation.body and operation.id in self.bodiless and operation.id in peer.bodies_wanted:
                    fresh[operation.id] = self.operations[operation.id].with_body(operation.body)
                if operation.id in self.operations or operation.id in fresh:
                    continue
                author = operation.content.sponsor if operation.kind == JOIN else operation.device
                if author not in entered:
                    waiting.append(operation)
                    continue
                operation.check(self.event.id)
                fresh[operation.id] = operation
                if operation.kind == JOIN:
                    entered.add(operation.device)
            except Refused as refused:
                failure = Refused("malformed", f"an operation: {refused}")
        for operation in waiting:
            if operation.kind == JOIN or peer.is_trusted:
                peer.wait_with(operation)
        if fresh:
            self.keep(list(fresh.values()), peer)
        if failure:
            raise failure

    def keep(self, operations, source=None):
        """Stores operations, then folds and pushes them; `source` is the peer that brought them. What they bring of what
        was taken away is not even stored."""
        was_member, known, here = self.is_member, (set(self.members), self.state.entered), self.here
        described = self.described
        new = {operation.id: operation for operation in operations}
        state = State(self.event.key, {**self.operations, **new}.values())
        bare = {each.id: each.with_body(None) for each in operations if each.body and state.is_condemned(each)}
        operations = list({**new, **bare}.values())
        self.store.add(operations)
        self.operations.update((operation.id, operation) for operation in operations)
        self.fold(None if bare else state)
        for peer in list(self.peers.values()):
            if peer is not source and peer.is_trusted:
                self.send_operations(peer, operations)
            peer.wanted -= new.keys()
            peer.refused -= self.described.keys() - described.keys()
        if (set(self.members), self.state.entered) != known:
            for peer in list(self.peers.values()):
                peer.meet(is_new=not was_member and self.is_member)
                waiting, peer.waiting = peer.waiting, {}
                if waiting:
                    self.take(list(waiting.values()), peer)
        self.remove_files()
        self.save_originals()
        for blob in self.here - here:
            self.tell(blob)
        self.wake()
        self.try_to_join()

    def send_operations(self, peer, operations):
        batch, size = [], 0
        for operation in operations:
            if self.state.is_condemned(operation):
                operation = operation.with_body(None)
            length = 188 + 64 + len(operation.body or b"")
            if len(batch) == BATCH_MAX or size + length > BATCH_BYTES_MAX:
                peer.send(OPERATIONS, pb.Operations(operations=batch))
                batch, size = [], 0
            batch.append(operation.message())
            size += length
        if batch:
            peer.send(OPERATIONS, pb.Operations(operations=batch))

    def try_to_join(self):
        """Makes this device's one join, as soon as somebody who is shown to be a member lets it in (§6.7)."""
        if self.is_member or not self.charter:
            return
        for peer in self.peers.values():
            admission = peer.admission
            if admission and admission.sponsor in self.members and self.event.is_admission(
                    admission.sponsor, admission.signature, self.device, admission.epoch):
                body = pb.JoinBody(sponsor=admission.sponsor, signature=admission.signature, epoch=admission.epoch)
                self.keep([make(self.key, self.event.id, JOIN, [], self.time(), body)])
                self.say(f"member let in by {admission.sponsor.hex()[:16]}")
                return

    def state_operations(self, *facts):
        """States facts (kind, content, subject, argument) of our own in the content set, in one go; a subject of
        None is the first of them."""
        chain = [each for each in self.sets[0] if each.device == self.device]
        made, stamp = [], self.time()
        for kind, content, subject, argument in facts:
            subject = made[0].id if subject is None else subject
            made.append(make(self.key, self.event.id, kind, chain + made, stamp + len(made), content, subject,
                             argument))
        self.keep(made)
        return made

    def call_oneself(self, name):
        if self.state.name(self.device) != name:
            self.state_operations((NAME, pb.NameBody(name=name), bytes(32), 0))

    # ------------------------------------------------------------ photos

    def publish(self, path):
        """Adds a photo. A JPEG that is small enough is its own thumbnail and preview: there is no decoder here. Returns
        its id, or None where the same file was added before or the roll is full."""
        data = Path(path).read_bytes()
        digest = hashlib.sha256(data).digest()
        media_type = {b"\xff\xd8\xff": "image/jpeg", b"\x89PN": "image/png", b"GIF": "image/gif"}.get(
            data[:3], "application/octet-stream")
        if any(each.kind == ORIGINAL and each.device == self.device and each.content.sha256 == digest
               for each in self.sets[0] if each.content):
            return None
        slot = self.state.free_slot(self.device, time.time_ns() // 1_000_000)
        if slot is None:
            self.say(f"full the roll has no slot for {path}")
            return None
        references = {}
        for blob_class, largest in ((1, 24 << 10), (2, 512 << 10), (3, 256 << 20)):
            if blob_class == 3 or media_type == "image/jpeg" and len(data) <= largest:
                reference, sealed = seal_blob(self.import_secret, blob_class, data)
                write_durably(self.store.blob(Blob(blob_class, reference.root, reference.byte_count)), sealed)
                references[blob_class] = self.until_reveal(reference)
        photo = pb.PhotoBody(thumbnail=references.get(1), preview=references.get(2), media_type=media_type)
        original = pb.OriginalBody(original=references[3], sha256=digest, media_type=media_type)
        made = self.state_operations((PHOTO, photo, bytes(32), 0), (CLAIM, None, None, slot),
                                     (ORIGINAL, original, None, 0))
        self.say(f"published {made[0].id.hex()} frame {slot}")
        return made[0].id

    def until_reveal(self, reference):
        """A reference of our own, its key sealed while photos are not open to all (§11.2)."""
        if self.state.is_revealed:
            return reference
        recipient = self.state.reveal_key
        sealed = seal_key(reference.key, recipient, ephemeral_key(self.import_secret, reference.root, recipient))
        return pb.BlobReference(root=reference.root, byte_count=reference.byte_count, chunk_log2=reference.chunk_log2,
                                sealed_key=sealed)

    def next_blob(self, peer):
        """What to ask this peer for."""
        if not peer.is_trusted:
            return None
        return next((blob for blob in self.missing if blob not in self.fetching and blob not in peer.refused
                     and any(peer.has(operation, blob) for operation, _ in self.described[blob])), None)

    def got(self, blob):
        """A blob has come, whole and checked."""
        if blob not in self.described:
            self.store.blob(blob).unlink()  # its photo was taken away meanwhile
            return
        self.here.add(blob)
        self.missing.remove(blob)
        self.tell(blob)
        if blob.blob_class == 3:
            self.unsaved.update((operation.id, set()) for operation, _ in self.described[blob])
            self.save_originals()

    def tell(self, blob):
        for peer in self.peers.values():
            peer.tell([(blob, operation) for operation, _ in self.described.get(blob, [])])

    def file(self, operation):
        """Where an original goes: named by the photo and, since there may be alternates, by its own operation."""
        extension = EXTENSIONS.get(operation.content.media_type, "bin")
        return self.photos / f"{operation.subject.hex()[:16]}-{operation.id.hex()[:8]}.{extension}"

    def keys(self, operation, reference):
        """The keys that may be an original's; none before it is shown, also where its author gives the key in the clear."""
        releases = self.state.photos[operation.subject].releases
        if not reference.sealed_key:
            return [reference.key] if self.state.is_revealed or releases or operation.device == self.device else []
        keys = [each.content.original for each in releases if each.content and each.content.original]
        try:
            if self.state.reveal_secret is not None:
                keys.append(open_key(reference.sealed_key, self.state.reveal_secret))
            elif operation.device == self.device:
                recipient = self.state.reveal_key
                keys.append(reopen_key(reference.sealed_key, recipient,
                                       ephemeral_key(self.import_secret, reference.root, recipient)))
        except Refused:
            pass  # its author has sealed it to another key
        return keys

    def save_originals(self):
        """Writes what is here and can be opened; what is sealed waits for the reveal, or for its author's release."""
        unopened = {}
        for blob in self.here:
            for operation, reference in self.described[blob]:
                if operation.id not in self.unsaved:
                    continue
                tried = self.unsaved[operation.id]
                keys = [key for key in self.keys(operation, reference) if key not in tried]
                tried.update(keys)
                if any(self.save(operation, blob, key) for key in keys):
                    del self.unsaved[operation.id]
                else:
                    unopened[operation.subject] = "unreadable" if self.state.is_revealed else "sealed"
        for photo, why in unopened.items():
            if self.unopened.get(photo) != why:
                self.say(f"{why} {photo.hex()}")
        self.unopened = unopened

    def save(self, operation, blob, key):
        """Whether the key opens an original, to what its author says; then it is in the folder."""
        digest = hashlib.sha256()

        def chunks():
            with open(self.store.blob(blob), "rb") as file:
                for index in range(blob.chunk_count):
                    plain = open_chunk(key, index, blob.is_last(index), file.read(blob.sealed_length(index)))
                    digest.update(plain)
                    yield plain
            if digest.digest() != operation.content.sha256:
                raise Refused("hash mismatch")

        path = self.file(operation)
        try:
            write_durably(path, chunks())
        except Refused:
            return False
        self.say(f"photo {operation.subject.hex()} {path.name} {operation.content.sha256.hex()}")
        return True

    # ------------------------------------------------------------ what was taken away (§9.5)

    def remove_files(self):
        """What was taken away for good is shown no more. It is saved again if that turns out void."""
        for photo in self.state.photos.values():
            for operation in photo.originals if photo.status in ("removed", "erased") else []:
                if operation.content and self.file(operation).exists():
                    self.file(operation).unlink()
                    self.unsaved[operation.id] = set()
                    self.say(f"removed {photo.operation.id.hex()}")

    def count_seconds(self, condemned):
        """For how long each of these operations has been known to be condemned, in time in which this node ran: what a
        monotonic clock, which stops while the machine sleeps, has counted over all starts."""
        now = time.monotonic()
        passed, self.counted_at = now - self.counted_at, now
        self.seconds = {each: self.seconds[each] + passed if each in self.seconds else 0 for each in condemned}
        self.store.condemn(self.seconds)

    def destroy(self):
        """Destroys what has been condemned long enough: blobs that no other photo describes, and bodies, with them keys.
        What is due stays so in the store until nothing is left, so a crash leaves nothing half done."""
        self.count_seconds(self.seconds)
        due = [self.operations[each] for each, seconds in self.seconds.items() if seconds >= self.destruction_delay]
        if not due:
            return
        blobs = {blob for operation in due for blob, _ in operation.blobs()}
        self.operations.update((operation.id, operation.with_body(None)) for operation in due)
        self.fold()
        for blob in blobs - self.described.keys() - self.withheld:
            self.store.blob(blob).unlink(missing_ok=True)
        if self.store.destroy(due):
            self.count_seconds(self.seconds.keys() - {operation.id for operation in due})
            for operation in due:
                if self.state.taken_away(operation):
                    self.say(f"destroyed {operation.id.hex()}")

    async def keep_destroying(self):
        while True:
            if self.seconds:
                self.destroy()
            await asyncio.sleep(min(max(self.destruction_delay / 4, 0.1), 10))

    # ------------------------------------------------------------ connections

    async def serve(self, host, port):
        server = await asyncio.start_server(self._accept, host, port)
        self.listen_port = server.sockets[0].getsockname()[1]
        return server

    async def _accept(self, reader, writer):
        host = writer.get_extra_info("peername")[0]
        if len(self.strangers) >= STRANGERS_MAX or self.strangers.count(host) >= STRANGERS_PER_ADDRESS_MAX:
            writer.close()
            return
        self.strangers.append(host)
        try:
            connection = await accept(self.secrets, self.key, self.instance, self.listen_port, reader, writer,
                                      lambda: ("busy", 10_000) if len(self.peers) >= PEERS_MAX else None)
        except (OSError, EOFError, TimeoutError, Refused):
            return
        except Closed as closed:
            if closed.version is not None:
                self.say(f"refused {host} {closed}")
            return
        finally:
            self.strangers.remove(host)
        await self.live(connection)

    def found(self, address):
        """An address where a peer may be: dialled until it is connected, and again when it is gone."""
        if address in self.dialling:
            self.dialling[address].set()
        elif len(self.dialling) < ADDRESSES_MAX and self.tasks:
            self.dialling[address] = asyncio.Event()
            self.tasks.create_task(self._keep_dialling(address))

    async def _keep_dialling(self, address):
        again, pause = self.dialling[address], REDIAL_SECONDS[0]
        while True:
            if self.device_at.get(address) not in self.peers:
                started, code, asked_ms = time.monotonic(), None, 0
                try:
                    connection = await self._dial(address)
                    self.device_at[address] = connection.claims.device, connection.claims.instance
                    code, asked_ms = await self.live(connection)
                except Closed as closed:
                    code, asked_ms = closed.code, closed.retry_after_ms
                    self.say(f"refused {address[0]} {closed}")
                except EOFError:
                    self.say(f"refused {address[0]} another event or another secret is served there")
                except (OSError, TimeoutError, Refused):
                    pass
                if code == "invitationReplaced":
                    self.say(f"refused {address[0]} this invitation was replaced; ask the organizer for the new one")
                if code == "sameDevice":
                    return
                pause = min(pause * 2, REDIAL_SECONDS[1])
                if time.monotonic() - started > 5:
                    pause = REDIAL_SECONDS[0]
                if code and code not in MAY_RETRY and code != "duplicateConnection":
                    pause = REDIAL_SECONDS[1]
                pause = min(max(pause, asked_ms / 1000), REDIAL_SECONDS[1])
            again.clear()
            try:
                await asyncio.wait_for(again.wait(), pause * random.uniform(0.75, 1.25))
                pause = REDIAL_SECONDS[0]
            except TimeoutError:
                pass

    async def _dial(self, address):
        """Shows the current secret; to who hangs up on it, the older ones, one after the other."""
        for event in self.secrets:
            try:
                return await dial(event, self.key, self.instance, self.listen_port, address)
            except EOFError:
                if event is self.secrets[-1]:
                    raise

    def stop(self):
        self.count_seconds(self.seconds)
        for peer in self.peers.values():
            peer.connection.close("shuttingDown")

    async def live(self, connection):
        """Runs an authenticated connection to its end; the code with which it ended, and the pause asked for."""
        device, instance = name = connection.claims.device, connection.claims.instance
        if name == (self.device, self.instance):
            connection.close("sameDevice")
            return "sameDevice", 0
        if connection.event.secret != self.event.secret:
            return await self.renew(connection)
        if self.shunned.get(device, 0) > time.monotonic():
            connection.close("limitExceeded")
            return "limitExceeded", 0
        for other in self.peers.values():
            if other.device == device and other.connection.claims.instance != instance:
                other.probe()  # it has restarted, or there are two copies of its folder
        other = self.peers.get(name)
        if other:
            if self._stays(other.connection, connection):
                other.probe()
                connection.close("duplicateConnection")
                return "duplicateConnection", 0
            other.connection.close("duplicateConnection")
        peer = self.peers[name] = Peer(self, connection)
        how = "dialled" if connection.is_dialler else "accepted"
        self.say(f"peer {device.hex()[:16]} {how} {connection.address[0]}")
        try:
            return await peer.run()
        finally:
            if self.peers.get(name) is peer:
                del self.peers[name]
            self.wake()

    def _stays(self, older, newer):
        """Whether the older of two connections to one instance of a device stays (§6.6)."""
        now = time.monotonic()
        if now - older.heard_at > 15 + 2.5:
            return False
        if older.is_dialler != newer.is_dialler:
            return older.is_dialler == ((self.device, self.instance) < (older.claims.device, older.claims.instance))
        return now - older.opened_at <= 5 and older.handshake_hash < newer.handshake_hash

    def wake(self):
        """There may be something new to ask somebody for."""
        for peer in self.peers.values():
            peer.news.set()
