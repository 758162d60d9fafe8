// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposablePortal
import DisposableSystem
import DisposableWeb
import Foundation
import Glibc

/// A certificate that this machine signs for itself, in one file with its key.
///
/// The program `openssl` makes it. A library for X.509 would bring a second copy of BoringSSL along, which takes minutes
/// to build and megabytes in the program, for one certificate a year.
struct SelfMadeCertificate: Sendable {
    let path: String

    /// Thirteen months; some systems accept no longer ones.
    static let days = 396
    /// A certificate is replaced this long before its end: 30 days in milliseconds.
    static let renewal: UInt64 = 30 * 86_400_000

    static let noProgram = Failure(
        "the program openssl is missing or did not make a certificate",
        hint: "sudo apt install openssl; or give a certificate with --certificate and --key")

    /// The names and addresses that the certificate covers.
    struct Names: Equatable, Sendable {
        var names: [String]
        var addresses: [String]

        /// This machine's: its name, its name in mDNS, and its addresses. IPv6 addresses change every day, so they are
        /// left out while there are others.
        static var ofThisMachine: Names? {
            guard let all = InterfaceAddress.all() else { return nil }
            let addresses = all.filter { !$0.isLinkLocal && !$0.isLoopback }
            let preferred = addresses.filter { !$0.isIPv6 }
            let hosts = (preferred.isEmpty ? addresses : preferred).map(\.host).sorted()
            var name = [CChar](repeating: 0, count: 256)
            gethostname(&name, name.count - 1)
            let full = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            let host = full.lowercased().split(separator: ".").first.map(String.init) ?? ""
            let isName = !host.isEmpty && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
            return Names(
                names: ["localhost"] + (isName && host != "localhost" ? [host, "\(host).local"] : []),
                addresses: hosts + ["127.0.0.1", "::1"])
        }

        var text: String { (names.map { "DNS:\($0)" } + addresses.map { "IP:\($0)" }).joined(separator: ",") }
    }

    /// Returns the stored certificate; `nil` if there is none that can be read.
    func stored() -> PageCertificate.Files? {
        FileManager.default.contents(atPath: path).map { PageCertificate.Files(certificate: [UInt8]($0), key: [UInt8]($0)) }
    }

    /// Makes another one and stores it.
    func make(for names: Names) async throws -> PageCertificate.Files {
        let form = FileManager.default.temporaryDirectory.appending(path: "disposable-certificate-\(UUID().uuidString)").path
        try Self.write(Self.form(for: names), to: form)
        defer { unlink(form) }
        let made = await SystemProgram.output(
            of: [
                "openssl", "req", "-x509", "-config", form, "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                "-noenc", "-sha256", "-days", "\(Self.days)", "-keyout", "-",
            ], timeout: .seconds(60))
        guard let made, !made.isEmpty else {
            throw Self.noProgram
        }
        let bytes = Array(made.utf8)
        try Self.write(made, to: "\(path).part")
        guard rename("\(path).part", path) == 0 else { throw Self.unwritable(path) }
        return PageCertificate.Files(certificate: bytes, key: bytes)
    }

    private static func form(for names: Names) -> String {
        """
        [req]
        prompt = no
        distinguished_name = subject
        x509_extensions = extensions
        [subject]
        CN = Disposable
        [extensions]
        basicConstraints = critical, CA:FALSE
        keyUsage = critical, digitalSignature
        extendedKeyUsage = serverAuth
        subjectKeyIdentifier = hash
        subjectAltName = \(names.text)

        """
    }

    /// Writes a file that only this user may read.
    private static func write(_ text: String, to path: String) throws {
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unwritable(path) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(text.utf8))
            try file.synchronize()
            try file.close()
        } catch { throw unwritable(path) }
    }

    private static func unwritable(_ path: String) -> Failure {
        Failure("cannot write \(path): \(String(cString: strerror(errno)))")
    }
}
