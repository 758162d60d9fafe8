# SPDX-License-Identifier: Apache-2.0
"""A node's pages against their description, protocol/guest-api.yaml: a guest's evening, call by call, and then whatever
schemathesis makes of the description. No answer is a 5xx, none is undocumented."""

import base64
import hashlib
import json
import os
import struct
import time
import zlib

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, settings
from nacl.public import Box, PrivateKey, PublicKey
from nacl.signing import SigningKey
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (content_type_conformance, response_headers_conformance,
                                               response_schema_conformance, status_code_conformance)

from card import read_card
from event import blake2b, derive, domain, read_invitation
from party import ROOT, Node, eventually, sha256

SCHEMA = schemathesis.openapi.from_path(ROOT / "protocol/guest-api.yaml")
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_headers_conformance,
          response_schema_conformance]
TUS = {"Tus-Resumable": "1.0.0"}
EXAMPLES = int(os.environ.get("DISPOSABLE_API_EXAMPLES", "15"))


@schemathesis.serializer("application/offset+octet-stream", "image/jpeg")
def octets(context, value):
    return value if isinstance(value, bytes) else str(value).encode()


class Guest:
    """One session, every answer of which is compared with the description."""

    def __init__(self, node, name=None, **key):
        self.node, self.token = node, node.ready["guestURL"].split("#")[1]
        self.path = f"/e/{node.ready['event'][:8]}"
        self.headers = {}
        self.opened = self.call("openSession", "POST", "/api/session", json=key or {"token": self.token}).json()
        self.headers = {"Authorization": f"Bearer {next(iter(self.cookies.values()))}"}
        if name:
            self.enter(name)

    def call(self, operation, method, path, expect=200, headers=None, **options):
        if path.startswith("/:"):
            path = self.path + path[2:]
        headers = {"Accept": "application/json", **self.headers, **(headers or {})}
        answer = requests.request(method, self.node.origin + path, headers=headers, allow_redirects=False, timeout=120,
                                  **options)
        assert answer.status_code == expect, f"{method} {path}: {answer.status_code} {answer.text[:300]}"
        described = SCHEMA.find_operation_by_id(operation)
        described.validate_response(answer)
        assert str(expect) in described.definition.raw["responses"], f"{operation}: {expect}"
        self.cookies = answer.cookies
        return answer

    def become(self, name=None, seed=None):
        """A guest with a key of its own, or with that of a seed, as guest-api.md §3 says it."""
        me = self.call("me", "GET", "/:/api/me").json()
        event, node = bytes.fromhex(me["event"]["id"]), bytes.fromhex(me["node"])
        key = SigningKey(hashlib.sha512(domain("guest key") + event + (seed or os.urandom(16))).digest()[:32])
        guest = bytes(key.verify_key).hex()
        sub_key = bytes.fromhex(self.call("subKey", "POST", "/:/api/guest/key", json={"guest": guest}).json()["subKey"])
        delegation = key.sign(domain("delegation") + event + node + sub_key).signature.hex()
        proof = key.sign(domain("guest proof") + event + node + sub_key
                         + bytes.fromhex(me["challenge"])).signature.hex()
        entered = self.call("enter", "POST", "/:/api/guest", json={
            "guest": guest, "delegation": delegation, "proof": proof, "name": name}).json()
        assert entered["guest"]["name"] == name or seed
        return me

    def enter(self, name):
        """A guest who may add photos."""
        me = self.become(name)
        self.call("createUpload", "POST", "/:/uploads", 403, {**TUS, "Upload-Length": "4"})
        self.call("consent", "POST", "/:/api/guest/consent", 409, json={"id": "00" * 32})
        self.call("consent", "POST", "/:/api/guest/consent", 204, json={"id": me["consent"]["id"]})
        assert self.call("me", "GET", "/:/api/me").json()["consent"]["isGiven"]

    def upload(self, photo):
        data = photo.read_bytes()
        location = self.call("createUpload", "POST", "/:/uploads", 201,
                             {**TUS, "Upload-Length": str(len(data))}).headers["Location"]
        half = len(data) // 2
        offset = {"Content-Type": "application/offset+octet-stream", **TUS}
        answer = self.call("upload", "PATCH", location, 204, {**offset, "Upload-Offset": "0"}, data=data[:half])
        assert answer.headers["Upload-Offset"] == str(half)
        self.call("upload", "PATCH", location, 409, {**offset, "Upload-Offset": "0"}, data=data[:half])
        assert self.call("uploadOffset", "HEAD", location, 200, TUS).headers["Upload-Offset"] == str(half)
        answer = self.call("upload", "PATCH", location, 204, {**offset, "Upload-Offset": str(half)}, data=data[half:])
        return answer.headers["Disposable-Photo"]


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    node = Node(tmp_path_factory.mktemp("api") / "host", "host", "Garden party", "--as", "Anna", "--mission", "the first dance", "--frames",
                "unlimited")
    yield node
    node.kill()


