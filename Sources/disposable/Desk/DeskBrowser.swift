// SPDX-License-Identifier: Apache-2.0
import DisposableNode
import DisposableSystem
import Foundation
import Glibc

/// The browser of the person at this display.
enum DeskBrowser {
    /// Whether there is a graphical session, a program that opens addresses in it, and a person at a terminal: a script
    /// that reads the output needs the unused address.
    static var isHere: Bool {
        let environment = ProcessInfo.processInfo.environment
        let hasDisplay = ["WAYLAND_DISPLAY", "DISPLAY"].contains { environment[$0]?.isEmpty == false }
        return hasDisplay && isatty(STDOUT_FILENO) == 1 && program("xdg-open") != nil && program("setsid") != nil
    }

    /// Opens the desk's address. Returns false if the browser could not be started.
    ///
    /// Every user of the machine can read the arguments of a program, and the address admits its bearer. So the browser
    /// gets the name of a file in the data folder, which only its owner reads; the file leads to the address.
    static func open(_ url: String, from folder: DataFolder) -> Bool {
        guard let setsid = program("setsid") else { return false }
        let target = url.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
        let page = """
            <!doctype html>
            <meta charset="utf-8">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0; url=\(target)">
            <title>Your desk</title>
            <p><a href="\(target)" rel="noreferrer">Open your desk</a>

            """
        let path = folder.path + "/desk.html"
        try? FileManager.default.removeItem(atPath: path)
        let isWritten = FileManager.default.createFile(
            atPath: path, contents: Data(page.utf8), attributes: [.posixPermissions: 0o600])
        guard isWritten else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: setsid)
        // In a session of its own, so that Ctrl-C ends the node and not the browser.
        process.arguments = ["--fork", "xdg-open", path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        Capabilities.keepFromPrograms()
        do { try process.run() } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private static func program(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
            .map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
