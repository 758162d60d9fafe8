// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import DisposablePortal
import DisposableSystem
import DisposableWeb
import Foundation

/// The options for HTTPS, for `host`, `join` and `run`.
struct TLSOptions: ParsableArguments {
    @Flag(help: "Serve the pages over HTTPS as well, on another port: then guests' browsers let them use the camera.")
    var tls = false

    @Option(
        help: ArgumentHelp(
            "The certificate for --tls in PEM, with those of its issuers behind it (default: the node makes one, of which "
                + "browsers warn).", valueName: "file"))
    var certificate: String?

    @Option(help: ArgumentHelp("The private key of the certificate, in PEM.", valueName: "file"))
    var key: String?

    @Option(help: ArgumentHelp("The port for --tls (default: 8443 or the next free one).", valueName: "port"))
    var tlsPort: UInt16?

    func validate() throws {
        guard tls || certificate == nil && key == nil && tlsPort == nil else {
            throw ValidationError("--certificate, --key and --tls-port need --tls")
        }
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("--certificate and --key belong together: give both, or none")
        }
    }

    /// Throws what stands in the way of HTTPS, before an event is made.
    func check() throws {
        guard tls else { return }
        guard PageCertificate.isBuilt else {
            throw Failure(
                "this program was built without TLS, so --tls does not work",
                hint: "build it with `swift build -c release --traits TLS --product disposable`", exitCode: 2)
        }
        if let certificate, let key {
            _ = try CertificateKeeper.load(certificate: certificate, key: key)
        } else if !SystemProgram.exists("openssl") {
            throw SelfMadeCertificate.noProgram
        }
    }

    /// Returns what the pages need for HTTPS; `nil` without `--tls`.
    func keeper(_ folder: DataFolder) async throws -> CertificateKeeper? {
        guard tls else { return nil }
        guard let certificate, let key else { return try await CertificateKeeper(selfMadeIn: folder) }
        return try await CertificateKeeper(certificate: certificate, key: key)
    }

    func port(_ folder: DataFolder) -> Portal.Port {
        tlsPort.map { .exactly($0) } ?? .standard(remembered: folder.rememberedSecurePagePort)
    }
}
