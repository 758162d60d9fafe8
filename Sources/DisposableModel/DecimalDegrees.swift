// SPDX-License-Identifier: Apache-2.0

/// Degrees of latitude and longitude as people write them, rounded to a fixed number of decimals.
struct DecimalDegrees {
    /// The number of decimals, 1...6. Values are whole units of the last one: with 3, thousandths of a degree.
    let decimalCount: Int

    /// Reads two numbers with a decimal point and a comma between them: `47.243, 6.022`. Further decimals are rounded.
    /// `nil` for any other text. The values may be beyond 90 and 180 degrees.
    func pair(written text: String) -> (latitude: Int32, longitude: Int32)? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(value)
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else { return nil }
        return (latitude, longitude)
    }

    /// Returns the text that `pair(written:)` reads, with all decimals.
    func text(latitude: Int32, longitude: Int32) -> String { "\(text(latitude)), \(text(longitude))" }

    private var unitsPerDegree: Int32 { (0..<decimalCount).reduce(1) { units, _ in units * 10 } }

    /// Returns `nil` for a text that is no number of at most three digits before the point.
    private func value(_ part: Substring) -> Int32? {
        var text = part.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        let whole = text.drop { $0 == "-" || $0 == "+" }.prefix { $0 != "." }
        guard (1...3).contains(whole.count), text.utf8.allSatisfy({ "+-.0123456789".utf8.contains($0) }),
            let number = Double(text)
        else { return nil }
        return Int32((number * Double(unitsPerDegree)).rounded())
    }

    private func text(_ value: Int32) -> String {
        let (whole, part) = abs(value).quotientAndRemainder(dividingBy: unitsPerDegree)
        let decimals = String(part)
        return (value < 0 ? "-" : "") + "\(whole)." + String(repeating: "0", count: decimalCount - decimals.count)
            + decimals
    }
}
