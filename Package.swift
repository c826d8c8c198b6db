// swift-tools-version: 6.1
import PackageDescription

/// Resolves all symbols at the start and makes the tables of their addresses read-only then (full RELRO); exports no symbols, which shortens the start.
///
/// Only programs have these flags: packages that depend on the library SortieNetworking cannot use targets with unsafe flags.
///
/// `SORTIE_LINK_INPUTS` has further arguments of the linker for a release (see `.ci/link-inputs`).
let programLinking: [LinkerSetting] = [
    .unsafeFlags(
        ["-use-ld=lld"] + ["-z", "relro", "-z", "now", "--no-export-dynamic"].flatMap { ["-Xlinker", $0] }
            + (Context.environment["SORTIE_LINK_INPUTS"] ?? "").split(separator: " ").map(String.init))
]

/// The commit that `sortie --version` prints; the Makefile sets it, and a build without it has none.
let commit = Context.environment["SORTIE_COMMIT"] ?? ""
let commitSettings: [CSetting] =
    commit.isEmpty || !commit.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) })
    ? [] : [.define("SORTIE_COMMIT", to: "\"\(commit)\"")]

/// What reads foreign bytes, with its properties: tests that replay the seeds, or the program that `make fuzz` builds with libFuzzer.
let fuzzing: Target = {
    let modules: [Target.Dependency] = [
        "BodyViews", "HistoryModel", "Interchange", "SortieBase", "SortieHTTP", "SortieNetworking", "SortieStorage", "SortieTerminal",
        "WorkspaceModel",
    ]
    return Context.environment["SORTIE_FUZZ"] == nil
        ? .testTarget(name: "Fuzz", dependencies: modules + ["Support"])
        : .executableTarget(name: "Fuzz", dependencies: modules, path: "Tests/Fuzz", exclude: ["FuzzTests.swift"])
}()

let package = Package(
    name: "sortie",
    // The program is not declared: users of the library would fetch all its packages. SwiftPM builds it for this package all the same.
    products: [
        .library(name: "SortieNetworking", targets: ["SortieNetworking"]),
        .library(name: "SortieClassic", targets: ["SortieClassic"]),
        .library(name: "SortieTesting", targets: ["SortieTesting"]),
    ],
    // What connects the library with other packages; a package of a trait that is not enabled is neither fetched nor built.
    traits: [
        .trait(name: "Logging", description: "A logger of swift-log in the configuration of a client"),
        .trait(name: "Metrics", description: "A factory of swift-metrics in the configuration of a client"),
        .trait(name: "Tracing", description: "A tracer of swift-distributed-tracing in the configuration of a client"),
        .trait(name: "HTTPTypes", description: "Conversions to and from the requests and responses of swift-http-types"),
    ],
    dependencies: [
        // Packages of the library, in ranges, because the packages of its users choose the versions; .ci/dependencies.tsv records those that are built.
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", .upToNextMinor(from: "0.2.0")),
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.4.0"),
        // Packages of the program, which users of the library do not fetch.
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2", traits: []),
    ],
    targets: [
        .systemLibrary(name: "CCompression"),
        .target(name: "CEmbedded", cSettings: commitSettings),
        .target(name: "CLibraries"),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CNcurses"),
        .systemLibrary(name: "CXML"),

        .target(name: "SortieBase", dependencies: ["CLibraries", "CLinux", "CXML"]),
        .target(name: "SortieHTTP", dependencies: ["SortieBase"]),
        .target(name: "WorkspaceModel", dependencies: ["SortieBase", "SortieHTTP"]),
        .target(name: "BodyViews", dependencies: ["SortieBase", "SortieHTTP"]),
        .target(name: "HistoryModel", dependencies: ["BodyViews", "SortieBase", "SortieHTTP", "WorkspaceModel"]),
        .target(
            name: "SortieNetworking",
            dependencies: [
                "SortieBase", "SortieHTTP", "CCompression", "CLibraries", "CLinux",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["HTTPTypes"])),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
                .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
            ]),
        .target(name: "SortieClassic", dependencies: ["SortieNetworking"]),
        .target(name: "SortieTesting", dependencies: ["SortieBase", "SortieNetworking"]),
        .target(
            name: "SortieStorage",
            dependencies: [
                "CLinux", "HistoryModel", "SortieBase", "SortieHTTP", "WorkspaceModel", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Yams", package: "Yams"),
            ], path: "Sources/Storage"),
        .target(
            name: "Interchange",
            dependencies: ["HistoryModel", "SortieBase", "SortieHTTP", "WorkspaceModel", .product(name: "Yams", package: "Yams")]),
        .target(name: "SortieTerminal", dependencies: ["CNcurses"], path: "Sources/Terminal"),
        .target(name: "SortieGuide", dependencies: ["CEmbedded", "SortieTerminal"], path: "Sources/Guide"),
        .target(
            name: "SortieWorkbench",
            dependencies: ["BodyViews", "HistoryModel", "SortieBase", "SortieGuide", "SortieHTTP", "SortieTerminal", "WorkspaceModel"],
            path: "Sources/Workbench"),
        .target(
            name: "SortieDemoServer",
            dependencies: [
                "CLibraries", "SortieBase", "SortieHTTP",
                .product(name: "FlyingFox", package: "FlyingFox"), .product(name: "FlyingSocks", package: "FlyingFox"),
            ], path: "Sources/DemoServer"),
        .target(
            name: "SortieApp",
            dependencies: [
                "BodyViews", "CEmbedded", "CLibraries", "CLinux", "HistoryModel", "Interchange", "SortieBase", "SortieDemoServer", "SortieGuide",
                "SortieHTTP",
                "SortieNetworking", "SortieStorage", "SortieTerminal", "SortieWorkbench", "WorkspaceModel",
                .product(name: "ArgumentParser", package: "swift-argument-parser"), .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]),
        .executableTarget(name: "sortie", dependencies: ["SortieApp", "SortieNetworking"], linkerSettings: programLinking),

        .target(name: "Support", dependencies: ["SortieBase"], path: "Tests/Support"),
        .testTarget(name: "SupportTests", dependencies: ["Support"]),
        .testTarget(name: "SortieBaseTests", dependencies: ["SortieBase", "Support"]),
        .testTarget(name: "SortieHTTPTests", dependencies: ["SortieBase", "SortieHTTP", "Support"]),
        .testTarget(name: "WorkspaceModelTests", dependencies: ["BodyViews", "SortieBase", "SortieHTTP", "Support", "WorkspaceModel"]),
        .testTarget(name: "BodyViewsTests", dependencies: ["BodyViews", "SortieBase", "SortieHTTP", "Support"]),
        .testTarget(
            name: "HistoryModelTests",
            dependencies: ["BodyViews", "HistoryModel", "SortieBase", "SortieHTTP", "Support", "WorkspaceModel"]),
        .testTarget(
            name: "SortieNetworkingTests",
            dependencies: ["SortieBase", "SortieClassic", "SortieHTTP", "SortieNetworking", "Support", "WorkspaceModel"]),
        .testTarget(name: "SortieTestingTests", dependencies: ["HistoryModel", "SortieClassic", "SortieHTTP", "SortieTesting", "Support"]),
        .testTarget(
            name: "StorageTests",
            dependencies: [
                "HistoryModel", "SortieBase", "SortieHTTP", "SortieStorage", "Support", "WorkspaceModel",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "InterchangeTests",
            dependencies: ["Interchange", "SortieBase", "SortieHTTP", "SortieStorage", "Support", "WorkspaceModel"]),
        .testTarget(name: "TerminalTests", dependencies: ["SortieTerminal", "Support"]),
        .testTarget(name: "GuideTests", dependencies: ["SortieGuide"]),
        .testTarget(
            name: "WorkbenchTests",
            dependencies: [
                "BodyViews", "HistoryModel", "SortieBase", "SortieGuide", "SortieHTTP", "SortieStorage", "SortieTerminal", "SortieWorkbench",
                "Support", "WorkspaceModel",
            ]),
        .testTarget(name: "DemoServerTests", dependencies: ["SortieBase", "SortieDemoServer", "Support"]),
        .testTarget(
            name: "SortieAppTests",
            dependencies: [
                "HistoryModel", "SortieApp", "SortieBase", "SortieDemoServer", "SortieHTTP", "SortieNetworking", "SortieStorage", "SortieTerminal",
                "SortieWorkbench", "Support", "WorkspaceModel", "sortie", .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ]),
        fuzzing,
        .testTarget(name: "EndToEnd", dependencies: ["SortieApp", "Support", "sortie"]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["HistoryModel", "SortieBase", "SortieHTTP", "SortieNetworking", "SortieStorage", "WorkspaceModel"],
            path: "Tests/Benchmarks",
            exclude: [
                "AsyncHTTPClient", "imports", "bench.py", "contract.md", "contract.py", "kills.py", "measure.c", "multi.c", "openapi.py",
                "results.md", "terminal.py",
            ], linkerSettings: programLinking),
    ]
)

