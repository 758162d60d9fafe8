// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DisposableConsole
import DisposableNode
import DisposablePortal
import Foundation
import Logging

extension Failure {
    init(_ error: NodeError) {
        let (reason, about) = error.deskReason
        self.init("\(error)", hint: error.hint, exitCode: error.exitCode, reason: reason, about: about)
    }
}

/// The language of a print or an album; the command line itself is in English.
extension Language: ExpressibleByArgument {
    static var ofTerminal: Self { Self(environment: ProcessInfo.processInfo.environment) }
}

/// The options of every command.
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

/// The options of commands about one event.
struct EventOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The event, if the node is in several.", valueName: "id|name"))
    var event: String?
}

/// The amount of logging to standard error.
enum LogLevel: String, ExpressibleByArgument, CaseIterable {
    case trace, debug, info, notice, warning, error

    var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .notice }

    var logger: Logger {
        var logger = Logger(label: "disposable") { StreamLogHandler(label: $0, stream: LogStream()) }
        logger.logLevel = level
        return logger
    }
}

/// Log lines use the same queue as other output: a running node does not wait for a reader, and they clear the progress
/// line.
private struct LogStream: TextOutputStream, Sendable {
    func write(_ text: String) { Console.say(text.hasSuffix("\n") ? String(text.dropLast()) : text) }
}
