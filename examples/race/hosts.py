# SPDX-License-Identifier: Apache-2.0
"""Hosts of the race: network namespaces from ../lan/lan, the programs that run on them, and what they cost."""
import contextlib
import ctypes
import glob
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
LAN = HERE.parent / "lan" / "lan"
# Another name lets two races run beside each other.
NAME = os.environ.get("LAN_NAME", "race")
TICKS = os.sysconf("SC_CLK_TCK")
# Browsers are driven, and guests are signed in, with the packages of the browser tests.
PYTHON = HERE.parent.parent / ".build/browser-tests/bin/python"


def use_test_environment():
    """Starts this program again with the interpreter of the browser tests, unless it runs there already."""
    if pathlib.Path(sys.prefix).resolve() == PYTHON.parent.parent.resolve():
        return
    if not PYTHON.exists():
        sys.exit(f"race: there is no {PYTHON}: make python-packages")
    os.execv(PYTHON, [str(PYTHON), *sys.argv])


is_ending = False


def end_in_order():
    """Has this program end at the next `look_for_end` after Ctrl-C or a request to end, not in the middle of something: what
    it has started is ended, and what it has made is removed."""
    def note(*_):
        global is_ending
        is_ending = True

    for kind in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(kind, note)


def look_for_end():
    """Raises `KeyboardInterrupt` if this program is to end."""
    if is_ending:
        raise KeyboardInterrupt


def ip(host):
    """Returns the IPv4 address of a host."""
    return f"10.77.0.{host}"


def run(*command, **options):
    """Runs a command that must succeed, and returns its standard output. Ctrl-C does not reach it."""
    options = {"start_new_session": True} | options
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if result.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: {result.stderr.strip()[-400:] or result.returncode}")
    return result.stdout


@contextlib.contextmanager
def inside(host):
    """Sockets that this thread makes meanwhile are on the host; 0 is this machine."""
    if not host:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)

    def enter(space):
        if libc.setns(space.fileno(), 0x40000000):  # CLONE_NEWNET
            raise OSError(ctypes.get_errno(), f"setns: {os.strerror(ctypes.get_errno())}")

    with open("/proc/thread-self/ns/net") as home, open(f"/run/netns/{NAME}-{host}") as space:
        enter(space)
        try:
            yield
        finally:
            enter(home)


def free_port(host, address):
    """Returns a port of the host that nobody uses now."""
    with inside(host), socket.socket() as found:
        found.bind((address, 0))
        return found.getsockname()[1]


class Lan:
    """Hosts 1 to `count`. With a delay or a loss they are two, and the cable between them is the program wire.c. With
    `air` they share one access point of so many megabits a second, the program air.c: `cabled` of them, the first,
    reach it by cable.

    `congestion` is the hosts' default congestion control, `allowed` those that programs without privileges may choose:
    a setting of the whole machine, which is restored at the end."""
    ALLOWED = pathlib.Path("/proc/sys/net/ipv4/tcp_allowed_congestion_control")

    def __init__(self, folder, count, megabits=None, delay_ms=0, loss_percent=0, congestion="cubic",
                 allowed="reno cubic", air=None, cabled=1):
        self.folder, self.count, self.megabits = folder, count, megabits
        self.air, self.cabled = air, cabled
        self.delay_ms, self.loss_percent = delay_ms, loss_percent
        self.congestion, self.allowed = congestion, allowed
        self.wire, self.earlier = None, self.ALLOWED.read_text().strip()

    def __enter__(self):
        self.lan("up", self.count)
        try:
            self.ALLOWED.write_text(self.allowed)
            if self.air:
                self.connect_by_air()
            elif self.delay_ms or self.loss_percent:
                self.connect_by_wire()
            elif self.megabits:
                for host in range(1, self.count + 1):
                    self.lan("rate", host, self.megabits)
            for host in range(1, self.count + 1):
                self.on(host, "sysctl", "-qw", f"net.ipv4.tcp_congestion_control={self.congestion}")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        try:
            if self.wire:
                self.wire.terminate()
                self.wire.wait()
            self.ALLOWED.write_text(self.earlier)
        finally:
            self.lan("down")

    def said(self):
        """Returns what air.c has said at its end."""
        with open(f"{self.folder}/air.log") as log:
            return json.loads(log.read().splitlines()[-1])

    @staticmethod
    def lan(*arguments):
        return run(LAN, *arguments, env=os.environ | {"LAN_NAME": NAME})

    @staticmethod
    def on(host, *command):
        return run("ip", "netns", "exec", f"{NAME}-{host}", *command)

    def cut(self, host):
        """Pulls the cable of a host, where it is one of the switch."""
        self.lan("cut", host)

    def heal(self, host):
        self.lan("heal", host)

    def connect_by_wire(self):
        """Replaces the two cables by taps, and carries packets between them with delay and loss."""
        assert self.count == 2
        for host in (1, 2):
            self.make_tap(host)
            if self.megabits:
                self.on(host, "tc", "qdisc", "add", "dev", "eth0", "root", "tbf", "rate", f"{self.megabits}mbit",
                        "burst", "16kb", "latency", "25ms")
        self.carry("wire", f"{NAME}-1", f"{NAME}-2", self.delay_ms, self.loss_percent)

    def connect_by_air(self):
        """Replaces all cables by taps, and carries packets between them as one access point."""
        hosts = range(1, self.count + 1)
        for host in hosts:
            self.make_tap(host)
        self.carry("air", self.air, self.cabled, *[f"{NAME}-{host}" for host in hosts])

    @classmethod
    def make_tap(cls, host):
        space = f"{NAME}-{host}"
        run("ip", "-n", space, "link", "delete", "eth0")
        run("ip", "-n", space, "tuntap", "add", "eth0", "mode", "tap")
        run("ip", "-n", space, "link", "set", "eth0", "txqueuelen", 2000)
        run("ip", "-n", space, "address", "add", f"{ip(host)}/24", "dev", "eth0")
        run("ip", "-n", space, "link", "set", "eth0", "up")
        run("ip", "-n", space, "route", "add", "224.0.0.0/4", "dev", "eth0")

    def carry(self, name, *arguments):
        """Compiles and starts the program that carries the packets of the taps."""
        program, log = f"{self.folder}/{name}", f"{self.folder}/{name}.log"
        run("cc", "-O2", "-Wall", "-o", program, HERE / f"{name}.c")
        # It has to be in time also where everything else keeps the cores busy.
        self.wire = subprocess.Popen(["nice", "-n", "-15", program, *map(str, arguments)], stderr=open(log, "w"),
                                     start_new_session=True)
        time.sleep(0.3)
        if self.wire.poll() is not None:
            raise RuntimeError(open(log).read())


