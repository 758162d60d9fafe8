// SPDX-License-Identifier: Apache-2.0

/// A photo that organizers ask for, such as "the first dance" (protocol/disposable-v1.md §9.18). The charter has the
/// list; a photo answers one of them at most.
public struct Mission: Codable, Equatable, Sendable {
    /// The number of missions of an event.
    public static let countMax = 20
    /// The limit on a text that a person enters, in characters as people count them.
    public static let characterCountMax = 80
    /// Added to an answer's argument to withdraw the answer.
    public static let withdrawn: UInt64 = 1 << 32

    /// Not 0. Chosen at random: two organizers who add missions at the same time choose different ones, so that no
    /// photo answers a text that its author has not seen.
    public let id: UInt32
    /// A label.
    public var text: String

    public init(id: UInt32, text: String) {
        self.id = id
        self.text = text
    }
}

extension [Mission] {
    /// Whether there are not too many, each with an id of its own and a label.
    var isWellFormed: Bool {
        count <= Mission.countMax && Set(map(\.id)).count == count
            && allSatisfy { $0.id != 0 && Label.isWellFormed($0.text) }
    }

    /// Whether a person may enter the list: the texts are short as people see them.
    var isAcceptable: Bool { allSatisfy { Label.isAcceptable($0.text, characterCountMax: Mission.characterCountMax) } }
}
