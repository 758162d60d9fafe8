// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import DisposableSystem
internal import DisposableValues
internal import Foundation
internal import Glibc

/// Questions as phones ask them: to a name server, and to a web server over plain HTTP. For `disposable doctor`.
package enum VenueNetwork {
    private static let secondsMax = 2
    private static let answerByteCountMax = 64 << 10

    /// Returns the addresses to ask for names: this machine's own, at which the name server of a shared network of
    /// NetworkManager listens, and the name servers of /etc/resolv.conf, at most three. IPv4 only.
    package static func nameServers(own: [String]) -> [String] {
        let text = (try? String(contentsOfFile: "/etc/resolv.conf", encoding: .utf8)) ?? ""
        let configured = text.split(separator: "\n").compactMap { line -> String? in
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            guard words.count >= 2, words[0] == "nameserver", IPAddress(String(words[1]))?.isIPv6 == false else {
                return nil
            }
            return String(words[1])
        }
        return own + configured.prefix(3).filter { !own.contains($0) }
    }

    /// Asks a name server for the IPv4 addresses of a name. Returns `nil` if it does not answer.
    package static func ask(_ server: String, for name: String, port: UInt16 = 53) async -> NameQuery.Answer? {
        let query = NameQuery(id: .random(in: .min ... .max), name: name)
        return await onOwnThread {
            let packet = exchange(query.bytes, with: server, port: port, kind: SOCK_DGRAM)
            return packet.flatMap { query.answer(in: $0) }
        }
    }

    /// Sends a GET request to an address and returns the answer, head and body. Returns `nil` without one.
    package static func get(_ path: String, host: String, at address: String, port: UInt16 = 80) async -> [UInt8]? {
        let request = "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
        return await onOwnThread { exchange(Array(request.utf8), with: address, port: port, kind: SOCK_STREAM) }
    }

    private static func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }

    /// Sends bytes to an IPv4 address and returns what comes back: one packet, or everything until the end of a
    /// connection.
    private static func exchange(
        _ bytes: [UInt8], with host: String, port: UInt16, kind: __socket_type
    ) -> [UInt8]? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return nil }
        let descriptor = socket(AF_INET, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // A structure of seconds and microseconds; that of sending is also the limit of connecting (socket(7)).
        let limit = [secondsMax, 0]
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, limit, socklen_t(MemoryLayout<Int>.size * limit.count))
        }
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected, send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            return nil
        }
        var received: [UInt8] = []
        while received.count < answerByteCountMax {
            var part = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &part, part.count, 0)
            guard count > 0 else { return count == 0 && !received.isEmpty ? received : nil }
            received += part.prefix(count)
            if kind == SOCK_DGRAM { return received }
        }
        return nil
    }
}
