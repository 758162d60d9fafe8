// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import Glibc

extension AsyncParsableCommand {
    /// Runs the command of the arguments and exits the process: 0 for success, 2 for wrong usage, otherwise the exit
    /// code of the `Failure`. Returns only after success.
    package static func runAndExit() async {
        // A peer or a pipe that closes is an error to handle, not a reason to exit.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
        } catch let failure as Failure {
            Console.report(failure)
            Glibc.exit(failure.exitCode)
        } catch let code as ExitCode {
            Glibc.exit(code.rawValue)
        } catch {
            let code = exitCode(for: error)
            let text = fullMessage(for: error)
            if code == .success {
                print(text)
                Glibc.exit(0)
            }
            if code == .validationFailure, let failure = misspelling(in: CommandLine.arguments.dropFirst()) {
                Console.report(failure)
                Glibc.exit(failure.exitCode)
            }
            // Wrong usage in ArgumentParser's words; any other error describes itself.
            Console.say(code == .validationFailure ? text : "\(Console.program): error: \(error)")
            Glibc.exit(code == .validationFailure ? 2 : 1)
        }
    }
}
