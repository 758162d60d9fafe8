// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import Foundation
import Testing

/// The themes of pages and wall, as their style sheets have them: every pair of colours that is text, or the edge of a
/// field, has the contrast of WCAG 2.2 AA (1.4.3, 1.4.11), in light and in dark.
@Suite struct ThemeTests {
    private static let sources = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources")

    private typealias Colors = [String: String]

    /// The colours of each rule whose selector is this one, in the order of the sheet.
    private func colors(in sheet: String, _ selector: String) throws -> Colors {
        var found: Colors = [:]
        for rule in sheet.split(separator: "}") {
            guard let brace = rule.lastIndex(of: "{") else { continue }
            let head = rule[..<brace].split(separator: "{").last ?? ""
            let name = head.split(separator: "/").last.map(String.init) ?? ""
            guard name.trimmingCharacters(in: .whitespacesAndNewlines) == selector else { continue }
            for property in rule[rule.index(after: brace)...].split(separator: ";") {
                let parts = property.split(separator: ":").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
                if parts.count == 2, parts[0].hasPrefix("--"), parts[1].hasPrefix("#") { found[parts[0]] = parts[1] }
            }
        }
        return found
    }

    private func sheet(_ name: String) throws -> String {
        try String(contentsOf: Self.sources.appendingPathComponent("DisposablePortal/Public/\(name)"), encoding: .utf8)
    }

    /// The colours of a page with the theme, as the cascade makes them.
    private func page(_ theme: EventTheme, isDark: Bool) throws -> Colors {
        let (style, themes) = (try sheet("shared/style.css"), try sheet("shared/themes.css"))
        let own = theme == .film ? nil : ":root[data-colours=\(theme.word)]"
        var found = try colors(in: style, ":root")
        // Of equal weight, and therefore before those of the sheet that follows.
        if isDark { found.merge(try colors(in: style, ":root[data-theme=dark]")) { $1 } }
        guard let own else { return found }
        let light = try colors(in: themes, own)
        #expect(!light.isEmpty, "\(theme)")
        found.merge(light) { $1 }
        guard isDark else { return found }
        let dark = try colors(in: themes, own + "[data-theme=dark]")
        let bySystem = try colors(in: themes, own + ":not([data-theme=light])")
        #expect(dark == bySystem, "both ways to a dark page")
        return found.merging(dark) { $1 }
    }

    private func luminance(_ color: String) throws -> Double {
        var digits = color.dropFirst().map(String.init)
        if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
        try #require(digits.count == 6, "\(color)")
        let parts = try stride(from: 0, to: 6, by: 2).map { place in
            let number = try #require(Int(digits[place] + digits[place + 1], radix: 16))
            let value = Double(number) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    private func contrast(_ one: String, _ other: String) throws -> Double {
        let (one, other) = (try luminance(one), try luminance(other))
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    private static let text = [
        ("ink", "paper"), ("ink", "card"), ("soft", "paper"), ("soft", "card"), ("link", "paper"), ("link", "card"),
        ("red", "paper"), ("red", "card"), ("on-amber", "amber"), ("on-red", "red"), ("on-film", "film"),
        ("film-number", "film"),
    ]
    private static let edges = [("field", "paper"), ("field", "card"), ("focus", "paper"), ("focus", "card")]

    @Test(
        "on a page text has a contrast of 4.5, edges of fields and the focus of 3",
        arguments: EventTheme.allCases, [false, true])
    func page(theme: EventTheme, isDark: Bool) throws {
        let colors: Colors = try page(theme, isDark: isDark)
        for (pairs, least) in [(Self.text, 4.5), (Self.edges, 3)] {
            for (front, back) in pairs {
                let ratio = try contrast(
                    try #require(colors["--" + front], "\(front)"), try #require(colors["--" + back], "\(back)"))
                #expect(ratio >= least, "\(theme) \(isDark ? "dark" : "light"): \(front) on \(back) has \(ratio)")
            }
        }
    }

    @Test("on the wall text has a contrast of 4.5", arguments: EventTheme.allCases)
    func wall(theme: EventTheme) throws {
        let style = try sheet("wall/wall.css")
        var colors = try self.colors(in: style, ":root")
        if theme != .film { colors.merge(try self.colors(in: style, ":root[data-colours=\(theme.word)]")) { $1 } }
        let (amber, ink) = (try #require(colors["--amber"]), try #require(colors["--ink"]))
        #expect(try contrast(amber, ink) >= 4.5)
        #expect(try contrast(amber, "#0d0907") >= 4.5, "on the dark stage")
    }

    @Test("poster and album have the colours of the page", arguments: EventTheme.allCases)
    func paper(theme: EventTheme) throws {
        let code = try String(
            contentsOf: Self.sources.appendingPathComponent("disposable/Print/ThemeColors.swift"), encoding: .utf8)
        let line = try #require(code.split(separator: "\n").first { $0.contains("case .\(theme.word): (") })
        let found = line.matches(of: /#[0-9a-f]{6}/).map { String($0.output) }
        let page = try self.page(theme, isDark: false)
        #expect(found.first == page["--amber"])
        #expect(found.last == page["--stripe"])
        #expect(try contrast(found[0], "#1f1712") >= 4.5, "ink on it")
    }
}
