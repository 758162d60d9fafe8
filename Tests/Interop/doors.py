#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Connections to a node from a host of its own. Arguments: what, an invitation, the node's address.

halfway: sends a preface and no more, twelve times a second, until it is killed; prints "busy" when all places must be taken.
newcomers: eight devices dial one after the other; prints "in", or the code of the refusal, for each."""

import asyncio
import itertools
import os
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "examples/python-peer"), str(Path(__file__).resolve().parent)]

from nacl.signing import SigningKey  # noqa: E402

from connection import Closed, dial, make_preface  # noqa: E402
from event import Event, read_invitation  # noqa: E402
from messages import ADMISSION  # noqa: E402
from scripted import answer  # noqa: E402


async def hold(event, address):
    writer = None
    try:
        reader, writer = await asyncio.open_connection(*address)
        writer.write(make_preface(event, await reader.readexactly(16), os.urandom(16)))
        await reader.read()
    except (OSError, EOFError):
        pass
    finally:
        if writer:
            writer.close()


async def halfway(event, address):
    held = set()
    for number in itertools.count(1):
        task = asyncio.create_task(hold(event, address))
        held.add(task)
        task.add_done_callback(held.discard)
        if number == 60:
            print("busy", flush=True)
        await asyncio.sleep(1 / 12)


async def newcomers(event, address):
    for _ in range(8):
        try:
            connection = await dial(event, SigningKey.generate(), os.urandom(16), 0, address)
            async with asyncio.timeout(60):
                await answer(connection, ADMISSION)
            connection.writer.close()
            print("in", flush=True)
        except Closed as closed:
            print(closed.code, flush=True)
        except (OSError, EOFError, TimeoutError):
            print("silence", flush=True)


if __name__ == "__main__":
    what, invitation, address = sys.argv[1:]
    body = read_invitation(invitation)
    host, _, port = address.rpartition(":")
    asyncio.run(globals()[what](Event(body.event_key, body.secret), (host, int(port))))
