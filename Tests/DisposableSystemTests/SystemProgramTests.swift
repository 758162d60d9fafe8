// SPDX-License-Identifier: Apache-2.0
import CLinux
import DisposableSystem
import Foundation
import Testing

@Suite struct SystemProgramTests {
    @Test("a program gets no descriptors of this process, and an environment of its own")
    func environment() async throws {
        setenv("DISPOSABLE_TEST_SECRET", "1", 1)
        defer { unsetenv("DISPOSABLE_TEST_SECRET") }
        // Without the flag that closes it when a program is run.
        let opened = open("/dev/null", O_RDONLY)
        let descriptor = fcntl(opened, F_DUPFD, 700)
        #expect(descriptor >= 700)
        defer {
            close(opened)
            close(descriptor)
        }
        let listing = try #require(await SystemProgram.output(of: ["ls", "/proc/self/fd"])).split(separator: "\n")
        #expect(listing.contains("1") && !listing.contains("\(descriptor)"))
        let variables = try #require(await SystemProgram.output(of: ["env"]))
        #expect(variables.contains("PATH=") && !variables.contains("DISPOSABLE_TEST_SECRET"))
    }

    @Test(
        "a program gets no capability that this process has to pass on",
        .enabled(if: geteuid() == 0, "a process of another user has none"))
    func capabilities() async throws {
        // That of changing owners, of the thread that starts the program.
        try #require(clinux_pass_on_capability(0) == 0)
        let status = try #require(await SystemProgram.output(of: ["grep", "CapAmb", "/proc/self/status"]))
        #expect(status.split(whereSeparator: \.isWhitespace).last == "0000000000000000")
    }

    @Test("a program has limits")
    func limits() async throws {
        let limits = try #require(await SystemProgram.output(of: ["cat", "/proc/self/limits"]))
        #expect(limits.contains("Max cpu time              60"))
        #expect(limits.contains("Max core file size        0"))
    }

    @Test("a program that fails, is not there, takes too long or never stops printing gives nothing")
    func nothing() async {
        #expect(await SystemProgram.output(of: ["false"]) == nil)
        #expect(await SystemProgram.output(of: ["no-program-of-this-name"]) == nil)
        #expect(await SystemProgram.output(of: ["sleep", "600"], timeout: .seconds(1)) == nil)
        #expect(await SystemProgram.output(of: ["yes"]) == nil)
        #expect(await SystemProgram.output(of: ["echo", "yes"]) == "yes\n")
    }
}
