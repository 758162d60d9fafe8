// SPDX-License-Identifier: Apache-2.0
internal import CLinux
package import DisposableSystem
package import DisposableValues
internal import Foundation
internal import Glibc

/// Keeps an IPv4 address of another machine in use while that machine does not answer: the socket, the clock and the
/// interface around ``AddressTakeover``.
package struct AddressSpare: Sendable {
    /// The reason why this machine cannot be a spare for an address.
    package enum Failure: Error, Equatable, Sendable {
        case notIPv4
        /// No interface has a network with this address, or the address is that of the network itself.
        case noNetwork
        /// The address is this machine's own.
        case ownAddress(interface: String)
        /// Capabilities that this process lacks, as setpriv(1) names them.
        case missing(capabilities: [String])
        case link(interface: String, DiscoveryError)
    }

    /// The node as far as the takeover depends on it.
    package struct Situation: Sendable {
        /// Whether a member of the event that is at the address, or serves guests there, is connected.
        let isMemberConnected: Bool
        /// Whether this node serves guests, and an organizer lets it.
        let isServing: Bool

        package init(isMemberConnected: Bool, isServing: Bool) {
            (self.isMemberConnected, self.isServing) = (isMemberConnected, isServing)
        }
    }

    package enum Update: Equatable, Sendable {
        /// A station answers for the address: the first one, or another one than before.
        case found(HardwareAddress, isFirst: Bool)
        case taken
        case released(AddressTakeover.Reason)
        /// At the end of the work.
        case ended
        /// The system did not add or remove the address; its message.
        case failed(String)
    }

    private static let stepMilliseconds = 100
    private static let lookMilliseconds: UInt64 = 1_000

    package let address: IPAddress
    private let interface: String?

    /// Removes the address if an earlier process of this machine was killed while it had it.
    /// - Parameter interface: the only one to use, if there is one.
    package init(for address: IPAddress, interface: String?) throws(Failure) {
        guard !address.isIPv6, address.isDialable, !address.isLoopback else { throw .notIPv4 }
        let missing = Self.missingCapabilities()
        guard missing.isEmpty else { throw .missing(capabilities: missing) }
        (self.address, self.interface) = (address, interface)
        let addresses = InterfaceAddress.all() ?? []
        if let own = addresses.first(where: { $0.bytes == address.bytes }) {
            guard own.prefixLength == 32, Self.network(of: address, on: own.name, in: addresses) != nil else {
                throw .ownAddress(interface: own.name)
            }
            _ = clinux_address_change(own.index, address.bytes, 0)
        }
        guard let network = Self.network(of: address, on: interface, in: addresses) else { throw .noNetwork }
        do throws(DiscoveryError) { _ = try ARPSocket(interface: network.index) } catch {
            throw .link(interface: network.name, error)
        }
    }

    /// Returns the address of this machine on the network of another one; `nil` if there is none.
    package static func network(
        of address: IPAddress, on interface: String?, in addresses: [InterfaceAddress]
    ) -> InterfaceAddress? {
        addresses.first { own in
            guard !own.isIPv6, !own.isLoopback, own.isRunning, own.bytes != address.bytes,
                (1...30).contains(own.prefixLength), interface.map({ $0 == own.name }) ?? true,
                own.isOnSameNetwork(as: address.description)
            else { return false }
            // The first and the last address of a network are no machine's.
            let last = UInt32.max >> UInt32(own.prefixLength)
            let host = address.bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & last
            return host != 0 && host != last
        }
    }

    /// Returns the names of the capabilities that the takeover needs and this process lacks (capabilities(7)).
    private static func missingCapabilities() -> [String] {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        return missingCapabilities(in: status)
    }

    package static func missingCapabilities(in status: String) -> [String] {
        let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        let effective = line?.split(whereSeparator: \.isWhitespace).last.flatMap { UInt64($0, radix: 16) } ?? 0
        return [(12, "net_admin"), (13, "net_raw")].filter { effective >> UInt64($0.0) & 1 == 0 }.map(\.1)
    }

    /// Returns the hardware addresses of all interfaces of this machine.
    fileprivate static func ownHardware() -> Set<HardwareAddress> {
        let folder = "/sys/class/net"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return Set(
            names.compactMap { name in
                let text = try? String(contentsOfFile: "\(folder)/\(name)/address", encoding: .utf8)
                let parts = text?.split { $0 == ":" || $0.isNewline } ?? []
                return HardwareAddress(parts.compactMap { UInt8($0, radix: 16) })
            })
    }

    /// Watches until the task is cancelled; then removes the address.
    /// - Parameters:
    ///   - look: called about every second.
    ///   - tell: called for each change.
    package func run(
        look: @Sendable () async -> Situation, tell: @Sendable (Update) async -> Void
    ) async {
        var session = Session(address: address, interface: interface)
        var lookAt: UInt64 = 0
        while !Task.isCancelled {
            let now = Uptime.milliseconds
            if now >= lookAt {
                lookAt = now + Self.lookMilliseconds
                session.look(at: await look())
            }
            for update in session.step(at: Uptime.milliseconds) { await tell(update) }
            try? await Task.sleep(for: .milliseconds(Self.stepMilliseconds))
        }
        for update in session.end() { await tell(update) }
    }
}