def tree(pid):
    """Returns a process and its descendants."""
    found, rest = [], [pid]
    while rest:
        pid = rest.pop()
        found.append(pid)
        for task in glob.glob(f"/proc/{pid}/task/*/children"):
            try:
                rest += [int(child) for child in open(task).read().split()]
            except OSError:
                pass
    return found


def processor_seconds(pids):
    """Returns the CPU seconds of processes, with those of their children that have ended."""
    total = 0
    for pid in pids:
        try:
            fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
            total += sum(map(int, fields[11:15]))
        except (OSError, IndexError):
            pass
    return total / TICKS


class Program:
    """A program on a host; 0 is this machine. Its CPU time and memory include its children."""
    started = 0

    def __init__(self, folder, host, *command, plain_user=False, environment=None):
        Program.started += 1
        self.log = f"{folder}/{host}-{Program.started}.log"
        self.peak, self.spent = 0.0, 0.0
        # Root may choose any congestion control; people who run a program may not.
        limits = ["setpriv", "--bounding-set=-net_admin", "--inh-caps=-net_admin"] if plain_user else []
        place = ["ip", "netns", "exec", f"{NAME}-{host}"] if host else []
        self.process = subprocess.Popen(
            [*place, *limits, *map(str, command)], env=os.environ | (environment or {}),
            stdin=subprocess.DEVNULL, stdout=open(self.log, "w"), stderr=subprocess.STDOUT, start_new_session=True)
        self.pid = self.process.pid

    def look(self):
        """Returns the CPU seconds so far, and notes the largest memory of one of the processes."""
        if self.process.returncode is not None:
            return self.spent
        pids = tree(self.pid)
        for pid in pids:
            try:
                status = open(f"/proc/{pid}/status").read()
                self.peak = max(self.peak, int(status.split("VmHWM:")[1].split()[0]) / 1024)
            except (OSError, IndexError):
                pass
        self.spent = max(self.spent, processor_seconds(pids))
        return self.spent

    def kill(self):
        """Kills the program and its children, as a power cut would."""
        self.look()
        for pid in tree(self.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()

    def wait(self, limit):
        """Waits for the end of a program that must succeed."""
        end = time.monotonic() + limit
        while True:
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
            if pid:
                break
            look_for_end()
            if time.monotonic() > end:
                raise TimeoutError(f"{self.log}: not finished after {limit:g} s")
            time.sleep(0.01)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.spent = max(self.spent, usage.ru_utime + usage.ru_stime)
        self.peak = max(self.peak, usage.ru_maxrss / 1024)
        if self.process.returncode:
            raise RuntimeError(f"{self.log}: {open(self.log).read()[-400:]}")

    def stop(self):
        if self.process.returncode is None:
            self.look()
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def wait_until(condition, limit, every=0.02):
    end = time.monotonic() + limit
    while not condition():
        look_for_end()
        if time.monotonic() > end:
            raise TimeoutError(f"not finished after {limit:g} s")
        time.sleep(every)


def empty(path):
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path
