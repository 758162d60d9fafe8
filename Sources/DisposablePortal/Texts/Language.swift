// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// A language of what the node itself writes for guests: pages for browsers without scripts, prints and albums. Each has
/// the same catalogues (`PrintTexts`, `AlbumTexts`, `SimpleTexts`), as each file in `Public/texts` has for scripts.
package enum Language: String, CaseIterable, Sendable {
    case english = "en", french = "fr"

    /// - Parameter tag: as in `fr`, `fr-CA` or `fr_FR.UTF-8`.
    package init?(tag: some StringProtocol) {
        let first = tag.split(maxSplits: 1) { "-_.@".contains($0) }.first
        guard let first, let language = Self(rawValue: first.lowercased()) else { return nil }
        self = language
    }

    /// The first language of a browser's list that there is, in the order of its weights (RFC 9110 §12.5.4).
    package init(acceptLanguage field: String?) {
        let entries = (field ?? "").split(separator: ",").enumerated().compactMap { place, entry -> (Double, Int, Self)? in
            let parts = entry.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let tag = parts.first, let language = Self(tag: tag) else { return nil }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            return weight > 0 ? (weight, place, language) : nil
        }
        self = entries.min { ($1.0, $0.1) < ($0.0, $1.1) }?.2 ?? .english
    }

    /// The language of the person at a terminal, by the variables of POSIX.
    package init(environment: [String: String]) {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        self = locale.flatMap { Self(tag: $0) } ?? .english
    }

    /// Returns a number with its noun. In French zero is singular.
    package func count(_ number: Int, _ one: String, _ many: String) -> String {
        let isOne = self == .french ? (0...1).contains(number) : number == 1
        return "\(text(number)) \(isOne ? one : many)"
    }

    /// Returns a number with the separators of the language.
    package func text(_ number: Int) -> String {
        number.formatted(IntegerFormatStyle<Int>(locale: locale))
    }

    /// Returns a date, with a capital letter as at the start of a line.
    /// - Parameter format: as in `EEEE d MMMM yyyy`.
    package func text(_ format: String, milliseconds: UInt64) -> String {
        let formatter = DateFormatter()
        formatter.locale = locale
        formatter.dateFormat = format
        let date = formatter.string(from: Date(timeIntervalSince1970: Double(milliseconds) / 1_000))
        return date.prefix(1).uppercased() + date.dropFirst()
    }

    private var locale: Locale { Locale(identifier: self == .french ? "fr_FR" : "en_GB") }
}
