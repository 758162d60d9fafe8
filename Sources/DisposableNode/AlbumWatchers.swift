// SPDX-License-Identifier: Apache-2.0
package import DisposableModel
internal import Synchronization

/// The watchers of the album: they continue when a database is rebuilt, and end with the event.
package final class AlbumWatchers: Sendable {
    private typealias Sink = AsyncStream<GalleryUpdate>.Continuation
    /// `nil` once the event has ended.
    private let sinks = Mutex<[Sink]?>([])

    /// Returns the changes from now on; ends with the event.
    /// - Parameters:
    ///   - countMax: the number of the newest updates that are kept for the reader.
    ///   - first: an update that the reader gets at once.
    package func updates(
        keeping countMax: Int = 1_024, first: GalleryUpdate? = nil
    ) -> AsyncStream<GalleryUpdate> {
        let (stream, sink) = AsyncStream.makeStream(
            of: GalleryUpdate.self, bufferingPolicy: .bufferingNewest(countMax))
        if let first { sink.yield(first) }
        sinks.withLock { if $0?.append(sink) == nil { sink.finish() } }
        return stream
    }

    func tell(_ update: GalleryUpdate) {
        sinks.withLock { sinks in
            sinks = sinks?.filter { sink in
                switch sink.yield(update) {
                case .terminated: return false
                // A reader that is too slow loads everything again.
                case .dropped: sink.yield(.everything)
                default: break
                }
                return true
            }
        }
    }

    func end() {
        for sink in sinks.withLock({ $0.take() }) ?? [] { sink.finish() }
    }
}
