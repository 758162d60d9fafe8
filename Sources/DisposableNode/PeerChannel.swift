// SPDX-License-Identifier: Apache-2.0

/// The way out to one peer: bytes in the order in which they were given.
///
/// The replica counts what it gives and what the network has taken and stops serving above its limit, which is what
/// bounds the stream.
struct PeerChannel: Sendable {
    let bytes: AsyncStream<[UInt8]>
    private let sink: AsyncStream<[UInt8]>.Continuation
    /// Carries nothing; ends with `finish`.
    let end: AsyncStream<Never>
    private let endSink: AsyncStream<Never>.Continuation

    init() {
        (bytes, sink) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        (end, endSink) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    func send(_ bytes: [UInt8]) { sink.yield(bytes) }

    /// What was given before still goes out; then the connection closes.
    func finish() {
        sink.finish()
        endSink.finish()
    }
}
