// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableNode
import Foundation
import Glibc
import Logging
import Synchronization

/// What a command could not do, in words for the person at the terminal.
struct Failure: Error {
    let message: String
    var hint: String?
    var exitCode: Int32 = 1

    init(_ message: String, hint: String? = nil, exitCode: Int32 = 1) {
        self.message = message
        self.hint = hint
        self.exitCode = exitCode
    }

    init(_ error: NodeError) { self.init("\(error)", hint: error.hint, exitCode: error.exitCode) }
}

/// Output: results on standard output, everything else for people on standard error. With `--json` one object a line on
/// standard output and nothing for people there.
struct Console: Sendable {
    let isJSON: Bool
    private static let progressShown = Mutex(false)
    static let isTerminal = isatty(STDERR_FILENO) == 1

    /// A line on standard output, at once: another program may wait for it.
    static func line(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

    /// Bytes on standard output, for a picture.
    static func write(_ bytes: [UInt8]) { write(bytes[...], to: STDOUT_FILENO) }

    /// A result line for people.
    func result(_ text: @autoclosure () -> String) { if !isJSON { Self.write(text() + "\n", to: STDOUT_FILENO) } }

    /// A result as JSON, `type` first.
    func json(_ type: String, _ value: some Encodable) {
        guard isJSON else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return }
        let fields = String(decoding: data, as: UTF8.self).dropFirst()
        Self.write("{\"type\":\"\(type)\"\(fields == "}" ? "" : ",")\(fields)\n", to: STDOUT_FILENO)
    }

    /// A line for people that is no result.
    static func say(_ text: String) { write(clearedProgress() + text + "\n", to: STDERR_FILENO) }

    /// A line that the next one replaces; only on a terminal.
    static func progress(_ text: String) {
        guard isTerminal else { return }
        progressShown.withLock { $0 = true }
        write("\r\u{1B}[2K" + text, to: STDERR_FILENO)
    }

    /// Some lines on a terminal that `erase` takes away again.
    static func draw(_ lines: [String]) { write(lines.map { $0 + "\n" }.joined(), to: STDERR_FILENO) }
    static func erase(lines count: Int) { write("\r\u{1B}[\(count)A\u{1B}[0J", to: STDERR_FILENO) }

    static func endProgress() { write(clearedProgress(), to: STDERR_FILENO) }

    private static func clearedProgress() -> String {
        progressShown.withLock { isShown in
            defer { isShown = false }
            return isShown ? "\r\u{1B}[2K" : ""
        }
    }

    static func report(_ failure: Failure) {
        say("disposable: error: \(failure.message)")
        if let hint = failure.hint { say("disposable: hint: \(hint)") }
    }

    /// Lets the person at the terminal write yes. Throws where there is none, and for any other answer.
    /// - Parameter reason: why that is needed.
    static func confirm(_ question: String, since reason: String) throws {
        guard isatty(STDIN_FILENO) == 1 else {
            throw Failure("\(reason), so somebody has to say yes", hint: "add --yes", exitCode: 2)
        }
        say("\(question) Write yes:")
        guard readLine()?.lowercased() == "yes" else { throw Failure("nothing was done", exitCode: 3) }
    }

    /// One call a line, so that lines of several tasks do not mix.
    private static func write(_ text: String, to descriptor: Int32) { write(Array(text.utf8)[...], to: descriptor) }

    private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) {
        if let outlet = outlet.withLock({ $0 }) { return outlet.put(Array(bytes), to: descriptor) }
        Outlet.write(bytes, to: descriptor)
    }

    /// Where lines go while a node runs; a command waits for its reader instead.
    private static let outlet = Mutex<Outlet?>(nil)

    /// What is said while `body` runs stops nobody, whether it is read or not.
    static func withoutWaiting(_ body: () async throws -> Void) async throws {
        let new = Outlet()
        outlet.withLock { $0 = new }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        outlet.withLock { $0 = nil }
        await new.drain()
        try result.get()
    }
}

/// The options that every command has.
struct CommonOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The node's folder (default: $DISPOSABLE_DATA, else ~/.local/share/disposable).", valueName: "dir"))
    var data: String?

    @Flag(help: "Print one JSON object a line; texts for people go to standard error.")
    var json = false

    @Option(help: "How much to log to standard error.")
    var logLevel: LogLevel = .notice

    var folder: DataFolder { data.map(DataFolder.init(path:)) ?? .standard }
    var console: Console { Console(isJSON: json) }

    var logger: Logger { logLevel.logger }
}

/// Log lines go the way of all others: they wait for no reader while a node runs, and stand on no line of progress.
private struct LogStream: TextOutputStream, Sendable {
    func write(_ text: String) { Console.say(text.hasSuffix("\n") ? String(text.dropLast()) : text) }
}

/// Commands about one event.
struct EventOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Which event, where the node is in several.", valueName: "id|name"))
    var event: String?
}

/// How much is logged to standard error.
enum LogLevel: String, ExpressibleByArgument, CaseIterable {
    case trace, debug, info, notice, warning, error

    var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .notice }

    var logger: Logger {
        var logger = Logger(label: "disposable") { StreamLogHandler(label: $0, stream: LogStream()) }
        logger.logLevel = level
        return logger
    }
}

/// Sizes and the like, for people.
enum Show {
    static func bytes(_ count: UInt64) -> String {
        switch count {
        case ..<1_000: "\(count) B"
        case ..<1_000_000: "\(count / 1_000) kB"
        case ..<1_000_000_000: String(format: "%.1f MB", Double(count) / 1e6)
        default: String(format: "%.2f GB", Double(count) / 1e9)
        }
    }

    /// Emoji and how many have put them there, the most first.
    static func reactions(_ counts: [String: Int]) -> String {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }.joined(
            separator: "  ")
    }

    /// A time in this machine's time zone, to the minute.
    static func time(_ milliseconds: UInt64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(date: .abbreviated, time: .shortened)
    }

    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
