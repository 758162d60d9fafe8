// SPDX-License-Identifier: Apache-2.0
internal import DisposableSystem

/// The interfaces to use: a single one, or all but loopback.
enum InterfaceScope: Sendable {
    case allButLoopback
    /// By its name: an adapter that is removed and plugged in again gets another index.
    case single(name: String, isLoopback: Bool)

    /// - Throws: ``DiscoveryError/noSuchInterface(_:)`` or ``DiscoveryError/interfacesUnknown``.
    init(_ name: String?) throws(DiscoveryError) {
        guard let name else {
            self = .allButLoopback
            return
        }
        guard try Self.index(of: name) != 0 else { throw .noSuchInterface(name) }
        guard let addresses = InterfaceAddress.all() else { throw .interfacesUnknown }
        let isLoopback = addresses.contains { $0.name == name && $0.isLoopback }
        self = .single(name: name, isLoopback: isLoopback)
    }

    /// `nil` for all of them.
    var name: String? {
        if case .single(let name, _) = self { name } else { nil }
    }

    var isLoopback: Bool {
        if case .single(_, isLoopback: true) = self { true } else { false }
    }

    /// AVAHI_IF_UNSPEC or the present index, which is 0 for an absent interface: for Avahi an interface that never
    /// appears.
    var index: Int32 {
        get throws(DiscoveryError) {
            switch self {
            case .allButLoopback: return anyInterface
            case .single(let name, _): return try Self.index(of: name)
            }
        }
    }

    private static func index(of name: String) throws(DiscoveryError) -> Int32 {
        guard let index = InterfaceAddress.index(of: name) else { throw .interfacesUnknown }
        return Int32(index)
    }

    /// The addresses on these interfaces now.
    var addresses: [InterfaceAddress] {
        get throws(DiscoveryError) {
            guard let addresses = InterfaceAddress.all() else { throw .interfacesUnknown }
            return addresses.filter { address in
                switch self {
                case .allButLoopback: !address.isLoopback
                case .single(let name, _): address.name == name
                }
            }
        }
    }
}
