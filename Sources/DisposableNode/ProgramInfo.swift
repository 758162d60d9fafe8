// SPDX-License-Identifier: Apache-2.0

/// The package of the program that a node's pages offer for guests' computers.
public struct ProgramInfo: Codable, Sendable, Equatable {
    /// The name of the file, as in `disposable_1.0_amd64.deb`.
    public var name: String
    public var byteCount: UInt64
    /// 64 hexadecimal digits, as `sha256sum` prints them.
    public var sha256: String

    public init(name: String, byteCount: UInt64, sha256: String) {
        (self.name, self.byteCount, self.sha256) = (name, byteCount, sha256)
    }
}
