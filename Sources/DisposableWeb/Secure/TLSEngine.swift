// SPDX-License-Identifier: Apache-2.0
internal import NIOCore

// The only file that depends on the package trait `TLS`.
#if TLS
    internal import NIOSSL

    /// One certificate, ready for connections.
    struct TLSEngine: Sendable {
        static let isBuilt = true

        let facts: PageCertificate.Facts
        private let context: NIOSSLContext

        init(_ files: PageCertificate.Files) throws(PageCertificate.Failure) {
            guard let chain = try? NIOSSLCertificate.fromPEMBytes(files.certificate), let own = chain.first else {
                throw .noCertificate
            }
            guard let key = try? NIOSSLPrivateKey(bytes: files.key, format: .pem) else { throw .noKey }
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            // A client that has gone does not say goodbye.
            configuration.shutdownTimeout = .seconds(1)
            do { context = try NIOSSLContext(configuration: configuration) } catch { throw .otherKey }
            facts = Self.facts(of: own)
        }

        func handler() throws -> any ChannelHandler { NIOSSLServerHandler(context: context) }

        private static func facts(of certificate: NIOSSLCertificate) -> PageCertificate.Facts {
            var facts = PageCertificate.Facts()
            for name in certificate._subjectAlternativeNames() {
                switch name.nameType {
                case .dnsName: facts.names.append(String(decoding: name.contents, as: UTF8.self).lowercased())
                case .ipAddress: facts.addresses.append(Array(name.contents))
                default: break
                }
            }
            facts.validFrom = UInt64(max(0, certificate.notValidBefore)) * 1_000
            facts.validUntil = UInt64(max(0, certificate.notValidAfter)) * 1_000
            return facts
        }
    }
#else
    /// A program without TLS has no certificate.
    struct TLSEngine: Sendable {
        static let isBuilt = false

        let facts = PageCertificate.Facts()

        init(_ files: PageCertificate.Files) throws(PageCertificate.Failure) { throw .notBuilt }

        func handler() throws -> any ChannelHandler { throw PageCertificate.Failure.notBuilt }
    }
#endif
