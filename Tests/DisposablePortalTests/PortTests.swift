// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import DisposableWeb
import Foundation
import Glibc
import Synchronization
import Testing

/// The port of the portal, where others listen as well.
@Suite struct PortTests {
    @Test("the portal listens on a free port if the default is taken, and fails if a given one is")
    func ports() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery]) { _, client in
            var taken = Portal.Configuration(hosts: ["127.0.0.1"], port: .exactly(client.port))
            taken.limits.listening.patience = .milliseconds(300)
            await #expect(throws: Portal.Failure.portInUse("port \(client.port) of 127.0.0.1")) {
                try await withPortal(taken, { [] }) { _, _ in }
            }
            taken.port = .standard(remembered: client.port)
            let other = try await withPortal(taken, { [] }) { _, client in
                let reply = try await client.get("/")
                #expect(reply.status == 200)
                return client.port
            }
            #expect(other != client.port)
            await #expect(throws: Portal.Failure.self) {
                try await withPortal(Portal.Configuration(hosts: ["192.0.2.1"], port: .exactly(0)), { [] }) { _, _ in }
            }
            await #expect(throws: Portal.Failure.self) {
                try await withPortal(Portal.Configuration(hosts: ["localhost"], port: .exactly(0)), { [] }) { _, _ in }
            }
        }
    }

    @Test("the portal waits for a port that printed codes name, and uses another one meanwhile")
    func patience() async throws {
        let told = Told()
        var configuration = Portal.Configuration(hosts: ["127.0.0.1"], port: .exactly(0))
        let port = try await withPortal(configuration, { [] }) { _, client in client.port }
        configuration.port = .standard(remembered: port)
        configuration.whenPortIsTaken = { told.ports.append($0) }
        let (waiting, holder) = (configuration, try Listener(port: port))
        async let serving = withPortal(waiting, { [] }) { _, client in client.port }
        try await eventually { told.ports.all == [port] }
        holder.close()
        #expect(try await serving == port)
        #expect(told.ports.all == [port])

        configuration.limits.listening.patience = .milliseconds(300)
        let other = try Listener(port: port)
        let portal = Portal(configuration, logger: .silent) { [] }
        try await portal.run { serving in
            #expect(serving.isFallback && serving.port != port)
            #expect(serving.problems.contains { $0.contains("port \(port), which printed codes name") })
            portal.stop()
        }
        withExtendedLifetime(other) {}
    }

    @Test("several addresses are served on one port")
    func severalHosts() async throws {
        let gallery = try TestGallery()
        try await withPortal([gallery], hosts: ["127.0.0.2", "127.0.0.1"]) { _, client in
            let reply = try await client.get("/")
            #expect(reply.status == 200)
        }
    }
}

/// Another program that listens on a port of this machine.
private final class Listener: Sendable {
    private let descriptor: Int32

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, 4)
        try Socket.with(1, port: port) { address, size in
            guard bind(descriptor, address, size) == 0, listen(descriptor, 1) == 0 else {
                throw Socket.Failure(call: "listen", code: errno)
            }
        }
    }

    func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }
    deinit { Glibc.close(descriptor) }
}

/// The ports that were reported as taken.
private struct Told: Sendable {
    final class Ports: Sendable {
        private let held = Mutex<[UInt16]>([])
        var all: [UInt16] { held.withLock { $0 } }
        func append(_ port: UInt16) { held.withLock { $0.append(port) } }
    }
    let ports = Ports()
}
