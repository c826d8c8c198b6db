internal import SortieBase

extension SigningInput {
    /// The SHA-256 digest of `bytes`.
    public static func digest(of bytes: [UInt8]) -> [UInt8] {
        HashFunction.sha256.digest(of: bytes)
    }
}
