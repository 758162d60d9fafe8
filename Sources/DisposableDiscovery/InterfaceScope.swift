// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The interfaces to use: a single one, or all but loopback.
enum InterfaceScope: Sendable {
    case allButLoopback
    /// By its name: an adapter that is pulled out and put back comes with another index.
    case single(name: String, isLoopback: Bool)

    /// - Throws: ``DiscoveryError/noSuchInterface(_:)``.
    init(_ name: String?) throws(DiscoveryError) {
        guard let name else {
            self = .allButLoopback
            return
        }
        guard if_nametoindex(name) != 0 else { throw .noSuchInterface(name) }
        let isLoopback = InterfaceAddress.all().contains { $0.name == name && $0.isLoopback }
        self = .single(name: name, isLoopback: isLoopback)
    }

    var isLoopback: Bool {
        if case .single(_, isLoopback: true) = self { true } else { false }
    }

    /// AVAHI_IF_UNSPEC or the index of the moment, which is 0 for an interface that is away.
    var index: Int32 {
        switch self {
        case .allButLoopback: anyInterface
        case .single(let name, _): Int32(if_nametoindex(name))
        }
    }

    /// The addresses on these interfaces now.
    var addresses: [InterfaceAddress] {
        InterfaceAddress.all().filter { address in
            switch self {
            case .allButLoopback: !address.isLoopback
            case .single(let name, _): address.name == name
            }
        }
    }
}
