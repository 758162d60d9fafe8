// SPDX-License-Identifier: Apache-2.0
import DisposableNode
import Testing

@Suite struct ExportNameTests {
    @Test(
        "what people type becomes a safe part of a file name",
        arguments: [
            ("Anna", "Anna"), ("Anna & Ben", "Anna & Ben"), ("../../etc/passwd", "_.._etc_passwd"), ("..", "guest"),
            ("a/b\\c:d*e?f\"g<h>i|j", "a_b_c_d_e_f_g_h_i_j"), ("  .hidden. ", "hidden"), ("", "guest"),
            ("new\nline", "new_line"), ("Zoë 📸", "Zoë 📸"),
        ])
    func component(text: String, expected: String) { #expect(ExportName.component(text) == expected) }

    @Test("a long name is cut between characters and stays within the limit")
    func length() {
        let family = "👨‍👩‍👧‍👦"
        let name = ExportName.component(String(repeating: family, count: 20))
        #expect(name.utf8.count <= ExportName.byteCountMax)
        #expect(name.allSatisfy { String($0) == family })
        #expect(!name.isEmpty)
    }
}

@Suite struct AdvertisementTextTests {
    @Test("a record of another version, or without a salt, shows no event")
    func foreignRecords() {
        let tag = Array(String(repeating: "a", count: 32).utf8)
        let salt = Array("0011223344556677".utf8)
        #expect(AdvertisementText.events(in: ["v": Array("1".utf8), "s": salt, "t0": tag]).isEmpty)
        #expect(AdvertisementText.events(in: ["v": Array("0".utf8), "t0": tag]).isEmpty)
        #expect(AdvertisementText.events(in: ["v": Array("0".utf8), "s": salt, "t0": tag]).count == 1)
    }

    @Test("a listed name that could disturb a terminal is not shown")
    func hostileName() {
        let events = AdvertisementText.events(in: [
            "v": Array("0".utf8), "s": Array("0011223344556677".utf8), "t0": [], "n0": Array("evil\u{1B}[2J".utf8),
            "b0": Array("not a number".utf8),
        ])
        #expect(events.count == 1)
        #expect(events.first?.name == nil)
        #expect(events.first?.startsAtMilliseconds == nil)
    }
}
