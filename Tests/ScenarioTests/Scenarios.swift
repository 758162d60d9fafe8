// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

/// Tests of the product as people run it: processes and sockets, each node in its own network namespace.
///
/// They run one after the other, because every scenario starts several nodes and tests results, not speed. The time
/// limit is a watchdog for a whole scenario on a slow and busy machine; every wait has a shorter one.
@Suite(
    .serialized, .timeLimit(.minutes(Requirements.isLong ? 30 : 12)),
    .enabled(if: Requirements.areMetOrMandatory, "needs root, iproute2 and network namespaces (examples/lan/lan)"))
struct Scenarios {}

/// The requirements of the scenarios on the machine.
enum Requirements {
    /// If they are mandatory, a scenario that cannot run fails instead of being skipped.
    static let areMetOrMandatory = isContinuousIntegration || hasNamespaces

    /// `make test-long`: longer pauses, and more random samples.
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