def test_the_desk_gets_of_a_photo_what_guests_get_but_reactions_and_places_and_what_only_organizers_see(host, painter):
    host.command("add", painter.photo())
    photos = Guest(host).call("photos", "GET", "/:/api/photos").json()["photos"]
    desk = requests.Session()
    desk.headers["Origin"] = host.origin
    begun = desk.post(f"{host.origin}/desk/api/session", json={"key": host.desk().split("#")[1]}, timeout=120)
    assert begun.status_code == 200, begun.text
    sheet = desk.get(f"{host.origin}/desk/api/e/{host.ready['event'][:8]}/photos", timeout=120).json()["photos"]
    told = {photo["id"]: photo for photo in sheet}
    assert photos
    for photo in photos:
        ours = told[photo["id"]]
        assert ours.keys() - photo.keys() == {"isFavourite", "isHidden", "isPending", "isSealed", "isVeiled", "pictures"}
        assert photo.keys() - ours.keys() == {"isHighlight", "mission", "moment", "reactions", "spot", "zone"}
        assert {name: ours[name] for name in photo if name in ours} == {name: photo[name] for name in photo if name in ours}


def test_a_photo_is_seen_before_its_original_and_made_without_its_client(host, painter):
    guest, other = Guest(host, "Gerd"), Guest(host)
    photo, small = painter.photo(4000, 3000).read_bytes(), painter.photo(640, 480).read_bytes()
    location = guest.call("createUpload", "POST", "/:/uploads", 201,
                          {**TUS, "Upload-Length": str(len(photo))}).headers["Location"]
    jpeg = {"Content-Type": "image/jpeg"}
    guest.call("showEarly", "PUT", location + "/preview", 422, jpeg, data=b"\xff\xd8\xff\xe0" + bytes(500))
    guest.call("showEarly", "PUT", location + "/preview", 415, {"Content-Type": "image/png"}, data=small)
    other.call("showEarly", "PUT", location + "/preview", 403, jpeg, data=small)
    guest.call("showEarly", "PUT", location + "/preview", 204, jpeg, data=small)
    [early] = other.call("early", "GET", "/:/api/early").json()["photos"]
    assert (early["authorName"], early["isMine"], early["width"], early["height"]) == ("Gerd", False, 640, 480)
    for file in ("thumbnail", "preview"):
        shown = other.call("earlyFile", "GET", f"/:/early/{early['id']}/{file}").content
        assert shown.startswith(b"\xff\xd8\xff") and b"Exif" not in shown
    assert all(each["authorName"] != "Gerd" for each in other.call("photos", "GET", "/:/api/photos").json()["photos"])

    answer = guest.call("upload", "PATCH", location, 204, {
        "Content-Type": "application/offset+octet-stream", **TUS, "Upload-Offset": "0", "Prefer": "respond-async"}, data=photo)
    assert answer.headers["Preference-Applied"] == "respond-async" and "Disposable-Photo" not in answer.headers
    guest.call("endSession", "DELETE", "/:/api/session", 204)
    mine = eventually("the photo", lambda: [
        each for each in other.call("photos", "GET", "/:/api/photos").json()["photos"] if each["authorName"] == "Gerd"])
    assert [(each["width"], each["height"]) for each in mine] == [(4000, 3000)]
    assert hashlib.sha256(other.call("file", "GET", f"/:/photos/{mine[0]['id']}/original").content).digest() \
        == hashlib.sha256(photo).digest()
    assert eventually("no preview", lambda: other.call("early", "GET", "/:/api/early").json()["photos"] == [])
    other.call("earlyFile", "GET", f"/:/early/{early['id']}/preview", 404)


def test_a_short_address_leads_to_the_page_and_allows_no_other_origin(host):
    guest = Guest(host)
    event = host.ready["event"][:8]
    code = guest.call("me", "GET", "/:/api/me").json()["code"]
    origin = {"Origin": "https://example.org"}
    shown = f"{code[:4]}-{code[4:]}"
    for written, target in [(event, f"/e/{event}/"), (shown, f"/#{shown}"), (shown.lower(), f"/#{shown}"),
                            ("zzzz-zzzz", "/#ZZZZ-ZZZZ")]:
        answer = guest.call("clip", "GET", f"/clip/{written}", 303, origin)
        assert answer.headers["Location"] == target
        assert answer.headers["X-Content-Type-Options"] == "nosniff" and answer.headers["Cache-Control"] == "no-store"
        assert not any(name.lower().startswith("access-control-") for name in answer.headers)
    assert requests.get(f"{host.origin}/clip/{event}", timeout=60).status_code == 200
    for path in ("/clip/UUUU-UUUU", "/clip/1a2b3c4", f"/clip/{shown}/more", "/.well-known/apple-app-site-association",
                 "/.well-known/assetlinks.json"):
        answer = requests.get(host.origin + path, headers={"Accept": "application/json", **origin}, timeout=60)
        assert answer.status_code == 404 and answer.json()["error"]["code"] == "not-found", path
        assert not any(name.lower().startswith("access-control-") for name in answer.headers)


