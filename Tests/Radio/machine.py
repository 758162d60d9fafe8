# SPDX-License-Identifier: Apache-2.0
"""A virtual machine with a Debian system, Debian's kernel and simulated Wi-Fi adapters (mac80211_hwsim). Its disk is a copy
that is thrown away; what it says is on its serial console. It has no network but its own air. Without KVM its processor is
emulated, many times slower."""

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/Packages"), str(ROOT / "Tests/Browser")]

from system import CACHE, System  # noqa: E402

# Debian's NetworkManager makes the hotspot; stations use its own client. Python with PyNaCl is for the guests.
PACKAGES = ["linux-image-amd64", "network-manager", "wpasupplicant", "dnsmasq-base", "nftables", "iw", "iproute2", "busybox",
            "dbus", "procps", "python3", "python3-nacl"]
MEMORY_MB = 1_536
KVM_GET_API_VERSION = 0xAE00
MARK = "@radio "

# The first process of the machine. Afterwards the machine is turned off by the kernel, whatever still runs.
INIT = """#!/bin/sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t tmpfs run /run; mount -t tmpfs tmp /tmp
mountpoint -q /dev || mount -t devtmpfs dev /dev
mkdir -p /dev/pts /dev/shm /radio; mount -t devpts devpts /dev/pts; mount -t tmpfs shm /dev/shm
dmesg --console-off
tar -xf /dev/vdb -C /radio
python3 /radio/inside.py </dev/null >/dev/ttyS0 2>&1
sync
echo o >/proc/sysrq-trigger
sleep 60
"""


def image(package, network):
    """The disk of the machine with this package in it; made once for each package."""
    folder = CACHE / "radio"
    disk = folder / f"{package.stem}.ext4"
    if disk.exists():
        return disk
    folder.mkdir(parents=True, exist_ok=True)
    root = folder / "root"
    shutil.rmtree(root, ignore_errors=True)
    system = System(root, network)
    # No program of the system starts while packages are installed.
    (root / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
    (root / "usr/sbin/policy-rc.d").chmod(0o755)
    brought = system.bring(package, "disposable.deb")
    system.run("apt-get", "update", "-q", is_connected=True)
    system.run("apt-get", "install", "-y", "-q", "--no-install-recommends", *PACKAGES, brought, is_connected=True)
    (root / "radio-init").write_text(INIT)
    (root / "radio-init").chmod(0o755)
    for old in folder.glob("*.ext4"):
        old.unlink()
    new = folder / "new.ext4"
    with open(new, "wb") as file:
        file.truncate(3 << 30)
    subprocess.run(["mkfs.ext4", "-q", "-F", "-L", "radio", "-d", root, new], check=True)
    for name in ("vmlinuz", "initrd.img"):
        # A link from the top of the system to /boot.
        shutil.copyfile(root / os.readlink(root / name).lstrip("/"), folder / name)
    shutil.rmtree(root)
    new.rename(disk)
    return disk


def has_kvm():
    """Whether the processor runs machines with Debian's kernel. On a host that is itself a virtual machine, KVM may be there
    without VMX or SVM: it then starts kernels only that are made for it."""
    if not re.search(r"^flags\s*:.*\b(vmx|svm)\b", Path("/proc/cpuinfo").read_text(), re.MULTILINE):
        return False
    try:
        with open("/dev/kvm", "r+b", buffering=0) as device:
            fcntl.ioctl(device, KVM_GET_API_VERSION, 0)
    except OSError:
        return False
    return True


class Machine:
    """A run of the machine: a program and its files go in, lines of JSON come out."""

    def __init__(self, disk, folder, files, settings):
        brought = folder / "brought.tar"
        (folder / "settings.json").write_text(json.dumps(settings))
        with tarfile.open(brought, "w") as tar:
            for file in [*files, folder / "settings.json"]:
                tar.add(file, file.name)
        # The end of the disk is beyond the end of the archive, which tar does not mind.
        self.console = folder / "console.log"
        self.process = subprocess.Popen(
            ["qemu-system-x86_64", *(["-accel", "kvm", "-cpu", "host"] if has_kvm() else ["-accel", "tcg", "-cpu", "max"]),
             "-m", str(MEMORY_MB), "-smp", "2", "-nographic", "-no-reboot", "-nodefaults",
             "-serial", f"file:{self.console}", "-nic", "none",
             "-kernel", disk.parent / "vmlinuz", "-initrd", disk.parent / "initrd.img",
             "-append", "root=/dev/vda rw quiet console=ttyS0 init=/radio-init",
             "-drive", f"file={disk},format=raw,if=virtio,snapshot=on",
             "-drive", f"file={brought},format=raw,if=virtio,readonly=on"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def wait(self, within):
        """Waits until the machine is off; returns what its program has said."""
        deadline = time.monotonic() + within
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"the machine is still on after {within} s: {self.text()[-3000:]}"
            time.sleep(1)
        assert self.process.returncode == 0, self.process.stderr.read()
        found = [json.loads(line[len(MARK):]) for line in self.text().splitlines() if line.startswith(MARK)]
        assert found, self.text()[-6000:]
        return found

    def text(self):
        return self.console.read_text(errors="replace") if self.console.exists() else ""

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
