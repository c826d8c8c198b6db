import Support

/// One nginx for all tests that need no special configuration.
enum SharedNginx {
    private static let one = Shared { try await onNewThread { try Nginx.start(files: ["big.bin": SharedNginx.big]) } }

    /// The content of `/files/big.bin`: five million bytes that contain every value.
    static let big: [UInt8] = {
        var state: UInt64 = 1
        return (0..<5_000_000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }()

    static var value: Nginx {
        get async throws { try await one.value }
    }
}
