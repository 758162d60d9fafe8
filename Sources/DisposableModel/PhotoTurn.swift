// SPDX-License-Identifier: Apache-2.0

/// The angle by which pages turn a photo clockwise when they show it, as its author has set it
/// (protocol/disposable-v1.md §9.21). The files stay as they are.
public enum PhotoTurn: UInt8, CaseIterable, Codable, Sendable {
    case none = 0
    case quarter = 1
    case half = 2
    case threeQuarters = 3

    /// 0, 90, 180 or 270.
    public var degrees: Int { Int(rawValue) * 90 }

    /// Returns `nil` for any other number.
    public init?(degrees: Int) {
        guard degrees.isMultiple(of: 90), (0...270).contains(degrees) else { return nil }
        self.init(rawValue: UInt8(degrees / 90))
    }
}
