// SPDX-License-Identifier: Apache-2.0
internal import DisposableImaging
internal import DisposableModel
internal import DisposableNode
internal import Glibc

/// Camera files, and the replies of the worker that has decoded them.
enum ImageTargets {
    /// Metadata of a whole file, of every format.
    static func image(_ input: [UInt8]) throws(Broken) {
        try withFile(input) { name, descriptor throws(Broken) in
            do {
                let first = try MetadataScrubber.scrub(fileAt: name)
                let second = try MetadataScrubber.scrub(fileAt: name)
                // Elsewhere tables can name the same bytes for two reasons.
                if first.mediaType == .gif {
                    try check(second.changedByteCount == 0, "a second look changes \(second) after \(first)")
                }
                try check(lseek(descriptor, 0, SEEK_END) == input.count, "the file has another length")
            } catch let broken as Broken {
                throw broken
            } catch {
                throw Broken(description: "\(error)")
            }
        }
    }

    /// A photo that a guest's page has sealed: whatever is wrong with it is the guest's mistake, not the disk's.
    static func sealedPackage(_ input: [UInt8]) throws(Broken) {
        try withFile(input) { name, _ throws(Broken) in
            do {
                _ = try SealedPackage(at: name)
                try check(SealedPackage.isOne(at: name), "a package that does not begin as one")
            } catch let broken as Broken {
                throw broken
            } catch {
                try check(error is Refusal, "\(error)")
            }
        }
    }

    /// - Parameters:
    ///   - input: the content of the file.
    ///   - body: is given the path and a descriptor; the file is gone after it.
    private static func withFile(
        _ input: [UInt8], _ body: (String, Int32) throws(Broken) -> Void
    ) throws(Broken) {
        var path = Array("/dev/shm/disposable-fuzz-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        try check(descriptor >= 0, "no file in /dev/shm")
        let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer {
            close(descriptor)
            unlink(name)
        }
        try check(input.isEmpty || write(descriptor, input, input.count) == input.count, "no room in /dev/shm")
        try body(name, descriptor)
    }

    static func exif(_ input: [UInt8]) throws(Broken) {
        guard let block = TIFFBlock(input), let time = CaptureTime(exif: block) else { return }
        try check(time.exifDateTime.utf8.count == 19, "the time is written \(time.exifDateTime)")
    }

    static func worker(_ input: [UInt8]) throws(Broken) {
        guard let reply = try? WorkerReply(encoded: input) else { return }
        try check((try? WorkerReply(encoded: reply.encoded)) == reply, "does not decode to itself again")
    }
}