def test_a_guests_evening(host, painter):
    guest = Guest(host, "Gina")
    since = guest.call("changes", "GET", "/:/api/changes").json()["id"]
    first, second = painter.photos(2)
    photo, other = guest.upload(first), guest.upload(second)
    shown = guest.call("photo", "GET", f"/:/api/photos/{photo}").json()
    assert (shown["id"], shown["isMine"], shown["frame"], shown["authorName"]) == (photo, True, 1, "Gina")
    mine = guest.call("photos", "GET", "/:/api/photos?mine=1").json()["photos"]
    assert {each["id"] for each in mine} == {photo, other}
    for file in ("thumbnail", "preview", "original"):
        guest.call("file", "GET", f"/:/photos/{photo}/{file}")
    answer = guest.call("file", "GET", f"/:/photos/{photo}/original?download")
    assert hashlib.sha256(answer.content).hexdigest() == sha256(first)
    tag = {"If-None-Match": answer.headers["ETag"]}
    guest.call("file", "GET", f"/:/photos/{photo}/original", 304, tag)
    guest.call("file", "GET", f"/:/photos/{photo}/original", 206, {"Range": "bytes=0-99"})
    guest.call("file", "GET", f"/:/photos/{photo}/original", 416, {"Range": "bytes=999999999-"})
    guest.call("zip", "POST", "/:/zip", data={"all": "1"})
    guest.call("rename", "PUT", "/:/api/guest/name", 204, json={"name": "Gina G."})
    guest.call("zip", "POST", "/:/zip", data={"mine": "1", "me": "1"})
    guest.call("zip", "POST", "/:/zip", 400, data={"all": "1", "me": "1"})
    assert guest.call("moment", "GET", "/:/api/moment").json()["running"] is None
    guest.call("photos", "GET", "/:/api/photos?moment=1")
    guest.call("photos", "GET", "/:/api/photos?zone=Kitchen")
    guest.call("photos", "GET", "/:/api/photos?zone=Kitchen&mine=1", 400)
    (mission,) = guest.call("missions", "GET", "/:/api/missions").json()["missions"]
    assert (mission["text"], mission["count"], mission["isAnswered"]) == ("the first dance", 0, False)
    guest.call("chooseMission", "PUT", f"/:/api/photos/{photo}/mission", 204, json={"id": mission["id"]})
    guest.call("chooseMission", "PUT", f"/:/api/photos/{photo}/mission", 409, json={"id": mission["id"] % 9 + 1})
    answering = guest.call("photos", "GET", f"/:/api/photos?mission={mission['id']}").json()["photos"]
    assert [each["mission"]["text"] for each in answering] == ["the first dance"]
    guest.call("photos", "GET", f"/:/api/photos?mission={mission['id']}&mine=1", 400)
    (mission,) = guest.call("missions", "GET", "/:/api/missions").json()["missions"]
    assert (mission["count"], mission["isAnswered"], mission["photos"]) == (1, True, [photo])
    times = guest.call("times", "GET", "/:/api/times").json()["times"]
    shown_to_all = guest.call("photos", "GET", "/:/api/photos").json()
    assert sum(each["count"] for each in times) == shown_to_all["count"]
    assert times[-1]["from"] <= shown_to_all["earliest"] < times[-1]["from"] + 900_000
    own = guest.call("times", "GET", "/:/api/times?mine=1").json()["times"]
    assert sum(each["count"] for each in own) == guest.call("photos", "GET", "/:/api/photos?mine=1").json()["count"]
    assert guest.call("times", "GET", f"/:/api/times?author={shown_to_all['photos'][0]['author']}").json()["times"]
    guest.call("times", "GET", "/:/api/times?author=x", 400)
    guest.call("caption", "PUT", f"/:/api/photos/{photo}/caption", 204, json={"text": "The <cake>"})
    assert guest.call("photo", "GET", f"/:/api/photos/{photo}").json()["caption"] == "The <cake>"
    guest.call("caption", "PUT", f"/:/api/photos/{photo}/caption", 400, json={"text": " "})
    guest.call("caption", "PUT", f"/:/api/photos/{photo}/caption", 204, json={"text": ""})
    time.sleep(4)  # a new guest says five things at once, then one a second
    assert len(shown["reactions"]) == 6 and shown["commentCount"] == 0
    heart = shown["reactions"][0]["emoji"]
    guest.call("react", "POST", f"/:/api/photos/{photo}/reactions", 204, json={"emoji": heart, "isOn": True})
    guest.call("react", "POST", f"/:/api/photos/{photo}/reactions", 400, json={"emoji": "x", "isOn": True})
    comment = guest.call("comment", "POST", f"/:/api/photos/{photo}/comments", 201, json={"text": "The <cake>"}).json()["id"]
    guest.call("comment", "POST", f"/:/api/photos/{photo}/comments", 400, json={"text": " "})
    page = guest.call("comments", "GET", f"/:/api/photos/{photo}/comments").json()
    said = page["comments"]
    assert [(each["id"], each["text"], each["isMine"]) for each in said] == [(comment, "The <cake>", True)]
    assert page["earlierCount"] == 0
    shown = guest.call("photo", "GET", f"/:/api/photos/{photo}").json()
    assert shown["commentCount"] == 1 and shown["reactions"][0] == {"emoji": heart, "count": 1, "isMine": True}
    later = guest.call("comment", "POST", f"/:/api/photos/{photo}/comments", 201, json={"text": "And a spoon"}).json()["id"]
    newest = guest.call("comments", "GET", f"/:/api/photos/{photo}/comments?limit=1").json()
    assert ([each["id"] for each in newest["comments"]], newest["earlierCount"]) == ([later], 1)
    before = guest.call("comments", "GET", f"/:/api/photos/{photo}/comments?limit=1&before={later}").json()
    assert ([each["id"] for each in before["comments"]], before["earlierCount"]) == ([comment], 0)
    guest.call("comments", "GET", f"/:/api/photos/{photo}/comments?before={photo}", 404)
    guest.call("comments", "GET", f"/:/api/photos/{photo}/comments?limit=51", 400)
    assert "And a spoon" in guest.call("simpleComments", "GET", f"/:/simple/photos/{photo}/comments").text
    guest.call("simpleComments", "GET", f"/:/simple/photos/{photo}/comments?before=x", 400)
    guest.call("takeCommentBack", "DELETE", f"/:/api/photos/{photo}/comments/{later}", 204)
    guest.call("takeCommentBack", "DELETE", f"/:/api/photos/{photo}/comments/{comment}", 204)
    guest.call("takeCommentBack", "DELETE", f"/:/api/photos/{photo}/comments/{comment}", 404)
    guest.call("takeBack", "DELETE", f"/:/api/photos/{photo}", 202)
    guest.call("keep", "POST", f"/:/api/photos/{photo}/keep", 204)
    guest.call("simple", "GET", "/:/simple?mine=1")
    guest.call("simpleTakeBack", "POST", f"/:/simple/photos/{other}/remove", 303)
    guest.call("simpleKeep", "POST", f"/:/simple/photos/{other}/keep", 303)
    guest.call("simpleUpload", "POST", "/:/simple/photos", 303, files={"photo": painter.photo(64, 48).read_bytes()})
    changes = guest.call("changes", "GET", f"/:/api/changes?since={since}").json()["changes"]
    assert {change["data"]["id"] for change in changes if change["event"] == "photo"} >= {photo, other}
    guest.call("erase", "DELETE", "/:/api/guest", 204)
    assert guest.call("photos", "GET", "/:/api/photos?mine=1").json()["photos"] == []
    assert guest.call("me", "GET", "/:/api/me").json()["guest"]["name"] is None
    guest.call("proof", "GET", f"/:/api/proof?challenge={'00' * 32}")
    guest.call("proof", "GET", "/:/api/proof?challenge=0", 400)
    guest.call("prober", "GET", "/:/prober.js")
    stranger = Guest(host)
    stranger.call("takeBack", "DELETE", f"/:/api/photos/{photo}", 403)
    stranger.call("endSession", "DELETE", "/:/api/session", 204)
    stranger.call("me", "GET", "/:/api/me", 401)
    host.command("remove", host.command("add", painter.photo(), "--json").split('"id":"')[1][:64])


