// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// What can go wrong with one file, or with the helper process that decodes it.
public enum ImagingError: Error, Equatable, Sendable {
    /// The file could not be opened, read or written; `code` is an `errno`.
    case unreadable(code: Int32)
    /// A folder, device, pipe or socket.
    case notARegularFile
    case tooLarge(byteCount: Int, limit: Int)
    /// None of `MediaType`.
    case notAccepted
    case tooManyPixels(width: Int, height: Int, limit: Int)
    /// The decoder's own message.
    case undecodable(String)
    /// The image fits no rendition limit, at any quality: not seen in practice.
    case unshrinkable(byteCountMax: Int)

    /// The helper did not answer within the time for one request, and was ended.
    case timedOut
    /// The helper was ended by this signal while it worked on the request.
    case workerCrashed(signal: Int32)
    /// The helper ended by itself, with this exit status.
    case workerExited(status: Int32)
    /// The helper could not be started; `code` is an `errno`.
    case workerUnavailable(code: Int32)
    case malformedMessage
    /// More requests wait than the pool holds.
    case queueFull(limit: Int)
    case stopped
}

extension ImagingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let code): "file not readable: \(Self.message(code))"
        case .notARegularFile: "not a regular file"
        case .tooLarge(let byteCount, let limit): "file of \(byteCount) bytes exceeds the limit of \(limit)"
        case .notAccepted: "neither a photo nor a video of a known kind"
        case .tooManyPixels(let width, let height, let limit):
            "image of \(width) x \(height) pixels exceeds the limit of \(limit)"
        case .undecodable(let message): "image not decodable: \(message)"
        case .unshrinkable(let limit): "image does not fit into \(limit) bytes"
        case .timedOut: "image worker took too long"
        case .workerCrashed(let signal): "image worker ended by signal \(signal)"
        case .workerExited(let status): "image worker ended with status \(status)"
        case .workerUnavailable(let code): "image worker not started: \(Self.message(code))"
        case .malformedMessage: "message between node and image worker malformed"
        case .queueFull(let limit): "\(limit) images are waiting already"
        case .stopped: "image workers are stopped"
        }
    }

    private static func message(_ code: Int32) -> String { String(cString: strerror(code)) }
}
