// SPDX-License-Identifier: Apache-2.0
import DisposableWeb
import Testing

@Suite struct HTMLTests {
    @Test("interpolated values are escaped as text, also in an attribute")
    func escaping() {
        let evil = "<script>alert(\"1\")</script>&'\u{0}"
        let html: HTML = "<p title=\"\(evil)\">\(evil)</p>"
        let escaped = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;\u{0}"
        #expect(html.text == "<p title=\"\(escaped)\">\(escaped)</p>")
    }

    @Test("HTML is not escaped again")
    func nesting() {
        let items: [HTML] = ["a<b", "c"].map { (text: String) in "<li>\(text)</li>" }
        let html: HTML = "<ul>\(items)</ul>\(nil as HTML?)"
        #expect(html.text == "<ul><li>a&lt;b</li><li>c</li></ul>")
    }
}
