// SPDX-License-Identifier: Apache-2.0
internal import DisposableSystem
internal import DisposableValues
internal import NIOCore
internal import Synchronization

/// The certificate of the pages over HTTPS. It can be replaced while the server runs: open connections keep the earlier
/// one.
public final class PageCertificate: Sendable {
    /// The contents of two files in PEM.
    public struct Files: Equatable, Sendable {
        /// The certificate, and behind it those of its issuers.
        public let certificate: [UInt8]
        /// Its private key, which is not encrypted.
        public let key: [UInt8]

        public init(certificate: [UInt8], key: [UInt8]) { (self.certificate, self.key) = (certificate, key) }
    }

    public enum Failure: Error, Equatable, Sendable {
        /// The program was built without TLS.
        case notBuilt
        case noCertificate
        /// There is no private key, or it is encrypted.
        case noKey
        /// The key is another certificate's.
        case otherKey
        /// Milliseconds since 1970.
        case expired(at: UInt64)
        case notYetValid(from: UInt64)
    }

    /// The contents of a certificate.
    package struct Facts: Equatable, Sendable {
        /// In lower case; `*.` may be the beginning.
        package var names: [String] = []
        /// Four or sixteen bytes each.
        package var addresses: [[UInt8]] = []
        /// Milliseconds since 1970.
        package var validFrom: UInt64 = 0
        package var validUntil: UInt64 = 0

        package init() {}
    }

    private struct State {
        var engine: TLSEngine
        var name: String?
    }

    /// Whether this program was built with TLS.
    public static var isBuilt: Bool { TLSEngine.isBuilt }

    /// Whether this program made it. Nobody vouches for such a certificate, so browsers warn of it.
    public let isSelfMade: Bool
    private let held: Mutex<State>

    public init(_ files: Files, isSelfMade: Bool) throws(Failure) {
        self.isSelfMade = isSelfMade
        held = Mutex(State(engine: try Self.checked(files)))
    }

    /// Uses these files for connections from now on. If they are unusable, the present certificate stays.
    public func replace(with files: Files) throws(Failure) {
        let engine = try Self.checked(files)
        held.withLock { $0.engine = engine }
    }

    private static func checked(_ files: Files) throws(Failure) -> TLSEngine {
        let engine = try TLSEngine(files)
        let now = Milliseconds.now
        guard now < engine.facts.validUntil else { throw .expired(at: engine.facts.validUntil) }
        guard now >= engine.facts.validFrom else { throw .notYetValid(from: engine.facts.validFrom) }
        return engine
    }

    private var facts: Facts { held.withLock { $0.engine.facts } }

    /// Milliseconds since 1970.
    public var validUntil: UInt64 { facts.validUntil }

    /// The names without a wildcard, in lower case.
    public var names: [String] { facts.names.filter { !$0.hasPrefix("*.") } }

    /// The name at which browsers reach the pages, if there is one; otherwise they use addresses. Set by the owner, who
    /// can look names up.
    public var name: String? {
        get { held.withLock { $0.name } }
        set { held.withLock { $0.name = newValue } }
    }

    /// Whether the certificate is valid for a name or a numeric address.
    public func covers(_ host: String) -> Bool { Self.covers(host, facts) }

    package static func covers(_ host: String, _ facts: Facts) -> Bool {
        if let address = IPAddress(host) { return facts.addresses.contains(address.bytes) }
        let host = host.lowercased()
        // A wildcard stands for one label (RFC 9525 §6.3).
        let parent = host.firstIndex(of: ".").map { "*" + host[$0...] }
        return facts.names.contains { $0 == host || $0 == parent }
    }

    /// Returns a handler for a new connection, between the socket and HTTP.
    func handler() throws -> any ChannelHandler { try held.withLock { $0.engine }.handler() }
}
