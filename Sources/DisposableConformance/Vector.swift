// SPDX-License-Identifier: Apache-2.0

/// A vector of one area, decoded from its file.
protocol Vector: Decodable {
    /// The keys of the inputs; all others are expected results.
    static var questions: Set<String> { get }
    /// The failures that a vector may expect, by name.
    static var failures: Set<String> { get }
    /// The failures of damaged forms.
    static var damagedFailures: Set<String> { get }
    /// The bytes in it that another node would have sent.
    var received: [WritableKeyPath<Self, [UInt8]>] { get }
    /// Throws an error if the file is invalid.
    func outcome() throws -> Outcome
    /// Returns the outcomes of its damaged forms, counted.
    func damage() throws -> [String: Int]
}

extension Vector {
    static var damagedFailures: Set<String> { failures }

    func damage() throws -> [String: Int] {
        // An input that is refused already is only truncated.
        let isWhole = try outcome().name == "success"
        var counts: [String: Int] = [:]
        for place in received {
            for bytes in DamagedForms.of(self[keyPath: place], isWhole: isWhole) {
                var damaged = self
                damaged[keyPath: place] = bytes
                counts[try damaged.outcome().name, default: 0] += 1
            }
        }
        return counts
    }
}
