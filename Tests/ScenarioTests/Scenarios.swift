// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

/// The product as people run it: real processes, real sockets, each node in a network namespace of its own.
///
/// One after the other, because every scenario starts several nodes and this is about what comes out, not how fast.
/// The time limit is a watchdog for the scenario as a whole, on a machine that is slow and busy; every wait in it has a
/// shorter one of its own.
@Suite(
    .serialized, .timeLimit(.minutes(Requirements.isLong ? 30 : 12)),
    .enabled(if: Requirements.areMetOrMandatory, "needs root, iproute2 and network namespaces (examples/lan/lan)"))
struct Scenarios {}

/// What the scenarios need of the machine.
enum Requirements {
    /// Where they are mandatory, a scenario that cannot run fails instead of being skipped.
    static let areMetOrMandatory = isContinuousIntegration || hasNamespaces

    /// `make test-long`: longer pauses, and more of what is drawn at random.
    static let isLong = ProcessInfo.processInfo.environment["DISPOSABLE_LONG"] != nil

    private static let isContinuousIntegration = ProcessInfo.processInfo.environment["CI"] == "true"

    private static let hasNamespaces: Bool = {
        guard geteuid() == 0 else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "command -v ip && unshare --net true"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()
}
