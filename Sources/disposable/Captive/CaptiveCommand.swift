// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableSystem
import DisposableValues
import DisposableWeb

struct CaptiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "captive",
        abstract: "Print the lines that a router without Internet needs, so that phones stay on its Wi-Fi.",
        discussion: """
            Phones ask servers of their makers whether a Wi-Fi leads to the Internet, and leave it if nobody answers. \
            Give these lines to dnsmasq, the name server of most routers (OpenWrt, Pi-hole), and run the node with \
            --captive: then this machine answers, and no name but those of the checks leads here. `disposable \
            hotspot` needs no lines. Remove them after the event, and use them only on a network without Internet.

              disposable captive 192.168.1.20 > /etc/dnsmasq.d/disposable-captive.conf
              disposable run --captive answer
            """)

    @Argument(help: "The IPv4 address of the node's machine (default: this machine's).")
    var address: String?

    func validate() throws {
        guard let address else { return }
        guard IPAddress(address)?.isIPv6 == false else {
            throw ValidationError("\"\(address)\" is no IPv4 address, such as 192.168.1.20")
        }
    }

    func run() async throws {
        guard let address = address ?? Self.ownAddress else {
            throw Failure("this machine has no IPv4 address", hint: "name one: disposable captive 192.168.1.20")
        }
        for line in CaptiveNames.dnsmasqLines(address: address) { Console.line(line) }
    }

    /// The address at which guests most likely reach this machine.
    private static var ownAddress: String? {
        (InterfaceAddress.all() ?? []).filter { !$0.isIPv6 && !$0.isLoopback && !$0.isLinkLocal }
            .min { ($0.rank, $0.host) < ($1.rank, $1.host) }?.host
    }
}
