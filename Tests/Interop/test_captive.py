# SPDX-License-Identifier: Apache-2.0
"""Phones on a Wi-Fi without Internet (docs/venue.md). A router and a station in namespaces of their own: the router's name
server has the lines that `disposable captive` prints, the station asks every connectivity check by its name, as a phone does,
and gets the bytes that the check's own server sends. No other name leads to the node."""

import base64
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from party import BUILD, eventually
from test_metrics import PortalNode

HOST = "10.77.0.1"
APPLE = b"<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>\n"
KINDLE = b"""<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">
<html>
<head>
<title>Kindle Reachability Probe Page</title>
<META http-equiv="Content-Type" content="text/html; charset=iso-8859-1">
<!--81ce4465-7167-4dcb-835b-dcc9e44c112a created with python 2.5 uuid.uuid4()-->
</head>
<body bgcolor="#ffffff" text="#000000">
81ce4465-7167-4dcb-835b-dcc9e44c112a
</body>
</html>
"""
# Written down here once more, by what clients look for: host, path, status, body, online field.
NO_CONTENT = [
    ("connectivitycheck.gstatic.com", "/generate_204"), ("connectivitycheck.android.com", "/generate_204"),
    ("edge-http.microsoft.com", "/captiveportal/generate_204"), ("fireoscaptiveportal.com", "/generate_204"),
    ("connectivity.samsung.com.cn", "/generate_204"), ("connectivitycheck.platform.hicloud.com", "/generate_204"),
    ("connectivitycheck.platform.hihonorcloud.com", "/generate_204"), ("connect.rom.miui.com", "/generate_204"),
    ("conn1.oppomobile.com", "/generate_204"), ("wifi.vivo.com.cn", "/generate_204"),
    ("connectivitycheck.grapheneos.network", "/generate_204")]
PROBES = [(host, path, 204, b"", None) for host, path in NO_CONTENT] + [
    ("captive.apple.com", "/hotspot-detect.html", 200, APPLE, None),
    ("captive.apple.com", "/", 200, APPLE, None),
    ("www.msftconnecttest.com", "/connecttest.txt", 200, b"Microsoft Connect Test", None),
    ("www.msftncsi.com", "/ncsi.txt", 200, b"Microsoft NCSI", None),
    ("detectportal.firefox.com", "/canonical.html", 200,
     b'<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>', None),
    ("detectportal.firefox.com", "/success.txt?ipv4", 200, b"success\n", None),
    ("nmcheck.gnome.org", "/check_network_status.txt", 200, b"NetworkManager is online", None),
    ("network-test.debian.org", "/nm", 200, b"NetworkManager is online\n", "online"),
    ("connectivity-check.ubuntu.com", "/", 204, b"", "online"),
    ("conncheck.opensuse.org", "/", 204, b"", "online"),
    ("ping.archlinux.org", "/nm-check.txt", 200, b"NetworkManager is online\n", None),
    ("networkcheck.kde.org", "/", 200, b"OK", None),
    ("spectrum.s3.amazonaws.com", "/kindle-wifi/wifistub.html", 200, KINDLE, None),
    ("spectrum.s3.amazonaws.com", "/kindle-wifi/wifistub-eink.html", 200, KINDLE, None)]
OTHER_NAMES = ["www.apple.com", "apple.com", "www.captive.apple.com", "www.google.com", "connectivitycheck.gstatic.com.example",
               "gstatic.com", "www.msftconnecttest.com.example", "firefox.com", "disposable.example"]

STATION_PROGRAM = """
import base64, http.client, json, socket, sys

def addresses(name):
    try:
        return sorted({each[4][0] for each in socket.getaddrinfo(name, 80, type=socket.SOCK_STREAM)})
    except socket.gaierror:
        return []

def ask(name, path, port):
    connection = http.client.HTTPConnection(name, port, timeout=60)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return [answer.status, {key.lower(): value for key, value in answer.getheaders()},
                base64.b64encode(answer.read()).decode()]
    except OSError as error:
        return [0, {}, str(error)]
    finally:
        connection.close()

asked = json.load(sys.stdin)
json.dump({"addresses": {name: addresses(name) for name in asked["names"]},
           "answers": [ask(*each) for each in asked["requests"]]}, sys.stdout)
"""