def test_a_stranger_finds_the_event_on_the_board(host):
    host.command("event", "edit", "--category", "party", "--place", "Besançon", "--price", "5 EUR", "--link",
                 "website=https://example.org", "--details", "Cake.", "--registration", "732829320")
    stranger = Guest(host)
    stranger.headers = {}
    event = host.ready["event"]
    search = "/api/board?q=besancon&category=party"
    # Other nodes of this machine may tell of events that look like this one.
    [row] = eventually("the row", lambda: [
        row for row in stranger.call("board", "GET", search).json()["events"] if row["id"] == event])
    assert (row["id"], row["name"], row["place"], row["isOwn"]) == (event, "Garden party", "Besançon", True)
    stranger.call("board", "GET", "/api/board?category=weding", 400)
    assert stranger.call("board", "GET", "/api/board?sort=popular").json()["events"]
    stranger.call("board", "GET", "/api/board?sort=best", 400)
    stranger.call("board", "GET", "/api/board?q=" + 201 * "a", 400)
    details = stranger.call("boardEvent", "GET", f"/api/board/{event}").json()
    assert (details["details"], details["registration"], details["price"]["cents"]) == ("Cake.", "732829320", 500)
    assert "SUMMARY:Garden party\r\n" in stranger.call("boardCalendar", "GET", f"/api/board/{event}.ics").content.decode()
    stranger.call("boardEvent", "GET", f"/api/board/{64 * '0'}", 404)
    answer = stranger.call("cards", "GET", "/api/cards")
    stranger.call("cards", "GET", "/api/cards", 304, {"If-None-Match": answer.headers["ETag"]})
    # The peer in Python reads the card as another node does; a stranger learns neither code nor token.
    [entry] = [each for each in answer.json()["cards"] if blake2b(domain("event"), bytes.fromhex(each["key"])).hex() == event]
    card = read_card(bytes.fromhex(entry["key"]), entry["card"], bytes.fromhex(entry["signature"]))
    assert (card["name"], card["place"], card["category"]) == ("Garden party", "Besançon", "party")
    assert stranger.token not in answer.text


