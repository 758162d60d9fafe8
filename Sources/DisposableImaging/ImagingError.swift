// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The errors of one file, or of the image worker that decodes it.
public enum ImagingError: Error, Equatable, Sendable {
    /// The file could not be opened, read or written; `code` is an `errno`.
    case unreadable(code: Int32)
    /// A folder, device, pipe or socket.
    case notARegularFile
    case tooLarge(byteCount: Int, limit: Int)
    /// Not one of `MediaFormat`.
    case notAccepted
    case tooManyPixels(width: Int, height: Int, limit: Int)
    /// The decoder's own message.
    case undecodable(String)
    /// The image exceeds the limit of a rendition at any quality: not seen in practice.
    case unshrinkable(byteCountMax: Int)

    /// The worker did not answer within the time for one request, and was killed.
    case timedOut
    /// The worker was killed by this signal while it worked on the request.
    case workerCrashed(signal: Int32)
    /// The worker exited with this status.
    case workerExited(status: Int32)
    /// The worker could not be started; `code` is an `errno`.
    case workerUnavailable(code: Int32)
    case malformedMessage
    /// The pool's queue of requests is full.
    case queueFull(limit: Int)
    case stopped
}

extension ImagingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let code): "cannot read the file: \(Self.message(code))"
        case .notARegularFile: "not a regular file"
        case .tooLarge(let byteCount, let limit): "file of \(byteCount) bytes exceeds the limit of \(limit)"
        case .notAccepted: "neither a photo nor a video of a known kind"
        case .tooManyPixels(let width, let height, let limit):
            "image of \(width) x \(height) pixels exceeds the limit of \(limit)"
        case .undecodable(let message): "cannot decode the image: \(message)"
        case .unshrinkable(let limit): "image does not fit into \(limit) bytes"
        case .timedOut: "the image worker timed out"
        case .workerCrashed(let signal): "the image worker was killed by signal \(signal)"
        case .workerExited(let status): "the image worker exited with status \(status)"
        case .workerUnavailable(let code): "the image worker could not be started: \(Self.message(code))"
        case .malformedMessage: "malformed message between node and image worker"
        case .queueFull(let limit): "the queue of \(limit) images is full"
        case .stopped: "the image workers are stopped"
        }
    }

    private static func message(_ code: Int32) -> String { String(cString: strerror(code)) }
}
