// SPDX-License-Identifier: Apache-2.0

/// A file of boxes as a tree, to put things where programs that write metadata put them.
struct BoxTree {
    var kind: String
    /// Fields in front of the children, or the whole payload.
    var fields: [UInt8]
    var children: [BoxTree]?

    /// Containers, and how many bytes of fields they have.
    private static let containers = [
        "moov": 0, "trak": 0, "mdia": 0, "minf": 0, "stbl": 0, "mvex": 0, "moof": 0, "traf": 0, "mfra": 0, "edts": 0,
        "dinf": 0, "gmhd": 0, "tref": 0, "stsd": 8, "dref": 8, "meta": 4, "iprp": 0, "ipco": 0, "avc1": 78, "hvc1": 78,
        "mp4a": 28, "wave": 0,
    ]

    static func list(_ bytes: ArraySlice<UInt8>, in parent: String = "") -> [BoxTree] {
        var rest = bytes
        var boxes: [BoxTree] = []
        while rest.count >= 8 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            precondition((8...rest.count).contains(length), "a box of \(length) bytes")
            let kind = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
            let payload = rest.prefix(length).dropFirst(8)
            // QuickTime has a box of the name of another in `wave`, and a `meta` of another form in films.
            let isOther = parent == "wave" || (kind == "meta" && !parent.isEmpty)
            // The sound of QuickTime has more fields in front of its boxes.
            let moreCount = kind == "mp4a" && parent == "stsd" && payload.dropFirst(9).first == 1 ? 16 : 0
            if let count = containers[kind].map({ $0 + moreCount }), payload.count >= count, !isOther {
                boxes.append(
                    BoxTree(
                        kind: kind, fields: Array(payload.prefix(count)),
                        children: list(payload.dropFirst(count), in: kind)))
            } else {
                boxes.append(BoxTree(kind: kind, fields: Array(payload)))
            }
            rest = rest.dropFirst(length)
        }
        return boxes
    }

    var bytes: [UInt8] { box(kind, fields + (children ?? []).flatMap(\.bytes)) }

    /// Boxes and fields where a recorder may leave a text, all of them with `marker`.
    static func foreign(_ marker: String) -> [BoxTree] {
        let text = Array(marker.utf8)
        let xmp: [UInt8] = [
            0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
        ]
        let place = box("\u{a9}xyz", text)
        return [
            BoxTree(kind: "udta", fields: place), BoxTree(kind: "meta", fields: [0, 0, 0, 0] + text),
            BoxTree(kind: "uuid", fields: xmp + text), BoxTree(kind: "uuid", fields: xmp.reversed() + text),
            BoxTree(kind: "free", fields: text), BoxTree(kind: "skip", fields: text),
            BoxTree(kind: "xml ", fields: [0, 0, 0, 0] + text), BoxTree(kind: "bxml", fields: [0, 0, 0, 0] + text),
            BoxTree(kind: "udes", fields: [0, 0, 0, 0] + text), BoxTree(kind: "emsg", fields: [0, 0, 0, 0] + text),
            BoxTree(kind: "name", fields: text), BoxTree(kind: "zzzz", fields: text),
        ]
    }

    /// Fixed fields and tables: whatever follows them is no part of them.
    private static let lengthened: Set<String> = [
        "mvhd", "tkhd", "mdhd", "vmhd", "smhd", "elst", "stts", "stsc", "stco", "stss", "ctts", "trex", "mehd", "mfhd",
        "tfhd", "tfdt", "trun", "mfro", "url ", "hdlr", "pasp", "btrt", "ispe", "infe",
    ]

    /// The tree with foreign boxes in every container, and `marker` behind all fields of known length.
    /// - Parameter isPhoto: without `meta` boxes, which libheif takes for descriptions wherever they are.
    func planted(_ marker: String, isPhoto: Bool = false) -> BoxTree {
        var tree = self
        if Self.lengthened.contains(kind) { tree.fields += Array(marker.utf8) }
        if ["avc1", "hvc1"].contains(kind) { tree.fields.replaceSubrange(42..<48, with: Array(marker.utf8.prefix(6))) }
        guard let children else { return tree }
        tree.children = children.map { $0.planted(marker, isPhoto: isPhoto) }
        // Entries of these lists are counted in front of them.
        if !["stsd", "dref", "mfra"].contains(kind) {
            tree.children! += Self.foreign(marker).filter { !isPhoto || $0.kind != "meta" }
        }
        if kind == "moof" { tree.moveRuns(by: tree.bytes.count - bytes.count) }
        return tree
    }

    /// Runs of samples count from the start of their fragment, which is in front of them.
    private mutating func moveRuns(by distance: Int) {
        if kind == "trun", fields[3] & 1 != 0 {
            let offset = fields[8..<12].reduce(0) { $0 << 8 | Int($1) }
            fields.replaceSubrange(8..<12, with: TestPNG.bigEndian(offset + distance))
        }
        for index in (children ?? []).indices { children![index].moveRuns(by: distance) }
    }

    /// Items of a photo count from the start of the file: `iloc` of version 0 or 1, without a base or with one.
    mutating func moveItems(by distance: Int) {
        if kind == "iloc" {
            let (offsetSize, lengthSize) = (Int(fields[4] >> 4), Int(fields[4] & 15))
            let baseSize = Int(fields[5] >> 4)
            precondition(fields[0] < 2 && fields[5] & 15 == 0, "iloc as libheif and FFmpeg write it")
            var bytes = fields
            func number(_ index: Int, _ size: Int) -> Int {
                bytes[index..<(index + size)].reduce(0) { $0 << 8 | Int($1) }
            }
            func add(_ index: Int, _ size: Int) {
                let value = number(index, size) + distance
                for place in 0..<size {
                    bytes[index + place] = UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - place)))
                }
            }
            var index = 8
            while index < fields.count {
                // Id, method (of version 1: 0 = in the file), reference, base, count: each extent follows.
                let isInFile = fields[0] == 0 || fields[index + 3] & 15 == 0
                index += 2 + (fields[0] == 1 ? 2 : 0) + 2
                if baseSize > 0, isInFile { add(index, baseSize) }
                let count = number(index + baseSize, 2)
                index += baseSize + 2
                for _ in 0..<count {
                    if baseSize == 0, isInFile { add(index, offsetSize) }
                    index += offsetSize + lengthSize
                }
            }
            fields = bytes
        }
        for index in (children ?? []).indices { children![index].moveItems(by: distance) }
    }
}
