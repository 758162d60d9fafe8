// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Testing

@Suite struct UpdateLogTests {
    private static let photo = PhotoID(hex: String(repeating: "a", count: 64))!

    private func log(_ count: Int, countMax: Int = 4) -> UpdateLog {
        var log = UpdateLog(instance: "1a2b3c4d", countMax: countMax)
        for _ in 0..<count { log.append(.removed(Self.photo)) }
        return log
    }

    @Test("the changes since a number arrive in order, and none twice")
    func since() {
        let log = log(3)
        for number in 0...3 as ClosedRange<UInt64> {
            guard case .entries(let entries) = log.since(number) else {
                Issue.record("\(number) is forgotten")
                continue
            }
            #expect(entries.map(\.number) == (number..<3).map { $0 + 1 })
        }
    }

    @Test("after any number of changes at least the newest are kept, and older numbers require a reload")
    func forgotten() {
        for count in 0..<40 {
            let log = log(count)
            #expect(log.newest == UInt64(count))
            for number in 0...UInt64(count) {
                switch log.since(number) {
                case .entries(let entries):
                    #expect(entries.map(\.number) == (number..<UInt64(count)).map { $0 + 1 })
                    #expect(entries.count < 8)
                case .reset: #expect(UInt64(count) - number > 4)
                }
            }
        }
    }

    @Test("a later change of a photo takes the content of its earlier ones away, and no number")
    func contents() throws {
        func photo(_ caption: String) -> AlbumPhoto {
            AlbumPhoto(
                id: Self.photo, author: AuthorID(hex: String(repeating: "b", count: 64))!, authorName: "Ben",
                state: .frame(1), addedAtMilliseconds: 1, takenAtMilliseconds: nil, width: 1, height: 1,
                mediaType: .jpeg, byteCount: nil, available: [], caption: caption)
        }
        func changes(_ log: UpdateLog) throws -> [UpdateLog.Change] {
            guard case .entries(let entries) = log.since(0) else { throw CancellationError() }
            #expect(entries.map(\.number) == entries.indices.map { UInt64($0) + 1 })
            return entries.map(\.change)
        }
        var log = UpdateLog(instance: "1a2b3c4d", countMax: 8)
        log.append(.photo(Self.photo, photo("first")))
        log.append(.event)
        log.append(.photo(Self.photo, photo("second")))
        let second = UpdateLog.Change.photo(Self.photo, photo("second"))
        #expect(try changes(log) == [second, .event, second])
        // Hidden: its author alone may see it.
        log.append(.photo(Self.photo, nil))
        #expect(
            try changes(log) == [.removed(Self.photo), .event, .removed(Self.photo), .photo(Self.photo, nil)])
        log.append(.photo(Self.photo, photo("third")))
        log.append(.removed(Self.photo))
        #expect(try changes(log).suffix(3) == [.photo(Self.photo, nil), .removed(Self.photo), .removed(Self.photo)])
        // Beyond the limit, too.
        for number in 0..<40 {
            log.append(.photo(Self.photo, photo("\(number)")))
            guard case .entries(let entries) = log.since(log.newest - 4) else { throw CancellationError() }
            #expect(entries.allSatisfy { $0.change == .photo(Self.photo, photo("\(number)")) || number < 4 })
        }
    }

    @Test("after a change of everything, only later changes are kept")
    func everything() {
        var log = log(2)
        log.appendEverything()
        #expect(log.since(2) == .reset)
        #expect(log.since(3) == .entries([]))
        log.append(.event)
        guard case .entries(let entries) = log.since(3) else {
            Issue.record("the change is missing")
            return
        }
        #expect(entries.map(\.number) == [4])
        #expect(entries.map(\.change) == [.event])
        #expect(log.since(2) == .reset)
    }

    @Test(
        "ids of another start, of the future, or malformed ones are invalid",
        arguments: [
            "", "-", "1a2b3c4d-", "1a2b3c4d-4", "1a2b3c4e-1", "1a2b3c4d-01", "1a2b3c4d--1", "1", "1a2b3c4d-1-1",
            "1a2b3c4d-+1",
        ])
    func malformedID(id: String) { #expect(log(3).number(in: id) == nil) }

    @Test("an id contains its number")
    func id() { #expect(log(3).number(in: log(3).id(2)) == 2) }
}
