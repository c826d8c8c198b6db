// swift-tools-version: 6.1
import PackageDescription

// A user's package whose targets have the names that are most likely in one. SwiftPM requires unique names in a package graph, so it does not load if a
// target of sortie has one of them.
let modules = ["Base", "Benchmarks", "DemoServer", "Guide", "Model", "Networking", "Storage", "Support", "Terminal", "Workbench"]

let package = Package(
    name: "consumer",
    dependencies: [
        .package(name: "sortie", path: "../..", traits: ["HTTPTypes", "Logging", "Metrics", "Tracing"]),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.4.0"),
    ],
    targets: modules.map { .target(name: $0) } + [
        .executableTarget(
            name: "Shop", dependencies: modules.map { .target(name: $0) } + [.product(name: "SortieNetworking", package: "sortie")]),
        .target(
            name: "Articles",
            dependencies: [
                .product(name: "SortieNetworking", package: "sortie"), .product(name: "SortieTesting", package: "sortie"),
                .product(name: "Logging", package: "swift-log"), .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]),
        .target(name: "Classic", dependencies: [.product(name: "SortieClassic", package: "sortie")]),
        .target(name: "Exported", dependencies: [.product(name: "SortieNetworking", package: "sortie")]),
        .target(name: "Tutorial", dependencies: [.product(name: "SortieNetworking", package: "sortie")]),
        .testTarget(
            name: "ConsumerTests",
            dependencies: [
                "Tutorial", .product(name: "SortieNetworking", package: "sortie"), .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "InMemoryLogging", package: "swift-log"), .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]),
        .testTarget(
            name: "AdoptionTests",
            dependencies: [.product(name: "SortieNetworking", package: "sortie"), .product(name: "SortieTesting", package: "sortie")]),
        .testTarget(name: "ArticleTests", dependencies: ["Articles", "Classic", .product(name: "SortieTesting", package: "sortie")]),
        .testTarget(name: "ShopTests", dependencies: ["Shop", .product(name: "SortieTesting", package: "sortie")]),
    ]
)
