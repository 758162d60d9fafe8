// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableWeb
internal import Foundation

/// The files of the pages, read once, and the libraries that other packages bring.
struct PageFiles {
    let files: StaticFiles
    /// Missing files, and hints for people.
    let problems: [String]

    /// The folder of the files: beside the program, as built.
    static let folder = Bundle.module.bundleURL.appendingPathComponent("Public").path

    /// The pages' encoder of QR codes: Debian's package node-qrcode-generator.
    private static let encoderPaths = [
        "/usr/share/javascript/qrcode-generator/qrcode.js", "/usr/share/nodejs/qrcode-generator/qrcode.js",
    ]

    init(scriptPaths: [String]) throws {
        let folder = Self.folder
        var contents: [String: [UInt8]] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            contents[name] = Self.bytes("\(folder)/\(name)")
        }
        // Without it links are shown as text only.
        if let encoder = Self.encoderPaths.lazy.compactMap(Self.bytes).first { contents["qrcode.js"] = encoder }
        if let script = scriptPaths.lazy.compactMap(Self.bytes).first {
            contents["nacl.js"] = script
            problems = []
        } else {
            problems = [
                """
                the signing library of the guests' page is not installed, so no browser can enter the event: \
                install the package node-tweetnacl (looked for \(scriptPaths.joined(separator: ", ")))
                """
            ]
        }
        files = StaticFiles(contents) { String(BLAKE2b.hash($0.span).description.prefix(32)) }
    }

    private static func bytes(_ path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map(Array.init) }
}
