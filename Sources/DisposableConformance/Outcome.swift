// SPDX-License-Identifier: Apache-2.0

/// The outcome of a vector.
public struct Outcome: Sendable {
    static let unreadable = "unreadable"
    static let unsupported = "unsupported"

    /// `success`, or the name of the failure.
    public let name: String
    /// The expected values of the vector's own keys.
    public let values: [String: JSON]
    /// An explanation for people.
    public let reason: String?

    init(_ name: String, _ values: [String: JSON] = [:], reason: String? = nil) {
        self.name = name
        self.values = values
        self.reason = reason
    }

    static func success(_ values: [String: JSON]) -> Outcome { Outcome("success", values) }
    /// The outcome of a value that decodes differently after encoding: a defect of this implementation, which no vector
    /// expects.
    static let unstable = Outcome(unstableName)
    static let unstableName = "unstable"
}
