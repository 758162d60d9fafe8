// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import Synchronization

/// The ports of the pages as they are open now, for links from plain HTTP to HTTPS and back.
final class PagePorts: Sendable {
    private struct State {
        var plain: UInt16 = 0
        var secure: UInt16?
        var checks: UInt16?
    }

    let certificate: PageCertificate?
    private let held = Mutex(State())

    init(certificate: PageCertificate?) { self.certificate = certificate }

    /// - Parameter checks: the port of connectivity checks, if they are answered.
    func open(plain: UInt16, secure: UInt16?, checks: UInt16?) {
        held.withLock { $0 = State(plain: plain, secure: secure, checks: checks) }
    }

    /// Returns the origin of the pages over plain HTTP.
    /// - Parameter host: of this machine, without a port.
    func plainOrigin(at host: String) -> String {
        PageAddress(PeerAddress(host: host, port: held.withLock { $0.plain })).origin
    }

    /// Whether the port is that of connectivity checks, and not also that of the pages.
    func isForChecks(_ port: Int) -> Bool {
        held.withLock { state in
            state.checks.map { Int($0) == port && $0 != state.plain && $0 != state.secure } ?? false
        }
    }

    /// Returns the origins of the pages at the host of a request; `nil` without HTTPS.
    /// - Parameters:
    ///   - authority: the request's host, with or without a port.
    ///   - address: the address of this machine at which the request arrived.
    func origins(at authority: String, isSecure: Bool, address: String?) -> MeMessage.Secure? {
        let state = held.withLock { $0 }
        guard let certificate, let port = state.secure, let host = HostName(authority) else { return nil }
        let name = certificate.covers(host.name) || isSecure ? host.name : certificate.name ?? host.name
        // Over plain HTTP the pages are at no other name (`GuardMiddleware`).
        let hasPlain = host.isAddress || host.name == "localhost" || host.name.hasSuffix(".local")
        let plain = PeerAddress(host: hasPlain ? host.name : address ?? host.name, port: state.plain)
        return MeMessage.Secure(
            origin: PageAddress(PeerAddress(host: name, port: port), isSecure: true).origin,
            plainOrigin: PageAddress(plain).origin,
            isTrusted: !certificate.isSelfMade && certificate.covers(name))
    }

    /// Whether the pages may be addressed by a name over HTTPS: no other machine can use it, as the browser has checked
    /// the certificate.
    func isCertified(_ name: String) -> Bool { certificate?.covers(name) == true }
}
