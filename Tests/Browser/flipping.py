# SPDX-License-Identifier: Apache-2.0
"""A proxy that flips bits of what browsers send, as Wi-Fi, memory and routers do where no checksum notices."""

import random
import socket
import threading


class FlippingProxy:
    """A proxy to a server that flips one bit at some places of requests' bodies. Everything else passes unchanged.

    `places(method, length, chance)`: the places of the bytes with such a bit in a body of that length."""

    def __init__(self, server, places):
        self.server, self.places = server, places
        self.count = 0
        self.random = random.Random(1)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        self.origins = {self.origin}
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                browser, _ = self.listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(self.server)
            except OSError:
                browser.close()
                continue
            threading.Thread(target=self._requests, args=(browser, server), daemon=True).start()
            threading.Thread(target=self._copy, args=(server, browser), daemon=True).start()

    @staticmethod
    def _copy(source, target):
        try:
            while data := source.recv(65_536):
                target.sendall(data)
        except OSError:
            pass
        finally:
            for end in (source, target):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def _requests(self, browser, server):
        """Forwards requests; only their bodies are changed."""
        incoming = browser.makefile("rb")
        try:
            while line := incoming.readline():
                head = [line]
                while (line := incoming.readline()) not in (b"\r\n", b""):
                    head.append(line)
                fields = {name.strip().lower(): value.strip() for name, _, value in (field.partition(b":") for field in head[1:])}
                server.sendall(b"".join(head) + b"\r\n")
                left = int(fields.get(b"content-length", 0))
                places = sorted(self.places(head[0].split()[0].decode(), left, self.random)) if left else []
                sent = 0
                while left and (data := incoming.read(min(left, 65_536))):
                    if places and places[0] < sent + len(data):
                        data = bytearray(data)
                        while places and places[0] < sent + len(data):
                            data[places.pop(0) - sent] ^= 1 << self.random.randrange(8)
                            self.count += 1
                    sent += len(data)
                    left -= len(data)
                    server.sendall(data)
        except OSError:
            pass
        finally:
            server.close()

    def close(self):
        # The thread that waits in accept ends with it.
        try:
            self.listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.listener.close()
