// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableStore
internal import Foundation
internal import Glibc

/// The records of forgotten events, one file each.
extension DataFolder {
    private var tombstonesPath: String { path + "/forgotten" }
    private func tombstonePath(of event: EventID) -> String { "\(tombstonesPath)/\(event).json" }

    public func tombstone(of event: EventID) -> Tombstone? {
        guard let data = FileManager.default.contents(atPath: tombstonePath(of: event)) else { return nil }
        return try? JSONDecoder().decode(Tombstone.self, from: data)
    }

    /// The events that this folder's nodes have forgotten, the latest last.
    public var tombstones: [Tombstone] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: tombstonesPath)) ?? []
        return names.compactMap { name in EventID(hex: String(name.dropLast(5))).flatMap(tombstone) }
            .sorted { ($0.forgottenAt, $0.event) < ($1.forgottenAt, $1.event) }
    }

    /// Records that the event must be destroyed: durable when this returns.
    func bury(_ event: EventID, _ tombstone: Tombstone) throws {
        try FileManager.default.createDirectory(
            atPath: tombstonesPath, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try JSONEncoder().encode(tombstone).write(
            to: URL(fileURLWithPath: tombstonePath(of: event)), options: .atomic)
        try Self.synchronize(tombstonePath(of: event))
        for folder in [tombstonesPath, path] { try Self.synchronize(folder) }
    }

    /// Allows joining the event again.
    func raise(_ event: EventID) throws {
        guard FileManager.default.fileExists(atPath: tombstonePath(of: event)) else { return }
        try FileManager.default.removeItem(atPath: tombstonePath(of: event))
        try Self.synchronize(tombstonesPath)
    }

    /// Destroys the remains of forgotten events after an interruption.
    func finishForgetting() throws {
        for tombstone in tombstones {
            guard let event = EventID(hex: tombstone.event) else { continue }
            try EventFolder(data: path, event: event).destroy()
        }
    }

    private static func synchronize(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw NodeError.system("open \(path)", code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw NodeError.system("synchronize \(path)", code: errno) }
    }
}
