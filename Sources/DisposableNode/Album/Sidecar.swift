// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import Foundation

/// The XMP file beside an exported photo, `<photo>.xmp`: caption, comments, author, zone (as a keyword) and time in the
/// fields that photo libraries read. The photo itself stays as everybody has it.
struct Sidecar: Sendable {
    private let caption: String?
    private let author: String
    private let zone: String?
    /// ISO 8601.
    private let takenAt: String
    /// A line for each.
    private let comments: String

    init(of photo: EventNode.DescribedPhoto, by author: String, _ comments: [AlbumManifest.Comment]) {
        caption = photo.remarks.caption?.text
        // A line feed in a comment would begin another one, by any author.
        self.comments = comments.map { "\($0.author): \($0.text.replacing("\n", with: " "))" }.joined(separator: "\n")
        self.author = author
        zone = photo.zone
        takenAt = Timestamps.iso8601(photo.manifest?.takenAtMilliseconds ?? photo.photo.timestamp.milliseconds)
    }

    private static let tool = "x:xmptk=\"Disposable\""

    var text: String {
        let description =
            caption.map {
                "\n   <dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">\(Self.escaped($0))</rdf:li></rdf:Alt></dc:description>"
            } ?? ""
        let remarks =
            comments.isEmpty
            ? "" : "\n   <exif:UserComment><rdf:Alt><rdf:li xml:lang=\"x-default\">\(Self.escaped(comments))</rdf:li></rdf:Alt></exif:UserComment>"
        let keyword =
            zone.map { "\n   <dc:subject><rdf:Bag><rdf:li>\(Self.escaped($0))</rdf:li></rdf:Bag></dc:subject>" } ?? ""
        return """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/" \(Self.tool)>
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" \
            xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/" \
            xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/">
               <dc:creator><rdf:Seq><rdf:li>\(Self.escaped(author))</rdf:li></rdf:Seq></dc:creator>\(description)\(keyword)\(remarks)
               <exif:DateTimeOriginal>\(takenAt)</exif:DateTimeOriginal>
               <xmp:CreateDate>\(takenAt)</xmp:CreateDate>
               <photoshop:DateCreated>\(takenAt)</photoshop:DateCreated>
              </rdf:Description>
             </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>

            """
    }

    /// Writes or replaces the file; one that another program has written stays as it is.
    func write(beside photo: String) throws {
        let path = photo + ".xmp"
        if FileManager.default.fileExists(atPath: path) {
            let present = try? String(contentsOfFile: path, encoding: .utf8)
            guard present?.contains(Self.tool) == true else { return }
        }
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    /// Without characters that XML does not allow.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\n", "\t", "\r": escaped.unicodeScalars.append(scalar)
            default:
                let isAllowed = scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
                if isAllowed { escaped.unicodeScalars.append(scalar) }
            }
        }
        return escaped
    }
}