# A name server for the lines of dnsmasq that `disposable captive` prints. It knows no other server: for other names it
# refuses, as dnsmasq does without Internet.
ROUTER_PROGRAM = """
import ipaddress, socket, struct, sys

records, own = {}, set()
for line in open(sys.argv[2]):
    key, value = line.strip().split("=")
    if key == "local":
        own.add(value.strip("/"))
    else:
        assert key == "host-record", line
        name, *addresses = value.split(",")
        records[name] = [ipaddress.ip_address(each) for each in addresses]
assert own == set(records), own ^ set(records)

server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind((sys.argv[1], 53))
print("ready", flush=True)
while True:
    packet, sender = server.recvfrom(512)
    labels, place = [], 12
    while packet[place]:
        labels.append(packet[place + 1:place + 1 + packet[place]].decode().lower())
        place += 1 + packet[place]
    kind = struct.unpack(">H", packet[place + 1:place + 3])[0]
    name = ".".join(labels)
    found = [each.packed for each in records.get(name, []) if kind == (1 if each.version == 4 else 28)]
    code = 0 if name in own else 5
    answers = b"".join(
        b"\\xc0\\x0c" + struct.pack(">HHIH", kind, 1, 0, len(each)) + each for each in found)
    server.sendto(packet[:2] + bytes([0x81, 0x80 | code]) + struct.pack(">HHHH", 1, len(found), 0, 0)
                  + packet[12:place + 5] + answers, sender)
"""


class Program:
    """A process that the test ends."""

    def __init__(self, command):
        self.process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True)

    def kill(self):
        self.process.kill()
        self.process.wait()


class ResolverFile:
    """The resolv.conf of a namespace, which `ip netns exec` puts in place for the programs that it starts."""

    def __init__(self, namespace, server):
        self.folder = Path("/etc/netns") / namespace
        self.folder.mkdir(parents=True)
        (self.folder / "resolv.conf").write_text(f"nameserver {server}\noptions timeout:2 attempts:2\n")

    def kill(self):
        shutil.rmtree(self.folder)


class Venue:
    """A node with --captive on host 1, which is also the router; a station on host 2."""

    def __init__(self, folder, running, lan, mode, server="own"):
        self.lan = lan
        name = lan.environment["LAN_NAME"]
        for number in (1, 2):
            running.append(ResolverFile(f"{name}-{number}", HOST))
        self.node = PortalNode(lan.host(1), folder / "host", "host", "Garden party", "--as", "Anna", "--captive", mode)
        running.append(self.node)
        lines = subprocess.run([BUILD / "disposable", "captive", HOST], capture_output=True, text=True, check=True).stdout
        (folder / "names").mkdir()
        file = folder / "names/disposable-captive.conf"
        file.write_text(lines)
        if server == "dnsmasq":
            # As NetworkManager starts it for a shared network, with another server that does not answer.
            router = Program([
                *lan.host(1), "dnsmasq", "--conf-file=/dev/null", "--no-hosts", "--keep-in-foreground", "--bind-interfaces",
                "--except-interface=lo", f"--listen-address={HOST}", f"--conf-dir={file.parent}", "--pid-file=",
                "--user=root", "--no-resolv"])
        else:
            router = Program([*lan.host(1), sys.executable, "-c", ROUTER_PROGRAM, HOST, file])
            assert router.process.stdout.readline() == "ready\n"
        running.append(router)
        eventually("the name server answers", lambda: self.station(["captive.apple.com"])["addresses"]["captive.apple.com"])

    @property
    def page_port(self):
        return int(self.node.ready["portal"].rpartition(":")[2])

    def station(self, names=(), requests=()):
        """What names lead to, and the answers to requests, for a program on the station."""
        asked = subprocess.run(
            [*self.lan.host(2), sys.executable, "-c", STATION_PROGRAM], capture_output=True, text=True, timeout=180,
            input=json.dumps({"names": list(names), "requests": list(requests)}))
        assert asked.returncode == 0, asked.stderr
        return json.loads(asked.stdout)

    def doctor(self):
        lines = subprocess.run(
            [*self.lan.host(1), BUILD / "disposable", "doctor", "--for", "1s", "--json", "--data", self.node.folder],
            capture_output=True, text=True, timeout=180).stdout.splitlines()
        [found] = [line for line in map(json.loads, lines) if line.get("check") == "captive"]
        return found


def decoded(answer):
    status, fields, body = answer
    return status, fields, base64.b64decode(body) if status else body


def servers():
    return ["own", pytest.param("dnsmasq", marks=pytest.mark.skipif(
        not shutil.which("dnsmasq") and "CI" not in os.environ, reason="dnsmasq is missing: apt install dnsmasq-base"))]


@pytest.mark.parametrize("server", servers())
def test_a_station_gets_the_answer_of_every_check_by_its_name(folder, running, make_lan, server):
    venue = Venue(folder, running, make_lan(2), "answer", server)
    names = sorted({host for host, *_ in PROBES})
    found = venue.station(names + OTHER_NAMES + ["dns.msftncsi.com"], [(host, path, 80) for host, path, *_ in PROBES])
    # Windows compares these two addresses, of which it has no route to any.
    assert found["addresses"].pop("dns.msftncsi.com") == ["131.107.255.255", "fd3e:4f5a:5b81::1"]
    assert found["addresses"] == {**{name: [HOST] for name in names}, **{name: [] for name in OTHER_NAMES}}
    for (host, path, status, body, online), answer in zip(PROBES, found["answers"], strict=True):
        got_status, fields, got = decoded(answer)
        assert (got_status, got) == (status, body), f"{host}{path}"
        assert fields.get("x-networkmanager-status") == online, f"{host}{path}"
        assert "location" not in fields and "set-cookie" not in fields
    assert venue.doctor()["state"] == "good"


