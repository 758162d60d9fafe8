# SPDX-License-Identifier: Apache-2.0
"""The programs that race: each copies the photos of host 1 to all other hosts, as its users would run it."""
import http.client
import http.server
import json
import os
import pathlib
import socket
import sqlite3
import struct
import sys
import time
import urllib.parse

from hosts import NAME, Program, ip, run, wait_until

LIMIT = 1_800


class Rival:
    """One run. `prepare` is not timed; `start` begins the timed part, and `finish(host)` returns once the host is
    complete. `copies(host)` is the folder with the result, once everything has stopped."""
    packages = []
    does_swarm = True
    is_compared = True

    def __init__(self, folder, source, hosts):
        self.folder, self.source, self.hosts = folder, source, hosts
        self.photos = sorted(name for name in os.listdir(source) if name.endswith(".jpg"))
        self.byte_count = sum(os.path.getsize(f"{source}/{name}") for name in self.photos)
        self.sender, self.receivers = [], {host: [] for host in hosts}

    def home(self, host):
        path = f"{self.folder}/host-{host}"
        os.makedirs(path, exist_ok=True)
        return path

    def copies(self, host):
        path = f"{self.home(host)}/copy"
        os.makedirs(path, exist_ok=True)
        return path

    def send(self, *command, **options):
        self.sender.append(Program(self.folder, 1, *command, **options))
        return self.sender[-1]

    def receive(self, host, *command, **options):
        self.receivers[host].append(Program(self.folder, host, *command, **options))
        return self.receivers[host][-1]

    def programs(self):
        return self.sender + [program for programs in self.receivers.values() for program in programs]

    def prepare(self):
        pass

    def start(self):
        pass

    def stop(self):
        for program in self.programs():
            program.stop()


class Disposable(Rival):
    """This project: photos are added before the clock starts, as for Syncthing. Complete is what the receiver's
    database calls complete."""
    binary = "disposable"

    def ask(self, host, *arguments):
        return run("ip", "netns", "exec", f"{NAME}-{host}", self.binary, *arguments, "--data", self.data(host))

    def data(self, host):
        return f"{self.home(host)}/data"

    def node(self, host, *arguments):
        begin = self.send if host == 1 else lambda *command, **options: self.receive(host, *command, **options)
        return begin(self.binary, *arguments, "--no-portal", "--json", "--data", self.data(host), plain_user=True)

    def prepare(self):
        self.node(1, "host", "Race", "--frames", "unlimited", "--as", "Anna")

        def is_up():
            try:
                return self.ask(1, "status")
            except RuntimeError:
                return False

        wait_until(is_up, 60, 0.3)
        self.ask(1, "add", "--keep-metadata", self.source)
        words = self.ask(1, "invite", "--node").split()
        self.invitation = next(word for word in words if word.startswith("DISPOSABLE1:"))

    def start(self):
        for host in self.hosts:
            self.node(host, "join", self.invitation, "--as", f"Guest {host}")

    def is_complete(self, host):
        for path in pathlib.Path(self.data(host)).glob("events/*/event.sqlite"):
            try:
                database = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=1)
                try:
                    originals, = database.execute("SELECT count(*) FROM blob WHERE class = 3 AND isComplete").fetchone()
                finally:
                    database.close()
                return originals >= len(self.photos)
            except sqlite3.Error:
                pass
        return False

    def finish(self, host):
        wait_until(lambda: self.is_complete(host), LIMIT, 0.05 if len(self.hosts) == 1 else 0.4)

    def stop(self):
        for host in self.hosts:
            if self.is_complete(host):
                self.ask(host, "export", self.copies(host))
        super().stop()


