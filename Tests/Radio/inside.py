# SPDX-License-Identifier: Apache-2.0
"""Runs in the virtual machine. One adapter makes the hotspot, by `disposable hotspot`; each other one is a station in a
network namespace of its own, which joins the Wi-Fi, asks for an address, makes its system's connectivity check by name, and
opens a stream of a guests' page. All stay for a while; a line for each says how it was."""

import json
import os
import random
import re
import socket
import struct
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path

HERE = Path("/radio")
SETTINGS = json.loads((HERE / "settings.json").read_text())
SECONDS, STATIONS = SETTINGS["seconds"], SETTINGS["stations"]
NAME, PASSWORD, ADDRESS = "Garden party", "solid power", "10.42.0.1"
PROBES = [("captive.apple.com", "/hotspot-detect.html", 200), ("connectivitycheck.gstatic.com", "/generate_204", 204),
          ("www.msftconnecttest.com", "/connecttest.txt", 200), ("detectportal.firefox.com", "/success.txt", 200),
          ("network-test.debian.org", "/nm", 200)]
ROUND_SECONDS = 20

# Takes the lease: address and name server of this station alone.
LEASE = """#!/bin/sh
case $1 in
deconfig) ip address flush dev $interface; ip link set $interface up;;
bound|renew) ip address replace $ip/${mask:-24} dev $interface; echo "$dns" >/run/lease-$interface;;
esac
"""


def say(**message):
    print(f"@radio {json.dumps(message)}", flush=True)


def run(*command, check=True, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=120, **options)
    if check and done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.returncode} {done.stdout} {done.stderr}")
    return done.stdout


def spawn(*command, log=os.devnull):
    """A program that runs until the machine is off."""
    with open(log, "w") as output:
        subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=output, stderr=output)


def eventually(what, find, within=120):
    end = time.monotonic() + within
    while time.monotonic() < end:
        if found := find():
            return found
        time.sleep(0.5)
    raise RuntimeError(f"not within {within} s: {what}")


def make_air():
    """The adapters: wlan0 stays with NetworkManager, the others go to the stations."""
    # NetworkManager takes no device that udev has not seen.
    spawn("/lib/systemd/systemd-udevd")
    eventually("udev", lambda: Path("/run/udev/control").exists())
    run("modprobe", "mac80211_hwsim", f"radios={STATIONS + 1}")
    run("ip", "link", "set", "lo", "up")
    eventually("the adapters", lambda: len(list(Path("/sys/class/ieee80211").iterdir())) == STATIONS + 1)
    run("udevadm", "settle")
    radios = {}
    for phy in Path("/sys/class/ieee80211").iterdir():
        [device] = os.listdir(phy / "device/net")
        radios[device] = phy.name
    host = min(radios, key=lambda device: int(re.sub(r"\D", "", radios[device])))
    stations = sorted(device for device in radios if device != host)
    for number, device in enumerate(stations):
        run("ip", "netns", "add", f"station{number}")
        run("iw", "phy", radios[device], "set", "netns", "name", f"station{number}")
    return host, stations


def make_hotspot(device):
    Path("/run/dbus").mkdir(exist_ok=True)
    run("dbus-uuidgen", "--ensure")
    spawn("dbus-daemon", "--system", "--nofork")
    eventually("the message bus", lambda: Path("/run/dbus/system_bus_socket").exists())
    Path("/etc/NetworkManager/NetworkManager.conf").write_text(
        "[main]\nplugins=keyfile\nauth-polkit=false\nrc-manager=unmanaged\ndns=none\n[logging]\nlevel=INFO\n")
    # Does not become a daemon, and writes its log here.
    spawn("NetworkManager", "--debug", log="/run/nm.log")
    eventually("the adapter is managed", lambda: f"{device}:disconnected" in run(
        "nmcli", "--terse", "--fields", "DEVICE,STATE", "device", check=False).splitlines())
    run("disposable", "hotspot", "--name", NAME, "--password", PASSWORD, "--interface", device)


class Node:
    def __init__(self):
        self.process = subprocess.Popen(
            ["disposable", "host", NAME, "--as", "Anna", "--frames", "unlimited", "--captive", "answer", "--data", "/tmp/host",
             "--json"], stdout=subprocess.PIPE, stderr=open("/run/node.log", "w"), text=True)
        for line in self.process.stdout:
            message = json.loads(line)
            if message["type"] == "ready":
                break
        else:
            raise RuntimeError(f"the node has ended: {Path('/run/node.log').read_text()[-2000:]}")
        self.token = message["guestURL"].split("#")[1]
        threading.Thread(target=self.process.stdout.read, daemon=True).start()


# Runs in a station's namespace, with the settings as its only argument; prints one line of JSON.
STATION = """
import json, sys
sys.path.insert(0, "/radio")
import inside
inside.Station(**json.loads(sys.argv[1])).stay()
"""


