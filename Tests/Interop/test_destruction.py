# SPDX-License-Identifier: Apache-2.0
"""What becomes of what was taken away (§9.5): the Python peer gives it out no more, and destroys it after an hour of
running time. Live with nodes on the loopback interface; how the hour is counted, in this process with a clock of its own."""

import json
import sqlite3
from itertools import count

import pytest
from nacl.signing import SigningKey

import disposable_pb2 as pb
import node as python_node
from event import Event, domain, public, sign
from messages import CODES, DATA, OPERATIONS, PING, REFUSAL, REQUEST, WANT
from operations import (CAPTION, CHARTER, COMMENT, ERASE, HIDE, JOIN, KINDS, NAME, NOTICE, ORIGINAL, PHOTO, REMOVE,
                        REVOKE_ROLE, Operation, make)
from party import Node, TimedOut, eventually, sha256
from python_peer import PythonPeer
from scripted import Scripted, answer, kept, ping

ON_LOOPBACK = ("--no-mdns", "--listen", "127.0.0.1:0")
ORGANIZER = 3


def add(node, photo):
    lines = map(json.loads, node.command("add", photo, "--json").splitlines())
    return next(line["id"] for line in lines if line["type"] == "added")


def in_step(node, peer):
    """Waits until both have all there is, and the same gallery; the digest."""
    def equal():
        state = node.status()
        return (state["missingBlobCount"] == 0 and peer.is_complete and state["digest"] == peer.digest
                and state["operationCount"] == len(stored(peer)) and state["digest"])
    try:
        return eventually("the node and the Python peer have the same gallery", equal)
    except TimedOut as timed_out:
        raise TimedOut(f"{timed_out}\n{node.status()}\n{peer.lines}") from None


def data(peer):
    return next((peer.folder / "data").iterdir())


def stored(peer):
    """The operations that a Python peer has, by id. Read-only: opening it for writing could change it."""
    database = sqlite3.connect(f"file:{data(peer)}/peer.sqlite?mode=ro", uri=True)
    rows = database.execute("SELECT header, signature, body FROM operations").fetchall()
    database.close()
    return {each.id: each for each in (Operation(*row) for row in rows)}


def of_kind(operations, kind, subject=None):
    return [each for each in operations.values() if each.kind == kind and subject in (None, each.subject.hex())]


