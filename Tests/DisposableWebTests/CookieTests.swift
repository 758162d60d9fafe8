// SPDX-License-Identifier: Apache-2.0
import DisposableWeb
import Testing

@Suite struct CookieTests {
    @Test("a cookie is written with its attributes, as in RFC 6265")
    func text() {
        #expect(Cookie(name: "a", value: "").text == "a=")
        #expect(
            Cookie(name: "a", value: "b=c", maxAge: 0, path: "/e/1/", httpOnly: true, sameSite: .strict).text
                == "a=b=c; Max-Age=0; Path=/e/1/; HttpOnly; SameSite=Strict")
        #expect(Cookie(name: "a", value: "b", sameSite: .lax).text == "a=b; SameSite=Lax")
    }

    @Test("each cookie of a request is found by its name")
    func found() {
        let cookies = Cookies(["a=1; b=2;c=3 ;\td=", "e=x=y"])
        for (name, value) in ["a": "1", "b": "2", "c": "3", "d": "", "e": "x=y"] {
            #expect(cookies[name]?.value == value, "\(name)")
        }
        #expect(cookies["f"] == nil)
        #expect(cookies["A"] == nil)
        #expect(Cookies([])["a"] == nil)
    }

    @Test("of several cookies of one name the first is used, which has the longest path")
    func first() { #expect(Cookies(["a=1; a=2", "a=3"])["a"]?.value == "1") }

    @Test(
        "malformed cookies are ignored",
        arguments: [
            "", ";", "a", "=", "=1", " = 1", "a b=1", "a=1 2", "a=\"1\"", "a=1,2", "a=\\", "a=\u{7F}", "a=é", "é=1",
            "a=\0", "a=1\r\n", "\u{2000}a=1", "(a)=1", "a\t=1",
        ])
    func malformed(pair: String) throws {
        let cookies = Cookies(["\(pair); z=26"])
        #expect(cookies["a"] == nil)
        #expect(cookies[""] == nil)
        #expect(cookies["z"]?.value == "26")
        #expect(Cookies(["\(pair); a=2"])["a"]?.value == "2")
    }

    @Test("a cookie is found among 100,000 others in one field")
    func many() {
        let others = (0..<100_000).map { "a\($0)=\($0)" }.joined(separator: "; ")
        #expect(Cookies(["\(others); z=26"])["z"]?.value == "26")
        #expect(Cookies([others])["z"] == nil)
        #expect(Cookies([String(repeating: ";", count: 1_000_000) + "z=26"])["z"]?.value == "26")
    }
}
