# SPDX-License-Identifier: Apache-2.0
"""The port of HTTPS: what it speaks, and what clients that mean harm cost the node."""

import os
import re
import stat
import sys
import textwrap

import pytest

from conftest import make_certificate
from party import BUILD, eventually


def script(text):
    """A program for the node's host: sockets of this process would be on another network."""
    return [sys.executable, "-c", textwrap.dedent(text)]


def fetch(node, *options, url=None):
    ended = node.run(
        "curl", "-sS", "--max-time", "60", "--cacert", node.certificate, *options, url or f"{node.secure_origin}/")
    return ended.returncode, ended.stdout, ended.stderr


def memory(node):
    """Bytes of the process in RAM."""
    text = open(f"/proc/{node.process.pid}/status").read()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) * 1024


def connections(node):
    """The number of open sockets of the process."""
    folder = f"/proc/{node.process.pid}/fd"
    links = []
    for name in os.listdir(folder):
        try:
            links.append(os.readlink(f"{folder}/{name}"))
        except OSError:
            continue
    return sum(link.startswith("socket:") for link in links)


def test_the_port_speaks_http_over_tls_with_the_nodes_certificate(anna):
    code, page, errors = fetch(anna)
    assert code == 0 and "<title>Disposable" in page, errors
    _, headers, _ = fetch(anna, "-I")
    assert "content-security-policy" in headers.lower()
    greeting = anna.run("openssl", "s_client", "-connect", f"{anna.address}:8443", "-alpn", "h2,http/1.1").stdout
    assert "TLSv1.3" in greeting and "ALPN protocol: http/1.1" in greeting
    old = anna.run("openssl", "s_client", "-connect", f"{anna.address}:8443", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0")
    assert "Cipher is (NONE)" in old.stdout
    # An origin of plain HTTP is another one, and so is another name.
    session = ["-X", "POST", "-H", "Content-Type: application/json", "-d", '{"code": "AAAAAAAA"}', "-o", "/dev/null", "-w",
               "%{http_code}"]
    url = f"{anna.secure_origin}/api/session"
    assert fetch(anna, *session, "-H", f"Origin: {anna.origin}", url=url)[1] == "403"
    refused = fetch(anna, "-H", "Host: evil.example", "-o", "/dev/null", "-w", "%{http_code}")
    assert refused[1] == "421"


def test_plain_http_at_this_port_is_told_where_it_is(anna):
    ended = anna.run("curl", "-sS", "--max-time", "60", f"http://{anna.address}:8443/")
    assert ended.returncode == 0 and "https://" in ended.stdout, ended.stderr


def test_handshakes_that_are_garbage_slow_or_never_end_are_bounded(anna):
    assert fetch(anna)[0] == 0
    eventually("the node has said all", lambda: "Ctrl-C stops the node" in anna.log())
    idle, log = connections(anna), anna.log()
    # 500 clients that say hello and nothing more, 500 that say one byte of it, and 200 that send garbage.
    flood = anna.run(*script(f"""
        import os, socket, ssl, sys, time
        address = ("{anna.address}", 8443)
        greeting = ssl.MemoryBIO(), ssl.MemoryBIO()
        hello = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).wrap_bio(*greeting, server_hostname="party.test")
        try:
            hello.do_handshake()
        except ssl.SSLWantReadError:
            pass
        hello = greeting[1].read()
        held = []
        for number in range(1000):
            one = socket.create_connection(address, timeout=60)
            one.sendall(hello if number % 2 else hello[:1])
            held.append(one)
        ended = 0
        for number in range(200):
            one = socket.create_connection(address, timeout=60)
            try:
                one.sendall((b"\\x16\\x03\\x01\\x00\\x20" if number % 2 else b"\\xff") + os.urandom(4096))
                while one.recv(4096):
                    pass
            except OSError:
                pass
            ended += 1
        print("held", len(held), "ended", ended, flush=True)
        # A guest is served meanwhile.
        context = ssl.create_default_context(cafile="{anna.certificate}")
        with context.wrap_socket(socket.create_connection(address, timeout=60), server_hostname="{anna.address}") as guest:
            guest.sendall(b"GET / HTTP/1.1\\r\\nHost: {anna.address}:8443\\r\\nConnection: close\\r\\n\\r\\n")
            print(guest.recv(15).decode())
        import re
        print("bytes", int(re.search(r"VmRSS:\\s+(\\d+)", open("/proc/{anna.process.pid}/status").read())[1]) * 1024)
        # They are closed by the node, a minute after they began.
        for one in held:
            one.settimeout(120)
            try:
                while one.recv(65536):
                    pass
            except ConnectionError:
                pass
        print("closed")
    """))
    said = flood.stdout.splitlines()
    assert said[:2] == ["held 1000 ended 200", "HTTP/1.1 200 OK"] and said[-1] == "closed", flood.stdout + flood.stderr
    assert int(said[2].split()[1]) < 400 << 20, said
    eventually("the sockets are closed", lambda: connections(anna) <= idle + 4)
    assert anna.log() == log
    assert fetch(anna)[0] == 0


def test_one_address_cannot_take_all_connections_with_handshakes_that_do_not_end(anna):
    """More sockets than there are places: new guests get through, and so does plain HTTP. From another host: programs of the
    node's own are trusted."""
    ended = anna.run(*script(f"""
        import socket, ssl
        held = []
        for number in range(2400):
            try:
                one = socket.create_connection(("{anna.address}", 8443), timeout=60)
                one.sendall(b"\\x16\\x03\\x01")
                held.append(one)
            except OSError:
                pass
        context = ssl.create_default_context(cafile="{anna.certificate}")
        for attempt in range(20):
            with context.wrap_socket(
                    socket.create_connection(("{anna.address}", 8443), timeout=60), server_hostname="{anna.address}") as guest:
                guest.sendall(b"GET / HTTP/1.1\\r\\nHost: {anna.address}:8443\\r\\nConnection: close\\r\\n\\r\\n")
                assert guest.recv(15) == b"HTTP/1.1 200 OK"
        plain = socket.create_connection(("{anna.address}", 8027), timeout=60)
        plain.sendall(b"GET / HTTP/1.1\\r\\nHost: {anna.address}:8027\\r\\nConnection: close\\r\\n\\r\\n")
        print(plain.recv(15).decode())
    """), host=2)
    assert ended.stdout.strip() == "HTTP/1.1 200 OK", ended.stderr


def test_a_client_that_reads_nothing_costs_no_more_than_over_plain_http(anna, painter):
    anna.command("add", *painter.photos(4, width=4000, height=3000))
    eventually("the photos are there", lambda: len(anna.gallery()) == 4)
    before = memory(anna)
    ended = anna.run(*script(f"""
        import http.client, json, ssl, time
        context = ssl.create_default_context(cafile="{anna.certificate}")
        def ask(method, path, body=None, session=None):
            call = http.client.HTTPSConnection("{anna.address}", 8443, context=context, timeout=60)
            fields = {{"Content-Type": "application/json", "Authorization": "Bearer " + (session or "")}}
            call.request(method, path, body and json.dumps(body), fields)
            return call, call.getresponse()
        _, opened = ask("POST", "/api/session", {{"token": "{anna.link.split('#')[1]}"}})
        session = opened.headers["Set-Cookie"].split(";")[0].split("=", 1)[1]
        path = json.loads(opened.read())["path"]
        _, listed = ask("GET", path + "api/photos", session=session)
        photos = json.loads(listed.read())["photos"]
        held = [ask("GET", f"{{path}}photos/{{photos[number % 4]['id']}}/original", session=session) for number in range(60)]
        time.sleep(2)
        print(len(held), held[0][1].status)
        import re
        print(int(re.search(r"VmRSS:\\s+(\\d+)", open("/proc/{anna.process.pid}/status").read())[1]) * 1024)
    """))
    count, size = ended.stdout.splitlines()
    assert count == "60 200", ended.stderr
    assert int(size) - before < 200 << 20


def names(node):
    text = node.run("openssl", "x509", "-in", node.certificate, "-noout", "-text").stdout
    return text, set(re.findall(r"(?:DNS|IP Address):([^,\s]+)", text))


def test_the_certificate_is_made_once_and_again_for_other_addresses(anna):
    assert stat.S_IMODE(anna.certificate.stat().st_mode) == 0o600
    text, covered = names(anna)
    assert {"localhost", "10.77.0.1", "127.0.0.1"} <= covered
    assert "prime256v1" in text and "CA:FALSE" in text and "TLS Web Server Authentication" in text
    assert anna.run("openssl", "x509", "-in", anna.certificate, "-noout", "-checkend", str(366 * 86_400)).returncode == 0
    assert anna.run("openssl", "x509", "-in", anna.certificate, "-noout", "-checkend", str(397 * 86_400)).returncode == 1
    made = anna.certificate.read_bytes()
    anna.kill()
    anna.start()
    assert anna.certificate.read_bytes() == made
    anna.kill()
    anna.run("ip", "address", "add", "10.77.0.101/24", "dev", "eth0")
    anna.start()
    assert "10.77.0.101" in names(anna)[1]
    assert fetch(anna, url="https://10.77.0.101:8443/")[0] == 0


def test_a_running_node_makes_another_certificate_for_another_address(anna):
    anna.run("ip", "address", "add", "10.77.0.101/24", "dev", "eth0")
    eventually("a certificate for it", lambda: fetch(anna, url="https://10.77.0.101:8443/")[0] == 0, every=2)


def test_a_supplied_certificate_that_is_replaced_is_used_without_a_restart(start, folder):
    certificate, key = make_certificate(folder, "IP:10.77.0.1")
    anna = start(1, "anna", "host", "Party", "--as", "Anna", options=["--tls", "--certificate", certificate, "--key", key])
    assert "no name of the certificate" in anna.log()
    assert anna.ready["guestURL"].startswith("http://")

    def serial():
        shown = anna.run("openssl", "s_client", "-connect", f"{anna.address}:8443").stdout
        return anna.run("openssl", "x509", "-noout", "-serial", text=shown).stdout

    first = serial()
    make_certificate(folder, "IP:10.77.0.1")
    eventually("the new one is used", lambda: serial() not in ("", first), every=2)


@pytest.mark.parametrize("trouble,says,hint", [
    ("missing", "cannot read", "PEM"), ("empty", "has no certificate", "BEGIN CERTIFICATE"),
    ("no key", "has no private key", "openssl pkey"), ("encrypted", "has no private key", "without a passphrase"),
    ("other", "does not belong", "privkey.pem"), ("expired", "has expired on", "renew it"),
    ("future", "is valid from", "clock"),
])
def test_a_certificate_that_cannot_be_used_ends_the_start_with_the_reason(lan, folder, trouble, says, hint):
    from subprocess import run
    certificate, key = make_certificate(folder, "DNS:party.test")
    if trouble == "missing":
        certificate.unlink()
    elif trouble == "empty":
        certificate.write_text("nothing\n")
    elif trouble == "no key":
        key.write_text("nothing\n")
    elif trouble == "encrypted":
        run(["openssl", "pkey", "-in", key, "-aes256", "-passout", "pass:secret", "-out", folder / "encrypted.key"], check=True)
        key = folder / "encrypted.key"
    elif trouble == "other":
        _, key = make_certificate(folder, "DNS:party.test", name="other")
    else:
        begin = "20200101000000Z" if trouble == "expired" else "20990101000000Z"
        end = "20200201000000Z" if trouble == "expired" else "20990201000000Z"
        make_dated(folder, certificate, key, begin, end)
    data = folder / "node"
    ended = run(
        [*lan.host(1), BUILD / "disposable", "host", "Party", "--data", data, "--tls", "--certificate", certificate, "--key",
         key], capture_output=True, text=True, timeout=120)
    assert ended.returncode == 2 and says in ended.stderr and hint in ended.stderr, ended.stderr
    assert not data.exists()


def make_dated(folder, certificate, key, begin, end):
    """A certificate that is valid between two times, made by `openssl ca`, the only command that takes them."""
    from subprocess import run
    request, form = folder / "request.pem", folder / "ca.cnf"
    (folder / "index.txt").write_text("")
    (folder / "serial").write_text("01\n")
    form.write_text(textwrap.dedent(f"""
        [ca]
        default_ca = own
        [own]
        new_certs_dir = {folder}
        database = {folder}/index.txt
        serial = {folder}/serial
        default_md = sha256
        policy = any
        [any]
        commonName = supplied
    """))
    run(["openssl", "req", "-new", "-key", key, "-subj", "/CN=test", "-out", request], check=True, capture_output=True)
    run(["openssl", "ca", "-batch", "-config", form, "-selfsign", "-keyfile", key, "-in", request, "-out", certificate,
         "-startdate", begin, "-enddate", end], check=True, capture_output=True)
