// SPDX-License-Identifier: Apache-2.0
public import DisposableWeb

/// The node behind the pages, as programs on its own machine watch it: at `/metrics` and `/health`.
public protocol NodeWatch: Sendable {
    /// A snapshot of the node's numbers. Its size depends on the number of events only.
    func metrics() async -> [MetricFamily]
    /// The reasons why the node cannot take photos or serve one of its events; empty if there are none.
    func hindrances() async -> [HealthProblem]
}

/// A reason why a node is not healthy.
public struct HealthProblem: Encodable, Equatable, Sendable {
    /// A word for programs: `room`, `storage` or `rebuilding`.
    public let code: String
    /// A sentence for people.
    public let message: String

    public init(code: String, message: String) { (self.code, self.message) = (code, message) }
}
