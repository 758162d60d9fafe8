// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Small files that are there, whole, or not there at all: after a crash as well.
enum DurableFile {
    struct Failure: Error, CustomStringConvertible {
        let call: String
        let code: Int32
        var description: String { "\(call): \(String(cString: strerror(code)))" }
    }

    /// Makes the folder, readable by its owner only, unless it is there.
    static func makeFolder(_ path: String) throws(Failure) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw Failure(call: "mkdir \(path)", code: errno)
    }

    /// Replaces the file; returns when that would survive a loss of power. Two writers of one name do not mix.
    static func write(_ bytes: [UInt8], to name: String, in folder: String) throws(Failure) {
        let path = "\(folder)/\(name)"
        let temporary = "\(path).\(UInt32.random(in: .min ... .max)).part"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(call: "open \(temporary)", code: errno) }
        var failure: Failure?
        var written = 0
        while failure == nil, written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count > 0 { written += count } else if errno != EINTR { failure = Failure(call: "write", code: errno) }
        }
        if failure == nil, fsync(file) != 0 { failure = Failure(call: "fsync", code: errno) }
        close(file)
        if failure == nil, rename(temporary, path) != 0 { failure = Failure(call: "rename to \(path)", code: errno) }
        if let failure {
            unlink(temporary)
            throw failure
        }
        try sync(folder)
    }

    /// Removes the file if it is there; returns when that would survive a loss of power.
    static func remove(_ name: String, in folder: String) throws(Failure) {
        guard unlink("\(folder)/\(name)") == 0 else {
            if errno == ENOENT { return }
            throw Failure(call: "unlink \(folder)/\(name)", code: errno)
        }
        try sync(folder)
    }

    /// The whole file; `nil` when there is none, or it is longer than that, or no file that can be read to its end.
    static func read(_ path: String, byteCountMax: Int) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(file, &part, part.count)
            if count == 0 { return bytes }
            if count < 0, errno == EINTR { continue }
            guard count > 0, bytes.count + count <= byteCountMax else { return nil }
            bytes += part[..<count]
        }
    }

    /// The names in the folder, at most `countMax` of them.
    static func names(in folder: String, countMax: Int) -> [String] {
        guard let handle = opendir(folder) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while names.count < countMax, let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func sync(_ folder: String) throws(Failure) {
        let handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard handle >= 0 else { throw Failure(call: "open \(folder)", code: errno) }
        defer { close(handle) }
        guard fsync(handle) == 0 else { throw Failure(call: "fsync \(folder)", code: errno) }
    }
}
