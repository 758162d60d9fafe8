// SPDX-License-Identifier: Apache-2.0

/// Small files that are replaced atomically, also in a loss of power.
package enum DurableFile {
    /// Replaces the file; durable when this returns. Two writers of one name do not mix.
    package static func write(_ bytes: [UInt8], to name: String, in folder: String) throws(FileError) {
        let temporary = "\(folder)/\(name).\(UInt32.random(in: .min ... .max)).part"
        do throws(FileError) {
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

    /// Removes the file if it exists; durable when this returns.
    package static func remove(_ name: String, in folder: String) throws(FileError) {
        try Disk.remove("\(folder)/\(name)")
        try Disk.synchronizeFolder(folder)
    }

    /// Reads at most `byteCountMax` bytes; a longer file is truncated.
    package static func read(_ name: String, in folder: String, byteCountMax: Int) throws(FileError) -> [UInt8] {
        try DiskFile("\(folder)/\(name)", .reading).read(byteCountMax, at: 0)
    }
}
