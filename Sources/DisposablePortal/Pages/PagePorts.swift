// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import Synchronization

/// The ports of the pages as they are open now, for links from plain HTTP to HTTPS and back.
final class PagePorts: Sendable {
    private struct State {
        var plain: UInt16 = 0
        var secure: UInt16?
    }

    let certificate: PageCertificate?
    private let held = Mutex(State())

    init(certificate: PageCertificate?) { self.certificate = certificate }

    func open(plain: UInt16, secure: UInt16?) { held.withLock { $0 = State(plain: plain, secure: secure) } }

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
