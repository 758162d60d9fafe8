// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]
/// Pure targets hold no unsafe code at all: any use of it is a build error.
let pure = strict + [.strictMemorySafety()]

/// For tests and the command line, which compute little of their own: the optimizer takes most of a release build's time,
/// and the modules below them have the hot code.
let unoptimized = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// Relative relocations in a compact form, which takes a megabyte from the program. glibc 2.36 reads it, and of the linkers
/// lld, which Swift's toolchain brings along, writes it.
let compact: [LinkerSetting] = [
    .unsafeFlags(["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"], .when(platforms: [.linux]))
]

let package = Package(
    name: "disposable",
    products: [
        // A node in another program. No target of a library has unsafe flags, for which SwiftPM before 6.2 refuses a
        // package that is used by its version.
        .library(name: "Disposable", targets: ["DisposableKit"]),
        // The protocol without clock, disk and network.
        .library(
            name: "DisposableCore",
            targets: [
                "DisposableCrypto", "DisposableNoise", "DisposableModel", "DisposableWire", "DisposableSync",
            ]),
        .executable(name: "disposable", targets: ["disposable"]),
        .executable(name: "disposable-image-worker", targets: ["disposable-image-worker"]),
        .executable(name: "disposable-lab", targets: ["disposable-lab"]),
    ],
    // HTTPS for the pages (`--tls`). It brings BoringSSL, which takes minutes to build.
    traits: [.trait(name: "TLS", description: "HTTPS for the guests' pages.")],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-protobuf", exact: "1.39.0", traits: []),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0", traits: []),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    ],
    targets: [
        // Layer 0: C libraries of the system, Crypto, and code for layers that may not import each other.
        .systemLibrary(name: "CSodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CAvahi", providers: [.apt(["libavahi-client-dev"])]),
        .systemLibrary(name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CQREncode", providers: [.apt(["libqrencode-dev"])]),
        // The handler of crashes, in C: its state exists once.
        .target(name: "CCrash"),
        // Hashes of several chunks at once, in C: Swift has no functions for newer processors than a module's.
        .target(name: "CBLAKE2"),
        .target(name: "DisposableCrypto", dependencies: ["CBLAKE2", "CSodium"], swiftSettings: strict),
        // Addresses and encodings.
        .target(name: "DisposableValues", swiftSettings: strict),
        // Files, locks, volumes, network interfaces, programs, the clock.
        .target(name: "DisposableSystem", dependencies: ["CLinux"], swiftSettings: strict),
        // Layer 1
        .target(name: "DisposableNoise", dependencies: ["DisposableCrypto"], swiftSettings: pure),
        .target(name: "DisposableModel", dependencies: ["DisposableCrypto", "DisposableValues"], swiftSettings: pure),
        .target(name: "DisposableMDNS", dependencies: ["DisposableValues"], swiftSettings: pure),
        // Layer 2
        .target(
            name: "DisposableWire",
            dependencies: [
                "DisposableCrypto", "DisposableModel", "DisposableValues",
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ], swiftSettings: strict),
        .target(
            name: "DisposableSockets", dependencies: ["CCrash", .product(name: "NIOCore", package: "swift-nio")],
            swiftSettings: strict),
        // Layer 3
        .target(
            name: "DisposableSync",
            dependencies: [
                "DisposableCrypto", "DisposableNoise", "DisposableModel", "DisposableValues", "DisposableWire",
                .product(name: "OrderedCollections", package: "swift-collections"),
                .product(name: "DequeModule", package: "swift-collections"),
            ], swiftSettings: pure),
        .target(
            name: "DisposableStore",
            dependencies: [
                "CLinux", "CZlib", "DisposableCrypto", "DisposableModel", "DisposableSystem", "DisposableValues",
                "DisposableWire", .product(name: "GRDB", package: "GRDB.swift"),
            ], swiftSettings: strict),
        .target(name: "DisposableImaging", dependencies: ["CLinux", "DisposableSystem"], swiftSettings: strict),
        // Confinement of a process before it decodes foreign files.
        .target(name: "DisposableConfinement", dependencies: ["CLinux", "DisposableImaging"], swiftSettings: strict),
        .target(
            name: "DisposableDiscovery",
            dependencies: [
                "CAvahi", "CLinux", "DisposableMDNS", "DisposableSystem", "DisposableValues",
                .product(name: "Logging", package: "swift-log"),
            ], swiftSettings: strict),
        // HTTP, with its limits, forms and routes. It knows no event.
        .target(
            name: "DisposableWeb",
            dependencies: [
                "CZlib", "DisposableSockets", "DisposableSystem", "DisposableValues",
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["TLS"])),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ], swiftSettings: strict),
        // Layer 4
        // Runs the vectors of protocol/vectors: for `disposable-lab conformance` and for its tests.
        .target(
            name: "DisposableConformance",
            dependencies: [
                "DisposableCrypto", "DisposableNoise", "DisposableModel", "DisposableValues", "DisposableWire",
                "DisposableSync",
            ], swiftSettings: strict),
        .target(
            name: "DisposableSimulation",
            dependencies: ["DisposableCrypto", "DisposableModel", "DisposableWire", "DisposableSync"],
            swiftSettings: pure),
        .target(
            name: "DisposableNode",
            dependencies: [
                "DisposableCrypto", "DisposableModel", "DisposableWire", "DisposableSync", "DisposableStore",
                "DisposableImaging", "DisposableDiscovery", "DisposableSockets", "DisposableSystem", "DisposableValues",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ], swiftSettings: strict),
        .target(
            name: "DisposablePortal",
            dependencies: [
                "CZlib", "DisposableCrypto", "DisposableModel", "DisposableSystem", "DisposableValues", "DisposableWeb",
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ], resources: [.copy("Public")], swiftSettings: strict),
        // Terminal output and exit codes of both programs.
        .target(
            name: "DisposableConsole",
            dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: strict),
        // Layer 5
        .target(
            name: "DisposableKit",
            dependencies: [
                "DisposableModel", "DisposableWire", "DisposableNode",
                .product(name: "Logging", package: "swift-log"),
            ], swiftSettings: strict),
        .executableTarget(
            name: "disposable",
            dependencies: [
                "CCrash", "CQREncode", "CZlib", "DisposableCrypto", "DisposableModel", "DisposableWire",
                "DisposableSync", "DisposableStore", "DisposableImaging", "DisposableDiscovery", "DisposableNode",
                "DisposablePortal", "DisposableSystem", "DisposableValues", "DisposableWeb", "DisposableConsole",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ], swiftSettings: unoptimized, linkerSettings: compact),
        // For testers: simulation, benchmarks, conformance.
        .executableTarget(
            name: "disposable-lab",
            dependencies: [
                "CCrash", "DisposableCrypto", "DisposableModel", "DisposableWire", "DisposableSync", "DisposableStore",
                "DisposableImaging", "DisposableNode", "DisposableConsole", "DisposableConformance",
                "DisposableSimulation",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ], swiftSettings: strict),
        // The helper process that decodes images: the only code that links libvips.
        .executableTarget(
            name: "disposable-image-worker",
            dependencies: ["CLinux", "CVips", "DisposableConfinement", "DisposableImaging"], swiftSettings: strict,
            linkerSettings: compact),
        // Tests
        // Optimized: its checker reads every source letter by letter.
        .testTarget(name: "LayeringTests", swiftSettings: strict),
        // Every decoder of foreign bytes and what must hold of it: for `FuzzTests` and for libFuzzer.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "DisposableCrypto", "DisposableMDNS", "DisposableModel", "DisposableValues", "DisposableWire",
                "DisposableSync", "DisposableImaging", "DisposableSimulation", "DisposableStore", "DisposableNode",
                "DisposablePortal", "DisposableWeb",
            ], path: "Tests/Fuzz/Targets", swiftSettings: strict),
        .testTarget(
            name: "FuzzTests", dependencies: ["DisposableSimulation", "FuzzTargets"], swiftSettings: unoptimized),
        .testTarget(name: "DisposableCryptoTests", dependencies: ["DisposableCrypto"], swiftSettings: unoptimized),
        .testTarget(
            name: "DisposableSystemTests", dependencies: ["CLinux", "DisposableSystem"], swiftSettings: unoptimized),
        .testTarget(
            name: "DisposableValuesTests", dependencies: ["DisposableCrypto", "DisposableValues"],
            swiftSettings: unoptimized),
        .testTarget(
            name: "DisposableMDNSTests", dependencies: ["DisposableMDNS", "DisposableValues"],
            swiftSettings: unoptimized),
        .testTarget(
            name: "DisposableNoiseTests", dependencies: ["DisposableCrypto", "DisposableNoise"],
            swiftSettings: unoptimized),
        .testTarget(
            name: "DisposableModelTests",
            dependencies: ["DisposableCrypto", "DisposableModel", "DisposableWire", "DisposableSimulation"],
            swiftSettings: unoptimized),
        .testTarget(
            name: "DisposableWireTests", dependencies: ["DisposableCrypto", "DisposableModel", "DisposableWire"],
            swiftSettings: unoptimized),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "DisposableCrypto", "DisposableNoise", "DisposableModel", "DisposableWire", "DisposableSync",
                "DisposableConformance", "DisposableSimulation",
            ], swiftSettings: unoptimized),
        .testTarget(
            name: "DisposableSyncTests",
            dependencies: [
                "DisposableCrypto", "DisposableModel", "DisposableWire", "DisposableSync", "DisposableSimulation",
            ], swiftSettings: unoptimized),
        .testTarget(
            name: "DisposableSimulationTests",
            dependencies: [
                "DisposableCrypto", "DisposableModel", "DisposableWire", "DisposableSync", "DisposableStore",
                "DisposableSimulation",
            ], swiftSettings: unoptimized),
        .testTarget(
            name: "DisposableStoreTests",
            dependencies: [
                "DisposableCrypto", "DisposableModel", "DisposableWire", "DisposableStore",
                .product(name: "GRDB", package: "GRDB.swift"),
            ], swiftSettings: unoptimized),
        .testTarget(
            name: "DisposableImagingTests",
            dependencies: ["CVips", "DisposableImaging", "confinement-probe", "disposable-image-worker"],
            swiftSettings: unoptimized),
        // Confines itself as the image worker does, and then tries what it must not be able to do.
        .executableTarget(
            name: "confinement-probe", dependencies: ["CLinux", "DisposableConfinement", "DisposableImaging"],
            path: "Tests/ConfinementProbe", swiftSettings: strict),
        // The example of examples/embed, also a package by itself: built here, it compiles no dependency again.
        .executableTarget(
            name: "embed-example", dependencies: ["DisposableKit"], path: "examples/embed/Sources/embed",
            swiftSettings: strict),
        .testTarget(
            name: "DisposableDiscoveryTests", dependencies: ["DisposableDiscovery", "DisposableMDNS"],
            swiftSettings: unoptimized),
        .testTarget(
            name: "DisposableNodeTests",
            dependencies: [
                "DisposableCrypto", "DisposableImaging", "DisposableModel", "DisposableWire", "DisposableSync",
                "DisposableStore", "DisposableNode", "disposable-image-worker",
                .product(name: "Logging", package: "swift-log"),
            ], swiftSettings: unoptimized),
        .testTarget(name: "DisposableWebTests", dependencies: ["DisposableWeb"], swiftSettings: unoptimized),
        .testTarget(
            name: "DisposablePortalTests",
            dependencies: [
                "DisposableCrypto", "DisposableModel", "DisposablePortal", "DisposableWeb",
                .product(name: "Logging", package: "swift-log"),
            ], swiftSettings: unoptimized),
        .testTarget(
            name: "ScenarioTests",
            dependencies: [
                "DisposableCrypto", "DisposableImaging", "DisposableModel", "DisposableStore", "DisposableWire",
                "disposable", "disposable-image-worker", "disposable-lab",
            ], swiftSettings: unoptimized),
    ]
)

// `make fuzz`: its executable is linked with libFuzzer, so it is not built with the others.
if Context.environment["DISPOSABLE_FUZZ"] != nil {
    package.targets += [
        .target(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
        .executableTarget(
            name: "disposable-fuzz", dependencies: ["CFuzzer", "FuzzTargets"], path: "Tests/Fuzz/Fuzzer",
            swiftSettings: strict),
    ]
}
