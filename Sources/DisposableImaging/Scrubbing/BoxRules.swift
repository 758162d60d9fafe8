// SPDX-License-Identifier: Apache-2.0

/// The boxes of an ISO base media file that are kept: those that define how to show picture and sound. All others are
/// blanked.
///
/// Sources: ISO 14496-12 (films), ISO 14496-14 and 14496-15 (codecs), ISO 23008-12 (still images), Apple's QuickTime
/// File Format, Google's Spherical Video V2.
enum BoxRules {
    /// Boxes without content, which keep their kind. Four zero bytes end a QuickTime `wave` list.
    static let padding: Set<String> = ["free", "skip", "wide", "\0\0\0\0"]

    /// The children that each container keeps.
    static let children: [String: Set<String>] = [
        "file": ["ftyp", "styp", "moov", "moof", "mdat", "mfra", "sidx", "ssix", "pdin"],
        "moov": ["mvhd", "trak", "mvex"],
        "mvex": ["mehd", "trex", "leva"],
        "trak": ["tkhd", "edts", "mdia", "tref", "tapt", "load", "uuid"],
        "edts": ["elst"],
        "tapt": ["clef", "prof", "enof"],
        // References to tracks that are shown: alpha, depth and layers, time code, and alternatives.
        "tref": ["auxl", "vdep", "vplx", "tmcd", "fall", "folw", "sync", "dpnd", "sbas", "scal", "thmb", "adda"],
        "mdia": ["mdhd", "hdlr", "minf"],
        "minf": ["vmhd", "smhd", "nmhd", "gmhd", "hdlr", "dinf", "stbl"],
        "gmhd": ["gmin", "tmcd"],
        "tmcd": ["tcmi"],
        "dinf": ["dref"],
        "stbl": [
            "stsd", "stts", "ctts", "cslg", "stsc", "stsz", "stz2", "stco", "co64", "stss", "stps", "stsh", "sdtp",
            "sbgp", "sgpd", "subs",
        ],
        "moof": ["mfhd", "traf"],
        "traf": ["tfhd", "tfdt", "trun", "sdtp", "sbgp", "sgpd", "subs"],
        "mfra": ["tfra", "mfro"],
        // In a sample entry: the setup of a codec, and how to show its pictures and sound.
        "entry": [
            "avcC", "hvcC", "lhvC", "vvcC", "av1C", "vpcC", "esds", "d263", "damr", "dac3", "dec3", "dac4", "dOps",
            "dfLa", "alac", "dapa", "mhaC", "pcmC", "dvcC", "dvvC", "dvwC", "hvcE", "avcE", "mvcC", "wave", "chan",
            "chnl", "srat", "btrt", "pasp", "clap", "colr", "fiel", "gama", "mdcv", "clli", "cclv", "amve", "SmDm",
            "CoLL", "ccst", "auxi", "st3d", "sv3d", "vexu", "hfov",
        ],
        "wave": ["frma", "mp4a", "esds", "alac", "enda", "chan", "samr", "\0\0\0\0"],
        "sv3d": ["svhd", "proj"],
        "proj": ["prhd", "equi", "cbmp", "mshp", "prji"],
        "vexu": ["eyes", "proj", "pack", "must"],
        "eyes": ["stri", "hero", "cams", "cmfy", "must"],
        "cams": ["blin", "must"],
        "cmfy": ["dadj", "must"],
        "pack": ["pkin", "must"],
        // In still images.
        "meta": ["hdlr", "pitm", "iinf", "iloc", "iprp", "iref", "idat", "grpl", "dinf"],
        "iprp": ["ipco", "ipma"],
        "ipco": [
            "hvcC", "lhvC", "vvcC", "av1C", "avcC", "jpgC", "ispe", "pixi", "colr", "pasp", "clap", "irot", "imir",
            "auxC", "clli", "mdcv", "cclv", "amve", "rloc", "oinf", "tols", "lsel", "a1op", "a1lx", "iscl", "cmin",
            "cmex",
        ],
        "iref": ["dimg", "thmb", "auxl", "cdsc", "base", "prem", "pred", "tbas", "exbl"],
        "grpl": ["altr", "ster", "eqiv", "tsyn", "pymd", "brst"],
    ]

    /// Bytes between a container's header and its children.
    static let childrenOffsets: [String: Int] = ["dref": 8, "iref": 4, "meta": 4]

    /// The lengths of payloads with a fixed number of bytes in version 0 and in later ones. The rest is no field.
    private static let payloadByteCounts: [String: (Int, Int)] = [
        "mvhd": (100, 112), "tkhd": (84, 96), "mdhd": (24, 36), "vmhd": (12, 12), "smhd": (8, 8), "nmhd": (4, 4),
        "gmin": (16, 16), "tcmi": (24, 24), "mehd": (8, 12), "trex": (24, 24), "mfhd": (8, 8), "tfdt": (8, 12),
        "mfro": (8, 8), "cslg": (24, 44), "clef": (12, 12), "prof": (12, 12), "enof": (12, 12), "svhd": (4, 4),
        "ispe": (12, 12), "stri": (5, 5), "hero": (5, 5), "blin": (8, 8), "dadj": (8, 8), "equi": (20, 20),
        "prhd": (16, 16), "st3d": (5, 5),
    ]
    /// The same for boxes without a version.
    private static let plainByteCounts: [String: Int] = [
        "load": 16, "pasp": 8, "clap": 32, "fiel": 2, "gama": 4, "btrt": 12, "irot": 1, "imir": 1, "clli": 4,
        "mdcv": 24, "frma": 4, "enda": 2, "amve": 8,
    ]
    /// Tables: the bytes of one entry in version 0 and in later ones. The number of entries follows version and flags.
    private static let entryByteCounts: [String: (Int, Int)] = [
        "elst": (12, 20), "stts": (8, 8), "ctts": (8, 8), "stsc": (12, 12), "stco": (4, 4), "co64": (8, 8),
        "stss": (4, 4), "stps": (4, 4), "stsh": (8, 8),
    ]

    /// Returns the bytes of `box` after its last field; empty for a kind without a known length.
    static func tail(of box: Box, in region: borrowing FileRegion) throws(ScrubFailure) -> Range<Int> {
        if let count = plainByteCounts[box.kind] { return box.payload(from: count) }
        guard let counts = payloadByteCounts[box.kind] ?? entryByteCounts[box.kind], box.payload.count >= 4 else {
            return box.payload.upperBound..<box.payload.upperBound
        }
        let isFirst = try region.number(at: box.payload.lowerBound, count: 1) == 0
        let count = isFirst ? counts.0 : counts.1
        guard entryByteCounts[box.kind] != nil else { return box.payload(from: count) }
        guard box.payload.count >= 8 else { throw .malformed }
        return box.payload(from: 8 + count * (try region.number(at: box.payload.lowerBound + 4, count: 4)))
    }

    /// Returns the category of a blanked box: phones store the location in user data and QuickTime's metadata list.
    static func category(of box: Box, in region: borrowing FileRegion) throws(ScrubFailure) -> ScrubReport.Category {
        switch box.kind {
        case "udta", "meta", "gps ": return .location
        case "XMP_", "xml ": return .xmp
        case "uuid":
            let start = box.payload.lowerBound
            return try region.bytes(start..<min(start + 16, box.payload.upperBound)) == xmpIdentifier ? .xmp : .other
        default: return .other
        }
    }

    private static let xmpIdentifier: [UInt8] = [
        0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
    ]
}
