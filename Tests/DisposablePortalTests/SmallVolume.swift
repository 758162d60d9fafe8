// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A separate volume in memory, which only root can mount.
final class SmallVolume: Sendable {
    static let mayMount = (try? SmallVolume(byteCount: 1 << 20)) != nil
    let path: String

    init(byteCount: Int) throws {
        path = FileManager.default.temporaryDirectory.path + "/volume-\(UUID())"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(byteCount)") == 0 else {
            let code = errno
            rmdir(path)
            throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EPERM)
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }
}
