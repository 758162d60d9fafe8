// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Small files that are there, whole, or not there at all: after a loss of power as well.
enum DurableFile {
    /// Replaces the file; returns when that is on disk. Two writers of one name do not mix.
    static func write(_ bytes: [UInt8], to name: String, in folder: String) throws(DiskError) {
        let temporary = "\(folder)/\(name).\(UInt32.random(in: .min ... .max)).part"
        do {
            let file = try DiskFile(temporary, .creating)
            try file.write(bytes, at: 0)
            try file.synchronize()
            try Disk.rename(temporary, to: "\(folder)/\(name)")
        } catch {
            try Disk.remove(temporary)
            throw error
        }
        try Disk.synchronizeFolder(folder)
    }

    /// Removes the file if it is there; returns when that is on disk.
    static func remove(_ name: String, in folder: String) throws(DiskError) {
        try Disk.remove("\(folder)/\(name)")
        try Disk.synchronizeFolder(folder)
    }

    /// At most `byteCountMax` bytes; a longer file is cut.
    static func read(_ name: String, in folder: String, byteCountMax: Int) throws(DiskError) -> [UInt8] {
        try DiskFile("\(folder)/\(name)", .reading).read(byteCountMax, at: 0)
    }
}
