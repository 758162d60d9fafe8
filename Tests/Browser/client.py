# SPDX-License-Identifier: Apache-2.0
"""A guest without a browser, written from protocol/guest-api.md alone."""

import base64
import hashlib
import http.client
import json
import os
from urllib.parse import urlsplit

import nacl.signing


class Client:
    """A session of the guests' HTTP API, with a guest once `enter` has been called."""

    source = None  # an address of this machine, and 0
    patience = 60

    def __init__(self, link):
        address, token = link.split("/#")
        self.host = urlsplit(address).netloc
        self.origin = address
        self.session = None
        status, headers, answer = self.json("POST", "/api/session", {"token": token})
        assert status == 200, answer
        self.path = answer["path"]
        self.session = headers["Set-Cookie"].split(";")[0].split("=", 1)[1]

    def request(self, method, path, body=None, headers=None):
        """Returns status, headers and body of one request; `path` is below the event unless it starts with a slash."""
        connection = http.client.HTTPConnection(self.host, timeout=self.patience, source_address=self.source)
        fields = {"Authorization": f"Bearer {self.session}"} if self.session else {}
        target = path if path.startswith("/") else self.path + path
        try:
            connection.putrequest(method, target, skip_host="Host" in (headers or {}), skip_accept_encoding=True)
            if body is not None:
                fields["Content-Length"] = str(len(body))
            for name, value in {**fields, **(headers or {})}.items():
                connection.putheader(name, value)
            connection.endheaders(body)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def json(self, method, path, body=None, headers=None):
        fields = {"Content-Type": "application/json", **(headers or {})}
        status, headers, answer = self.request(method, path, None if body is None else json.dumps(body).encode(), fields)
        return status, headers, json.loads(answer) if answer else None

    def me(self):
        status, _, answer = self.json("GET", "api/me")
        assert status == 200, answer
        return answer

    def enter(self, name, seed=None):
        """Becomes the guest of a seed, by the two signatures of §3."""
        me = self.me()
        event = bytes.fromhex(me["event"]["id"])
        secret = hashlib.sha512(b"disposable/1 guest key\0" + event + (seed or os.urandom(16))).digest()[:32]
        key = nacl.signing.SigningKey(secret)
        guest = key.verify_key.encode().hex()
        sub_key = self.json("POST", "api/guest/key", {"guest": guest})[2]["subKey"]
        about = event + bytes.fromhex(me["node"]) + bytes.fromhex(sub_key)
        sign = lambda domain, more=b"": key.sign(domain + b"\0" + about + more).signature.hex()
        status, _, answer = self.json("POST", "api/guest", {
            "guest": guest, "name": name, "delegation": sign(b"disposable/1 delegation"),
            "proof": sign(b"disposable/1 guest proof", bytes.fromhex(me["challenge"]))})
        assert status == 200, answer
        status, _, answer = self.json("POST", "api/guest/consent", {"id": me["consent"]["id"]})
        assert status == 204, answer
        return self

    def upload(self, data, name="photo.jpg", media_type="image/jpeg", **more):
        """Sends one file by tus, in one piece, with more metadata. Returns the status, the error's code and the answer's
        photo."""
        encode = lambda text: base64.b64encode(text.encode()).decode()
        metadata = {"filename": name, "filetype": media_type, **more}
        status, headers, body = self.request("POST", "uploads", b"", {
            "Tus-Resumable": "1.0.0", "Upload-Length": str(len(data)),
            "Upload-Metadata": ",".join(f"{key} {encode(value)}" for key, value in metadata.items())})
        assert status == 201, body
        status, headers, body = self.request("PATCH", headers["Location"], data, {
            "Tus-Resumable": "1.0.0", "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"})
        return status, json.loads(body)["error"]["code"] if body else None, headers["Disposable-Photo"]
