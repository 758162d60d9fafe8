// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite struct PublicFilesTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources/DisposablePortal/Public")

    @Test("no file of the page names another origin, since the event has no Internet")
    func noForeignOrigin() throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path)
        #expect(names.contains("guest/index.html"))
        for name in names where ![".png", ".mp4", ".webm"].contains(where: name.hasSuffix) {
            var isFolder: ObjCBool = false
            let path = Self.folder.appendingPathComponent(name).path
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
                continue
            }
            // XML namespaces are names that no browser loads.
            let text = try String(contentsOfFile: path, encoding: .utf8).replacing(
                "http://www.w3.org/2000/svg", with: "")
            #expect(!text.contains("http://") && !text.contains("https://") && !text.contains("src=\"//"), "\(name)")
        }
    }
}
