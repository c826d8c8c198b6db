internal import Crypto

extension SigningInput {
    /// The SHA-256 of bytes in memory.
    public static func digest(of bytes: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: bytes))
    }
}
