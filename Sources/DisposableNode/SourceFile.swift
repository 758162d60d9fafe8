// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// A file that a person adds, or that is in a folder that they named.
struct SourceFile: Sendable {
    let path: String
    /// Whether a refusal is a failure: the file was named, or has the name of a photo.
    let isExpected: Bool
    /// The reason why it cannot be read.
    var problem: String?

    /// Returns the file itself, or the files below a folder in the order of their names, without hidden ones.
    static func expand(_ path: String) -> [SourceFile] {
        let path = URL(fileURLWithPath: path).standardizedFileURL.path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            return [SourceFile(path: path, isExpected: true, problem: "there is no such file")]
        }
        guard isFolder.boolValue else { return [SourceFile(path: path, isExpected: true)] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
                .filter { !$0.hasPrefix(".") }
                .flatMap { name -> [SourceFile] in
                    let inner = path + "/" + name
                    var isFolder: ObjCBool = false
                    _ = FileManager.default.fileExists(atPath: inner, isDirectory: &isFolder)
                    if isFolder.boolValue { return expand(inner) }
                    return [SourceFile(path: inner, isExpected: looksLikeMedia(name))]
                }
        } catch {
            return [SourceFile(path: path, isExpected: true, problem: "the folder cannot be read")]
        }
    }

    private static func looksLikeMedia(_ name: String) -> Bool {
        let known: Set<String> = [
            "jpg", "jpeg", "png", "webp", "heic", "heif", "avif", "gif", "tif", "tiff", "mp4", "m4v", "mov", "webm",
        ]
        return known.contains((name as NSString).pathExtension.lowercased())
    }
}
