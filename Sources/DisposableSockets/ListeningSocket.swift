// SPDX-License-Identifier: Apache-2.0
internal import CCrash
internal import Glibc
package import NIOCore

/// Listening TCP sockets whose ports are free as soon as the process crashes.
///
/// Swift's crash reporter is a program that a crashing process starts and waits for. It inherits NIO's sockets, which
/// stay in LISTEN until both have ended, which may take minutes. These sockets are closed on exec, and by the handler of
/// crashes before the reporter is started.
package enum ListeningSocket {
    /// Opens a listening socket for `ServerBootstrap.bind(_:)`, which then owns it. Call `release` when it is closed.
    /// Throws `IOError`.
    package static func open(at address: SocketAddress, backlog: Int32) throws -> CInt {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(CInt(address.protocol.rawValue), kind, 0)
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        do {
            var isOn: Int32 = 1
            try check(
                setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size)),
                "setsockopt")
            try address.withSockAddr { address, size in
                try check(bind(descriptor, address, socklen_t(size)), "bind")
            }
            try check(listen(descriptor, backlog), "listen")
        } catch {
            close(descriptor)
            throw error
        }
        ccrash_add(descriptor)
        return descriptor
    }

    /// Removes a descriptor that is closed.
    package static func release(_ descriptor: CInt) { ccrash_remove(descriptor) }

    private static func check(_ result: CInt, _ call: String) throws {
        guard result >= 0 else { throw IOError(errnoCode: errno, reason: call) }
    }
}
