#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A member whose program does not obey: it joins, brings and passes on what a Python peer does, and states whatever it
is told on its standard input, one JSON object a line. It asks for no photos, and knows of no ranks."""

import asyncio
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples/python-peer"))

import disposable_pb2 as pb  # noqa: E402
import join  # noqa: E402
import operations  # noqa: E402
from event import ZERO  # noqa: E402
from operations import Kind, make  # noqa: E402

GRANT, REVOKE_ROLE, REVOKE_DEVICE, HIDE, ERASE, REVEAL, KEY_RELEASE = 4, 5, 6, 7, 9, 11, 12
STATED = {GRANT: pb.GrantBody, REVOKE_ROLE: pb.RevocationBody, REVOKE_DEVICE: pb.RevocationBody, HIDE: None,
          ERASE: None, REVEAL: pb.RevealBody, KEY_RELEASE: pb.KeyReleaseBody}


class Dishonest(join.Node):
    def __init__(self, *arguments):
        self.seals = True
        super().__init__(*arguments)
        self.orders = asyncio.create_task(self.obey())

    def next_blob(self, peer):
        return None

    def until_reveal(self, reference):
        return super().until_reveal(reference) if self.seals else reference

    def take(self, messages, peer):
        """It takes no word about itself."""
        about_itself = bytes([REVOKE_ROLE]), bytes([REVOKE_DEVICE])
        super().take([each for each in messages if isinstance(each, operations.Operation)
                      or each.header[1:2] not in about_itself or each.header[124:156] != self.device], peer)

    async def obey(self):
        await self.admitted.wait()
        self.say(f"device {self.device.hex()}")
        while line := await asyncio.to_thread(sys.stdin.readline):
            order = json.loads(line)
            if "publish" in order:
                self.seals = order["isSealed"]
                self.publish(order["publish"])
                continue
            kind = operations.KINDS[order["kind"]]
            chain = [each for each in self.sets[kind.is_authority] if each.device == self.device]
            content = kind.body.FromString(bytes.fromhex(order["body"])) if kind.body else None
            said = make(self.key, self.event.id, order["kind"], chain, self.time(), content,
                        bytes.fromhex(order["subject"]) or ZERO, order["argument"])
            self.keep([said])
            for peer in list(self.peers.values()):
                self.send_operations(peer, [said])
            self.say(f"stated {said.id.hex()}")


if __name__ == "__main__":
    for number, body in STATED.items():
        operations.KINDS.setdefault(number, Kind(True, body, body is not None and number != KEY_RELEASE))
        operations.RULES.setdefault(number, lambda content: True)
    join.Node = Dishonest
    try:
        asyncio.run(join.run(join.arguments()))
    except KeyboardInterrupt:
        pass
