internal import CLinux
internal import Glibc

/// Disables OpenSSL's exit handler, which frees its state while the engine's thread may still close a TLS connection
/// and so crashes (`EngineFacts.md` 4.8).
enum LibcryptoExit {
    private typealias Initialise = @convention(c) (UInt64, OpaquePointer?) -> Int32
    private static let noExitHandler: UInt64 = 0x0008_0000

    /// Initialises OpenSSL without its exit handler.
    ///
    /// The function is looked up at run time, because OpenSSL is a dependency of libcurl and not of this module.
    static func leaveToUs() {
        guard let symbol = dlsym(nil, "OPENSSL_init_crypto") else { return }
        _ = unsafeBitCast(symbol, to: Initialise.self)(noExitHandler, nil)
    }
}
