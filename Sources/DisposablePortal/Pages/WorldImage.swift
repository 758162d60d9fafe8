// SPDX-License-Identifier: Apache-2.0

/// The outline of the world as an image that can be an event's plan (packaging/outline.py): the square of a map's tile of
/// zoom 0.
public enum WorldImage {
    /// A PNG.
    public static var path: String { PageFiles.folder + "/board/world.png" }
}
