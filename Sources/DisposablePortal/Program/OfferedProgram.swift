// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableSystem
internal import Glibc

/// A package of the program that a node offers for guests' computers: a file, as it was when it was hashed.
///
/// The file may be replaced or rewritten later. Every read compares its state with the first one, so that no other
/// bytes are sent under the hash that people compare.
public struct OfferedProgram: Sendable {
    /// The reason why a file cannot be offered, or no longer.
    public enum Failure: Error, Equatable, CustomStringConvertible {
        /// The file is missing, or not readable; the system's sentence, with the path.
        case unreadable(String)
        case symbolicLink(path: String)
        /// A folder, a pipe or a device.
        case notRegular(path: String)
        case unsuitableName(String)
        case unsuitableByteCount(UInt64)
        /// It is not the file that was hashed.
        case changed(path: String)

        public var description: String {
            switch self {
            case .unreadable(let sentence): sentence
            case .symbolicLink(let path): "\(path) is a symbolic link"
            case .notRegular(let path): "\(path) is not a regular file"
            case .unsuitableName(let name): "\"\(name)\" is not the name of a package"
            case .unsuitableByteCount(let byteCount):
                "the package has \(byteCount) bytes, and can have 1 to \(OfferedProgram.byteCountMax)"
            case .changed(let path): "\(path) has changed since this node started"
            }
        }
    }

    /// A package has about 25 MB.
    public static let byteCountMax: UInt64 = 1 << 30
    public static let nameByteCountMax = 128
    private static let partByteCount = 1 << 20

    /// A kind of package, by the end of its name.
    enum Kind: String, CaseIterable {
        case debian = ".deb"
        case tarball = ".tar.xz"
    }

    private let path: String
    /// The last part of the path. It can stand in a command without quotes.
    public let name: String
    public let byteCount: UInt64
    /// 64 hexadecimal digits, as `sha256sum` prints them.
    public let sha256: String
    /// The version of the running program. The package is not opened, so its own may be another one.
    public let version: String
    let kind: Kind
    private let state: State

    /// Reads and hashes the whole file; blocks on the disk.
    /// - Parameters:
    ///   - path: a regular file, no symbolic link, of 1 byte to 1 GiB. Its name ends with `.deb` or `.tar.xz` and has
    ///     at most 128 ASCII letters, digits, `.`, `_`, `+`, `~` and `-`; the first is a letter or a digit.
    ///   - version: that of the running program.
    public init(path: String, version: String) throws(Failure) {
        (name, kind) = try Self.parse(path)
        let file = try Self.opened(path)
        let state = try State(of: file)
        guard (1...Self.byteCountMax).contains(state.byteCount) else { throw .unsuitableByteCount(state.byteCount) }
        (self.path, self.version, self.state, byteCount) = (path, version, state, state.byteCount)
        var hash = SHA256()
        var offset: UInt64 = 0
        while offset < byteCount {
            let part = try Self.read(offset..<min(offset + UInt64(Self.partByteCount), byteCount), of: file, in: state)
            hash.update(part.span)
            offset += UInt64(part.count)
        }
        sha256 = hash.finalize().description
    }

    /// Throws the failure of `init`, without reading the file.
    public static func check(path: String) throws(Failure) {
        _ = try parse(path)
        let byteCount = try State(of: opened(path)).byteCount
        guard (1...byteCountMax).contains(byteCount) else { throw .unsuitableByteCount(byteCount) }
    }

    /// Opens the file for one answer. Blocks on the disk. Throws `.changed` for a file that is not the one that was
    /// hashed, and the failures of `init`.
    func open() throws(Failure) -> DiskFile {
        let file = try Self.opened(path)
        guard try State(of: file) == state else { throw .changed(path: path) }
        return file
    }

    /// Returns all bytes of the range. Blocks on the disk. Throws `.changed` if the file has changed meanwhile.
    func read(_ range: Range<UInt64>, of file: DiskFile) throws(Failure) -> [UInt8] {
        try Self.read(range, of: file, in: state)
    }

    private static func read(_ range: Range<UInt64>, of file: DiskFile, in state: State) throws(Failure) -> [UInt8] {
        let bytes: [UInt8]
        do throws(FileError) { bytes = try file.read(range.count, at: range.lowerBound) } catch {
            throw .unreadable(error.description)
        }
        guard bytes.count == range.count, try State(of: file) == state else { throw .changed(path: file.path) }
        return bytes
    }

    private static func parse(_ path: String) throws(Failure) -> (name: String, kind: Kind) {
        let name = String(path.split(separator: "/").last ?? "")
        let characters = name.unicodeScalars
        guard let kind = Kind.allCases.first(where: { name.hasSuffix($0.rawValue) }),
            characters.count <= nameByteCountMax, characters.first.map(isLetterOrDigit) == true,
            characters.allSatisfy({ isLetterOrDigit($0) || "._+~-".unicodeScalars.contains($0) })
        else { throw .unsuitableName(name) }
        return (name, kind)
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
    }

    private static func opened(_ path: String) throws(Failure) -> DiskFile {
        // Without O_NONBLOCK a pipe would be waited for.
        do throws(FileError) { return try DiskFile(path, flags: DiskFile.readOnly | O_NOFOLLOW | O_NONBLOCK) } catch {
            throw error.code == ELOOP ? Failure.symbolicLink(path: path) : .unreadable(error.description)
        }
    }

    /// The identity of a file and of its present contents.
    private struct State: Equatable, Sendable {
        let device: UInt64
        let inode: UInt64
        let byteCount: UInt64
        /// Seconds and nanoseconds of the last change of the contents, and of the last change of anything.
        let times: [Int]

        init(of file: DiskFile) throws(Failure) {
            var status = stat()
            guard fstat(file.descriptor, &status) == 0 else {
                throw .unreadable(FileError.now("examine", file.path).description)
            }
            guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path: file.path) }
            (device, inode, byteCount) = (UInt64(status.st_dev), UInt64(status.st_ino), UInt64(status.st_size))
            times = [
                status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
            ]
        }
    }
}
