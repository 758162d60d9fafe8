# SPDX-License-Identifier: Apache-2.0
"""Peers of later versions (§13): of a minor one, which sync, and of another version, which are told so, and whose
people read what to do. Both sides, a node and the Python peer."""

import asyncio
import json
import os
import struct
import subprocess
import threading
from pathlib import Path

import pytest

import disposable_pb2 as pb
from connection import make_preface, make_refusal, read_refusal
from event import Event, blake2b, domain, read_invitation, write_invitation
from messages import DATA, OPERATIONS
from operations import HEADER, NAME, Operation
from party import BUILD, Node, eventually
from python_peer import PythonPeer
from scripted import Scripted, ending, goes_on, kept, now, sending

ON_LOOPBACK = ("--no-mdns", "--listen", "127.0.0.1:0")
LATER_FIELD = b"\xc2\x3e\x05later"  # field 1000, which no version 1 has


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    node = Node(tmp_path_factory.mktemp("versions") / "host", "host", "Garden party", "--as", "Anna")
    yield node
    node.kill()


def place(listen):
    host, _, port = listen.rpartition(":")
    return host, int(port)


# ---------------------------------------------------------------- a later minor version

class Later(Scripted):
    """Says more than version 1 knows: a field in every message, and optional messages in between."""

    async def stranger(self, key=None):
        connection = await super().stranger(key)
        send = connection.send

        def say(kind, payload=b""):
            if not isinstance(payload, bytes):
                payload = payload.SerializeToString()
            send(0x80, b"what nobody has to understand")
            send(kind, payload if kind == DATA else payload + LATER_FIELD)
            send(0xFF)
        connection.send = say
        return connection


def test_a_node_and_a_later_minor_version_have_the_same_operations(host):
    later = Later(host.ready["invitation"], place(host.ready["listen"]))

    async def script(connection):
        body = b"what it says"
        header = HEADER.pack(1, 200, 0, len(body), 0, 0, now(), later.event.id, later.device, bytes(32), bytes(32),
                             blake2b(domain("body"), body))
        unknown = Operation(header, later.key.sign(domain("operation signature") + header).signature, body)
        later.chain.append(unknown)
        name = later.state(NAME, pb.NameBody(name="Lara"))
        connection.send(OPERATIONS, pb.Operations(operations=[unknown.message(), name.message()]))
        got = await kept(connection, [unknown.id, name.id])
        assert got[unknown.id].body == body and got[name.id].body == name.body
        return await goes_on(connection)

    assert later.run(script)
    # What it brought reaches a peer of version 1, also what neither of them understands.
    other = Scripted(host.ready["invitation"], place(host.ready["listen"]))

    async def look(connection):
        return await kept(connection, [each.id for each in later.chain])
    # The node pushes others, too, for example that this peer has joined.
    assert {each.id for each in later.chain} <= set(other.run(look))


def test_the_python_peer_passes_over_what_a_later_minor_version_says_besides(host, folder, running):
    """A later node comes in by the Python peer alone, with optional messages all the way; what it says reaches the host."""
    python = PythonPeer(folder / "pia", host.ready["invitation"], *ON_LOOPBACK)
    running.append(python)
    python.said("member")
    later = Later(host.ready["invitation"], ("127.0.0.1", int(python.said("listening")[0])))

    async def script(connection):
        for kind in range(0x80, 0x100):
            connection.send(kind, bytes(1000))
        name = later.state(NAME, pb.NameBody(name="Lou"))
        connection.send(OPERATIONS, pb.Operations(operations=[name.message()]))
        assert (await kept(connection, [name.id]))[name.id].body == name.body
        return await goes_on(connection)
    assert later.run(script)

    def people():
        return [each.get("name") for each in json.loads(host.command("event", "--json"))["people"]]
    eventually("the host has heard what was said to the Python peer", lambda: "Lou" in people())


def test_an_optional_message_is_passed_over_and_another_unknown_one_is_not(host, folder, running):
    """So that the test above cannot pass because everything is passed over."""
    python = PythonPeer(folder / "pia", host.ready["invitation"], *ON_LOOPBACK)
    running.append(python)
    python.said("member")
    scripted = Scripted(host.ready["invitation"], ("127.0.0.1", int(python.said("listening")[0])))
    assert scripted.run(sending(b"\x80anything", goes_on))
    assert scripted.run(sending(b"\x7fanything", ending)) == "malformed"


def test_more_optional_messages_than_are_read_at_once_end_no_connection(host):
    scripted = Scripted(host.ready["invitation"], place(host.ready["listen"]))

    async def script(connection):
        for _ in range(600):  # 512 at once, and 64 a second
            connection.send(0x80, bytes(1000))
        return await goes_on(connection)
    assert scripted.run(script)


