// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableNode
import DisposablePortal
import DisposableSystem
import DisposableValues
import DisposableWeb
import Foundation
import Synchronization

/// The certificate of the pages, and its renewal: the files of a supplied one are read again when they change, and one
/// that the node has made is replaced when this machine has other addresses or the end is near.
final class CertificateKeeper: Sendable {
    private enum Source: Sendable {
        case files(certificate: String, key: String)
        case selfMade(SelfMadeCertificate)
    }

    private struct State {
        /// The files of the present certificate.
        var files: PageCertificate.Files
        /// The latest problem that was told.
        var problem: String?
    }

    let certificate: PageCertificate
    private let source: Source
    private let state: Mutex<State>

    /// Seven days in milliseconds.
    private static let warning: UInt64 = 7 * 86_400_000

    /// Throws `Failure` for files that cannot be used.
    init(certificate path: String, key: String) async throws {
        source = .files(certificate: path, key: key)
        let files: PageCertificate.Files
        (certificate, files) = try Self.load(certificate: path, key: key)
        state = Mutex(State(files: files))
        tell(await findName() ?? endProblem)
    }

    static func load(certificate path: String, key: String) throws -> (PageCertificate, PageCertificate.Files) {
        let files = try read(certificate: path, key: key)
        do { return (try PageCertificate(files, isSelfMade: false), files) } catch {
            throw failure(error, certificate: path, key: key)
        }
    }

    init(selfMadeIn folder: DataFolder) async throws {
        let maker = SelfMadeCertificate(path: folder.pageCertificatePath)
        source = .selfMade(maker)
        let names = SelfMadeCertificate.Names.ofThisMachine
        if let files = maker.stored(), let stored = try? PageCertificate(files, isSelfMade: true),
            Self.isGood(stored, for: names)
        {
            certificate = stored
            state = Mutex(State(files: files))
        } else {
            let files = try await maker.make(for: names ?? .init(names: ["localhost"], addresses: ["127.0.0.1"]))
            do { certificate = try PageCertificate(files, isSelfMade: true) } catch {
                throw Self.failure(error, certificate: maker.path, key: maker.path)
            }
            state = Mutex(State(files: files))
        }
    }

    /// Follows the files and the addresses, every minute.
    /// - Parameter whenNamed: called if the name at which guests find the pages has changed.
    func run(whenNamed: () async -> Void) async {
        while (try? await Task.sleep(for: .seconds(60))) != nil {
            let name = certificate.name
            do {
                try await renew()
                tell(await findName() ?? endProblem)
            } catch {
                tell((error as? Failure).map { "\($0.message); the present certificate stays" } ?? "\(error)")
            }
            if certificate.name != name { await whenNamed() }
        }
    }

    private func renew() async throws {
        switch source {
        case .files(let path, let key):
            let files = try Self.read(certificate: path, key: key)
            guard state.withLock({ $0.files != files }) else { return }
            // A renewal may replace one file before the other: what does not fit is tried again.
            do { try certificate.replace(with: files) } catch {
                throw Self.failure(error, certificate: path, key: key)
            }
            state.withLock { $0.files = files }
            Console.say("disposable: the pages use the new certificate of \(path)")
        case .selfMade(let maker):
            guard let names = SelfMadeCertificate.Names.ofThisMachine, !Self.isGood(certificate, for: names) else {
                return
            }
            try certificate.replace(with: try await maker.make(for: names))
        }
    }

    private static func isGood(_ certificate: PageCertificate, for names: SelfMadeCertificate.Names?) -> Bool {
        let now = Milliseconds.now
        guard certificate.validUntil > now + SelfMadeCertificate.renewal else { return false }
        return names.map { ($0.names + $0.addresses).allSatisfy(certificate.covers) } ?? true
    }

    private static func read(certificate: String, key: String) throws -> PageCertificate.Files {
        func bytes(_ path: String, _ option: String) throws -> [UInt8] {
            do { return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) } catch {
                throw Failure(
                    "cannot read \(path): \(error.localizedDescription)",
                    hint: "\(option) is a file in PEM that this user can read", exitCode: 2)
            }
        }
        return PageCertificate.Files(
            certificate: try bytes(certificate, "--certificate"), key: try bytes(key, "--key"))
    }

    private static func failure(_ error: PageCertificate.Failure, certificate: String, key: String) -> Failure {
        func day(_ milliseconds: UInt64) -> String {
            Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(.iso8601)
        }
        return switch error {
        case .notBuilt: Failure("this program was built without TLS", exitCode: 2)
        case .noCertificate:
            Failure(
                "\(certificate) has no certificate in PEM",
                hint: "such a file has a line -----BEGIN CERTIFICATE-----, as fullchain.pem of Let's Encrypt", exitCode: 2)
        case .noKey:
            Failure(
                "\(key) has no private key in PEM, or an encrypted one",
                hint: "openssl pkey -in \(key) -out plain.pem writes one without a passphrase", exitCode: 2)
        case .otherKey:
            Failure(
                "the key of \(key) does not belong to the certificate of \(certificate)",
                hint: "both come from one request: with Let's Encrypt fullchain.pem and privkey.pem", exitCode: 2)
        case .expired(let end):
            Failure(
                "the certificate of \(certificate) has expired on \(day(end))",
                hint: "renew it; or leave out --certificate and --key: then the node makes one", exitCode: 2)
        case .notYetValid(let start):
            Failure(
                "the certificate of \(certificate) is valid from \(day(start)) on",
                hint: "is this machine's clock right? It says \(Date.now.formatted(.iso8601))", exitCode: 2)
        }
    }

    // Problems, for people

    /// Finds the name at which guests reach the pages. Returns a problem for people, if there is none.
    private func findName() async -> String? {
        guard !certificate.isSelfMade else { return nil }
        guard let own = InterfaceAddress.all() else { return nil }
        let addresses = Set(own.filter { !$0.isLoopback }.map(\.host))
        for name in certificate.names {
            if await HostLookup.addresses(of: name).contains(where: addresses.contains) {
                certificate.name = name
                return nil
            }
        }
        certificate.name = nil
        let names = certificate.names.isEmpty ? "none" : certificate.names.joined(separator: ", ")
        return "no name of the certificate (\(names)) leads to an address of this machine, so posters and links show plain "
            + "HTTP. A DNS entry for the name with the address \(addresses.min() ?? "of this machine") changes that"
    }

    private var endProblem: String? {
        let now = Milliseconds.now
        guard !certificate.isSelfMade, certificate.validUntil < now + Self.warning else { return nil }
        let end = Date(timeIntervalSince1970: Double(certificate.validUntil) / 1_000).formatted(.iso8601)
        return "the certificate of the pages ends on \(end): renew it, and the node reads its files again"
    }

    /// Tells each problem once, until another one comes.
    private func tell(_ problem: String?) {
        let isNew = state.withLock { state in
            defer { state.problem = problem }
            return state.problem != problem
        }
        if isNew, let problem { Console.say("disposable: warning: \(problem)") }
    }
}

/// Names that the system's resolver knows.
enum HostLookup {
    /// Returns numeric addresses; none if the name is unknown or the answer takes more than five seconds.
    static func addresses(of name: String) async -> [String] {
        // `getent` is a program of the C library: it can be ended, unlike a thread that waits for a name server.
        let lines = await SystemProgram.output(of: ["getent", "ahosts", name], timeout: .seconds(5)) ?? ""
        return lines.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
            .filter(IPAddress.isNumeric)
    }
}