def test_a_sign_in_window_opens_with_the_address_of_the_pages(folder, running, make_lan):
    venue = Venue(folder, running, make_lan(2), "portal")
    for answer in venue.station(requests=[(host, path, 80) for host, path, *_ in PROBES])["answers"]:
        status, fields, body = decoded(answer)
        assert (status, body) == (302, b"") and fields["location"] == f"http://{HOST}:{venue.page_port}/wifi"
    [page] = venue.station(requests=[(HOST, "/wifi", venue.page_port)])["answers"]
    status, _, body = decoded(page)
    assert status == 200 and f"http://{HOST}:{venue.page_port}".encode() in body
    assert venue.doctor()["state"] == "good"


def test_the_pages_are_where_they_were_and_the_port_of_checks_leads_there(folder, running, make_lan):
    venue = Venue(folder, running, make_lan(2), "answer")
    port = venue.page_port
    first, led, foreign = map(decoded, venue.station(requests=[
        (HOST, "/", port), (HOST, "/clip/K7QM-3XPD", 80), ("captive.apple.com", "/", port)])["answers"])
    assert first[0] == 200 and b"<!doctype html>" in first[2].lower()
    assert led[0] == 302 and led[1]["location"] == f"http://{HOST}:{port}/clip/K7QM-3XPD"
    # The name decides, whatever the port: a router may lead port 80 to that of the pages.
    assert (foreign[0], foreign[2]) == (200, APPLE)
    # Over HTTPS nobody can answer for another name: the connection ends at once, and phones need not wait.
    for closed in (80, port):
        refused = subprocess.run(
            [*venue.lan.host(2), "curl", "--silent", "--insecure", "--max-time", "60",
             f"https://connectivitycheck.gstatic.com:{closed}/generate_204"], capture_output=True, timeout=180)
        assert refused.returncode in (35, 52, 56) and refused.stdout == b"", refused


def test_without_the_option_nothing_answers_and_the_doctor_says_so(folder, running, make_lan):
    venue = Venue(folder, running, make_lan(2), "off")
    answers = venue.station(requests=[(host, path, 80) for host, path, *_ in PROBES]
                            + [(host, path, venue.page_port) for host, path, *_ in PROBES])["answers"]
    silent, refused = answers[:len(PROBES)], answers[len(PROBES):]
    assert {answer[0] for answer in silent} == {0}
    assert {answer[0] for answer in refused} == {421}
    found = venue.doctor()
    assert found["state"] == "wrong" and "--captive answer" in found["hint"]


def test_a_taken_port_is_an_error_with_advice(folder, running, make_lan):
    lan = make_lan(1)
    taken = Program([*lan.host(1), sys.executable, "-c",
                     "import socket; s = socket.create_server(('', 80)); print('ready', flush=True); s.accept()"])
    running.append(taken)
    assert taken.process.stdout.readline() == "ready\n"
    run = subprocess.run(
        [*lan.host(1), BUILD / "disposable", "host", "Garden party", "--captive", "answer", "--data", folder / "host"],
        capture_output=True, text=True, timeout=300)
    assert run.returncode == 1
    assert "connectivity checks cannot be answered: port 80" in run.stderr and "ss -ltnp" in run.stderr


def test_a_user_who_may_not_listen_there_is_told_what_permits_it(folder, make_lan):
    lan = make_lan(1)
    run = subprocess.run(
        [*lan.host(1), "setpriv", "--bounding-set=-net_bind_service", BUILD / "disposable", "host", "Garden party",
         "--captive", "answer", "--data", folder / "host"],
        capture_output=True, text=True, timeout=300)
    assert run.returncode == 1
    assert "may not listen on port 80" in run.stderr and "ip_unprivileged_port_start=80" in run.stderr


def test_the_lines_for_a_router_name_the_checks_and_nothing_else():
    run = [BUILD / "disposable", "captive"]
    lines = subprocess.run([*run, "192.168.1.20"], capture_output=True, text=True, check=True).stdout.splitlines()
    assert {line.partition("=")[0] for line in lines} == {"host-record", "local"}
    assert "host-record=captive.apple.com,192.168.1.20" in lines and "local=/captive.apple.com/" in lines
    named = {line.split("=")[1].split(",")[0] for line in lines if line.startswith("host-record")}
    assert named == {host for host, *_ in PROBES} | {"dns.msftncsi.com"}
    for wrong in ("party", "fe80::1", "192.168.1"):
        assert subprocess.run([*run, wrong], capture_output=True).returncode == 2
