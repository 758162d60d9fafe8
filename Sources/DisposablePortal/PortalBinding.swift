// SPDX-License-Identifier: Apache-2.0
internal import DisposableWeb
internal import NIOCore

/// The port of plain HTTP and, if they are wanted, those of HTTPS and of connectivity checks, all at the same
/// addresses.
struct PortalBindings {
    enum Use {
        case pages, securePages, checks
    }

    struct Open {
        var listeners: [PortalServer.Listener] = []
        fileprivate var ports: [Use: UInt16] = [:]

        var port: UInt16 { ports[.pages] ?? 0 }
        var securePort: UInt16? { ports[.securePages] }
        var checksPort: UInt16? { ports[.checks] }
    }

    let plain: PortalBinding
    let secure: PortalBinding?
    private let checks: PortalBinding?

    init(_ configuration: Portal.Configuration, _ server: PortalServer) {
        func binding(_ port: Portal.Port, standardPort: UInt16, isSecure: Bool = false) -> PortalBinding {
            PortalBinding(
                server: server, isSecure: isSecure, port: port, standardPort: standardPort,
                patience: configuration.limits.listening.patience, whenTaken: configuration.whenPortIsTaken)
        }
        plain = binding(configuration.port, standardPort: Portal.standardPort)
        secure = configuration.secure.map {
            binding($0.port, standardPort: Portal.Secure.standardPort, isSecure: true)
        }
        checks = configuration.captive.map {
            binding(.exactly($0.port), standardPort: Portal.Captive.standardPort)
        }
    }

    private var all: [(Use, PortalBinding)] {
        [(.pages, plain)] + (secure.map { [(.securePages, $0)] } ?? []) + (checks.map { [(.checks, $0)] } ?? [])
    }

    /// Opens the ports, at the start.
    func open(at hosts: [String]) async throws -> Open {
        try await open { binding, _ in try await binding.bindPatiently(hosts: hosts) }
    }

    /// Opens the ports that were open a moment ago, or others.
    func reopen(_ old: Open, at hosts: [String]) async throws -> Open {
        try await open { binding, use in try await binding.rebind(hosts: hosts, port: old.ports[use] ?? 0) }
    }

    private func open(
        _ bind: (PortalBinding, Use) async throws -> ([PortalServer.Listener], UInt16)
    ) async throws -> Open {
        var open = Open()
        for (use, binding) in all {
            // The pages may have that port themselves; they answer checks, too.
            if use == .checks, binding.port == .exactly(open.port) {
                open.ports[use] = open.port
                continue
            }
            do {
                let (listeners, port) = try await bind(binding, use)
                open.listeners += listeners
                open.ports[use] = port
            } catch {
                for listener in open.listeners { try? await listener.executeThenClose { _ in } }
                guard use == .checks, let failure = error as? Portal.Failure else { throw error }
                throw Portal.Failure.connectivityChecks(failure)
            }
        }
        return open
    }

    /// Throws if new addresses cannot be bound beside the present ones: a failed attempt must not disconnect anyone.
    func probe(_ wanted: [String], besides hosts: [String]) async throws {
        for (_, binding) in all { try await binding.probe(wanted, besides: hosts) }
    }

    /// For people.
    func problems(of open: Open) -> [String] {
        plain.problems(at: open.port) + (open.securePort.flatMap { secure?.problems(at: $0) } ?? [])
    }
}

/// One port of the pages, at all of their addresses.
struct PortalBinding {
    let server: PortalServer
    let isSecure: Bool
    let port: Portal.Port
    let standardPort: UInt16
    let patience: Duration
    let whenTaken: @Sendable (_ port: UInt16) -> Void

    private var ports: [UInt16] {
        switch port {
        // A port that is free on one address may be taken on the next.
        case .exactly(0): Array(repeating: 0, count: 16)
        case .exactly(let port): [port]
        case .standard(let remembered):
            [remembered].compactMap(\.self) + (standardPort..<standardPort + 100) + [0]
        }
    }

    /// The published port, or 0 if there is none.
    private var preferredPort: UInt16 {
        switch port {
        case .exactly(let port): port
        case .standard(let remembered): remembered ?? 0
        }
    }

    func isFallback(_ port: UInt16) -> Bool { preferredPort != 0 && port != preferredPort }

    func problems(at port: UInt16) -> [String] {
        guard isFallback(port) else { return [] }
        return [
            "port \(preferredPort), which printed codes name, is in use by another program: the pages are at port "
                + "\(port) until the next start"
        ]
    }

    /// At the start: the port that printed codes name is tried for a while, as the process that used it before may just
    /// be ending.
    func bindPatiently(hosts: [String]) async throws -> ([PortalServer.Listener], UInt16) {
        guard preferredPort != 0 else { return try await bind(hosts: hosts) }
        let end = ContinuousClock.now + patience
        var isTold = false
        while .now < end {
            do { return try await bind(hosts: hosts, port: preferredPort) } catch Portal.Failure.portInUse {
                if !isTold { whenTaken(preferredPort) }
                isTold = true
                try await Task.sleep(for: .milliseconds(200))
            } catch Portal.Failure.notPermitted {
                break
            }
        }
        return try await bind(hosts: hosts)
    }

    /// Binds to the port that this portal had a moment ago, otherwise to another one. A program that is starting has a
    /// copy of every socket until it executes, so a port may stay taken for a moment after it was closed here.
    func rebind(hosts: [String], port: UInt16) async throws -> ([PortalServer.Listener], UInt16) {
        for _ in 0..<50 {
            do { return try await bind(hosts: hosts, port: port) } catch Portal.Failure.portInUse {
                try await Task.sleep(for: .milliseconds(100))
            } catch Portal.Failure.notPermitted {
                break
            }
        }
        return try await bind(hosts: hosts)
    }

    func probe(_ wanted: [String], besides hosts: [String]) async throws {
        let added = wanted.filter { !hosts.contains($0) }
        // A wildcard listener conflicts with a specific address.
        guard !added.isEmpty, !hosts.isEmpty else { return }
        let (listeners, _) = try await bind(hosts: added)
        for listener in listeners { try? await listener.executeThenClose { _ in } }
    }

    private func bind(hosts: [String]) async throws -> ([PortalServer.Listener], UInt16) {
        var failure = Portal.Failure.portInUse("every port")
        for port in ports {
            do {
                return try await bind(hosts: hosts, port: port)
            } catch let error as Portal.Failure {
                switch error {
                case .portInUse, .notPermitted: failure = error
                case .cannotListen, .connectivityChecks: throw error
                }
            }
        }
        throw failure
    }

    /// Binds every host on one port: if one of them is taken, none is kept.
    private func bind(hosts: [String], port: UInt16) async throws -> ([PortalServer.Listener], UInt16) {
        var listeners: [PortalServer.Listener] = []
        var port = port
        do {
            if hosts.isEmpty {
                do {
                    listeners.append(try await listen("::", port))
                } catch Portal.Failure.cannotListen {  // a machine without IPv6
                    listeners.append(try await listen("0.0.0.0", port))
                }
            }
            for host in hosts {
                listeners.append(try await listen(host, port))
                port = UInt16(listeners[0].channel.localAddress?.port ?? 0)
            }
        } catch {
            for listener in listeners { try? await listener.executeThenClose { _ in } }
            throw error
        }
        return (listeners, UInt16(listeners[0].channel.localAddress?.port ?? 0))
    }

    private func listen(_ host: String, _ port: UInt16) async throws -> PortalServer.Listener {
        try await server.listen(host: host, port: port, isSecure: isSecure)
    }
}