class Station:
    """A phone: in its namespace, from the association to the last second."""

    def __init__(self, number, device, token):
        self.number, self.device, self.token = number, device, token
        self.sent = self.heard = self.checks = 0
        self.failures = []
        self.isOver = False

    def stay(self):
        try:
            self.join()
            self.look()
        except BaseException:
            self.failures.append(traceback.format_exc()[-1500:])
        print(json.dumps({"station": self.number, "checks": self.checks, "photos": self.heard, "sent": self.sent,
                          "connected": self.connected(), "failures": self.failures[:5]}), flush=True)

    def join(self):
        run("ip", "link", "set", "lo", "up")
        network = Path(f"/run/{self.device}.conf")
        network.write_text(f'ctrl_interface=/run/wpa-{self.device}\nnetwork={{\n ssid="{NAME}"\n psk="{PASSWORD}"\n}}\n')
        run("wpa_supplicant", "-B", "-i", self.device, "-c", network, "-f", f"/run/{self.device}.log")
        eventually("the association", lambda: "wpa_state=COMPLETED" in self.status(), 180)
        spawn("busybox", "udhcpc", "-f", "-i", self.device, "-s", "/run/lease", "-R")
        lease = Path(f"/run/lease-{self.device}")
        self.server = eventually("an address", lambda: lease.exists() and lease.read_text().strip())

    def status(self):
        return run("wpa_cli", "-p", f"/run/wpa-{self.device}", "-i", self.device, "status", check=False)

    def connected(self):
        """Seconds since the last association, as the driver counts them."""
        found = re.search(r"connected time:\s*(\d+)", run("iw", "dev", self.device, "station", "dump", check=False))
        return int(found[1]) if found else 0

    def look(self):
        from client import Client
        guest = Client(f"http://{ADDRESS}:8027/#{self.token}").enter(f"Phone {self.number}")
        stream = socket.create_connection((ADDRESS, 8027), timeout=120)
        stream.sendall(f"GET {guest.path}api/updates HTTP/1.1\r\nHost: {ADDRESS}:8027\r\n"
                       f"Authorization: Bearer {guest.session}\r\n\r\n".encode())
        listening = threading.Thread(target=self.listen, args=(stream,), daemon=True)
        listening.start()
        end = time.monotonic() + SECONDS
        photos = sorted(HERE.glob("*.jpg"))
        while time.monotonic() < end:
            self.check(*PROBES[self.checks % len(PROBES)])
            if "wpa_state=COMPLETED" not in self.status():
                self.failures.append(f"not associated: {self.status()}")
            # Now and then a photo, of which the others' streams tell.
            if self.sent < 3 and random.random() < 0.5:
                data = random.choice(photos).read_bytes()
                status, code, photo = guest.upload(data)
                if status != 204:
                    self.failures.append(f"upload: {status} {code}")
                self.sent += 1
            time.sleep(random.uniform(0.5, 1) * ROUND_SECONDS)
        self.isOver = True
        if not listening.is_alive():
            self.failures.append("the stream has ended")
        stream.close()

    def listen(self, stream):
        """Reads until the end. The node sends something at least every half minute, so a silent stream is a broken one."""
        rest = b""
        try:
            while piece := stream.recv(65_536):
                rest += piece
                *lines, rest = rest.split(b"\n")
                self.heard += sum(line.startswith(b"event: photo") for line in lines)
        except OSError as error:
            if not self.isOver:
                self.failures.append(f"the stream broke off: {error}")

    def check(self, name, path, expected):
        """The system's connectivity check, by its name, as the station's name server answers it."""
        address = resolve(name, self.server)
        with socket.create_connection((address, 80), timeout=30) as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n".encode())
            status = int(connection.makefile("rb").readline().split()[1])
        if (address, status) != (ADDRESS, expected):
            self.failures.append(f"{name}: {address} {status}")
        self.checks += 1


def resolve(name, server):
    """The IPv4 address of a name, asked of one name server."""
    question = b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"
    packet = struct.pack(">HHHHHH", random.getrandbits(16), 0x0100, 1, 0, 0, 0) + question + struct.pack(">HH", 1, 1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.settimeout(10)
        for _ in range(3):
            asking.sendto(packet, (server, 53))
            try:
                answer = asking.recv(512)
            except TimeoutError:
                continue
            if struct.unpack(">H", answer[6:8])[0]:
                return ".".join(map(str, answer[-4:]))
            return None
    return None


def main():
    Path("/run/lease").write_text(LEASE)
    Path("/run/lease").chmod(0o755)
    host, devices = make_air()
    make_hotspot(host)
    node = Node()
    started = [subprocess.Popen(
        ["ip", "netns", "exec", f"station{number}", "python3", "-c", STATION,
         json.dumps({"number": number, "device": device, "token": node.token})], stdout=subprocess.PIPE, text=True)
        for number, device in enumerate(devices)]
    for process in started:
        text, _ = process.communicate(timeout=SECONDS + 900)
        say(**json.loads(text.strip().splitlines()[-1]))
    associated = run("iw", "dev", host, "station", "dump").count("Station ")
    gallery = run("disposable", "gallery", "--json", "--data", "/tmp/host").count('"type":"photo"')
    say(hotspot=host, associated=associated, gallery=gallery, kernel=os.uname().release)


if __name__ == "__main__":
    try:
        main()
    except BaseException:
        say(broken=traceback.format_exc()[-2500:])
        for log in ("/run/nm.log", "/run/node.log"):
            if Path(log).exists():
                print(log, Path(log).read_text(errors="replace")[-3000:], flush=True)
        sys.exit(1)
