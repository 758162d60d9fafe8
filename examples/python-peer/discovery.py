# SPDX-License-Identifier: Apache-2.0
"""Finding peers of an event by mDNS, and being found (§5)."""

import asyncio
import ipaddress
import os

import ifaddr
from zeroconf import IPVersion, ServiceStateChange
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from event import is_equal

SERVICE = "_disposable._tcp.local."
RENEW_SECONDS = 600


def local_addresses():
    """IPv4 addresses of this machine, without loopback."""
    found = [ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips if isinstance(ip.ip, str)]
    return [ip for ip in found if not ipaddress.ip_address(ip).is_loopback]


def make_record(events, charter, salt):
    """The text record of a node with one event under each of its secrets, the current one first; `charter` is None or
    the body that counts."""
    record = {"v": "1", "s": salt.hex()}
    for key, event in zip(["t0", *(f"o{place}" for place in range(7))], events):
        record[key] = event.advertisement_tag(salt).hex()
    if charter and charter.listed:
        record["n0"] = charter.name.encode()[:200].decode(errors="ignore")
        record["b0"] = str(charter.starts_at_ms)
    return record


def is_of(event, record):
    """Whether a record (bytes by key, from anybody) has the event's tag."""
    try:
        if record.get(b"v") != b"1":
            return False
        tag = event.advertisement_tag(bytes.fromhex((record.get(b"s") or b"").decode()))
        return any(is_equal(tag, bytes.fromhex((record.get(key % number) or b"").decode()))
                   for key in (b"t%d", b"o%d") for number in range(8))
    except ValueError:
        return False


async def discover(node, addresses):
    """Announces the node on `addresses` (IPv4), and reports the nodes found there to it, until cancelled."""
    name = f"{os.urandom(8).hex()}.{SERVICE}"
    host = f"{os.urandom(8).hex()}.local."
    zeroconf = AsyncZeroconf(interfaces=addresses, ip_version=IPVersion.V4Only)
    lookups = set()

    async def look_up(found):
        info = AsyncServiceInfo(SERVICE, found)
        if await info.async_request(zeroconf.zeroconf, 3000) and any(
                is_of(event, info.properties) for event in node.secrets):
            for address in info.parsed_scoped_addresses():
                node.found((address, info.port))

    def changed(zeroconf, service_type, found, state_change):
        if found != name and state_change is not ServiceStateChange.Removed and len(lookups) < 64:
            task = asyncio.get_running_loop().create_task(look_up(found))
            lookups.add(task)
            task.add_done_callback(lookups.discard)

    def description():
        charter = node.charter.content if node.charter else None
        return AsyncServiceInfo(SERVICE, name, parsed_addresses=addresses, port=node.listen_port, server=host,
                                properties=make_record(node.secrets, charter, os.urandom(8)))

    browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[changed])
    try:
        await zeroconf.async_register_service(description())
        await node.admitted.wait()
        while True:  # the charter is here: its name may be shown; and salts are for a while only
            await zeroconf.async_update_service(description())
            node.rotated.clear()
            try:
                await asyncio.wait_for(node.rotated.wait(), RENEW_SECONDS)
            except TimeoutError:
                pass
    finally:
        await browser.async_cancel()
        for task in list(lookups):
            task.cancel()
        await zeroconf.async_unregister_all_services()
        await zeroconf.async_close()
