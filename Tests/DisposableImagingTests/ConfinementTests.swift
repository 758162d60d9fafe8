// SPDX-License-Identifier: Apache-2.0
import DisposableImaging
import Foundation
import Testing

/// The remaining abilities of a process that confined itself like the image worker. `confinement-probe` tries them.
@Suite struct ConfinementTests {
    private struct Outcome: Equatable {
        var layers: Set<String>
        var result: String
    }

    /// Runs the probe. Its result is "done", "refused ERRNO", or "signal NUMBER" where the kernel ended it.
    private func attempt(_ name: String, _ layers: [ConfinementLayer] = []) throws -> Outcome {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: ImageWorkerPool.installedExecutable)
            .deletingLastPathComponent().appending(path: "confinement-probe")
        process.arguments = [name] + layers.map(\.name)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let lines = text.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
        let active = lines.first { $0[0] == "layers:" }?.dropFirst().joined() ?? ""
        let result =
            process.terminationReason == .uncaughtSignal
            ? "signal \(process.terminationStatus)" : lines.first { $0[0] == "result:" }?[1] ?? "nothing printed"
        return Outcome(layers: Set(active.split(separator: " ").map(String.init)), result: result)
    }

    private static let all = ConfinementLayer.allCases

    /// The kernel of the test machine has them all, or says which it lacks.
    private func available() throws -> Set<String> { try attempt("nothing").layers }

    @Test("this machine has every layer, and a confined process still computes and starts threads")
    func computing() throws {
        #expect(try attempt("nothing") == Outcome(layers: Set(Self.all.map(\.name)), result: "done"))
        #expect(try attempt("newThread").result == "done")
    }

    @Test(
        "files, network, processes and memory for code are refused",
        arguments: [
            "open", "openOwnLibrary", "create", "stat", "list", "unlink", "rename", "truncate", "chmod", "socket",
            "unixSocket", "connect", "killParent", "fork", "namespaces", "codeMemory", "moreMemory", "otherThread",
        ])
    func refused(name: String) throws { #expect(try attempt(name).result == "refused \(EPERM)") }

    @Test("running a program, and tracing the node, end the process", arguments: ["execute", "ptrace"])
    func killed(name: String) throws { #expect(try attempt(name).result == "signal \(SIGSYS)") }

    @Test(
        "each layer refuses without the others what it is there for",
        arguments: [
            (ConfinementLayer.fileRules, ["open", "openOwnLibrary", "create", "list"]),
            (.systemCallFilter, ["open", "create", "unlink", "socket", "killParent", "otherThread"]),
        ])
    func alone(layer: ConfinementLayer, names: [String]) throws {
        for name in names {
            let outcome = try attempt(name, [layer])
            #expect(outcome.layers == [layer.name])
            #expect(outcome.result.hasPrefix("refused"), "\(name)")
        }
    }

    @Test("without the layers the same attempts succeed, so that the tests above show something")
    func unconfined() throws {
        let victim = "/tmp/confinement-probe-victim"
        for name in ["open", "openOwnLibrary", "stat", "list", "socket", "fork", "otherThread"] {
            #expect(try attempt(name, [.namespaces]).result == "done", "\(name)")
        }
        #expect(!FileManager.default.fileExists(atPath: victim))
    }

    @Test("the image worker says which layers it has")
    func worker() async throws {
        let pool = ImageWorkerPool(count: 1, timeout: .patience)
        let layers = try await pool.confinement()
        #expect(Set(layers.map(\.name)) == (try available()))
        let id = try #require(pool.isBusyByWorker.keys.first)
        let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        for line in ["Seccomp:\t2", "CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1"] {
            #expect(status.contains(line), "\(line)")
        }
        await pool.stop()
    }
}
