internal import Crypto
internal import FoundationEssentials

/// A SHA-256 hash of a list of strings.
///
/// It is used to compare values that are secret or too long to be stored.
struct Fingerprint: Hashable, Sendable {
    private let digest: SHA256.Digest

    /// Hashes `parts` in order.
    ///
    /// The length of each part is hashed too, so that moving a byte from one part to the next changes the result.
    init(_ parts: [String]) {
        var hash = SHA256()
        for part in parts {
            withUnsafeBytes(of: UInt64(part.utf8.count).littleEndian) { hash.update(bufferPointer: $0) }
            hash.update(data: Data(part.utf8))
        }
        digest = hash.finalize()
    }

    /// Hashes bytes.
    init(of bytes: [UInt8]) {
        digest = SHA256.hash(data: bytes)
    }

    /// The hash as 64 lower-case hexadecimal digits.
    var hex: String { HexDigits.text(digest) }
}
