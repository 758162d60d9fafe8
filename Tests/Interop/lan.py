# SPDX-License-Identifier: Apache-2.0
"""Hosts on a network of their own, and nodes on them. The hosts are network namespaces; nothing leaves the machine."""

import itertools
import os
import subprocess

from party import BUILD, ROOT, Node

LAN = ROOT / "examples/lan/lan"
NUMBERS = itertools.count()


class Lan:
    """So many hosts on one switch: 10.77.0.1 and so on."""

    def __init__(self, host_count):
        self.environment = {**os.environ, "LAN_NAME": f"interop{os.getpid()}_{next(NUMBERS)}"}
        self("up", host_count)

    def __call__(self, *arguments):
        subprocess.run([LAN, *map(str, arguments)], env=self.environment, check=True, timeout=180)

    def host(self, number):
        """The beginning of a command that runs on a host."""
        return ["env", f"LAN_NAME={self.environment['LAN_NAME']}", LAN, "exec", str(number)]

    def kill(self):
        self("down")


class LanNode(Node):
    """A node on a host of the network; it uses the host's only interface and announces itself there."""

    def __init__(self, within, folder, *arguments):
        self.within = within
        super().__init__(folder, *arguments)

    def _program(self, arguments, listen, portal):
        return [*self.within, BUILD / "disposable", *arguments, "--data", self.folder, "--json", "--no-portal"]

    def start(self, *options):
        """Runs again after `kill`."""
        self._launch("run", *options)
