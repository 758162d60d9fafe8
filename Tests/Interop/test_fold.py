# SPDX-License-Identifier: Apache-2.0
"""The vectors of the fold: in the Python peer, operation by operation in every order; and in a node that joins the
Python peer at that very event."""

import asyncio
import json
import urllib.error
import urllib.request
from collections import Counter, defaultdict

import pytest
from nacl.signing import SigningKey

import disposable_pb2 as pb
from event import Event, sign, domain, write_invitation
from fold import State
from node import Node as PythonNode
from operations import JOIN, Operation, make
from party import ROOT, Node, eventually

SECRET = bytes([0x5A]) * 32
EVENT_KEY = SigningKey(bytes([1]) * 32)
VECTORS = sorted((ROOT / "protocol/vectors/fold").glob("*.json"))
every_vector = pytest.mark.parametrize("vector", [pytest.param(json.loads(file.read_text()), id=file.stem)
                                                  for file in VECTORS])


class Silence:
    """A trusted peer that brings operations and says nothing; what waits waits with it."""
    is_trusted, admission, wanted, refused = True, None, set(), set()

    def __init__(self):
        self.waiting = {}
        self.news = self

    def set(self):
        pass

    def meet(self, is_new):
        pass

    def wait_with(self, operation):
        self.waiting[operation.id] = operation


def operations_of(vector):
    operations = {}
    for label, fields in vector["operations"].items():
        body = fields["body"]
        operations[label] = Operation(bytes.fromhex(fields["header"]), bytes.fromhex(fields["signature"]),
                                      bytes.fromhex(body) if body is not None else None)
        assert operations[label].id.hex() == fields["id"]
    return operations


def moments_of(state, label_of):
    if state.moments is None:
        return None
    links, begins, verdicts = state.moments
    return {"commitment": links[0].hex(),
            "days": [{"day": day, "startsAt": begin, "link": links[day].hex()} for day, begin in begins.items()],
            "photos": {label_of[photo]: {"day": day, "late": late} for photo, (day, late) in verdicts.items()}}


def shares_of(state):
    if state.shares is None:
        return None
    holders = defaultdict(list)
    for device, index in sorted(state.share_holders):
        holders[device.hex()].append(index)
    missing = 0 if state.is_revealed else max(0, state.threshold - len(state.shares))
    return {"released": sorted(state.shares), "missing": missing, "holders": dict(holders)}


def vote_of(state, label_of):
    if state.ballot is None:
        return None
    places = None if state.places is None else [[label_of[photo.operation.id], count] for photo, count in state.places]
    return {"ballot": label_of[state.ballot.id], "closedAt": state.closed_at, "voters": state.voter_count, "places": places}


@pytest.mark.share(of=3)
@every_vector
def test_the_python_peer_folds(vector, folder):
    assert vector["format"] == 1 and vector["expect"] == "success"
    operations = operations_of(vector)
    label_of = {operation.id: label for label, operation in operations.items()}
    event = Event(bytes.fromhex(vector["eventKey"]), SECRET)
    assert event.id.hex() == vector["event"]
    for number, order in enumerate(vector["orders"]):
        node, peer = PythonNode(event, folder / str(number), folder / "photos", lambda line: None), Silence()
        node.peers[b""] = peer
        node.store.database.execute("PRAGMA synchronous = OFF")  # nothing here falls down, and disks are slow
        for label in order:
            operation = operations[label]
            node.take([operation.message()], peer)
        state = node.state
        assert sorted(label_of[each] for each in peer.waiting) == sorted(vector["waiting"]), order
        assert {device.hex(): {"role": role, "author": author.hex()}
                for device, (role, author) in state.members.items()} == vector["members"], order
        gone = {device.hex() for device in state.gone & state.members.keys()}
        assert gone == set(vector.get("gone", [])), order
        assert (state.charter and label_of[state.charter.id]) == vector["charter"], order
        assert {label_of[photo.operation.id]: {"status": photo.status, "slot": photo.slot} if photo.status in ("frame", "pending", "veiled")
                else {"status": photo.status} for photo in state.photos.values()} == vector["photos"], order
        assert {label_of[photo.operation.id]: [label_of[original.id] for original in photo.originals]
                for photo in state.photos.values() if photo.originals} == vector["originals"], order
        assert {author.hex(): label_of[name.id] for author, name in state.names.items()} == vector["names"], order
        assert [label_of[photo.operation.id] for photo in state.gallery()] == vector["gallery"], order
        if "epochs" in vector:
            assert [label_of[epoch.id] for epoch in state.epochs] == vector["epochs"], order
            inside = {device.hex() for device in state.members if device in state.insiders}
            assert inside == set(vector["inside"]), order
        if "expiresAt" in vector:
            assert state.expires_at == vector["expiresAt"], order
        assert moments_of(state, label_of) == vector.get("moments"), order
        assert {label_of[photo]: mission for photo, mission in state.missions.items()} == vector.get("missions", {}), order
        assert state.needs_newer_version == vector.get("needsNewerVersion", False), order
        assert {label for label, operation in operations.items() if state.ranks.is_discarded(operation)} == set(
            vector.get("discarded", [])), order
        words = {1: "cover", 2: "plan"}
        assert {words[role]: label_of[photo] for role, photo in state.pictures.items()} == vector.get("pictures", {}), order
        assert {label_of[photo]: list(spot) for photo, spot in state.spots.items()} == vector.get("spots", {}), order
        assert {label_of[photo]: degrees for photo, degrees in state.turns.items()} == vector.get("turns", {}), order
        assert {label_of[photo]: zone for photo, zone in state.zones.items()} == vector.get("zones", {}), order
        assert [label_of[message.id] for message in state.messages] == vector.get("messages", []), order
        received = {author.hex(): count for author, count in state.received.items() if count}
        assert received == vector.get("gifts", {}), order
        tickets = {key.hex(): {"holder": holder and holder.hex(), "users": len(state.ticket_users[key])} for key, holder in state.tickets.items()}
        assert tickets == vector.get("tickets", {}), order
        assert shares_of(state) == vector.get("shares"), order
        assert state.is_page_sealing == vector.get("pageSealing", False), order
        assert [twin.hex() for twin in state.twins] == vector.get("twins", []), order
        assert vote_of(state, label_of) == vector.get("vote"), order
        if "recipients" in vector:
            assert [device.hex() for device in state.recipients] == vector["recipients"], order
        digest = state.digest()
        assert (digest and digest.hex()) == vector["digest"], order


