// SPDX-License-Identifier: Apache-2.0
import DisposableModel

/// The two colours of a theme on paper and in albums: those of the guests' page (`--amber` and `--stripe` in
/// `Public/shared/themes.css`). Everything else is ink on white.
struct ThemeColors {
    let bright: String
    let stripe: String

    /// - Parameter word: of an `EventTheme`; others are the first theme.
    init(word: String?) { self.init(word.flatMap(EventTheme.init(word:)) ?? .film) }

    init(_ theme: EventTheme) {
        (bright, stripe) =
            switch theme {
            case .film: ("#ffc233", "#c4361b")
            case .garden: ("#9bd676", "#2f6b3a")
            case .sea: ("#6accec", "#155d86")
            case .rose: ("#f9abbb", "#a82a52")
            case .night: ("#c0abf8", "#43289a")
            case .slate: ("#ccd6dd", "#3b4b57")
            }
    }
}
