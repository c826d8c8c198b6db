// swift-tools-version: 6.1
import PackageDescription

// A user's package whose targets have the names that are most likely in one. SwiftPM requires unique names in a package graph, so it does not load if a
// target of sortie has one of them.
let modules = ["Base", "Benchmarks", "DemoServer", "Guide", "Model", "Networking", "Storage", "Support", "Terminal", "Workbench"]

let package = Package(
    name: "consumer",
    dependencies: [.package(name: "sortie", path: "../..")],
    targets: modules.map { .target(name: $0) } + [
        .executableTarget(
            name: "Shop", dependencies: modules.map { .target(name: $0) } + [.product(name: "SortieNetworking", package: "sortie")]),
        .testTarget(name: "ShopTests", dependencies: ["Shop", .product(name: "SortieTesting", package: "sortie")]),
    ]
)