@pytest.mark.share(of=3)
@every_vector
def test_a_story_that_is_cut_off_folds_alike_in_any_order(vector):
    """As far as it was heard: each order, cut off everywhere, and the same the other way round."""
    operations = operations_of(vector)

    def seen(labels):
        heard = {operations[label].id: operations[label] for label in labels}
        state = State(bytes.fromhex(vector["eventKey"]), list(heard.values()))
        return (state.members, state.entered, state.photos, state.names, state.captions, state.missions, state.pictures, state.spots, state.turns, state.messages, state.recipients, +Counter(state.received), state.tickets, state.ticket_users, state.is_page_sealing, state.twins, state.digest(), state.ballot, state.closed_at, state.voter_count, state.places,
                state.expires_at, [epoch.id for epoch in state.epochs], state.insiders, state.needs_newer_version)

    for order in vector["orders"]:
        for count in range(len(order)):
            heard = order[:count]
            assert seen(heard) == seen(heard[::-1]), heard


def answer_of(node):
    """The status with which a node answers for the guests' page of the event."""
    try:
        with urllib.request.urlopen(node.origin + node.path) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.share(of=5)
@pytest.mark.parametrize("vector", [pytest.param(json.loads(file.read_text()), id=file.stem) for file in VECTORS
                                    if json.loads(file.read_text())["charter"]])
def test_a_node_folds(vector, folder, running):
    """The Python peer has the operations and was let in by the event key; a node joins it and is told all of them.
    Neither has a name or a photo of its own, so the digest is the vector's."""
    event = Event(bytes.fromhex(vector["eventKey"]), SECRET)
    operations = operations_of(vector)
    python = PythonNode(event, folder / "data", folder / "photos", lambda line: None)
    admission = sign(EVENT_KEY, domain("admission"), event.id, python.device)
    join = make(python.key, event.id, JOIN, [], python.time(), pb.JoinBody(sponsor=event.key, signature=admission))
    python.keep([join, *(operation for label, operation in operations.items() if label not in vector["waiting"])])
    invitation = write_invitation(pb.InvitationBody(event_key=event.key, secret=SECRET, name="Garden party"))

    def join_and_look():
        node = Node(folder / "ben", "join", invitation, "--agree", "--no-mdns",
                    "--peer", f"127.0.0.1:{python.listen_port}")
        running.append(node)

        def said():
            status = node.status()
            return (status.get("digest"), status["needsNewerVersion"]) == (
                vector["digest"], vector.get("needsNewerVersion", False))
        eventually("the node says the vector's digest", said)
        if vector.get("needsNewerVersion"):
            advice = "needs a newer version of disposable"
            eventually("it is a problem", lambda: any(
                advice in problem for problem in node.status()["problems"]))
            eventually("its person reads it", lambda: advice in node.log())
            # What guests may not see yet could be among what it would show.
            eventually("no pages of the event", lambda: answer_of(node) == 404)
        elif vector["about"].startswith("an organizer's name and epoch with the flag"):
            eventually("the pages of the event", lambda: answer_of(node) == 200)
        return [(photo["id"], photo["frame"]) for photo in node.gallery()]

    async def play():
        async with await python.serve("127.0.0.1", 0):
            return await asyncio.to_thread(join_and_look)

    label_of = {operation.id.hex(): label for label, operation in operations.items()}
    gallery = [(label_of[identity], frame) for identity, frame in asyncio.run(play())]
    assert gallery == [(label, vector["photos"][label]["slot"]) for label in vector["gallery"]]
    assert (python.state.digest() or b"").hex() == (vector["digest"] or "")
