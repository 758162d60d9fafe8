// SPDX-License-Identifier: Apache-2.0

/// The consents and names of the people of an event.
extension Album {
    /// Whether the author has agreed to the text of this hash.
    public func hasConsented(_ author: AuthorID, to text: OperationID) -> Bool {
        consents.isGiven(to: text, by: author, base.membership)
    }

    /// Returns how many members have agreed to it.
    public func consentCount(to text: OperationID) -> Int { consents.count(to: text, base.membership) }

    /// Returns the author's name, `nil` while it has none here.
    public func name(of author: AuthorID) -> String? { currentName(of: author)?.text }

    /// Whether the author had names and has deleted all of them.
    public func isFormerGuest(_ author: AuthorID) -> Bool {
        currentName(of: author) == nil
            && base.membership.devices(of: author).contains { device in
                names.ids(of: device).contains { isRemoved(PhotoID($0), by: author) }
            }
    }

    /// Returns the name to display for the author, `nil` if there is none.
    public func shownName(of author: AuthorID) -> String? {
        name(of: author) ?? (isFormerGuest(author) ? Self.formerGuest : nil)
    }

    /// The displayed name of an author who has deleted all names.
    public static let formerGuest = "former guest"

    private func currentName(of author: AuthorID) -> Names.Name? {
        let current = base.membership.devices(of: author).compactMap { names.current(of: $0, base) }
        return current.max { ($0.timestamp, $1.id) < ($1.timestamp, $0.id) }
    }

    /// The name operations that count, by author, for the digest.
    package var nameOperations: [(author: AuthorID, id: OperationID)] {
        Set(names.devices.map(base.membership.author)).sorted().compactMap { author in
            currentName(of: author).map { (author, $0.id) }
        }
    }
}
