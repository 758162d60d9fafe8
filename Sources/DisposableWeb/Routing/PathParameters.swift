// SPDX-License-Identifier: Apache-2.0

/// The values of a route's parameters in a request's path, as sent.
package struct PathParameters: Equatable, Sendable {
    private let names: [String]
    private let values: [Substring]

    package init() { self.init(names: [], values: []) }

    /// - Parameter values: one for each name.
    init(names: [String], values: [Substring]) {
        self.names = names
        self.values = values
    }

    /// `nil` when the route has no such parameter.
    package func get(_ name: String) -> String? {
        names.firstIndex(of: name).map { String(values[$0]) }
    }
}
