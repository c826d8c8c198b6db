internal import CTLS

/// Disables OpenSSL's exit handler, which frees its state while the engine's thread may still close a TLS connection
/// and so crashes (`EngineFacts.md` 4.8).
enum LibcryptoExit {
    /// Initialises OpenSSL without its exit handler.
    static func leaveToUs() {
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    }
}
