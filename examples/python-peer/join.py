#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Joins an event with a nodes' invitation, brings its photos to a folder, adds some, and stays to hear of more."""

import argparse
import asyncio
import ipaddress
import sys

from discovery import discover, local_addresses
from event import Event, Refused, read_invitation
from node import DESTRUCTION_SECONDS, Node

IN_STEP_SECONDS = 20


def address(text):
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("invitation", help="the text that begins with DISPOSABLE1:")
    parser.add_argument("--data", default="data", help="folder for keys, operations and sealed blobs (default: data)")
    parser.add_argument("--photos", default="photos", help="folder for the photos (default: photos)")
    parser.add_argument("--as", dest="name", metavar="NAME", help="your name, as others see it")
    parser.add_argument("--publish", metavar="FILE", nargs="*", default=[], help="photos to add")
    parser.add_argument("--for", dest="seconds", type=float, help="stay so long after joining (default: until Ctrl-C)")
    parser.add_argument("--listen", type=address, default=("0.0.0.0", 0), metavar="ADDR:PORT")
    parser.add_argument("--peer", type=address, action="append", default=[], metavar="ADDR:PORT",
                        help="another node's address")
    parser.add_argument("--interface", action="append", metavar="ADDR",
                        help="announce and look on this IPv4 address only")
    parser.add_argument("--no-mdns", action="store_true", help="neither announce this node nor look for others")
    parser.add_argument("--destruction-delay", type=float, default=DESTRUCTION_SECONDS, metavar="SECONDS",
                        help="destroy what was taken away after so long a time of running (default: %(default)s)")
    return parser.parse_args()


def say(line):
    print(line, flush=True)


async def run(options):
    invitation = read_invitation(options.invitation)
    node = Node(Event(invitation.event_key, invitation.secret), options.data, options.photos, say,
                options.destruction_delay)
    say(f"event {node.event.id.hex()} {invitation.name}")
    async with await node.serve(*options.listen), asyncio.TaskGroup() as node.tasks:
        say(f"listening {node.listen_port}")
        others = [(str(ipaddress.ip_address(each.ip)), each.port) for each in invitation.addresses]
        for place in options.peer + others:
            node.found(place)
        if not options.no_mdns:
            node.tasks.create_task(discover(node, options.interface or local_addresses()))
        node.tasks.create_task(tell_digest(node))
        node.tasks.create_task(node.keep_destroying())
        await node.admitted.wait()
        try:  # first hear what there is, as it may be by this very device: its data folder may be a backup
            await asyncio.wait_for(node.in_step.wait(), IN_STEP_SECONDS)
        except TimeoutError:
            pass
        if options.name:
            node.call_oneself(options.name)
        for path in options.publish:
            node.publish(path)
        await asyncio.sleep(options.seconds if options.seconds is not None else 1 << 30)
        node.stop()
        raise SystemExit


async def tell_digest(node):
    """Says the gallery's digest, how many blobs have not come yet, and how many photos have and are sealed. Equal digests
    mean equal galleries."""
    said = None
    while True:
        digest, missing, sealed = node.state.digest(), len(node.missing), list(node.unopened.values()).count("sealed")
        if digest and (digest, missing, sealed) != said:
            said = digest, missing, sealed
            say(f"digest {digest.hex()} {missing} missing {sealed} sealed")
        await asyncio.sleep(0.2)


if __name__ == "__main__":
    try:
        asyncio.run(run(arguments()))
    except Refused as refused:
        sys.exit(f"error: the invitation is refused: {refused}")
    except KeyboardInterrupt:
        pass
