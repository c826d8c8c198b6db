// swift-tools-version: 6.1
import PackageDescription

// A separate package, so that Sortie does not depend on AsyncHTTPClient.
let package = Package(
    name: "requests",
    dependencies: [.package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0")],
    targets: [.executableTarget(name: "requests", dependencies: [.product(name: "AsyncHTTPClient", package: "async-http-client")])]
)
