// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite struct LayeringTests {
    /// The layers, from below. A target imports what stands in its row and nothing else; the same rows as in
    /// Package.swift, with the system's own modules.
    static let imports: [String: Set<String>] = [
        // Layer 0
        "CSodium": [], "CAvahi": [], "CVips": [], "CQREncode": [], "CLinux": [], "CZlib": [],
        "CCrash": [], "CBLAKE2": [],
        "DisposableCrypto": ["CBLAKE2", "CSodium"],
        "DisposableValues": ["Glibc"],
        "DisposableSystem": ["CLinux", "Foundation", "Glibc", "Synchronization"],
        // Layer 1
        "DisposableNoise": ["DisposableCrypto"],
        "DisposableModel": ["DisposableCrypto", "DisposableValues"],
        "DisposableMDNS": ["DisposableValues"],
        // Layer 2
        "DisposableWire": ["DisposableCrypto", "DisposableModel", "DisposableValues", "SwiftProtobuf"],
        "DisposableSockets": ["CCrash", "Glibc", "NIOCore", "Synchronization"],
        // Layer 3
        "DisposableSync": [
            "DisposableCrypto", "DisposableNoise", "DisposableModel", "DisposableValues", "DisposableWire",
            "OrderedCollections", "DequeModule",
        ],
        "DisposableStore": [
            "CLinux", "CZlib", "DisposableCrypto", "DisposableModel", "DisposableSystem", "DisposableValues",
            "DisposableWire", "GRDB", "Dispatch", "Foundation", "Glibc", "Synchronization",
        ],
        "DisposableImaging": ["CLinux", "DisposableSystem", "Foundation", "Glibc", "Synchronization"],
        "DisposableConfinement": ["CLinux", "DisposableImaging", "Glibc"],
        "DisposableDiscovery": [
            "CAvahi", "CLinux", "DisposableMDNS", "DisposableSystem", "DisposableValues", "Logging", "Dispatch",
            "Foundation", "Glibc", "Synchronization",
        ],
        "DisposableWeb": [
            "CZlib", "DisposableSockets", "DisposableSystem", "DisposableValues", "HummingbirdCore", "HTTPTypes",
            "NIOCore", "NIOHTTPTypes", "NIOPosix", "NIOSSL", "Logging", "Foundation", "Glibc", "Synchronization",
        ],
        // Layer 4
        "DisposableConformance": [
            "DisposableCrypto", "DisposableNoise", "DisposableModel", "DisposableValues", "DisposableWire",
            "DisposableSync", "Foundation",
        ],
        "DisposableSimulation": ["DisposableCrypto", "DisposableModel", "DisposableWire", "DisposableSync"],
        "DisposableNode": [
            "DisposableCrypto", "DisposableModel", "DisposableWire", "DisposableSync", "DisposableStore",
            "DisposableImaging", "DisposableDiscovery", "DisposableSockets", "DisposableSystem", "DisposableValues",
            "NIOCore", "NIOHTTP1", "NIOPosix", "Logging", "Dispatch", "Foundation", "Glibc", "Synchronization",
        ],
        "DisposablePortal": [
            "CZlib", "DisposableCrypto", "DisposableModel", "DisposableSystem", "DisposableValues", "DisposableWeb",
            "HummingbirdCore", "HTTPTypes", "NIOCore", "Logging", "Dispatch", "Foundation", "Glibc", "Synchronization",
        ],
        "DisposableConsole": ["ArgumentParser", "Dispatch", "Foundation", "Glibc", "Synchronization"],
        // Layer 5
        "DisposableKit": ["DisposableModel", "DisposableWire", "DisposableNode", "Logging"],
        "disposable-image-worker": [
            "CLinux", "CVips", "DisposableConfinement", "DisposableImaging", "Foundation", "Glibc",
        ],
        "disposable": [
            "CCrash", "CQREncode", "CZlib", "DisposableCrypto", "DisposableModel", "DisposableWire", "DisposableSync",
            "DisposableStore", "DisposableImaging", "DisposableDiscovery", "DisposableNode", "DisposablePortal",
            "DisposableSystem", "DisposableValues", "DisposableWeb", "DisposableConsole", "ArgumentParser", "Logging",
            "ServiceLifecycle", "UnixSignals", "Foundation", "Glibc", "Synchronization", "Dispatch",
        ],
        "disposable-lab": [
            "CCrash", "DisposableCrypto", "DisposableModel", "DisposableWire", "DisposableSync", "DisposableStore",
            "DisposableImaging", "DisposableNode", "DisposableConsole", "DisposableConformance",
            "DisposableSimulation", "ArgumentParser", "Logging", "Foundation", "Glibc", "Synchronization", "Dispatch",
        ],
    ]

    static let checker = SourceChecker(
        imports: imports,
        pure: [
            "DisposableCrypto", "DisposableValues", "DisposableNoise", "DisposableModel", "DisposableMDNS",
            "DisposableWire", "DisposableSync", "DisposableSimulation",
        ],
        codecs: "Coding.swift")

    @Test("every source imports lower layers only, pure ones stay pure, and each starts with the licence line")
    func sources() throws {
        let files = try SourceFile.all()
        #expect(Set(files.map(\.target)) == Set(Self.imports.keys))
        for breach in Self.checker.breaches(in: files) { Issue.record("\(breach)") }
    }

    @Test("the table points downwards: no target can reach itself")
    func noCircles() {
        for target in Self.imports.keys {
            var reached: Set<String> = []
            var next = Self.imports[target]!
            while !next.isSubset(of: reached) {
                reached.formUnion(next)
                next = Set(next.flatMap { Self.imports[$0] ?? [] })
            }
            #expect(!reached.contains(target), "\(target)")
        }
    }

    @Test("a name of a type has one meaning: no two modules declare it")
    func typeNames() throws {
        let declaration =
            /(?:(?:public|package|private|final|indirect) )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/
        var targets: [Substring: Set<String>] = [:]
        for file in try SourceFile.all() {
            for line in file.text.split(separator: "\n") {
                guard let name = try declaration.prefixMatch(in: line)?.1 else { continue }
                targets[name, default: []].insert(file.target)
            }
        }
        #expect(targets["Disposable"] == ["disposable"])
        for (name, targets) in targets where targets.count > 1 { Issue.record("\(name): \(targets.sorted())") }
    }

    private func breaches(_ target: String, _ code: String, name: String = "File.swift") -> [String] {
        let text = "// SPDX-License-Identifier: Apache-2.0\n" + code
        let file = SourceFile(target: target, path: "\(target)/\(name)", text: text)
        return Self.checker.breaches(in: [file]).map(\.what)
    }

    @Test(
        "an import of a higher or unnamed module is a breach, however it is written",
        arguments: [
            "import DisposableWire", "import DisposableCrypto; import DisposableWire", "public import DisposableWire",
            "internal import struct DisposableWire.Limits",
            "@testable import DisposableWire", "@preconcurrency public import DisposableWire",
            "  import DisposableWire",
            "#if os(Linux)\nimport DisposableWire\n#endif",
        ])
    func forbiddenImport(_ code: String) { #expect(breaches("DisposableModel", code) == ["imports DisposableWire"]) }

    @Test("Foundation and Logging are breaches in pure targets, but for the codecs' Foundation")
    func foundation() {
        #expect(breaches("DisposableSync", "import Foundation") == ["imports Foundation"])
        #expect(breaches("DisposableSync", "internal import Logging") == ["imports Logging"])
        #expect(breaches("DisposableWire", "import Foundation", name: "Limits.swift") == ["imports Foundation"])
        #expect(breaches("DisposableWire", "import Foundation", name: "OperationCoding.swift") == [])
        #expect(
            breaches("DisposableSync", "import Foundation", name: "OperationCoding.swift") == ["imports Foundation"])
        #expect(breaches("DisposableStore", "import Foundation") == [])
        #expect(breaches("DisposableOther", "") == ["target DisposableOther is not in the table"])
    }

    @Test(
        "each impure word is found in code of a pure target",
        arguments: [
            ("let now = Date()", "Date"), ("let now = Date.now", "Date"),
            ("let now = ContinuousClock().now", "ContinuousClock"), ("SuspendingClock.now", "SuspendingClock"),
            ("clock_gettime(CLOCK_REALTIME, &t)", "clock_gettime"), ("DispatchTime.now()", "DispatchTime"),
            ("time(nil)", "time()"), ("var g = SystemRandomNumberGenerator()", "SystemRandomNumberGenerator"),
            ("Int.random(in: 0..<5)", "system randomness"), ("Bool.random()", "system randomness"),
            ("list.shuffled()", "system randomness in shuffle"), ("list.shuffle()", "system randomness in shuffle"),
            ("list.randomElement()", "system randomness in shuffle"), ("randombytes_buf(p, 3)", "randombytes"),
            ("Task { }", "Task"), ("func f() async {}", "async"), ("_ = await f", "await"), ("actor Node {}", "actor"),
            ("let f = open(path, O_RDONLY)", "open()"), ("fopen(path, mode)", "fopen()"),
            ("FileManager.default", "FileManager"), ("FileHandle.standardError", "FileHandle"),
            ("socket(AF_INET, 0, 0)", "socket()"), ("let s = \"now: \\(Date())\"", "Date"),
            ("let s = #\"\\#(Date())\"#", "Date"),
        ])
    func impureWord(code: String, name: String) {
        #expect(breaches("DisposableSync", code) == ["uses \(name)"])
        #expect(breaches("DisposableStore", code) == [])
    }

    @Test(
        "the same words in comments and strings, inside other words, and with a generator given, are no breach",
        arguments: [
            "// Date() await Task", "/// An `actor` would await.", "/* Task /* nested await */ actor */",
            "let text = \"Task await Date() \\\" actor\"", "let text = \"\"\"\n  await \"quoted\" Task\n  \"\"\"",
            "let text = #\"await \" \\(Task)\"#", "let update = candidate(1)", "let opened = openChunk(index)",
            "ChaCha20Poly1305.open(bytes)", "static func open(_ bytes: Span<UInt8>) {}",
            "Int.random(in: 0..<5, using: &generator)", "list.shuffled(using: &generator)",
            "let characteristic = 1", "let updates: Updates = .init()", "timestamp.time(at: 1)", "let factors = 2",
        ])
    func harmlessWord(_ code: String) { #expect(breaches("DisposableSync", code) == []) }

    @Test("a file without the licence line is a breach unless it is generated")
    func licence() {
        func breaches(path: String) -> [String] {
            let file = SourceFile(target: "DisposableWire", path: path, text: "// DO NOT EDIT.\nimport Foundation\n")
            return Self.checker.breaches(in: [file]).map(\.what)
        }
        #expect(
            breaches(path: "DisposableWire/OperationCoding.swift") == ["does not start with the licence line"])
        #expect(breaches(path: "DisposableWire/Generated/disposable.pb.swift") == [])
    }
}
