// SPDX-License-Identifier: Apache-2.0

/// A file on its way to a helper, open for what the helper does with it, and closed when nobody needs it any more.
final class WorkerFile: Sendable {
    private let file: RegularFile

    init(_ file: consuming RegularFile) { self.file = file }

    var descriptor: Int32 { file.descriptor }
}