def test_a_guest_puts_a_photo_on_the_plan(host, painter):
    guest = Guest(host, "Pia")
    photo, other = guest.upload(painter.photo()), guest.upload(painter.photo())
    shown = guest.call("photo", "GET", f"/:/api/photos/{photo}").json()
    spot = {"x": 65_535, "y": 0, "plan": other}
    guest.call("place", "PUT", f"/:/api/photos/{photo}/spot", 409, json=spot)
    guest.call("place", "PUT", f"/:/api/photos/{photo}/spot", 400, json={**spot, "x": 65_536})
    host.command("event", "picture", "plan", plan := host.command("add", painter.photo(), "--json").split('"id":"')[1][:64])
    host.command("event", "picture", "cover", other)
    facts = guest.call("me", "GET", "/:/api/me").json()["event"]
    assert (facts["plan"]["photo"], facts["cover"]["photo"]) == (plan, other)
    guest.call("place", "PUT", f"/:/api/photos/{photo}/spot", 204, json={**spot, "plan": plan})
    assert guest.call("photo", "GET", f"/:/api/photos/{photo}").json()["spot"] == {"x": 65_535, "y": 0}
    assert guest.call("photo", "GET", f"/:/api/photos/{plan}").json()["state"] == "plan"
    for query, count in (("", 1), ("?box=60000,0,65535,9", 1), ("?box=0,0,65534,65535", 0), (f"?author={shown['author']}", 1)):
        page = guest.call("spots", "GET", f"/:/api/spots{query}").json()
        assert page["plan"]["photo"] == plan and page["count"] == len(page["spots"]) == count, query
    guest.call("spots", "GET", "/:/api/spots?box=5,5,4,4", 400)
    assert guest.call("map", "GET", "/:/api/map").json() == {"map": None}
    host.command("event", "map", "--at", "0,0=47.25,6.02", "--at", "300,200=47.24,6.03")
    shown = guest.call("map", "GET", "/:/api/map").json()["map"]
    assert shown["tiles"] is None and [point["latitude"] for point in shown["points"]] == [47.25, 47.24]
    guest.call("tile", "GET", "/:/map/tiles/0/0/0", 404)
    host.command("event", "map", "none")
    guest.call("takeOffPlan", "DELETE", f"/:/api/photos/{photo}/spot", 204)
    assert guest.call("photo", "GET", f"/:/api/photos/{photo}").json()["spot"] is None
    host.command("event", "picture", "plan", "none")
    host.command("event", "picture", "cover", "none")


def test_a_guest_asks_that_a_photo_is_not_shown(host, painter):
    author, guest = Guest(host, "Ada"), Guest(host, "Vic")
    photo = author.upload(painter.photo())
    guest.call("veil", "PUT", f"/:/api/photos/{photo}/veil", 409)
    host.command("event", "edit", "--veils", "on")
    assert eventually("it is on", lambda: guest.call("me", "GET", "/:/api/me").json()["event"]["veils"])
    author.call("veil", "PUT", f"/:/api/photos/{photo}/veil", 409)
    guest.call("veil", "PUT", f"/:/api/photos/{photo}/veil", 204)
    guest.call("photo", "GET", f"/:/api/photos/{photo}", 404)
    veiled = guest.call("photo", "GET", f"/:/api/photos/{photo}?veiled=1").json()
    assert (veiled["state"], veiled["has"], veiled["authorName"], veiled["isMine"]) == ("veiled", [], None, False)
    guest.call("file", "GET", f"/:/photos/{photo}/thumbnail", 404)
    assert photo not in [each["id"] for each in guest.call("photos", "GET", "/:/api/photos").json()["photos"]]
    assert photo in [each["id"] for each in guest.call("photos", "GET", "/:/api/photos?veiled=1").json()["photos"]]
    own = author.call("photo", "GET", f"/:/api/photos/{photo}?veiled=1").json()
    assert own["state"] == "veiled" and "thumbnail" in own["has"]
    author.call("file", "GET", f"/:/photos/{photo}/thumbnail")
    guest.call("unveil", "DELETE", f"/:/api/photos/{photo}/veil", 204)
    assert guest.call("photo", "GET", f"/:/api/photos/{photo}").json()["state"] == "frame"
    guest.call("veil", "PUT", f"/:/api/photos/{photo}/veil", 204)
    host.command("lift", photo)
    guest.call("veil", "PUT", f"/:/api/photos/{photo}/veil", 409)
    host.command("event", "edit", "--veils", "off")


def test_a_guest_turns_a_photo(host, painter):
    guest, other = Guest(host, "Tom"), Guest(host, "Una")
    photo = guest.upload(painter.photo())
    before = guest.call("file", "GET", f"/:/photos/{photo}/preview").content
    other.call("turn", "PUT", f"/:/api/photos/{photo}/turn", 403, json={"degrees": 90})
    guest.call("turn", "PUT", f"/:/api/photos/{photo}/turn", 400, json={"degrees": 45})
    guest.call("turn", "PUT", f"/:/api/photos/{photo}/turn", 204, json={"degrees": 270})
    guest.call("turn", "PUT", f"/:/api/photos/{photo}/turn", 204, json={"degrees": 270})
    assert other.call("photo", "GET", f"/:/api/photos/{photo}").json()["turn"] == 270
    assert guest.call("file", "GET", f"/:/photos/{photo}/preview").content == before


