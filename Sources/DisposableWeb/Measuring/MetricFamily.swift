// SPDX-License-Identifier: Apache-2.0

/// A metric with its samples, as Prometheus reads it (text exposition format 0.0.4).
///
///     var photos = MetricFamily("disposable_event_photos", .gauge, "Photos of the event.")
///     photos.add(12, ["event": "1a2b3c4d"])
///
/// Pure: it holds numbers and writes text.
public struct MetricFamily: Equatable, Sendable {
    public enum Kind: String, Sendable {
        /// It only grows, until the process restarts.
        case counter
        case gauge
        case histogram
    }

    private struct Label: Equatable {
        let name: String
        let value: String
    }

    private struct Sample: Equatable {
        /// Appended to the family's name: `_bucket`, `_sum` and `_count` of a histogram.
        let suffix: String
        let labels: [Label]
        let value: Double
    }

    private let name: String
    private let kind: Kind
    private let help: String
    private var samples: [Sample] = []

    /// - Parameter help: one sentence for people.
    /// - Precondition: the name has ASCII letters, digits and `_` only, and no digit first.
    public init(_ name: String, _ kind: Kind, _ help: String) {
        precondition(Self.isName(name), "\(name) is not a valid metric name")
        (self.name, self.kind, self.help) = (name, kind, help)
    }

    /// Makes a family of one sample without labels.
    public init(_ name: String, _ kind: Kind, _ help: String, _ value: some BinaryInteger) {
        self.init(name, kind, help)
        add(value)
    }

    /// - Precondition: the names of the labels are as those of metrics.
    public mutating func add(_ value: Double, _ labels: KeyValuePairs<String, String> = [:]) {
        add(value, labels.map { Label(name: $0.key, value: $0.value) }, suffix: "")
    }

    public mutating func add(_ value: some BinaryInteger, _ labels: KeyValuePairs<String, String> = [:]) {
        add(Double(value), labels)
    }

    /// Adds the buckets, the sum in seconds and the count of a histogram.
    package mutating func add(_ histogram: Histogram, _ labels: KeyValuePairs<String, String> = [:]) {
        let labels = labels.map { Label(name: $0.key, value: $0.value) }
        var count: UInt64 = 0
        for bucket in histogram.buckets {
            count += bucket.count
            let bound = bucket.boundMilliseconds.map { Self.text(Double($0) / 1_000) } ?? "+Inf"
            add(Double(count), labels + [Label(name: "le", value: bound)], suffix: "_bucket")
        }
        add(histogram.seconds, labels, suffix: "_sum")
        add(Double(count), labels, suffix: "_count")
    }

    private mutating func add(_ value: Double, _ labels: [Label], suffix: String) {
        for label in labels { precondition(Self.isName(label.name), "\(label.name) is no name of a label") }
        samples.append(Sample(suffix: suffix, labels: labels, value: value))
    }

    private static func isName(_ text: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 || byte == 0x5F }
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 }
    }

    // Text

    /// The media type of `text`.
    package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// Returns the families with their samples, in order. Families without samples are left out.
    package static func text(_ families: [MetricFamily]) -> String {
        var text = ""
        for family in families where !family.samples.isEmpty { family.write(to: &text) }
        return text
    }

    private func write(to text: inout String) {
        text += "# HELP \(name) \(Self.escaped(help))\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
            let list = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
            text += "\(name)\(sample.suffix)\(list) \(Self.text(sample.value))\n"
        }
    }

    private static func escaped(_ text: String, quotes: Bool = false) -> String {
        var escaped = ""
        // By scalars: a character may join a line feed with a carriage return.
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func text(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        // Every integer up to 2^53 is exact, and shorter without a fraction.
        return Int64(exactly: value).map { String($0) } ?? "\(value)"
    }
}