// Except for the libraries, whose users cannot use targets with unsafe flags, a target is compiled in two processes for a debug build. SwiftPM would start one
// for every 25 files, and each reads the imported modules and all files of the target again; with macros, it also expands those of many tests. The code of
// expanded macros is large, so neither is it verified again, nor compared with that of the last build.
// -no-emit-module-separately would expand the macros of tests once less, but leaves no module in a new build folder, which SwiftPM wraps for the debugger.
let debugCompiling: [SwiftSetting] = [
    .unsafeFlags(
        ["-driver-batch-count", "2", "-Xfrontend", "-disable-llvm-verify", "-Xfrontend", "-disable-incremental-llvm-codegen"],
        .when(configuration: .debug))
]
/// CI compiles each target once, as a whole module, which takes a fifth less of the processor; a change would compile its whole target again.
///
/// The Makefile then also leaves out the information for debuggers, another fifth.
let compilingOnce: [SwiftSetting] = [
    .unsafeFlags(["-whole-module-optimization", "-no-emit-module-separately-wmo", "-num-threads", "2"], .when(configuration: .debug))
]
let compilesOnce = Context.environment["SORTIE_COMPILE_ONCE"] != nil
let libraries: Set = ["SortieBase", "SortieClassic", "SortieHTTP", "SortieNetworking", "SortieTesting"]
/// Targets whose code waits for input or a server; a release optimizes them for size, 3 MB less.
let small: Set = [
    "HistoryModel", "Interchange", "SortieApp", "SortieDemoServer", "SortieGuide", "SortieStorage", "SortieWorkbench", "WorkspaceModel",
]

for target in package.targets where target.type != .system {
    target.swiftSettings =
        [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ] + (libraries.contains(target.name) ? [] : debugCompiling)
    if small.contains(target.name) { target.swiftSettings?.append(.unsafeFlags(["-Osize"], .when(configuration: .release))) }
    // Nothing else is compiled beside the last target, and its parts take different times: four of them keep both processors busy.
    let isLast = target.name == "EndToEnd"
    if compilesOnce { target.swiftSettings? += isLast ? [.unsafeFlags(["-driver-batch-count", "4"], .when(configuration: .debug))] : compilingOnce }
}
