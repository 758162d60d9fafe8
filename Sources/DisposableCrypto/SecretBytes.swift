// SPDX-License-Identifier: Apache-2.0
internal import CSodium

/// Secret bytes: never copied, never changed once made, wiped when the last reference goes.
///
/// A reference type, because sharing a reference copies no byte, and because a secret then fits into arrays and
/// dictionaries.
// Unchecked: the memory is written in `init` only and is read-only from then on.
public final class SecretBytes: @unchecked Sendable, CustomStringConvertible {
    /// What stands around the bytes while they live. Both kinds are wiped when freed.
    public enum Memory: Sendable {
        /// `sodium_malloc`: guard pages, canary, locked where the system allows, read-only. Three or four pages and a
        /// dozen system calls a value: for keys that live as long as a connection or longer.
        case guarded
        /// The heap: for what lives for one message or one handshake.
        case ordinary
    }

    private let base: UnsafeMutableRawPointer
    /// Where the bytes are: what is derived from them belongs there, too.
    package let memory: Memory
    public let count: Int

    /// Copies `bytes`; the caller's copy stays the caller's to wipe.
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

    /// Copies `bytes` and wipes the array given.
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

    /// Lends the bytes for the time of `body`; copies made there are the caller's to wipe.
    public func withSpan<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let buffer = UnsafeRawBufferPointer(start: base, count: count)
        return try body(buffer.bindMemory(to: UInt8.self).span)
    }

    func withUnsafeBytes<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        body(UnsafePointer(base.assumingMemoryBound(to: UInt8.self)))
    }

    /// Equality in constant time.
    public func isEqual(to other: SecretBytes) -> Bool {
        count == other.count && sodium_memcmp(base, other.base, count) == 0
    }

    /// Says how long the secret is and nothing else.
    public var description: String { "SecretBytes(\(count) bytes)" }
}

extension [UInt8] {
    /// Overwrites the bytes in a way the compiler may not leave out, and empties the array.
    public mutating func wipe() {
        withUnsafeMutableBytes { buffer in
            if let start = buffer.baseAddress { sodium_memzero(start, buffer.count) }
        }
        removeAll()
    }

    /// Equality in constant time for equal lengths; lengths are not secret.
    public func isEqualInConstantTime(to other: [UInt8]) -> Bool {
        count == other.count && sodium_memcmp(self, other, count) == 0
    }
}