/// The mutable part of a spare.
private struct Session {
    private let address: IPAddress
    private let interface: String?
    private var takeover: AddressTakeover
    private var socket: ARPSocket?
    private var surroundings = AddressTakeover.Surroundings(own: nil, isMemberConnected: false, isServing: false)
    /// A machine with a cable and Wi-Fi on one network hears itself: its kernel answers on both.
    private var ownHardware: Set<HardwareAddress> = []
    /// The index of the interface that has the address.
    private var holder: UInt32?

    init(address: IPAddress, interface: String?) {
        (self.address, self.interface) = (address, interface)
        takeover = AddressTakeover(of: address, random: SystemRandomNumberGenerator())
    }

    /// Looks at the node and at the interfaces. Without a link the socket is closed, since the next link may have
    /// another hardware address. Another interface is another link: the address is given up at the first one before it
    /// is used at the second. If the system does not list its interfaces now, they are as they were.
    mutating func look(at situation: AddressSpare.Situation) {
        surroundings.isMemberConnected = situation.isMemberConnected
        surroundings.isServing = situation.isServing
        guard let addresses = InterfaceAddress.all() else { return }
        ownHardware = AddressSpare.ownHardware()
        guard let own = AddressSpare.network(of: address, on: interface, in: addresses),
            let host = IPAddress(own.bytes), socket.map({ $0.interface == own.index }) ?? true
        else {
            (socket, surroundings.own) = (nil, nil)
            return
        }
        if socket == nil { socket = try? ARPSocket(interface: own.index) }
        surroundings.own = socket.map { .init(hardware: $0.hardware, address: host) }
    }

    mutating func step(at now: UInt64) -> [AddressSpare.Update] {
        var updates: [AddressSpare.Update] = []
        for packet in socket?.packets() ?? [] where !ownHardware.contains(packet.sender) {
            updates += perform(takeover.handle(packet, at: now), at: now)
        }
        return updates + perform(takeover.advance(to: now, in: surroundings), at: now)
    }

    mutating func end() -> [AddressSpare.Update] {
        guard holder != nil else { return [] }
        return remove().map { [.failed($0)] } ?? [.ended]
    }

    private mutating func perform(_ outputs: [AddressTakeover.Output], at now: UInt64) -> [AddressSpare.Update] {
        var updates: [AddressSpare.Update] = []
        for output in outputs {
            switch output {
            case .send(let packet, let station): socket?.send(packet, to: station)
            case .found(let station, let isFirst): updates.append(.found(station, isFirst: isFirst))
            case .release(let reason):
                if let message = remove() { updates.append(.failed(message)) }
                updates.append(.released(reason))
            case .hold:
                let isNew = holder == nil
                if let message = hold() {
                    takeover.fail(at: now)
                    _ = remove()
                    return updates + [.failed(message)]
                }
                if isNew { updates.append(.taken) }
            }
        }
        return updates
    }

    /// Adds or prolongs the address. Returns the system's message if that fails.
    private mutating func hold() -> String? {
        guard let index = socket?.interface else { return systemMessage(ENETDOWN) }
        let code = clinux_address_change(index, address.bytes, AddressTakeover.lifetimeSeconds)
        guard code == 0 else { return systemMessage(code) }
        holder = index
        return nil
    }

    /// Removes the address. Returns the system's message if that fails; one that is gone already is no failure.
    private mutating func remove() -> String? {
        guard let index = holder else { return nil }
        holder = nil
        let code = clinux_address_change(index, address.bytes, 0)
        return [0, EADDRNOTAVAIL, ENODEV].contains(code) ? nil : systemMessage(code)
    }
}
