// SPDX-License-Identifier: Apache-2.0
internal import CSodium

/// Secret bytes: never copied, never changed, wiped when the last reference is released.
///
/// A reference type, because sharing a reference copies no byte, and because a secret then fits into arrays and
/// dictionaries.
// Unchecked: the memory is written in `init` only and is read-only from then on.
public final class SecretBytes: @unchecked Sendable, CustomStringConvertible {
    /// The protection of the memory while the bytes live. Both kinds are wiped when freed.
    public enum Memory: Sendable {
        /// `sodium_malloc`: guard pages, canary, locked if the system allows it, read-only. Each value takes three or
        /// four pages and a dozen system calls: for keys that live as long as a connection or longer.
        case guarded
        /// The heap: for secrets of one message or one handshake.
        case ordinary
    }

    private let base: UnsafeMutableRawPointer
    /// The kind of memory; secrets that are derived from the bytes use the same.
    package let memory: Memory
    public let count: Int

    /// Copies `bytes`; the caller must wipe its own copy.
    public init(copying bytes: Span<UInt8>, in memory: Memory = .guarded) {
        _ = Sodium.ready
        count = bytes.count
        self.memory = memory
        switch memory {
        case .guarded:
            guard let base = sodium_malloc(max(count, 1)) else { preconditionFailure("no memory for a secret") }
            self.base = base
        case .ordinary:
            base = UnsafeMutableRawPointer.allocate(byteCount: max(count, 1), alignment: 1)
        }
        bytes.withUnsafeBytes { source in
            if let start = source.baseAddress { base.copyMemory(from: start, byteCount: source.count) }
        }
        if memory == .guarded { sodium_mprotect_readonly(base) }
    }

    /// Copies `bytes` and wipes the given array.
    public convenience init(consuming bytes: inout [UInt8], in memory: Memory = .guarded) {
        self.init(copying: bytes.span, in: memory)
        bytes.wipe()
    }

    deinit {
        switch memory {
        case .guarded: sodium_free(base)
        case .ordinary:
            sodium_memzero(base, count)
            base.deallocate()
        }
    }

    /// Passes the bytes to `body`, which must wipe any copies that it makes.
    public func withSpan<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let buffer = UnsafeRawBufferPointer(start: base, count: count)
        return try body(buffer.bindMemory(to: UInt8.self).span)
    }

    func withUnsafeBytes<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        body(UnsafePointer(base.assumingMemoryBound(to: UInt8.self)))
    }

    /// Compares in constant time.
    public func isEqual(to other: SecretBytes) -> Bool {
        count == other.count && sodium_memcmp(base, other.base, count) == 0
    }

    /// The length of the secret and nothing else.
    public var description: String { "SecretBytes(\(count) bytes)" }
}

extension [UInt8] {
    /// Overwrites the bytes in a way that the compiler may not optimize away, and empties the array.
    public mutating func wipe() {
        withUnsafeMutableBytes { buffer in
            if let start = buffer.baseAddress { sodium_memzero(start, buffer.count) }
        }
        removeAll()
    }

    /// Compares in constant time for equal lengths; lengths are not secret.
    public func isEqualInConstantTime(to other: [UInt8]) -> Bool {
        count == other.count && sodium_memcmp(self, other, count) == 0
    }
}
