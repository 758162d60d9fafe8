// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Addresses of this machine, in the form that the system's calls take.
enum SocketName {
    static func loopback(_ last: UInt32, port: UInt16) -> sockaddr_in {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = (0x7F00_0000 + last).bigEndian
        return name
    }

    static func with<Result>(
        _ name: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
