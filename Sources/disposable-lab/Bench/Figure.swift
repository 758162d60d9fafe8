// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import Foundation

/// A result on standard output.
enum Figure {
    static func report(_ name: String, _ values: [String: Double]) {
        let fields = values.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\(number($0.value))" }
        Console.line("{\"bench\":\"\(name)\",\(fields.joined(separator: ","))}")
    }

    /// JSON has neither infinity nor "not a number".
    private static func number(_ value: Double) -> String {
        guard value.isFinite else { return "null" }
        return value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(format: "%.3f", value)
    }

    static func seconds<Result>(_ work: () throws -> Result) rethrows -> (Double, Result) {
        let clock = ContinuousClock()
        let start = clock.now
        let result = try work()
        return (
            Double((clock.now - start).components.attoseconds) / 1e18 + Double((clock.now - start).components.seconds),
            result
        )
    }
}