# ---------------------------------------------------------------- another version

class LaterListener:
    """Listens as a node of the event that speaks a later version only."""

    def __init__(self, event, version):
        self.event, self.version = event, version
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()

        async def serve():
            server = await asyncio.start_server(self._refuse, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            ready.set()
        self.thread = threading.Thread(target=self._run, args=(serve,), daemon=True)
        self.thread.start()
        assert ready.wait(120)

    def _run(self, serve):
        self.loop.run_until_complete(serve())
        self.loop.run_forever()

    async def _refuse(self, reader, writer):
        challenge = os.urandom(16)
        writer.write(challenge)
        try:
            preface = await reader.readexactly(37)
            answer = make_refusal(self.event, challenge, preface[5:21], "unsupportedVersion", self.version)
            writer.write(struct.pack(">H", len(answer)) + answer)
            await writer.drain()
        except (EOFError, ConnectionError):
            pass
        writer.close()

    def kill(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(30)


def event_of(invitation):
    body = read_invitation(invitation)
    return Event(body.event_key, body.secret)


def unreachable(invitation):
    """The same invitation, without addresses."""
    body = read_invitation(invitation)
    del body.addresses[:]
    return write_invitation(body)


@pytest.fixture
def listener(host, running):
    listener = LaterListener(event_of(host.ready["invitation"]), 2)
    running.append(listener)
    return listener


async def dial_as(version, event, address):
    """The refusal that a dialler of a version reads."""
    async with asyncio.timeout(120):
        reader, writer = await asyncio.open_connection(*address)
        challenge, salt = await reader.readexactly(16), os.urandom(16)
        preface = make_preface(event, challenge, salt)
        writer.write(preface[:4] + bytes([version]) + preface[5:])
        answer = await reader.read()
        writer.close()
        assert answer[:2] == b"\0\x15"
        return read_refusal(event, challenge, salt, answer[2:])


def test_who_joins_by_a_node_of_another_version_reads_which_it_is_and_what_to_do(host, listener, folder, running):
    node = Node(folder / "join", "join", unreachable(host.ready["invitation"]), "--peer", f"127.0.0.1:{listener.port}")
    running.append(node)
    eventually("the person reads it", lambda: "speaks version 2 of the protocol, this one version 1" in node.log())
    assert "use the same version of disposable on all machines" in node.log()


def test_a_node_that_is_dialled_by_another_version_says_so_to_both(host):
    event = event_of(host.ready["invitation"])
    assert asyncio.run(dial_as(3, event, place(host.ready["listen"]))) == ("unsupportedVersion", 1)
    eventually("its person reads it", lambda: "speaks version 3 of the protocol, this one version 1" in host.log())


def test_the_python_peer_tells_its_person_the_same(host, listener, folder, running):
    invitation = unreachable(host.ready["invitation"])
    peer = PythonPeer(folder / "pia", invitation, *ON_LOOPBACK, "--peer", f"127.0.0.1:{listener.port}")
    running.append(peer)
    assert " ".join(peer.said("refused")) == (
        "127.0.0.1 it speaks version 2 of the protocol, this peer version 1: use the same on both")
    address = "127.0.0.1", int(peer.said("listening")[0])
    assert asyncio.run(dial_as(3, event_of(invitation), address)) == ("unsupportedVersion", 1)
    assert "it speaks version 3 of the protocol" in " ".join(peer.said("refused", 2))


# ---------------------------------------------------------------- the command that compares

def test_the_command_answers_every_committed_vector_and_notices_a_wrong_one(folder):
    root = Path(__file__).resolve().parents[2]

    def conformance(*arguments, code=0):
        result = subprocess.run([BUILD / "disposable-lab", "conformance", *arguments], cwd=root, capture_output=True,
                                text=True, timeout=120)
        assert result.returncode == code, result.stderr
        return [json.loads(line) for line in result.stdout.splitlines()]

    for area in sorted(path.name for path in (root / "protocol/vectors").iterdir() if path.is_dir()):
        if area.startswith("__"):
            continue
        *answers, count = conformance(area)
        assert count == {"agree": len(answers), "disagree": 0, "unsupported": 0}
        assert len(answers) == len(list((root / "protocol/vectors" / area).glob("*.json")))

    vector = json.loads((root / "protocol/vectors/message/cancel.json").read_text())
    wrong = folder / "wrong.json"
    wrong.write_text(json.dumps({**vector, "content": {"request": 1}}))
    answer, count = conformance("message", wrong, code=1)
    assert answer["outcome"] == "success" and not answer["agrees"]
    assert answer["expected"] == {"content": {"request": 1}} and answer["values"]["content"] == {"request": 0}
    assert count == {"agree": 0, "disagree": 1, "unsupported": 0}
