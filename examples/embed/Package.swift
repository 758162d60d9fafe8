// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
    name: "embed",
    dependencies: [.package(name: "disposable", path: "../..")],
    targets: [
        .executableTarget(
            name: "embed",
            dependencies: [
                .product(name: "Disposable", package: "disposable"),
                // Built into the same folder, where the node looks for it.
                .product(name: "disposable-image-worker", package: "disposable"),
            ])
    ]
)
