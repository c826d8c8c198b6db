internal import CLinux
internal import Glibc

/// OpenSSL cleans up in an exit handler of its own, while our thread may still close a TLS connection: that crashes (`engine.md` §4.8).
enum LibcryptoExit {
    private typealias Initialise = @convention(c) (UInt64, OpaquePointer?) -> Int32
    private static let noExitHandler: UInt64 = 0x0008_0000

    /// Asks OpenSSL to leave the cleaning to the end of the process.
    ///
    /// It is found at run time, because it is libcurl's dependency and not ours.
    static func leaveToUs() {
        guard let symbol = dlsym(nil, "OPENSSL_init_crypto") else { return }
        _ = unsafeBitCast(symbol, to: Initialise.self)(noExitHandler, nil)
    }
}
