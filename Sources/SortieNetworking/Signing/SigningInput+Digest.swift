internal import Crypto

extension SigningInput {
    /// The SHA-256 digest of `bytes`.
    public static func digest(of bytes: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: bytes))
    }
}
