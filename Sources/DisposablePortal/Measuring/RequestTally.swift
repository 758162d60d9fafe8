// SPDX-License-Identifier: Apache-2.0
internal import DisposableWeb
internal import HTTPTypes
internal import Synchronization

/// The requests since the start of the portal: how long each kind took, and how many were refused by which limit.
final class RequestTally: Sendable {
    private struct State {
        var times = [Histogram](repeating: Histogram(), count: RequestKind.allCases.count)
        /// By the code of the refusal, of which the program has a fixed number.
        var refusals: [String: Int] = [:]
    }

    private let state = Mutex(State())

    /// - Parameter duration: from the request's head until its answer begins.
    func record(_ duration: Duration, of kind: RequestKind) {
        state.withLock { $0.times[kind.rawValue].record(duration) }
    }

    /// Counts a refusal if it is that of a limit: 429 or 503.
    func note(_ failure: PortalError) {
        guard failure.status == .tooManyRequests || failure.status == .serviceUnavailable else { return }
        state.withLock { $0.refusals[failure.code, default: 0] += 1 }
    }

    var families: [MetricFamily] {
        let state = state.withLock { $0 }
        var times = MetricFamily(
            "disposable_request_duration_seconds", .histogram,
            "Time from the head of a request until its answer begins, by kind of request.")
        for kind in RequestKind.allCases { times.add(state.times[kind.rawValue], ["kind": kind.label]) }
        var refusals = MetricFamily(
            "disposable_requests_refused_total", .counter, "Requests refused by a limit of the pages, by the code of the refusal; without refused connections.")
        for (code, count) in state.refusals.sorted(by: { $0.key < $1.key }) { refusals.add(count, ["code": code]) }
        return [times, refusals]
    }
}
