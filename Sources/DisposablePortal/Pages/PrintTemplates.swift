// SPDX-License-Identifier: Apache-2.0

/// The drawings of posters and tickets, files that the pages also serve: a designer starts with them.
package enum PrintTemplates {
    /// A poster, and in half the size a card.
    package static var poster: String { PageFiles.folder + "/print/poster.svg" }
    /// A tent for tables, and in half the size a ticket.
    package static var ticket: String { PageFiles.folder + "/print/ticket.svg" }
}
