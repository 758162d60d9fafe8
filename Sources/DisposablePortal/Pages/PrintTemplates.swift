// SPDX-License-Identifier: Apache-2.0

/// The drawings of posters and tickets, which the pages also serve: designers start with them.
package enum PrintTemplates {
    package static let paths = ["poster", "ticket"].map { "\(PageFiles.folder)/print/\($0).svg" }
}