class Rsync(Rival):
    """rsync over ssh, with a key, as root of both hosts."""
    packages = ["rsync", "openssh-server", "openssh-client"]

    def prepare(self):
        key = f"{self.folder}/key"
        run("ssh-keygen", "-qt", "ed25519", "-N", "", "-f", key)
        os.makedirs("/run/sshd", exist_ok=True)
        options = [f"AuthorizedKeysFile={key}.pub", "PermitRootLogin=yes", "StrictModes=no", "PidFile=none",
                   f"ListenAddress={ip(1)}", "MaxStartups=100"]
        self.send("/usr/sbin/sshd", "-De", "-f", "/dev/null", "-h", key, *[f"-o{option}" for option in options])
        time.sleep(0.5)

    def start(self):
        shell = f"ssh -qi {self.folder}/key -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null"
        for host in self.hosts:
            self.receive(host, "rsync", "-a", "-e", shell, f"root@{ip(1)}:{self.source}/", self.copies(host))

    def finish(self, host):
        self.receivers[host][0].wait(LIMIT)


class Tracker(http.server.BaseHTTPRequestHandler):
    """A BitTorrent tracker that sends each peer all others, in the compact form of BEP 23."""
    peers = set()

    def do_GET(self):
        query = urllib.parse.parse_qs(urllib.parse.urlparse(self.path).query, encoding="latin-1")
        own = (self.client_address[0], int(query["port"][0]))
        self.peers.add(own)
        compact = b"".join(socket.inet_aton(host) + struct.pack(">H", port) for host, port in self.peers
                           if (host, port) != own)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"d8:intervali2e12:min intervali2e5:peers%d:%se" % (len(compact), compact))

    def log_message(self, *_):
        pass


class Aria2(Rival):
    """BitTorrent with a tracker on host 1."""
    packages = ["aria2", "mktorrent"]
    options = ["--enable-dht=false", "--bt-enable-lpd=false", "--seed-ratio=0", "--file-allocation=none", "--no-conf",
               "--disable-ipv6=true", "--bt-max-peers=0", "--listen-port=6881", "--summary-interval=0",
               "--follow-torrent=mem", "--bt-tracker-interval=2"]

    def prepare(self):
        self.torrent = f"{self.folder}/photos.torrent"
        run("mktorrent", "-l", "18", "-n", "photos", "-a", f"http://{ip(1)}:6969/announce", "-o", self.torrent,
            self.source)
        self.tracker = Program(self.folder, 1, sys.executable, __file__, "tracker", ip(1))
        time.sleep(0.5)
        os.symlink(self.source, f"{self.home(1)}/photos")
        self.send("aria2c", *self.options, f"--dir={self.home(1)}", "--check-integrity=true",
                  "--bt-hash-check-seed=true", "--bt-seed-unverified=true", self.torrent)
        time.sleep(4)

    def start(self):
        for host in self.hosts:
            hook = pathlib.Path(f"{self.home(host)}/hook")
            hook.write_text(f"#!/bin/sh\n: > {self.home(host)}/done\n")
            hook.chmod(0o755)
            self.receive(host, "aria2c", *self.options, f"--dir={self.home(host)}",
                         f"--on-bt-download-complete={hook}", self.torrent)

    def finish(self, host):
        wait_until(lambda: os.path.exists(f"{self.home(host)}/done"), LIMIT)

    def copies(self, host):
        return f"{self.home(host)}/photos"

    def stop(self):
        super().stop()
        self.tracker.stop()


