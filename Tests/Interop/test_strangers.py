# SPDX-License-Identifier: Apache-2.0
"""Strangers and guests that use up all they can of one node (§14.1, guest-api.md §7): codes, new guests, uploads. The node
serves others meanwhile. On loopback, where each 127.0.0.x is an address of its own."""

import http.client
import json
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from client import Client
from party import Node, is_in

ADDRESSES, GUESTS_EACH = range(2, 20), 58


class Phone(Client):
    """A browser at 127.0.0.NUMBER."""

    def __init__(self, number, link):
        self.source = (f"127.0.0.{number}", 0)
        super().__init__(link)


@pytest.fixture
def host(folder, running):
    node = Node(folder / "host", "host", "Garden party", "--as", "Anna")
    running.append(node)
    return node


def post(node, number, path, body):
    """Status and the error's code, if any, of a request from 127.0.0.NUMBER without a session."""
    connection = http.client.HTTPConnection(node.ready["portal"], timeout=60, source_address=(f"127.0.0.{number}", 0))
    try:
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or b"{}").get("error", {}).get("code")
    finally:
        connection.close()


def test_wrong_codes_refuse_no_link_no_desk_key_and_no_code_from_elsewhere(host):
    said = [post(host, number, "/api/session", {"code": "00000000"}) for number in range(2, 13) for _ in range(31)]
    assert (429, "too-many-codes") in said
    token = host.link.split("#")[1]
    for number in (2, 100):
        assert post(host, number, "/api/session", {"token": token}) == (200, None)
    assert post(host, 1, "/desk/api/session", {"key": host.desk().split("#")[1]}) == (200, None)
    code = json.loads(host.command("invite", "--json"))["guestCode"]
    assert post(host, 101, "/api/session", {"code": code}) == (200, None)


def invent(link, number):
    """The number of guests that one address brings in."""
    entered = 0
    for _ in range(GUESTS_EACH):
        try:
            # Without a name: two operations each, of which a node signs fifty a second.
            Phone(number, link).enter(None)
            entered += 1
        except AssertionError:
            pass
    return entered


def test_a_thousand_invented_guests_keep_out_neither_guests_nor_nodes(host, folder, running, painter):
    with ThreadPoolExecutor(len(ADDRESSES)) as pranksters:
        entered = sum(pranksters.map(lambda number: invent(host.link, number), ADDRESSES))
    assert entered > 1_024, f"only {entered}: too few to show anything"
    status, code, photo = Phone(100, host.link).enter("Zoë").upload(painter.photo(64, 48).read_bytes())
    assert (status, code) == (204, None) and photo
    ben = Node(folder / "ben", "join", host.ready["invitation"], "--as", "Ben")
    running.append(ben)
    is_in(ben)
    host.kill()
    host.start()
    assert Phone(101, host.link).enter("Yan").me()["guest"]["name"] == "Yan"


def test_uploads_that_are_announced_and_never_sent_delay_no_other_guest(host, painter):
    seed, codes = os.urandom(16), set()
    for _ in range(17):
        prankster = Phone(2, host.link).enter("P", seed)
        for _ in range(16):
            status, _, body = prankster.request("POST", "uploads", b"", {
                "Tus-Resumable": "1.0.0", "Upload-Length": str(256 << 20)})
            if status != 201:
                codes.add(json.loads(body)["error"]["code"])
    assert codes <= {"too-many-uploads"}
    status, code, photo = Phone(3, host.link).enter("Zoë").upload(painter.photo(64, 48).read_bytes())
    assert (status, code) == (204, None) and photo
