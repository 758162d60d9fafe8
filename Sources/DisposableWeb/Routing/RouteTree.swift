// SPDX-License-Identifier: Apache-2.0

/// Values by the path of a route. Each level of the tree is one segment.
package struct RouteTree<Value: Sendable>: Sendable {
    private var value: Value?
    private var literals: [String: RouteTree] = [:]
    /// None or one: an array, since a structure cannot contain itself.
    private var parameter: [RouteTree] = []

    package init() {}

    /// Changes the value at a route. Paths that differ only in the names of their parameters are the same route.
    package mutating func update(_ path: RouterPath, _ change: (inout Value?) -> Void) {
        update(path.segments[...], change)
    }

    private mutating func update(_ path: ArraySlice<RouterPath.Segment>, _ change: (inout Value?) -> Void) {
        switch path.first {
        case nil:
            change(&value)
        case .literal(let text):
            literals[text, default: RouteTree()].update(path.dropFirst(), change)
        case .parameter:
            if parameter.isEmpty { parameter.append(RouteTree()) }
            parameter[0].update(path.dropFirst(), change)
        }
    }

    /// Returns the value of the route that matches the segments of a request's path, and the values of its parameters
    /// in order; `nil` if none matches.
    ///
    /// From left to right, a literal is preferred to a parameter. The search goes no deeper than the longest route, for
    /// a path of any length.
    package func match(_ segments: [Substring]) -> (value: Value, parameters: [Substring])? { match(segments[...]) }

    private func match(_ segments: ArraySlice<Substring>) -> (value: Value, parameters: [Substring])? {
        guard let segment = segments.first else { return value.map { ($0, []) } }
        let rest = segments.dropFirst()
        if let found = literals[String(segment)]?.match(rest) { return found }
        guard let (value, parameters) = parameter.first?.match(rest) else { return nil }
        return (value, [segment] + parameters)
    }
}