def test_guests_vote_for_the_photo_of_the_night(host, painter):
    author, guest = Guest(host, "Ada"), Guest(host, "Val")
    photo, own = author.upload(painter.photo()), guest.upload(painter.photo())
    guest.call("vote", "GET", "/:/api/vote", 409)
    host.command("vote", "open")
    state = eventually("it is open", lambda: guest.call("me", "GET", "/:/api/me").json()["vote"])
    ballot = state["id"]
    assert state["isOpen"]
    guest.call("castVote", "PUT", "/:/api/vote", 409, json={"ballot": "0" * 64, "photo": photo})
    guest.call("castVote", "PUT", "/:/api/vote", 400, json={"ballot": ballot, "photo": "0"})
    refused = guest.call("castVote", "PUT", "/:/api/vote", 409, json={"ballot": ballot, "photo": own})
    assert refused.json()["error"]["code"] == "own-photo"
    guest.call("castVote", "PUT", "/:/api/vote", 204, json={"ballot": ballot, "photo": None})
    guest.call("castVote", "PUT", "/:/api/vote", 204, json={"ballot": ballot, "photo": photo})
    assert guest.call("vote", "GET", "/:/api/vote").json() == {
        "id": ballot, "isOpen": True, "hasVoted": True, "voters": 1, "winners": [], "count": 0}
    assert not author.call("vote", "GET", "/:/api/vote").json()["hasVoted"]
    host.command("vote", "close")
    closed = eventually("it is closed", lambda: (
        now := author.call("vote", "GET", "/:/api/vote").json())["winners"] and now)
    assert [(one["photo"], one["authorName"], one["votes"]) for one in closed["winners"]] == [(photo, "Ada", 1)]
    refused = author.call("castVote", "PUT", "/:/api/vote", 409, json={"ballot": ballot, "photo": own})
    assert refused.json()["error"]["code"] == "no-vote-open"


@pytest.fixture
def short_film(tmp_path):
    node = Node(tmp_path / "host", "host", "Garden party", "--as", "Anna", "--frames", "5")
    yield node
    node.kill()


def test_a_guest_gives_frames(short_film):
    guest, other = Guest(short_film, "Xena"), Guest(short_film, "Yann")
    key = other.call("me", "GET", "/:/api/me").json()["guest"]
    before = guest.call("gifts", "GET", "/:/api/gifts").json()
    assert before["left"] == key["frames"] == 5
    assert before["people"] == [{"id": key["id"], "name": "Yann", "count": 5}] and before["count"] == 1
    guest.call("give", "POST", "/:/api/gift", 409, json={"to": "0" * 64, "count": 1, "left": before["left"]})
    guest.call("give", "POST", "/:/api/gift", 400, json={"to": key["id"], "count": 0, "left": before["left"]})
    guest.call("give", "POST", "/:/api/gift", 204, json={"to": key["id"], "count": 2, "left": before["left"]})
    guest.call("give", "POST", "/:/api/gift", 409, json={"to": key["id"], "count": 2, "left": before["left"]})
    assert other.call("me", "GET", "/:/api/me").json()["guest"]["frames"] == key["frames"] + 2
    after, received = (each.call("gifts", "GET", "/:/api/gifts").json() for each in (guest, other))
    assert after["left"] == before["left"] - 2 and [(one["name"], one["count"]) for one in after["given"]] == [("Yann", 2)]
    assert [(one["name"], one["count"]) for one in received["received"]] == [("Xena", 2)]


@pytest.fixture
def ticketed(tmp_path):
    node = Node(tmp_path / "host", "host", "Garden party", "--as", "Anna", "--frames", "5", "--tickets", "on")
    yield node
    node.kill()


def test_a_ticket_is_one_guests(ticketed):
    lines = ticketed.command("invite", "--tickets", "2", "--address", "127.0.0.1", "--json").splitlines()
    links = [json.loads(line)["link"] for line in lines]
    guest, other = Guest(ticketed, "Xena"), Guest(ticketed, "Yann")
    assert guest.call("me", "GET", "/:/api/me").json()["guest"]["frames"] == 0
    assert guest.call("ticket", "GET", "/:/api/ticket").json() == {"isMissing": True, "number": None, "lost": None}
    guest.call("useTicket", "POST", "/:/api/ticket", 404, json={"ticket": "A" * 22})
    guest.call("simpleTicket", "POST", "/:/simple/ticket", 404, data={"ticket": "A" * 22}, headers={"Accept": "text/html"})
    for _ in range(2):  # the same again changes nothing
        used = guest.call("useTicket", "POST", "/:/api/ticket", 200, json={"ticket": links[0]}).json()
        assert used == {"isMissing": False, "number": 1, "lost": None}
    refused = other.call("useTicket", "POST", "/:/api/ticket", 409, json={"ticket": links[0].rsplit("~", 1)[1]})
    assert refused.json()["error"]["code"] == "ticket-used"
    refused = guest.call("useTicket", "POST", "/:/api/ticket", 409, json={"ticket": links[1]})
    assert refused.json()["error"]["code"] == "has-ticket"
    ticketed.command("invite", "tickets", "--cancel", "2")
    refused = other.call("useTicket", "POST", "/:/api/ticket", 409, json={"ticket": links[1]})
    assert refused.json()["error"]["code"] == "ticket-cancelled"
    assert guest.call("me", "GET", "/:/api/me").json()["guest"]["frames"] == 5
    listed = [json.loads(line) for line in ticketed.command("invite", "tickets", "--json").splitlines()]
    assert [(line["number"], line["state"], line.get("holder")) for line in listed] == [(1, "used", "Xena"), (2, "cancelled", None)]


