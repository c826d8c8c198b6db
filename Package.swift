// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "sortie",
    products: [
        .library(name: "Networking", targets: ["Networking"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0")
    ],
    targets: [
        .systemLibrary(name: "CCurl"),
        .systemLibrary(name: "CLinux"),
        .target(name: "Model"),
        .target(name: "Networking", dependencies: ["Model", "CCurl", "CLinux", .product(name: "DequeModule", package: "swift-collections")]),
        .executableTarget(name: "Benchmarks", dependencies: ["Networking"], path: "Tests/Benchmarks"),
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
