// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The size of a volume and its free space.
package struct Volume: Equatable, Sendable {
    package let byteCount: UInt64
    /// Without the space that is reserved for the administrator.
    package let freeByteCount: UInt64
}

extension FileSystem {
    /// Returns the volume that has `path`.
    package static func volume(of path: String) throws(Failure) -> Volume {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { throw Failure(.now("examine the volume of", path)) }
        let block = UInt64(status.f_frsize)
        return Volume(byteCount: UInt64(status.f_blocks) * block, freeByteCount: UInt64(status.f_bavail) * block)
    }
}
