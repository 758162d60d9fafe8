# SPDX-License-Identifier: Apache-2.0
"""The servers to which a browser sends photos, and their pages, used as their users would."""
import contextlib
import glob
import hashlib
import json
import os
import re
import shutil
import socket
import threading
import time

from guest import UNREACHABLE, Guest
from hosts import HERE, Program, free_port, inside, ip, run, wait_until

COPYPARTY = HERE.parent.parent / ".build/race-rivals"
VIEWPORT = {"width": 1280, "height": 800}


def found(program):
    """Returns the path of a program, also where only root's path has it; None without it."""
    return shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin:{COPYPARTY}/bin")


class Site:
    """A server on host 1, or with host 0 on this machine, and its page.

    `open` brings the page to where photos are chosen; `choose` chooses them and returns when; `shown` is what the page
    says of them: how many it calls sent, how many it has given up, and how many it shows."""
    # None where nothing has to be installed.
    missing = None
    # Whether the page shows photos that have arrived.
    has_gallery = False

    def __init__(self, folder, host):
        self.folder, self.host = folder, host
        self.address = ip(host) if host else "127.0.0.1"
        self.port = free_port(host, self.address)
        # The port at which the browser reaches it, if not its own.
        self.front = None
        self.store = f"{folder}/store"
        os.makedirs(self.store)
        self.server, self.page, self.spent, self.count = None, None, 0.0, 0

    @property
    def origin(self):
        return f"http://{self.address}:{self.front or self.port}"

    def program(self, *command, **options):
        return Program(self.folder, self.host, *command, plain_user=self.host != 0, **options)

    def launch(self):
        """Returns the program, started."""
        raise NotImplementedError

    def answers(self):
        if self.server.process.poll() is not None:
            raise RuntimeError(f"{self.server.log}: {open(self.server.log).read()[-400:]}")
        with inside(self.host), contextlib.suppress(OSError):
            socket.create_connection((self.address, self.port), 1).close()
            return True
        return False

    def start(self):
        self.server = self.launch()
        wait_until(self.answers, 120)

    def kill_and_start(self):
        self.server.kill()
        self.spent += self.server.spent
        self.start()

    def processor(self):
        """Returns the CPU seconds of the server so far."""
        return self.spent + self.server.look()

    def stop(self):
        if self.server:
            self.server.stop()

    def open(self, browser):
        self.page = browser.new_page(viewport=VIEWPORT)
        self.page.goto(self.origin)

    def choose(self, files):
        raise NotImplementedError

    def set_files(self, click, files):
        """Chooses files in the chooser that a click opens; returns when they were chosen."""
        self.count = len(files)
        with self.page.expect_file_chooser() as chooser:
            click()
        began = time.monotonic()
        chooser.value.set_files(files)
        return began

    def shown(self):
        raise NotImplementedError

    def resent(self):
        """Returns how many slices were sent again and how many uploads began again; None where nobody can tell."""
        return None, None

    def stored(self):
        """Returns the SHA-256 of every photo that is stored completely."""
        found = []
        for path in glob.glob(f"{self.store}/**/*.jpg", recursive=True):
            with open(path, "rb") as file:
                found.append(hashlib.file_digest(file, "sha256").hexdigest())
        return found


