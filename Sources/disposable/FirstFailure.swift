// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import Synchronization

/// The first failure among several tasks of a command.
final class FirstFailure: Sendable {
    private let failure = Mutex<Failure?>(nil)

    func fail(_ failure: Failure) { self.failure.withLock { $0 = $0 ?? failure } }
    var hasFailed: Bool { failure.withLock { $0 != nil } }
    func check() throws { if let failure = failure.withLock({ $0 }) { throw failure } }
}

/// The elements that were seen before, shared by tasks.
final class Seen<Element: Hashable & Sendable>: Sendable {
    private let elements = Mutex(Set<Element>())

    func isNew(_ element: Element) -> Bool { elements.withLock { $0.insert(element).inserted } }
    var isEmpty: Bool { elements.withLock { $0.isEmpty } }
    var all: Set<Element> { elements.withLock { $0 } }
}