def test_without_a_limit_there_is_nothing_to_give(host):
    guest, other = Guest(host, "Xena"), Guest(host, "Yann")
    key = other.call("me", "GET", "/:/api/me").json()["guest"]["id"]
    assert guest.call("gifts", "GET", "/:/api/gifts").json() == {
        "left": 0, "atOnce": 27, "received": [], "given": [], "people": [], "count": 0}
    refused = guest.call("give", "POST", "/:/api/gift", 409, json={"to": key, "count": 1, "left": 0})
    assert refused.json()["error"]["code"] == "gifts-off"


def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unbase64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def test_a_guest_continues_on_another_phone(host):
    """With boxes of libsodium: the page makes its own with TweetNaCl."""
    seed, first = os.urandom(16), Guest(host)
    event = first.become("Gwen", seed)["event"]["id"]
    state = lambda: first.call("handover", "GET", "/:/api/handover").json()
    assert state() == {"state": "none", "seconds": 0, "key": None, "phones": []}
    opened = first.call("openHandover", "POST", "/:/api/handover", 201).json()
    assert state()["state"] == "open"
    other = Guest(host, token=opened["token"])
    assert other.opened["handover"]
    for key in ("code", "token"):
        first.call("openSession", "POST", "/api/session", 403, json={key: opened[key]})
    assert other.call("handoverBox", "GET", "/:/api/handover/box").json() == {"key": None, "box": None}
    theirs, ours = PrivateKey.generate(), PrivateKey.generate()
    other.call("offerKey", "POST", "/:/api/handover/key", 204, json={"key": bytes(theirs.public_key).hex()})
    message = json.dumps({"event": event, "seed": base64url(seed), "kept": {}}).encode()
    box = Box(ours, PublicKey(bytes.fromhex(state()["key"]))).encrypt(message)
    first.call("sealHandover", "POST", "/:/api/handover/box", 204, json={
        "key": bytes(ours.public_key).hex(), "box": base64url(bytes(box))})
    sealed = other.call("handoverBox", "GET", "/:/api/handover/box").json()
    opened = json.loads(Box(theirs, PublicKey(bytes.fromhex(sealed["key"]))).decrypt(unbase64url(sealed["box"])))
    other.become(None, unbase64url(opened["seed"]))
    assert other.call("me", "GET", "/:/api/me").json()["guest"]["name"] == "Gwen"
    other.call("handoverBox", "GET", "/:/api/handover/box", 404)
    [phone] = state()["phones"]
    first.call("endPhone", "DELETE", f"/:/api/handover/{phone['id']}", 204)
    first.call("endPhone", "DELETE", f"/:/api/handover/{phone['id']}", 404)
    assert other.call("me", "GET", "/:/api/me", 401).json()["error"]["code"] == "session-ended"
    first.call("openHandover", "POST", "/:/api/handover", 201)
    first.call("closeHandover", "DELETE", "/:/api/handover", 204)


@pytest.fixture
def walled(tmp_path):
    node = Node(tmp_path / "host", "host", "Garden party", "--as", "Anna", "--wall-code", "on")
    yield node
    node.kill()


def test_new_guests_need_the_code_on_the_wall(walled):
    said = json.loads(walled.command("invite", "--json"))
    secret, event = read_invitation(said["invitation"]).secret, bytes.fromhex(walled.ready["event"])
    token, key = base64url(derive(secret, "wall token", event)[:16]), derive(secret, "wall code", event)
    assert token == said["wallToken"]

    def code(period):
        number = int.from_bytes(derive(key, "wall code", struct.pack(">Q", period))[:5], "big")
        return "".join("0123456789ABCDEFGHJKMNPQRSTVWXYZ"[number >> 35 - 5 * place & 31] for place in range(8))

    def scanned(period):
        return base64url(derive(key, "wall pass", struct.pack(">Q", period))[:16])

    outside, wall = Guest(walled), Guest(walled, token=token)
    assert outside.call("me", "GET", "/:/api/me").json()["isOutside"]
    for operation, path in (("photos", "/:/api/photos"), ("about", "/:/api/about"), ("changes", "/:/api/changes")):
        assert outside.call(operation, "GET", path, 403).json()["error"]["code"] == "wall-code-needed"
    shown = wall.call("me", "GET", "/:/api/me").json()["wall"]
    now = int(time.time()) // 600
    assert (shown["code"], shown["pass"]) in {(code(period), scanned(period)) for period in (now - 1, now, now + 1)}
    wall.call("photos", "GET", "/:/api/photos")
    wall.call("openSession", "POST", "/api/session", 403, json={"code": code(now + 3)})
    wall.call("openSession", "POST", "/api/session", 403, json={"token": scanned(now + 3)})
    Guest(walled, "Gwen", code=shown["code"]).call("photos", "GET", "/:/api/photos")
    for _ in range(40):
        refused = requests.post(f"{walled.origin}/api/session", json={"code": "WR0NGWR0"}, timeout=60)
    assert refused.status_code == 429
    wall.call("openSession", "POST", "/api/session", 429, json={"code": shown["code"]})
    Guest(walled, "Hugo", token=shown["pass"]).call("photos", "GET", "/:/api/photos")