class Disposable(Site):
    """This project: a guest who has agreed to the organizers' text before."""
    binary = "disposable"
    has_gallery = True
    arguments = ["host", "Race", "--frames", "unlimited", "--as", "Anna"]

    def launch(self):
        self.data = f"{self.folder}/data"
        first, self.arguments = self.arguments, ["run"]
        # On this machine nothing but the loopback interface is used.
        where = [] if self.host else ["--interface", "lo"]
        return self.program(self.binary, *first, *where, "--json", "--no-mdns", "--data", self.data, "--portal",
                            f"{self.address}:{self.port}", "--listen", f"{self.address}:0")

    def answers(self):
        return super().answers() and self.ready()

    def ready(self):
        """Returns the message about a completed start."""
        for line in open(self.server.log):
            with contextlib.suppress(ValueError):
                message = json.loads(line)
                if message["type"] == "ready":
                    return message
        return None

    @property
    def link(self):
        """The guests' link."""
        return f"{self.origin}/#{self.ready()['guestURL'].split('#')[1]}"

    def open(self, browser):
        self.guest = Guest(browser, {self.origin}, "desktop").open(self.link).enter("Bea")
        self.guest.allow(UNREACHABLE)
        self.page = self.guest.page
        self.page.evaluate("""async () => {
            const { call } = await import("/shared/api.js");
            await call("POST", "api/guest/consent", { id: (await call("GET", "api/me")).consent.id });
        }""")
        self.page.reload()
        self.guest.expect_party()

    def choose(self, files):
        return self.set_files(lambda: self.page.click("label[for=library]"), files)

    def shown(self):
        # A tile is an upload's until its photo is in the gallery, which says how many it has.
        waiting, failed, photos = self.page.evaluate("""() => {
            const tiles = [...document.querySelectorAll("#mine-grid .upload")];
            const failed = tiles.filter((tile) => tile.matches(".is-failed, .is-lost")).length;
            const done = tiles.filter((tile) => tile.matches(".is-saved, .is-done")).length;
            const said = /^([\\d,]+) photos?$/.exec(document.querySelector("#mine-grid .toolbar p")?.textContent ?? "");
            return [tiles.length - failed - done, failed, Number((said?.[1] ?? "0").replaceAll(",", ""))];
        }""")
        is_begun = waiting or failed or photos
        return (self.count - waiting - failed if is_begun else 0), failed, photos

    def resent(self):
        slices, begun = {}, 0
        for request in self.guest.requests:
            if request.method == "POST" and request.url.endswith("/uploads"):
                begun += 1
            elif request.method == "PATCH":
                key = request.url, request.headers["upload-offset"]
                slices[key] = slices.get(key, 0) + 1
        return sum(times - 1 for times in slices.values()), begun - self.count

    def stored(self):
        run(self.binary, "export", self.store, "--data", self.data)
        return super().stored()


class Copyparty(Site):
    """Its page for uploads, up2k, with its defaults: two slices at once, hashes of all files."""
    missing = "copyparty is not installed: --install"

    def launch(self):
        return self.program(found("copyparty"), "-q", "-i", self.address, "-p", self.port, "-v", f"{self.store}::rw",
                            environment={"HOME": self.folder})

    def open(self, browser):
        super().open(browser)
        button = self.page.locator("#u2btn")
        self.page.locator("#ops a[data-dest=up2k]").wait_for()
        self.page.wait_for_selector("#u2form input[type=file]", state="attached")
        if not button.is_visible():
            self.page.click("#ops a[data-dest=up2k]")
        button.wait_for()

    def choose(self, files):
        self.page.click("#u2btn")
        # Files or a folder?
        began = self.set_files(lambda: self.page.click("#modal-ok"), files)
        # These files?
        self.page.click("#modal-ok")
        return began

    def shown(self):
        ok, failed = self.page.evaluate(
            "() => ['ok', 'ng'].map((kind) => Number(document.querySelector(`#u2cards a[act=${kind}] span`).textContent))")
        return ok, failed, 0


