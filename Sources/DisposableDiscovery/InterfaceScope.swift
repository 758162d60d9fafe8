// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The interfaces to use: a single one, or all but loopback.
enum InterfaceScope: Sendable {
    case allButLoopback
    case single(name: String, index: UInt32, isLoopback: Bool)

    /// - Throws: ``DiscoveryError/noSuchInterface(_:)``.
    init(_ name: String?) throws(DiscoveryError) {
        guard let name else {
            self = .allButLoopback
            return
        }
        let index = if_nametoindex(name)
        guard index != 0 else { throw .noSuchInterface(name) }
        self = .single(name: name, index: index, isLoopback: Self.isLoopback(name))
    }

    static func isLoopback(_ name: String) -> Bool {
        InterfaceAddress.all().contains { $0.name == name && $0.isLoopback }
    }

    var isLoopback: Bool {
        if case .single(_, _, isLoopback: true) = self { true } else { false }
    }

    /// AVAHI_IF_UNSPEC or the index.
    var index: Int32 {
        switch self {
        case .allButLoopback: anyInterface
        case .single(_, let index, _): Int32(index)
        }
    }

    /// The addresses on these interfaces now.
    var addresses: [InterfaceAddress] {
        InterfaceAddress.all().filter { address in
            switch self {
            case .allButLoopback: !address.isLoopback
            case .single(_, let index, _): address.index == index
            }
        }
    }
}
