// SPDX-License-Identifier: Apache-2.0

/// An open file that is passed to a worker. Its mode fits the worker's role; it is closed with its last reference.
final class WorkerFile: Sendable {
    private let file: RegularFile

    init(_ file: consuming RegularFile) { self.file = file }

    var descriptor: Int32 { file.descriptor }
}
