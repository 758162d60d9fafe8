// SPDX-License-Identifier: Apache-2.0

/// Text that people give as a name: it is shown in lists, pages and file names, so it has no control characters.
///
/// Validity on the wire depends on bytes and scalars alone, by the fixed ranges of protocol/disposable-v1.md §8.4:
/// Unicode's tables change from version to version, and nodes that differ about a name would differ for good.
public enum Label {
    /// The limit on a name that a person enters, in characters as people count them.
    public static let characterCountMax = 40
    /// The limit in bytes of UTF-8.
    public static let byteCountMax = 320
    public static let scalarCountMax = 160

    /// Whether the text is valid in an operation or an invitation: the same result on every node.
    public static func isWellFormed(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        return text.utf8.count <= byteCountMax && scalars.count <= scalarCountMax
            && !scalars.contains { isIn($0, forbidden) } && scalars.contains { !isIn($0, invisible) }
    }

    /// Whether the text is valid in an operation field of several lines: no control but the line feed, nothing that
    /// disturbs the text around it; it may be empty.
    public static func isWellFormedProse(_ text: String, byteCountMax: Int) -> Bool {
        text.utf8.count <= byteCountMax && !text.unicodeScalars.contains { $0 != "\n" && isIn($0, forbidden) }
    }

    /// Whether a person may enter the text as a name: well-formed, and short as people see it. Checked only where a
    /// name is made, since character boundaries depend on this machine's tables.
    public static func isAcceptable(_ text: String, characterCountMax: Int = Label.characterCountMax) -> Bool {
        isWellFormed(text) && text.count <= characterCountMax
    }

    private static func isIn(_ scalar: Unicode.Scalar, _ ranges: [ClosedRange<UInt32>]) -> Bool {
        ranges.contains { $0.contains(scalar.value) }
    }

    /// Controls, line separators and direction overrides, with which a name would disturb the text around it.
    private static let forbidden: [ClosedRange<UInt32>] = [
        0x00...0x1F, 0x7F...0x9F, 0x2028...0x2029, 0x202A...0x202E, 0x2066...0x2069,
    ]

    /// Spaces, joiners, variation selectors, fillers and tags: part of names and emoji, but invisible on their own.
    private static let invisible: [ClosedRange<UInt32>] = [
        0x20...0x20, 0xA0...0xA0, 0xAD...0xAD, 0x034F...0x034F, 0x061C...0x061C, 0x115F...0x1160, 0x1680...0x1680,
        0x17B4...0x17B5, 0x180B...0x180F, 0x2000...0x200F, 0x202F...0x202F, 0x205F...0x206F, 0x2800...0x2800,
        0x3000...0x3000, 0x3164...0x3164, 0xFE00...0xFE0F, 0xFEFF...0xFEFF, 0xFFA0...0xFFA0, 0xFFF0...0xFFF8,
        0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF,
    ]
}
