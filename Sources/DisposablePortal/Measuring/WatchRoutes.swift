// SPDX-License-Identifier: Apache-2.0
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// `/metrics` in the text format of Prometheus, and `/health` in JSON, for programs on this machine. A connection from
/// another machine gets the answer of a path that does not exist.
struct WatchRoutes: Sendable {
    let watch: any NodeWatch
    let tally: RequestTally
    let events: EventTable
    let connections: ConnectionGate

    func add(to router: RouterGroup) {
        router.get("metrics") { _, context in
            try Self.checkIsFromHere(context)
            var families = await watch.metrics()
            families += await portalFamilies()
            return Response(
                status: .ok, headers: [.contentType: MetricFamily.mediaType],
                body: ResponseBody(byteBuffer: ByteBuffer(string: MetricFamily.text(families))))
        }
        router.get("health") { _, context in
            try Self.checkIsFromHere(context)
            let problems = await watch.hindrances()
            return try .json(
                HealthMessage(isHealthy: problems.isEmpty, problems: problems),
                status: problems.isEmpty ? .ok : .serviceUnavailable)
        }
    }

    private struct HealthMessage: Encodable {
        let isHealthy: Bool
        let problems: [HealthProblem]
    }

    private static func checkIsFromHere(_ context: PortalContext) throws(PortalError) {
        guard context.connection?.isFromHere == true else { throw .notFound }
    }

    private func portalFamilies() async -> [MetricFamily] {
        var streams = MetricFamily("disposable_streams", .gauge, "Open streams of updates, by event.")
        var uploads = MetricFamily("disposable_uploads", .gauge, "Unfinished uploads, by event.")
        var waiting = MetricFamily(
            "disposable_uploads_waiting", .gauge, "Complete uploads that wait to become photos, by event.")
        for event in events.all {
            streams.add(event.updates.streams.count, ["event": event.pathName])
            uploads.add(await event.uploads.unfinishedCount, ["event": event.pathName])
            waiting.add(await event.uploads.completions.waitingCount, ["event": event.pathName])
        }
        return [
            MetricFamily(
                "disposable_connections", .gauge, "Open connections of browsers.", connections.connectionCount),
            MetricFamily(
                "disposable_unread_bytes", .gauge, "Bytes of answers that clients have not read yet.",
                connections.unreadByteCount),
            streams, uploads, waiting,
        ] + tally.families
    }
}
