internal import FoundationEssentials

/// A SHA-256 hash of a list of strings.
///
/// It is used to compare values that are secret or too long to be stored.
struct Fingerprint: Hashable, Sendable {
    private let digest: [UInt8]

    /// Hashes `parts` in order.
    ///
    /// The length of each part is hashed too, so that moving a byte from one part to the next changes the result.
    init(_ parts: [String]) {
        var message = MessageDigest(.sha256)
        for part in parts {
            withUnsafeBytes(of: UInt64(part.utf8.count).littleEndian) { message.update($0) }
            message.update(part.utf8)
        }
        digest = message.digest
    }

    /// Hashes bytes.
    init(of bytes: [UInt8]) {
        digest = HashFunction.sha256.digest(of: bytes)
    }

    /// The hash as 64 lower-case hexadecimal digits.
    var hex: String { HexDigits.text(digest) }
}