class Syncthing(Rival):
    """A folder shared by all, which host 1 has scanned before the clock starts."""
    packages = ["syncthing"]

    def prepare(self):
        # The marker of the folder must not appear among the photos; links cost nothing.
        run("cp", "-al", self.source, self.copies(1)) if not os.listdir(self.copies(1)) else None
        self.shared = {1: f"{self.copies(1)}/{os.path.basename(self.source)}"} | {
            host: self.copies(host) for host in self.hosts}
        self.devices = {}
        for host, path in self.shared.items():
            os.makedirs(f"{path}/.stfolder", exist_ok=True)
            run("syncthing", "generate", "--no-default-folder", f"--home={self.home(host)}/state")
            self.devices[host] = run("syncthing", f"--home={self.home(host)}/state", "--device-id").strip()
        for host in self.shared:
            pathlib.Path(f"{self.home(host)}/state/config.xml").write_text(self.configuration(host))
            command = ["syncthing", "serve", f"--home={self.home(host)}/state", "--no-browser", "--no-restart"]
            self.send(*command) if host == 1 else self.receive(host, *command)
        for host in self.shared:
            wait_until(lambda: self.connection_count(host) == len(self.hosts), 180, 0.3)
        self.resume(1)
        wait_until(lambda: self.is_complete(1), 600, 0.3)

    def configuration(self, host):
        folder = "".join(f'<device id="{device}"></device>' for device in self.devices.values())
        devices = "".join(f'<device id="{device}" name="host {other}" compression="metadata">'
                          f'<address>tcp4://{ip(other)}:22000</address></device>'
                          for other, device in self.devices.items())
        return (f'<configuration version="36"><folder id="race" label="race" path="{self.shared[host]}" '
                f'type="sendreceive" rescanIntervalS="3600" fsWatcherEnabled="true"><paused>true</paused>{folder}'
                f'</folder>{devices}<gui enabled="true" tls="false"><address>{self.home(host)}/gui</address>'
                f'<apikey>race</apikey></gui><options><listenAddress>tcp4://{ip(host)}:22000</listenAddress>'
                '<globalAnnounceEnabled>false</globalAnnounceEnabled><localAnnounceEnabled>false</localAnnounceEnabled>'
                '<relaysEnabled>false</relaysEnabled><natEnabled>false</natEnabled><startBrowser>false</startBrowser>'
                '<urAccepted>-1</urAccepted><autoUpgradeIntervalH>0</autoUpgradeIntervalH>'
                '<crashReportingEnabled>false</crashReportingEnabled><reconnectionIntervalS>1</reconnectionIntervalS>'
                '</options></configuration>')

    def call(self, host, method, path, body=None):
        connection = http.client.HTTPConnection("localhost")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(f"{self.home(host)}/gui")
        connection.request(method, path, body and json.dumps(body), {"X-API-Key": "race"})
        answer = connection.getresponse().read()
        connection.close()
        return json.loads(answer) if answer.strip() else None

    def connection_count(self, host):
        try:
            found = self.call(host, "GET", "/rest/system/connections")
        except OSError:
            return 0
        return sum(peer["connected"] for peer in found["connections"].values())

    def resume(self, host):
        self.call(host, "PATCH", "/rest/config/folders/race", {"paused": False})

    def is_complete(self, host):
        status = self.call(host, "GET", "/rest/db/status?folder=race")
        return (status["state"] == "idle" and status["needBytes"] == 0
                and status["localFiles"] == status["globalFiles"] == len(self.photos))

    def start(self):
        for host in self.hosts:
            self.resume(host)

    def finish(self, host):
        wait_until(lambda: self.is_complete(host), LIMIT, 0.1 if len(self.hosts) == 1 else 0.5)


class Iperf(Rival):
    """The same number of bytes from memory to memory, by one TCP connection: what the network carries."""
    packages = ["iperf3"]
    does_swarm = False
    is_compared = False

    def prepare(self):
        self.send("iperf3", "-s")
        time.sleep(0.5)

    def start(self):
        for host in self.hosts:
            self.receive(host, "iperf3", "-c", ip(1), "-R", "-n", self.byte_count)

    def finish(self, host):
        self.receivers[host][0].wait(LIMIT)


RIVALS = {"disposable": Disposable, "rsync": Rsync, "syncthing": Syncthing, "aria2": Aria2, "iperf3": Iperf}

if __name__ == "__main__" and sys.argv[1:2] == ["tracker"]:
    http.server.ThreadingHTTPServer((sys.argv[2], 6969), Tracker).serve_forever()
