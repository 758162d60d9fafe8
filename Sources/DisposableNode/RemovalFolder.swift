// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSystem
internal import Foundation
internal import Logging

/// The pending removals of an event on disk, so that they are signed after a crash, too: a file for each, named by the
/// photo, in `<event's folder>/portal/removals/`. All calls block on the disk.
struct RemovalFolder: Sendable {
    struct Found {
        let removal: PendingRemoval
        let guest: AuthorID
    }

    private struct Record: Codable {
        let guest: String
        /// Milliseconds since 1970 UTC.
        let dueAt: UInt64
    }

    private let event: String
    private var parent: String { event + "/portal" }
    private var path: String { parent + "/removals" }

    /// - Parameter event: the path of the event's folder.
    init(in event: String) { self.event = event }

    /// Returns the removals that an earlier process has left, and removes files that are none.
    func all(_ logger: Logger) throws -> [Found] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try Disk.files(in: path).compactMap { file in
            let bytes: [UInt8]
            do { bytes = try DurableFile.read(file.name, in: path, byteCountMax: 4_096) } catch {
                // On a failing disk one photo stays, which is better than an event that fails to open.
                logger.error("pending removal not read", metadata: ["reason": "\(error)"])
                return nil
            }
            guard let photo = PhotoID(hex: file.name),
                let record = try? JSONDecoder().decode(Record.self, from: Data(bytes)),
                let guest = AuthorID(hex: record.guest)
            else {
                try DurableFile.remove(file.name, in: path)
                return nil
            }
            return Found(removal: PendingRemoval(photo: photo, dueAtMilliseconds: record.dueAt), guest: guest)
        }
    }

    /// Durable when this returns.
    func write(_ removal: PendingRemoval, by guest: AuthorID) throws {
        try Disk.makeFolder(parent, in: event)
        try Disk.makeFolder(path, in: parent)
        let record = Record(guest: guest.description, dueAt: removal.dueAtMilliseconds)
        try DurableFile.write([UInt8](JSONEncoder().encode(record)), to: removal.photo.description, in: path)
    }

    /// Durable when this returns.
    func remove(_ photo: PhotoID) throws { try DurableFile.remove(photo.description, in: path) }
}