class Nginx(Site):
    """nginx with PUT, and a page of its own that sends four files at once and begins with a file again when its request
    has failed."""
    missing = "nginx is not installed: apt install --no-install-recommends nginx-light"
    page_text = """<!doctype html><meta charset="utf-8"><title>PUT</title><label>Photos <input type="file" multiple></label>
<p><output id="sent">0</output> sent</p><script>
let files = [];
let sent = 0;
const put = (file) => new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("PUT", `/files/${encodeURIComponent(file.name)}`);
    request.onload = () => resolve(request.status === 201 || request.status === 204);
    request.onerror = request.onabort = () => resolve(false);
    request.send(file);
});
async function work() {
    for (let file = files.shift(); file; file = files.shift()) {
        while (!await put(file)) await new Promise((resolve) => setTimeout(resolve, 1000));
        document.getElementById("sent").textContent = sent += 1;
    }
}
document.querySelector("input").addEventListener("change", (event) => {
    files = [...event.target.files];
    for (let lane = 0; lane < 4; lane += 1) work();
});
</script>
"""

    def launch(self):
        own = f"{self.folder}/nginx"
        os.makedirs(f"{own}/page", exist_ok=True)
        with open(f"{own}/page/index.html", "w") as file:
            file.write(self.page_text)
        # As root its workers have to write where root has made the folders.
        user = "user root;" if os.geteuid() == 0 else ""
        folders = " ".join(f"{kind}_temp_path {own}/{kind};" for kind in
                           ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        with open(f"{own}/nginx.conf", "w") as file:
            file.write(f"""{user} daemon off; worker_processes auto; pid {own}/pid; error_log {own}/error.log;
events {{ worker_connections 256; }}
http {{
    types {{ text/html html; }} access_log off; client_max_body_size 0; {folders}
    server {{
        listen {self.address}:{self.port};
        root {own}/page;
        location /files/ {{ alias {self.store}/; dav_methods PUT; }}
    }}
}}
""")
        return self.program(found("nginx"), "-c", f"{own}/nginx.conf", "-p", own, "-e", f"{own}/error.log")

    def choose(self, files):
        return self.set_files(lambda: self.page.click("input"), files)

    def shown(self):
        return int(self.page.text_content("#sent")), 0, 0


class OnionShare(Site):
    """Its form: one request with all files, and nothing again when that fails. It listens on the loopback interface
    alone, so that a relay stands where Tor would."""
    missing = "onionshare-cli is not installed: apt install --no-install-recommends onionshare-cli"

    def __init__(self, folder, host):
        super().__init__(folder, host)
        self.relay, self.inner = None, None

    def launch(self):
        self.inner = None
        return self.program(found("onionshare-cli"), "--local-only", "--receive", "--public", "--data-dir", self.store,
                            environment={"HOME": self.folder, "PYTHONUNBUFFERED": "1"})

    def answers(self):
        if self.server.process.poll() is not None:
            raise RuntimeError(f"{self.server.log}: {open(self.server.log).read()[-400:]}")
        said = re.search(r"http://127\.0\.0\.1:(\d+)", open(self.server.log).read())
        if not said:
            return False
        with inside(self.host), contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", int(said[1])), 1).close()
            self.inner = int(said[1])
        if self.inner and not self.host:
            self.port = self.inner
        elif self.inner and not self.relay:
            self.relay = Relay(self)
        return self.inner is not None

    def choose(self, files):
        began = self.set_files(lambda: self.page.click("#file-select"), files)
        self.page.click("#send-button")
        return began

    def shown(self):
        good, bad = self.page.evaluate(
            "() => ['info', 'error'].map((kind) => document.querySelectorAll(`#flashes .${kind}`).length)")
        return (self.count if good else 0), (self.count if bad else 0), 0

    def stop(self):
        super().stop()
        if self.relay:
            self.relay.close()


class Relay:
    """Carries connections from the host's address to a server on its loopback interface."""

    def __init__(self, site):
        self.site = site
        with inside(site.host):
            self.listener = socket.create_server((site.address, site.port))
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            try:
                with inside(self.site.host):
                    server = socket.create_connection(("127.0.0.1", self.site.inner or 1))
            except OSError:
                client.close()
                continue
            for source, target in ((client, server), (server, client)):
                threading.Thread(target=self.copy, args=(source, target), daemon=True).start()

    @staticmethod
    def copy(source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 18):
                target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self):
        # The thread that waits in accept ends with it.
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


SITES = {"disposable": Disposable, "copyparty": Copyparty, "nginx": Nginx, "onionshare": OnionShare}
PROGRAMS = {"copyparty": "copyparty", "nginx": "nginx", "onionshare": "onionshare-cli"}


def why_left_out(name):
    """Returns why a server cannot run here, None if it can."""
    return SITES[name].missing if name in PROGRAMS and not found(PROGRAMS[name]) else None


def install(names):
    """Installs servers that are missing: copyparty in an environment of its own, the others from Debian, without
    starting their services."""
    missing = [name for name in names if why_left_out(name)]
    if "copyparty" in missing:
        run("/usr/bin/python3", "-m", "venv", COPYPARTY)
        run(f"{COPYPARTY}/bin/pip", "install", "-q", "--disable-pip-version-check", "copyparty==1.20.26")
    packages = [package for name, package in (("nginx", "nginx-light"), ("onionshare", "onionshare-cli"))
                if name in missing]
    if packages:
        sudo = [] if os.geteuid() == 0 else ["sudo"]
        # In this session, as sudo asks for a password at its terminal.
        run(*sudo, "apt-get", "update", "-qq", start_new_session=False)
        run(*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1", "apt-get", "install", "-y", "-qq",
            "--no-install-recommends", *packages, start_new_session=False)
