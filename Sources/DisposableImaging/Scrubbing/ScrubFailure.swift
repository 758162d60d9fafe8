// SPDX-License-Identifier: Apache-2.0

/// The reason why a scrub ended early.
enum ScrubFailure: Error {
    case malformed
    case file(ImagingError)
}
