// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import Testing

@Suite struct FileNameTests {
    @Test(
        "what people type leaves the folder in no way and disturbs no list",
        arguments: [
            ("../../etc/passwd", "_.._etc_passwd"), ("a/b\\c:d*e?f\"g<h>i|j", "a_b_c_d_e_f_g_h_i_j"), ("..", "none"),
            ("  .hidden. ", "hidden"), ("new\nline\u{0}", "new_line_"), ("CON", "_CON"), ("con.txt", "_con.txt"),
            ("Lpt1", "_Lpt1"), ("Contact", "Contact"), ("gpj\u{202E}.exe", "gpj_.exe"), ("Zoë 📸 👨‍👩‍👧", "Zoë 📸 👨‍👩‍👧"),
            ("Anna & Ben", "Anna & Ben"), ("", "none"),
        ])
    func component(text: String, expected: String) {
        let component = FileName.component(text, byteCountMax: 60, orElse: "none")
        #expect(Array(component.utf8) == Array(expected.utf8))
    }

    @Test("a long name is cut between characters")
    func length() {
        let family = "👨‍👩‍👧‍👦"
        let name = FileName.component(String(repeating: family, count: 40), byteCountMax: 60, orElse: "")
        #expect(name == family + family)
    }
}
