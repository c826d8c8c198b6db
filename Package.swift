// swift-tools-version: 6.1
import PackageDescription

/// Resolves all symbols at the start and makes the tables of their addresses read-only then (full RELRO).
///
/// Only programs have these flags: packages that depend on the library Networking cannot use targets with unsafe flags.
let hardening: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now"])]

let package = Package(
    name: "sortie",
    products: [
        .executable(name: "sortie", targets: ["sortie"]),
        .library(name: "Networking", targets: ["Networking"]),
    ],
    dependencies: [
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2", traits: []),
    ],
    targets: [
        .systemLibrary(name: "CCompression"),
        .systemLibrary(name: "CCurl"),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CNcurses"),
        .systemLibrary(name: "CTLS"),

        .target(name: "Model"),
        .target(
            name: "Networking",
            dependencies: [
                "Model", "CCompression", "CCurl", "CLinux", "CTLS", .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Crypto", package: "swift-crypto"), .product(name: "Histogram", package: "hdrhistogram-swift"),
            ]),
        .target(
            name: "Storage",
            dependencies: [
                "Model", .product(name: "GRDB", package: "GRDB.swift"), .product(name: "Yams", package: "Yams"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .target(name: "Terminal", dependencies: ["CNcurses"]),
        .target(name: "CGuide"),
        .target(name: "Guide", dependencies: ["CGuide", "Terminal"]),
        .target(name: "Workbench", dependencies: ["Guide", "Model", "Terminal"]),
        .target(
            name: "DemoServer",
            dependencies: [
                .product(name: "FlyingFox", package: "FlyingFox"), .product(name: "FlyingSocks", package: "FlyingFox"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .executableTarget(
            name: "sortie",
            dependencies: [
                "CLinux", "DemoServer", "Guide", "Model", "Networking", "Storage", "Terminal", "Workbench",
                .product(name: "ArgumentParser", package: "swift-argument-parser"), .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ], linkerSettings: hardening),

        .target(name: "Support", path: "Tests/Support"),
        .testTarget(name: "SupportTests", dependencies: ["Support"]),
        .testTarget(name: "ModelTests", dependencies: ["Model", "Support"]),
        .testTarget(name: "NetworkingTests", dependencies: ["Networking", "Model", "Support"]),
        .testTarget(
            name: "StorageTests", dependencies: ["Storage", "Model", "Support", .product(name: "GRDB", package: "GRDB.swift")]),
        .testTarget(name: "TerminalTests", dependencies: ["Terminal", "Support"]),
        .testTarget(name: "GuideTests", dependencies: ["Guide"]),
        .testTarget(name: "WorkbenchTests", dependencies: ["Guide", "Workbench", "Model", "Support", "Terminal"]),
        .testTarget(name: "DemoServerTests", dependencies: ["DemoServer", "Support"]),
        .testTarget(name: "EndToEnd", dependencies: ["Support", "sortie"]),
        .executableTarget(
            name: "Benchmarks", dependencies: ["Model", "Networking", "Storage"], path: "Tests/Benchmarks",
            exclude: [
                "requests.sh", "downloads.sh", "kills.sh", "changed-file.sh", "nginx-files.sh", "measure.py", "medians.py", "safe-ranges.py",
                "uploads.sh", "sink.py", "history.sh", "history-pane.py", "history-kills.py", "runs.sh",
            ], linkerSettings: hardening),
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
