// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableDiscovery
import DisposableModel
import DisposableNode
import DisposableValues

/// The option of a spare node, which takes over the address of another machine's pages while that machine is gone.
struct SpareOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Take over this address, that of another machine's pages, while that machine does not answer; needs the "
                + "capabilities net_admin and net_raw.", valueName: "ip[:port]"))
    var spareFor: String?

    private static let portDefault: UInt16 = 8027

    /// The address, and the port that this node's pages need; `nil` without the option, or if it is no address.
    private var wanted: PeerAddress? {
        spareFor.flatMap { PeerAddress($0) ?? PeerAddress(host: $0, port: Self.portDefault) }
    }

    /// The port of the pages; `nil` without the option.
    var port: UInt16? { wanted?.port }

    /// Throws if the option is wrong, or contradicts another one.
    func check(_ options: RunOptions) throws {
        guard let spareFor else { return }
        guard let wanted, let address = IPAddress(wanted.host), !address.isIPv6 else {
            throw ValidationError(
                "--spare-for takes the IPv4 address on the poster, as 192.168.1.20:8027, and not \"\(spareFor)\"")
        }
        guard !options.noPortal else {
            throw ValidationError("--spare-for is for the pages, and --no-portal serves none: choose one")
        }
        guard let (host, port) = try? options.portalAddress else { return }
        guard port == wanted.port, ["0.0.0.0", "::"].contains(host) else {
            throw ValidationError(
                "guests use port \(wanted.port) of \(wanted.host): leave out --portal, or write --portal "
                    + "0.0.0.0:\(wanted.port)")
        }
    }

    /// Returns the work of the spare beside the node: none without the option. Throws if this machine cannot be one, or
    /// may not: an organizer agrees by making the node serve guests, and its person by the option.
    func companions(
        of node: Node, _ options: RunOptions, _ common: CommonOptions
    ) async throws -> [NodeRunner.Companion] {
        guard let wanted, let address = IPAddress(wanted.host) else { return [] }
        guard await node.servesPagesOfAny else {
            throw Failure(
                "this node may not serve guests, so it cannot be a spare for \(wanted.host)",
                hint: "an organizer runs `disposable role grant page NAME` first; then start this again")
        }
        let spare: AddressSpare
        do throws(AddressSpare.Failure) {
            spare = try AddressSpare(for: address, interface: options.network.interface)
        } catch {
            throw Self.failure(error, address: wanted.host)
        }
        let report = SpareReport(address: wanted, console: common.console)
        report.begin()
        return [
            NodeRunner.Companion(name: "spare") {
                await spare.run {
                    let (mayServe, isServing) = (await node.servesPagesOfAny, await node.hasPagesForOthers)
                    return AddressSpare.Situation(
                        isMemberConnected: await node.isMemberConnected(at: wanted.host),
                        isServing: mayServe && isServing)
                } tell: {
                    report.tell($0)
                }
            }
        ]
    }

    private static func failure(_ failure: AddressSpare.Failure, address: String) -> Failure {
        switch failure {
        case .notIPv4:
            Failure("\(address) is no IPv4 address of a machine", hint: "take the one on the poster", exitCode: 2)
        case .noNetwork:
            Failure(
                "no interface of this machine is on the network of \(address)",
                hint: "join that network first; `ip address` lists this machine's addresses")
        case .ownAddress(let interface):
            Failure(
                "\(address) is this machine's own address, on \(interface)",
                hint: "name the address of the other machine, which this one is the spare for")
        case .missing(let capabilities):
            Failure(
                "this process may not ask for an address and take it over: it lacks "
                    + capabilities.map { "CAP_\($0.uppercased())" }.joined(separator: " and "),
                hint: "docs/operations.md, \"Keep a spare for the host\", has the command that gives both to the program")
        case .link(let interface, let error):
            Failure(
                "\(interface) cannot be used for a spare: \(error)",
                hint: "name an Ethernet or Wi-Fi interface with --interface")
        }
    }
}

/// Tells the person at the node, and scripts, of the spare's address.
private struct SpareReport: Sendable {
    private struct Line: Encodable {
        let address: String
        /// `watching`, `ready`, `taken`, `released` or `failed`.
        let state: String
        var reason: String?
        /// The hardware address of a station that answers for the address.
        var station: String?
    }

    let address: PeerAddress
    let console: Console
    private var host: String { address.host }

    init(address: PeerAddress, console: Console) { (self.address, self.console) = (address, console) }

    func begin() {
        write("watching")
        Console.say(
            """
            This node is a spare for \(host). While that machine does not answer, and no node of the event that serves \
            guests there is connected, this machine takes its address and serves its guests at \(address); it gives \
            the address back as soon as the other machine answers. Never use it for an address that is not the event's.
            """)
    }

    func tell(_ update: AddressSpare.Update) {
        switch update {
        case .found(let station, let isFirst):
            write("ready", station: station)
            Console.say(
                isFirst
                    ? "disposable: \(host) answers, as \(station)"
                    : "disposable: warning: \(host) is now answered by another device, \(station)")
        case .taken:
            write("taken")
            Console.say("disposable: \(host) does not answer: this machine has the address now and serves its guests")
        case .released(let reason):
            write("released", Self.word(for: reason), station: Self.station(in: reason))
            Console.say("disposable: this machine has given \(host) back: \(Self.text(for: reason))")
        case .ended:
            write("released", "ended")
        case .failed(let message):
            write("failed", message)
            Console.say("disposable: warning: the address \(host) could not be changed: \(message)")
        }
    }

    private func write(_ state: String, _ reason: String? = nil, station: HardwareAddress? = nil) {
        console.json(
            "spare",
            Line(address: address.description, state: state, reason: reason, station: station?.description))
    }

    private static func station(in reason: AddressTakeover.Reason) -> HardwareAddress? {
        switch reason {
        case .ownerReturned(let station), .conflict(let station): station
        case .noLink, .notServing, .slept: nil
        }
    }

    private static func word(for reason: AddressTakeover.Reason) -> String {
        switch reason {
        case .ownerReturned: "ownerReturned"
        case .conflict: "conflict"
        case .noLink: "noLink"
        case .notServing: "notServing"
        case .slept: "slept"
        }
    }

    private static func text(for reason: AddressTakeover.Reason) -> String {
        switch reason {
        case .ownerReturned(let station): "the other machine answers again, as \(station)"
        case .conflict(let station): "another device, \(station), uses the address"
        case .noLink: "the network is gone"
        case .notServing: "this node does not serve guests now"
        case .slept: "this machine has slept"
        }
    }
}
