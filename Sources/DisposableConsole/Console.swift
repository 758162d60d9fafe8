// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import Synchronization

/// A command's failure, in words for the person at the terminal.
package struct Failure: Error {
    package let message: String
    package var hint: String?
    package var exitCode: Int32 = 1
    /// The key of the sentence with which the desk's page words it, and the values of that sentence.
    package var reason: String?
    package var about: [String]

    package init(
        _ message: String, hint: String? = nil, exitCode: Int32 = 1, reason: String? = nil, about: [String] = []
    ) {
        self.message = message
        self.hint = hint
        self.exitCode = exitCode
        self.reason = reason
        self.about = about
    }
}

/// Output: results on standard output, everything else for people on standard error. With `--json` one object a line on
/// standard output, and no text for people there.
package struct Console: Sendable {
    package let isJSON: Bool
    package init(isJSON: Bool) { self.isJSON = isJSON }

    /// The program's name, for error messages.
    package static let program = String(CommandLine.arguments[0].split(separator: "/").last ?? "disposable")

    private static let progressShown = Mutex(false)
    package static let isTerminal = isatty(STDERR_FILENO) == 1

    /// Writes a line on standard output, at once: another program may wait for it.
    package static func line(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

    /// Writes bytes on standard output, for a picture.
    package static func write(_ bytes: [UInt8]) { write(bytes[...], to: STDOUT_FILENO) }

    /// Writes a result line for people.
    package func result(_ text: @autoclosure () -> String) {
        if !isJSON { Self.write(text() + "\n", to: STDOUT_FILENO) }
    }

    /// Writes a result as JSON, `type` first.
    package func json(_ type: String, _ value: some Encodable) {
        guard isJSON else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return }
        let fields = String(decoding: data, as: UTF8.self).dropFirst()
        Self.write("{\"type\":\"\(type)\"\(fields == "}" ? "" : ",")\(fields)\n", to: STDOUT_FILENO)
    }

    /// Writes a line for people that is no result.
    package static func say(_ text: String) { write(clearedProgress() + text + "\n", to: STDERR_FILENO) }

    /// Writes a line that the next one replaces; only on a terminal.
    package static func progress(_ text: String) {
        guard isTerminal else { return }
        progressShown.withLock { $0 = true }
        write("\r\u{1B}[2K" + text, to: STDERR_FILENO)
    }

    /// Writes lines on a terminal, which `erase` removes.
    package static func draw(_ lines: [String]) { write(lines.map { $0 + "\n" }.joined(), to: STDERR_FILENO) }
    package static func erase(lines count: Int) { write("\r\u{1B}[\(count)A\u{1B}[0J", to: STDERR_FILENO) }

    package static func endProgress() { write(clearedProgress(), to: STDERR_FILENO) }

    private static func clearedProgress() -> String {
        progressShown.withLock { isShown in
            defer { isShown = false }
            return isShown ? "\r\u{1B}[2K" : ""
        }
    }

    package static func report(_ failure: Failure) {
        say("\(program): error: \(failure.message)")
        if let hint = failure.hint { say("\(program): hint: \(hint)") }
    }

    /// Whether a person sits at a terminal and can answer a question.
    public static var hasPerson: Bool { isatty(STDIN_FILENO) == 1 }

    /// Asks the person at the terminal to type yes. Throws if there is no terminal, and for any other answer.
    /// - Parameter reason: why the confirmation is needed.
    package static func confirm(_ question: String, since reason: String) throws {
        guard hasPerson else {
            throw Failure("\(reason), so somebody has to say yes", hint: "add --yes", exitCode: 2)
        }
        say("\(question) Write yes:")
        guard readLine()?.lowercased() == "yes" else { throw Failure("nothing was done", exitCode: 3) }
    }

    /// Writes with one call for each line, so that lines of several tasks do not mix.
    private static func write(_ text: String, to descriptor: Int32) { write(Array(text.utf8)[...], to: descriptor) }

    private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) {
        if let outlet = outlet.withLock({ $0 }) { return outlet.put(Array(bytes), to: descriptor) }
        Outlet.write(bytes, to: descriptor)
    }

    /// The queue for lines while a node runs; `nil` for a command, which waits for its reader.
    private static let outlet = Mutex<Outlet?>(nil)

    /// Runs `body` with output that never blocks the caller, even if no process reads it.
    package static func withoutWaiting(_ body: () async throws -> Void) async throws {
        let new = Outlet()
        outlet.withLock { $0 = new }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        outlet.withLock { $0 = nil }
        await new.drain()
        try result.get()
    }
}
