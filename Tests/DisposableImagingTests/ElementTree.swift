// SPDX-License-Identifier: Apache-2.0

/// A WebM file as a tree of elements, to put things where programs that write metadata put them.
struct ElementTree {
    var id: [UInt8]
    var payload: [UInt8] = []
    var children: [ElementTree]?
    var isOfUnknownLength = false

    private static let containers: Set<[UInt8]> = [
        [0x1a, 0x45, 0xdf, 0xa3], [0x18, 0x53, 0x80, 0x67], [0x15, 0x49, 0xa9, 0x66], [0x16, 0x54, 0xae, 0x6b], [0xae],
        [0xe0], [0xe1], [0x1f, 0x43, 0xb6, 0x75], [0xa0], [0x1c, 0x53, 0xbb, 0x6b], [0xbb], [0xb7],
        [0x11, 0x4d, 0x9b, 0x74], [0x4d, 0xbb],
    ]
    private static let cluster: [UInt8] = [0x1f, 0x43, 0xb6, 0x75]

    static func list(_ bytes: ArraySlice<UInt8>, isInCluster: Bool = false) -> [ElementTree] {
        var rest = bytes
        var elements: [ElementTree] = []
        while let first = rest.first {
            let id = Array(rest.prefix(first.leadingZeroBitCount + 1))
            // A cluster of unknown length ends where something begins that does not belong into it.
            if isInCluster, id.count == 4 { break }
            rest = rest.dropFirst(id.count)
            let lengthByteCount = rest.first!.leadingZeroBitCount + 1
            let length = rest.prefix(lengthByteCount).reduce(0) { $0 << 8 | Int($1) } & (1 << (7 * lengthByteCount) - 1)
            rest = rest.dropFirst(lengthByteCount)
            var element = ElementTree(id: id)
            element.isOfUnknownLength = length == 1 << (7 * lengthByteCount) - 1
            var payload = element.isOfUnknownLength ? rest : rest.prefix(length)
            if containers.contains(id) {
                let children = list(payload, isInCluster: element.isOfUnknownLength && id == cluster)
                if element.isOfUnknownLength, id == cluster {
                    payload = payload.prefix(children.reduce(0) { $0 + $1.sourceByteCount })
                }
                element.children = children
            } else {
                element.payload = Array(payload)
            }
            element.sourceByteCount = id.count + lengthByteCount + payload.count
            rest = rest.dropFirst(payload.count)
            elements.append(element)
        }
        return elements
    }

    /// The number of bytes that it took in its source.
    private var sourceByteCount = 0

    init(_ id: [UInt8], _ payload: [UInt8] = []) { self.init(id: id, payload: payload) }
    init(_ id: [UInt8], children: [ElementTree]) { self.init(id: id, children: children) }
    private init(id: [UInt8], payload: [UInt8] = [], children: [ElementTree]? = nil) {
        (self.id, self.payload, self.children) = (id, payload, children)
    }

    var bytes: [UInt8] {
        let content = children.map { $0.flatMap(\.bytes) } ?? payload
        if children == nil, content.count < 127 { return id + [0x80 | UInt8(content.count)] + content }
        let length = isOfUnknownLength ? (1 << 56 - 1) : content.count
        return id + [0x01] + (0..<7).reversed().map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + content
    }

    /// Title, names, languages, tags, attachments, chapters, gaps, checksums and elements that nobody knows.
    static func foreign(_ marker: String) -> [ElementTree] {
        let text = Array(marker.utf8)
        let ids: [[UInt8]] = [
            [0x7b, 0xa9], [0x53, 0x6e], [0x22, 0xb5, 0x9c], [0x25, 0x86, 0x88], [0x73, 0xa4], [0x73, 0x84], [0xec],
            [0x7f, 0x7e],
        ]
        return ids.map { ElementTree($0, text) } + [ElementTree([0xbf], Array(text.prefix(4)))]
    }

    static func foreignParts(_ marker: String) -> [ElementTree] {
        [[0x12, 0x54, 0xc3, 0x67], [0x19, 0x41, 0xa4, 0x69], [0x10, 0x43, 0xa7, 0x70]].map {
            ElementTree($0, children: foreign(marker))
        }
    }

    /// The tree with foreign elements in every container, and `marker` as the program that wrote it.
    func planted(_ marker: String) -> ElementTree {
        var tree = self
        if [[0x4d, 0x80], [0x57, 0x41]].contains(id) { tree.payload = Array(marker.utf8) }
        guard let children else { return tree }
        tree.children = children.map { $0.planted(marker) }
        tree.children! += Self.foreign(marker)
        if id == [0x18, 0x53, 0x80, 0x67] { tree.children! += Self.foreignParts(marker) }
        return tree
    }
}
