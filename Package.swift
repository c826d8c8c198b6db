// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "sortie",
    products: [
        .library(name: "Networking", targets: ["Networking"])
    ],
    targets: [
        .systemLibrary(name: "CCurl"),
        .target(name: "Model"),
        .target(name: "Networking", dependencies: ["Model", "CCurl"]),
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
