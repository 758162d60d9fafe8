// SPDX-License-Identifier: Apache-2.0
internal import CZlib
internal import DisposableSystem
internal import Foundation

/// A folder that becomes one ZIP archive on the same disk, file by file, with one part of one file in memory.
package struct FolderArchive {
    private static let partByteCount = 1 << 20
    /// The number of bytes between two syncs to the disk.
    private static let batchByteCount: UInt64 = 64 << 20

    private let folder: String
    /// Paths relative to the folder, in the order of the archive.
    private let names: [String]
    private let layout: ZIPLayout

    /// - Parameters:
    ///   - folder: its regular files, and those of its subfolders, go into the archive, except for hidden ones.
    ///   - name: of the single folder in the archive.
    package init(_ folder: String, named name: String) throws {
        guard let walk = FileManager.default.enumerator(atPath: folder) else {
            throw FileError.system(operation: "read the folder", path: folder, code: ENOENT)
        }
        var found: [(name: String, entry: ZIPLayout.Entry)] = []
        while let file = walk.nextObject() as? String {
            guard !file.split(separator: "/").contains(where: { $0.hasPrefix(".") }),
                let attributes = walk.fileAttributes, attributes[.type] as? FileAttributeType == .typeRegular,
                let byteCount = (attributes[.size] as? NSNumber)?.uint64Value
            else { continue }
            let changed = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
            found.append(
                (
                    file,
                    .init(
                        name: "\(name)/\(file)", byteCount: byteCount,
                        modified: DOSTime(milliseconds: UInt64(max(0, changed) * 1_000)))
                ))
        }
        found.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        self.folder = folder
        names = found.map(\.name)
        layout = ZIPLayout(found.map(\.entry))
    }

    package var byteCount: UInt64 { layout.byteCount }
    package var fileCount: Int { names.count }

    /// Writes the archive to `path`, which must not exist; durable when this returns. Files are removed once they are
    /// in the archive, so that the disk never has everything twice; an error leaves the archived part and the remaining
    /// files.
    ///
    /// - Parameter progress: called with the bytes of the archive so far; its error ends the work.
    package func move(to path: String, progress: (UInt64) throws -> Void) throws {
        let archive = try DiskFile(path, .creating)
        var offset: UInt64 = 0
        func write(_ bytes: [UInt8]) throws(FileError) {
            try archive.write(bytes, at: offset)
            offset += UInt64(bytes.count)
        }
        var checksums: [UInt32] = []
        var archived: [String] = []
        var synchronized: UInt64 = 0
        // A file is removed only after its copy in the archive is durable, or a loss of power would lose both.
        func removeArchived() throws(FileError) {
            try archive.synchronize()
            for path in archived { try Disk.remove(path) }
            archived = []
            synchronized = offset
        }
        for (index, name) in names.enumerated() {
            let file = try DiskFile("\(folder)/\(name)", .reading)
            let byteCount = layout.entries[index].byteCount
            var checksum: uLong = 0
            try forEachPart(of: file, byteCount) { part in checksum = crc32(checksum, part, uInt(part.count)) }
            checksums.append(UInt32(truncatingIfNeeded: checksum))
            try write(layout.localHeader(of: index, crc32: checksums[index]))
            try forEachPart(of: file, byteCount) { part in
                try write(part)
                try progress(offset)
            }
            archived.append(file.path)
            if offset - synchronized >= Self.batchByteCount { try removeArchived() }
        }
        for (index, checksum) in checksums.enumerated() {
            try write(layout.directoryHeader(of: index, crc32: checksum))
        }
        try write(layout.end)
        try removeArchived()
        try progress(offset)
    }

    private func forEachPart(of file: DiskFile, _ byteCount: UInt64, _ body: ([UInt8]) throws -> Void) throws {
        for start in stride(from: 0, to: byteCount, by: Self.partByteCount) {
            let part = try file.read(Int(min(UInt64(Self.partByteCount), byteCount - start)), at: start)
            guard part.count == Int(min(UInt64(Self.partByteCount), byteCount - start)) else {
                throw FileError.system(operation: "read all of", path: file.path, code: EIO)
            }
            try body(part)
        }
    }
}
