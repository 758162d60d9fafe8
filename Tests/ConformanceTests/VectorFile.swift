// SPDX-License-Identifier: Apache-2.0
import DisposableConformance
import Foundation
import Testing

/// A file of `protocol/vectors`, which a second implementation made.
struct VectorFile: CustomTestStringConvertible, Sendable {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "protocol/vectors")

    let area: Conformance.Area
    let name: String
    let data: Data
    var testDescription: String { name }

    /// All that lie there, by area and name.
    static let all: [VectorFile] = Conformance.Area.allCases.flatMap { area in
        let folder = root.appending(path: area.rawValue)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().compactMap { name in
            (try? Data(contentsOf: folder.appending(path: name))).map {
                VectorFile(area: area, name: "\(area.rawValue)/\(name)", data: $0)
            }
        }
    }

    static func named(_ name: String) throws -> VectorFile { try #require(all.first { $0.name == name }) }

    var answers: [Conformance.Answer] { Conformance.answers(to: data, named: name, in: area) }

    var fields: [String: JSON] {
        get throws {
            guard case .object(let fields) = try JSON(data) else { throw CocoaError(.fileReadCorruptFile) }
            return fields
        }
    }

    func decode<Fields: Decodable>(_ type: Fields.Type) throws -> Fields { try JSONDecoder().decode(type, from: data) }

    /// The file with other fields.
    func with(_ fields: [String: JSON]) throws -> VectorFile {
        let changed = try self.fields.merging(fields) { $1 }
        return VectorFile(area: area, name: name, data: Data(JSON.object(changed).text.utf8))
    }

    var expect: String {
        get throws {
            guard case .string(let expect) = try fields["expect"] else { return "" }
            return expect
        }
    }
}
