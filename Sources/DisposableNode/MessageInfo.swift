// SPDX-License-Identifier: Apache-2.0

/// A message to the organizers, as the command line prints it.
public struct MessageInfo: Codable, Sendable, Equatable {
    public var id: String
    /// The name of the author, or the start of the author's key.
    public var author: String
    /// ISO 8601.
    public var saidAt: String
    /// The id of the photo that it is about; absent if it is about none.
    public var photo: String?
    /// Absent if it is not sealed to this node, or has not arrived yet.
    public var text: String?
}
