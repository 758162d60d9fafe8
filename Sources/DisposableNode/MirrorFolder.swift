// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableValues
internal import Foundation
internal import Glibc

/// The folder of a mirror with its list: the file of each photo. The list is a file in the folder: if
/// the disk is unplugged, the list is missing, and the program does not fill the empty mount point.
struct MirrorFolder {
    static let listName = ".disposable-mirror.json"

    struct File: Codable, Equatable {
        var name: String
        var byteCount: Int64
        /// Nanoseconds since 1970 when the file was written; 0 if it has to be read again.
        var modifiedAt: Int64
    }

    private struct List: Codable, Equatable {
        var format = 1
        var event: String
        /// By the photos' ids.
        var files: [String: File] = [:]
    }

    let path: String
    private var list: List
    private var saved: List?

    var files: [String: File] {
        get { list.files }
        set { list.files = newValue }
    }

    /// Opens a mirror.
    /// - Parameters:
    ///   - creates: makes a folder without a list a mirror, if it is empty or absent.
    ///   - rereads: every file has to be read again.
    init(_ path: String, event: EventID, creates: Bool, rereads: Bool) throws {
        self.path = path
        if let data = FileManager.default.contents(atPath: "\(path)/\(Self.listName)") {
            guard let list = try? JSONDecoder().decode(List.self, from: JSONNesting.checked(data)), list.format == 1 else {
                throw NodeError.noMirror(path, reason: "its list \(Self.listName) cannot be read")
            }
            guard list.event == event.description else {
                throw NodeError.noMirror(path, reason: "it is the mirror of another event")
            }
            // The list may come from anyone who had the disk.
            guard list.files.values.allSatisfy({ Self.isPlain($0.name) }) else {
                throw NodeError.noMirror(path, reason: "its list \(Self.listName) names files outside of it")
            }
            (self.list, saved) = (list, list)
        } else {
            guard creates else { throw NodeError.mirrorAbsent(path) }
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let others = try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") }
            guard others.isEmpty else { throw NodeError.noMirror(path, reason: "it has other files") }
            (list, saved) = (List(event: event.description), nil)
        }
        if rereads { for id in list.files.keys { list.files[id]?.modifiedAt = 0 } }
        try save()
    }

    private static func isPlain(_ name: String) -> Bool { !name.isEmpty && !name.hasPrefix(".") && !name.contains("/") }

    /// Writes the list, if it has changed; it is on the disk when this returns.
    mutating func save() throws {
        guard list != saved else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        let (file, temporary) = ("\(path)/\(Self.listName)", "\(path)/\(Self.listName).part")
        do {
            try encoder.encode(list).write(to: URL(fileURLWithPath: temporary))
            try Self.synchronize(temporary)
        } catch { throw NodeError.storage("\(temporary) cannot be written: \(error.localizedDescription)") }
        guard rename(temporary, file) == 0 else { throw NodeError.system("write \(file)", code: errno) }
        try Self.synchronize(path)
        saved = list
    }

    private static func synchronize(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw NodeError.system("open \(path)", code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw NodeError.system("write \(path)", code: errno) }
    }

    /// Returns whether the file of the photo is as it was written, by its size and time.
    func isIntact(_ id: String) -> Bool {
        guard let file = list.files[id] else { return false }
        return Self.entry(file.name, in: path) == file
    }

    /// Notes the present file of a photo.
    mutating func note(_ name: String, for id: String) { list.files[id] = Self.entry(name, in: path) }

    /// Deletes the file of a photo.
    mutating func remove(_ id: String) throws -> String? {
        guard let file = list.files[id] else { return nil }
        let name = "\(path)/\(file.name)"
        guard unlink(name) == 0 || errno == ENOENT else { throw NodeError.system("delete \(name)", code: errno) }
        list.files[id] = nil
        return name
    }

    private static func entry(_ name: String, in folder: String) -> File? {
        var status = stat()
        guard lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return File(
            name: name, byteCount: Int64(status.st_size),
            modifiedAt: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
    }
}