def test_a_guest_writes_to_the_host(host):
    guest, other = Guest(host, "Vera"), Guest(host, "Walt")
    before = other.call("changes", "GET", "/:/api/changes").json()["id"]
    guest.call("message", "POST", "/:/api/message", 400, json={"text": "   "})
    guest.call("message", "POST", "/:/api/message", 400, json={"text": "é" * 1001})
    sent = guest.call("message", "POST", "/:/api/message", 201, json={"text": "Where is the cake?\nI am hungry."}).json()["id"]
    read = [json.loads(line) for line in host.command("messages", "--json").splitlines()]
    assert [(message["id"], message["author"], message["text"]) for message in read] == [
        (sent, "Vera", "Where is the cake?\nI am hungry.")]
    # Other guests are told nothing, and cannot take it back.
    after = other.call("changes", "GET", f"/:/api/changes?since={before}").json()
    assert after["changes"] == [] and after["id"] == before, "not even a number says that somebody wrote"
    other.call("takeMessageBack", "DELETE", f"/:/api/message/{sent}", 404)
    guest.call("takeMessageBack", "DELETE", f"/:/api/message/{sent}", 204)
    guest.call("takeMessageBack", "DELETE", f"/:/api/message/{sent}", 404)
    guest.call("takeMessageBack", "DELETE", "/:/api/message/" + "0" * 64, 404)
    kept = guest.call("message", "POST", "/:/api/message", 201, json={"text": "Found it."}).json()["id"]
    assert [json.loads(line)["id"] for line in host.command("messages", "--json").splitlines()] == [kept]


def members(node):
    return node.status()["memberCount"]


def test_a_guest_joins_the_event_with_the_first_thing_it_does(host):
    before = members(host)
    guest = Guest(host)
    me = guest.become()
    guest.call("me", "GET", "/:/api/me")
    guest.call("photos", "GET", "/:/api/photos")
    assert members(host) == before
    guest.call("consent", "POST", "/:/api/guest/consent", 204, json={"id": me["consent"]["id"]})
    assert members(host) == before + 1
    guest.call("rename", "PUT", "/:/api/guest/name", 204, json={"name": "Zoë"})
    assert members(host) == before + 1
    assert guest.call("me", "GET", "/:/api/me").json()["guest"]["name"] == "Zoë"


@pytest.fixture(scope="module")
def guests(host, painter):
    """One with a photo and an unfinished upload, and one who has not entered."""
    entered = Guest(host, "Hilde")
    photo = entered.upload(painter.photo())
    upload = entered.call("createUpload", "POST", "/:/uploads", 201,
                          {**TUS, "Upload-Length": "100"}).headers["Location"]
    return entered, Guest(host), photo, upload.rsplit("/", 1)[1]


# A stream does not end; the session's end is above, and would end the sessions that these calls need.
@SCHEMA.exclude(operation_id=["updates", "endSession"]).parametrize()
@settings(max_examples=EXAMPLES, deadline=None, derandomize=True, database=None,
          suppress_health_check=list(HealthCheck))
def test_every_answer_is_documented(case, host, guests):
    """Of the made-up calls half are about the real event, photo and upload, with a session that may do something."""
    entered, stranger, photo, upload = guests
    dice = zlib.crc32(repr((case.path_parameters, case.query, case.body)).encode())
    parameters = case.path_parameters or {}
    if "event" in parameters and dice % 8:
        parameters["event"] = host.ready["event"][:8]
    if "photo" in parameters and dice % 3:
        parameters["photo"] = photo
    if "id" in parameters and dice % 3:
        parameters["id"] = host.ready["event"]
    if "upload" in parameters and dice % 3:
        parameters["upload"] = upload
    case.path_parameters = parameters
    case.cookies = {}
    session = {} if dice % 16 == 1 else (stranger if dice % 5 == 0 else entered).headers
    # Ten seconds unless told: a photo that is sent is looked at before it is answered, however slow the machine is.
    response = case.call(base_url=host.origin, headers={"Accept": "application/json", **session}, allow_redirects=False,
                         timeout=120)
    case.validate_response(response, checks=CHECKS)