def traces(folder, operations):
    """What bytes may betray of these operations: {what: bytes}. Salts, texts, roots, keys, and parts of blobs."""
    found = {}
    for operation in operations:
        name = f"{operation.kind} {operation.id.hex()[:8]}"
        found[f"{name} salt"] = operation.body[:16]
        if hasattr(operation.content, "text"):
            found[f"{name} text"] = operation.content.text.encode()
        for blob, reference in operation.blobs():
            found[f"{name} key {blob.blob_class}"], found[f"{name} root {blob.blob_class}"] = reference.key, blob.root
            ciphertext = (folder / f"{blob.root.hex()}-{blob.blob_class}-{blob.byte_count}").read_bytes()
            for start in range(0, len(ciphertext) - 32, max(len(ciphertext) // 4, 1)):
                found[f"{name} blob {blob.blob_class} from {start}"] = ciphertext[start:start + 32]
    return found


def left(folder, traces):
    """Which of them are in any file of a folder."""
    everything = [file.read_bytes() for file in folder.rglob("*") if file.is_file()]
    return {what for what, trace in traces.items() if any(trace in each for each in everything)}


def blobs(operations):
    return [blob for operation in operations for blob, _ in operation.blobs()]


async def asked(connection, wanted):
    """What the other side answers to who asks for the first chunk of blobs: "data", or the refusal's name, of each."""
    answers = []
    for number, blob in enumerate(wanted, 1):
        connection.send(REQUEST, pb.ChunkRequest(request=number, root=blob.root, blob_class=blob.blob_class,
                                                 byte_count=blob.byte_count, chunk_count=1))
        kind = message = None
        while kind not in (DATA, REFUSAL) or message.request != number:
            kind, message = await connection.receive()
        answers.append("data" if kind == DATA else CODES[message.code])
    return answers


@pytest.fixture
def host(folder, running):
    node = Node(folder / "host", "host", "Garden party", "--as", "Anna")
    running.append(node)
    return node


def join(folder, running, host, name, *arguments):
    node = Node(folder / name.lower(), "join", host.ready["invitation"], "--as", name, *arguments)
    running.append(node)
    return node


def python_peer(folder, running, host, *arguments):
    peer = PythonPeer(folder / "pia", host.ready["invitation"], *ON_LOOPBACK, "--as", "Pia", *arguments)
    running.append(peer)
    peer.said("member")
    return peer


def test_what_was_taken_away_is_passed_on_without_bodies_and_blobs(folder, running, host, painter):
    """Also remarks and a notice that were taken away themselves. What is hidden is passed on as before. A newcomer has
    the Python peer alone, and so has a witness that sees what it sends."""
    own = painter.photo(64, 48)
    pia = python_peer(folder, running, host, "--publish", own)
    hidden = pia.said("published")[0]
    removed, shown = add(host, painter.photo()), add(host, painter.photo())
    for photo in (removed, shown):
        host.command("caption", photo, f"A caption of {photo}")
        host.command("comment", photo, f"A comment on {photo}")
    host.command("notice", "There is cake.")
    in_step(host, pia)
    before = stored(pia)
    (caption,), (notice,) = of_kind(before, CAPTION, shown), of_kind(before, NOTICE)
    for each in (removed, caption.id.hex(), notice.id.hex()):
        host.command("remove", each)
    host.command("hide", hidden)
    assert pia.said("removed") == [removed]
    digest = in_step(host, pia)
    host.kill()

    gone = [before[bytes.fromhex(removed)], caption, notice, *(
        each for kind in (ORIGINAL, CAPTION, COMMENT) for each in of_kind(before, kind, removed))]
    staying = [each for each in before.values() if each.body and each not in gone]
    assert len(gone) == 6 and {NAME, PHOTO, ORIGINAL, COMMENT} < {each.kind for each in staying}
    assert all(stored(pia)[each.id].body for each in gone), "they wait for their hour"
    assert all((data(pia) / f"{blob.root.hex()}-{blob.blob_class}-{blob.byte_count}").exists() for blob in blobs(gone))

    (port,) = pia.said("listening")
    ben = join(folder, running, host, "Ben", "--peer", f"127.0.0.1:{port}", "--no-mdns")
    assert in_step(ben, pia) != digest, "Ben's name is new"
    assert {photo["id"]: photo["state"] for photo in ben.gallery() if photo["state"] == "complete"} == {shown: "complete"}
    assert removed not in ben.command("gallery", "--json") + ben.command("show", shown, "--json")

    async def witness(connection):
        got = await kept(connection, [each.id for each in before.values()])
        assert {each.id for each in before.values() if got[each.id].body != each.body} == {each.id for each in gone}
        assert all(got[each.id].body is None for each in gone)
        return await asked(connection, blobs(gone)), await asked(connection, blobs(staying))
    refused, given = Scripted(pia.invitation, ("127.0.0.1", int(port))).run(witness)
    assert refused == ["removed"] * 3
    assert given == ["data"] * (3 + 3), "also what is hidden"


def test_nothing_is_left_of_it_after_the_delay(folder, running, host, painter):
    pia = python_peer(folder, running, host, "--destruction-delay", "6")
    removed, shown = add(host, painter.photo(2000, 1500)), add(host, painter.photo())
    for photo in (removed, shown):
        host.command("caption", photo, f"A caption of {photo}")
    for number in range(20):
        host.command("comment", removed if number % 2 else shown, f"Comment {number} on {removed if number % 2 else shown}")
    in_step(host, pia)
    before = stored(pia)
    gone = [before[bytes.fromhex(removed)], *(
        each for each in before.values() if each.subject.hex() == removed and each.body)]
    staying = [before[bytes.fromhex(shown)], *(
        each for each in before.values() if each.subject.hex() == shown and each.body)]
    assert len(gone) == len(staying) == 1 + 1 + 1 + 10
    secrets, others = traces(data(pia), gone), traces(data(pia), staying)
    assert left(data(pia), secrets) == secrets.keys()

    host.command("remove", removed)
    pia.said("removed")
    assert left(data(pia), secrets) == secrets.keys(), "an hour has not passed"
    assert pia.said("destroyed") == [removed]
    assert left(pia.folder, secrets) == set()
    assert left(data(pia), others) == others.keys()
    in_step(host, pia)

    pia.kill()
    host.command("comment", shown, "After it")
    pia.start(*ON_LOOPBACK)
    in_step(host, pia)
    assert left(pia.folder, secrets) == set()
    assert left(data(pia), others) == others.keys()
    assert not [line for line in pia.lines if line[0] in ("removed", "destroyed")], "that was before"
    assert {each.id for each in stored(pia).values() if each.body is None and each.body_byte_count} == {
        each.id for each in gone}


def test_a_body_that_comes_after_the_removal_is_not_kept(folder, running, host):
    """Nor asked for, where it is missing; what was not taken away is."""
    pia = python_peer(folder, running, host)
    author = Scripted(pia.invitation, ("127.0.0.1", int(pia.said("listening")[0])))
    numbers = count(1)

    def photo(sentence):
        def blob(blob_class):
            number = next(numbers)
            return pb.BlobReference(root=bytes([0xA0, number] * 16), byte_count=1000, chunk_log2=18,
                                    key=bytes([0xB0, number] * 16))
        first = author.state(PHOTO, pb.PhotoBody(thumbnail=blob(1)))
        original = pb.OriginalBody(original=blob(3), sha256=bytes([0xC0, next(numbers)] * 16))
        return [first, author.state(ORIGINAL, original, subject=first.id),
                *(author.state(kind, pb.TextBody(text=sentence), subject=first.id) for kind in (CAPTION, COMMENT))]

    async def script(connection):
        def send(operations, is_bare=False):
            messages = [each.message() for each in operations]
            for each in messages if is_bare else []:
                each.ClearField("body")
            connection.send(OPERATIONS, pb.Operations(operations=messages))

        late, together, bare, shown = map(photo, ("Too late", "At once", "Not here", "That stays"))
        removals = [author.state(REMOVE, subject=operations[0].id) for operations in (late, together, bare)]
        send(removals[:1])
        await kept(connection, [removals[0].id])
        send(late)  # after
        send([*together, removals[1]])  # in one message
        send(bare, is_bare=True)  # before, then without asking after it
        send(removals[2:])
        send(bare)
        gone = late + together + bare
        got = await kept(connection, [each.id for each in gone])
        assert not [each for each in got.values() if each.body is not None]
        send(shown, is_bare=True)
        send(shown)  # nobody has asked
        got = await kept(connection, [each.id for each in shown])
        assert not [each for each in got.values() if each.body is not None]

        # Sets that are equal, by what the peer says of them.
        ping(connection, 1)
        theirs = await answer(connection, PING + 1)
        connection.send(PING, pb.Ping(nonce=2, authority=theirs.authority, content=theirs.content))
        wanted = await answer(connection, WANT)
        assert set(wanted.ids) == {each.id for each in shown}
        send(shown)
        while not all(each.body for each in got.values()):
            got = await kept(connection, [each.id for each in shown])
        return gone
    gone = author.run(script)

    def trace(operation):
        return [operation.body[:16]] + [part for blob, reference in operation.blobs() for part in (blob.root, reference.key)]
    secrets = {(each.kind, each.id, number): part for each in gone for number, part in enumerate(trace(each))}
    assert left(data(pia), secrets) == set()
    eventually("the node shows the same", lambda: host.status()["digest"] == pia.digest and (
        host.status()["operationCount"] == len(stored(pia))))


def test_what_an_erase_that_turns_out_void_has_destroyed_is_had_again(folder, running, host, painter):
    """Ben, an organizer, erases Anna's photo. Her node, which has not heard of it, takes the role from him: what comes
    after that is void."""
    file = painter.photo(2000, 1500)
    erased = add(host, file)
    host.command("caption", erased, "The caption")
    ben = join(folder, running, host, "Ben")
    pia = python_peer(folder, running, host, "--destruction-delay", "2", "--peer", ben.ready["listen"])
    eventually("Ben is known by name", lambda: "Ben" in host.command("event", "show", "--json"))
    host.command("role", "grant", "organizer", "Ben")
    for node in (host, ben):
        in_step(node, pia)
    before = stored(pia)
    secrets = traces(data(pia), [each for each in before.values() if each.body and erased in (
        each.id.hex(), each.subject.hex())])
    host.kill()
    ben.command("erase", erased, "--yes")
    assert pia.said("destroyed") == [erased]
    assert left(pia.folder, secrets) == set()
    in_step(ben, pia)
    ben.kill()
    pia.kill()

    host.start()
    host.command("role", "revoke", "organizer", "Ben")
    pia.start(*ON_LOOPBACK)
    pia.said("photo")
    assert pia.saved == {erased: sha256(file)}
    in_step(host, pia)
    eventually("all bodies are back", lambda: all(stored(pia)[each.id].body == each.body for each in before.values()))
    assert left(data(pia), secrets) == secrets.keys()


# ---------------------------------------------------------------- the hour

class Clock:
    """The monotonic clock of a machine, which restarts with it."""

    def __init__(self, monkeypatch):
        self.now = 0.0
        monkeypatch.setattr(python_node.time, "monotonic", lambda: self.now)


class Machine:
    """A Python peer in this process: Anna's, with the event key, and a photo of hers with a caption."""

    def __init__(self, folder, monkeypatch, photo):
        self.folder, self.clock, self.said = folder, Clock(monkeypatch), []
        self.event_key = SigningKey.generate()
        self.event = Event(public(self.event_key), bytes(32))
        self.start()
        self.state_as(self.event_key, CHARTER, pb.CharterBody(name="Garden party", duration_hours=1, retention_hours=1))
        self.state_as(self.node.key, JOIN, pb.JoinBody(sponsor=self.event.key, signature=sign(
            self.event_key, domain("admission"), self.event.id, self.node.device)))
        self.photo = self.node.publish(photo)
        self.state_as(self.node.key, CAPTION, pb.TextBody(text="The caption"), subject=self.photo)
        self.secrets = traces(self.node.store.folder, [
            each for each in self.node.operations.values() if self.photo in (each.id, each.subject) and each.body])

    def start(self):
        """Starts it again, with the clock at zero."""
        self.clock.now = 0.0
        self.node = python_node.Node(self.event, self.folder / "data", self.folder / "photos", self.said.append)

    def state_as(self, key, kind, content=None, **options):
        chain = [each for each in self.node.sets[KINDS[kind].is_authority] if each.device == public(key)]
        operation = make(key, self.event.id, kind, chain, self.node.time(), content, **options)
        self.node.keep([operation])
        return operation.id

    def at(self, seconds):
        """What is left when the clock says so."""
        self.clock.now = seconds
        self.node.destroy()
        found = left(self.node.store.folder, self.secrets)
        assert found in (set(), self.secrets.keys())
        return "all" if found else "nothing"


@pytest.fixture
def machine(folder, monkeypatch, painter):
    return Machine(folder, monkeypatch, painter.photo(64, 48))


def test_the_hour_is_one_of_running_time_over_all_starts(machine, monkeypatch):
    monkeypatch.setattr(python_node.time, "time_ns", lambda: 1 << 61)  # a wall clock in the next century
    machine.clock.now = 100.0
    machine.state_as(machine.node.key, REMOVE, subject=machine.photo)
    assert machine.at(100.0 + 1800) == "all"
    machine.start()
    assert machine.at(1000) == machine.at(1799) == "all"
    machine.start()
    assert machine.at(0.5) == "all"
    assert machine.at(1) == "nothing"
    assert machine.said.count(f"destroyed {machine.photo.hex()}") == 1
    machine.start()
    assert machine.at(4000) == "nothing"
    assert machine.node.state.photos[machine.photo].status == "removed"


def test_a_void_erase_destroys_nothing_and_a_new_one_has_an_hour_of_its_own(machine):
    ben = SigningKey.generate()
    machine.state_as(ben, JOIN, pb.JoinBody(sponsor=machine.event.key, signature=sign(
        machine.event_key, domain("admission"), machine.event.id, public(ben))))
    original, = of_kind(machine.node.operations, ORIGINAL)
    machine.node.unsaved[original.id] = set()  # as if it had come from somebody else
    machine.node.save_originals()
    saved = machine.node.file(original)
    assert saved.exists()
    machine.state_as(ben, ERASE, subject=machine.photo)
    assert machine.node.state.photos[machine.photo].status == "erased" and not saved.exists()
    assert machine.at(3599) == "all"
    machine.state_as(machine.event_key, REVOKE_ROLE, pb.RevocationBody(), subject=public(ben), argument=ORGANIZER)
    assert machine.node.state.photos[machine.photo].status == "frame" and saved.exists()
    assert machine.at(10_000) == "all"
    machine.state_as(machine.event_key, ERASE, subject=machine.photo)
    assert machine.at(13_599) == "all"
    assert machine.at(13_600) == "nothing"


def test_what_is_hidden_is_not_destroyed(machine):
    machine.state_as(machine.event_key, HIDE, subject=machine.photo)
    assert machine.node.state.photos[machine.photo].status == "hidden"
    assert machine.at(10_000) == "all"


def test_a_blob_stays_that_another_photo_describes(machine):
    photo = machine.node.operations[machine.photo]
    machine.node.state_operations((PHOTO, photo.content, bytes(32), 0))
    machine.state_as(machine.node.key, REMOVE, subject=machine.photo)
    machine.clock.now = 3600
    machine.node.destroy()
    assert {file.name for file in machine.node.store.folder.glob("*-*-*")} == {
        machine.node.store.blob(blob).name for blob, _ in photo.blobs()}, "the original's alone is gone"


def test_what_somebody_reads_just_then_is_destroyed_later(machine):
    """A reader of the database may need the WAL; and a node that crashes then continues after it."""
    machine.state_as(machine.node.key, REMOVE, subject=machine.photo)
    reader = sqlite3.connect(machine.node.store.folder / "peer.sqlite", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM operations").fetchone()
    machine.node.store.database.execute("PRAGMA busy_timeout = 1")
    machine.clock.now = 3600
    machine.node.destroy()
    assert not [line for line in machine.said if line.startswith("destroyed")]
    reader.close()
    machine.start()
    assert machine.at(0) == "nothing"
    assert f"destroyed {machine.photo.hex()}" in machine.said
