import Crypto
import Foundation

/// Counts and hashes a stream of bytes.
struct ContentDigest: Sendable {
    private(set) var bytes = 0
    private var sha256 = SHA256()

    mutating func add(_ data: Data) {
        bytes += data.count
        sha256.update(data: data)
    }

    /// The SHA-256 of all bytes so far, in lower-case hexadecimal.
    var hex: String { Hex.text(sha256.finalize()) }
}

/// Formats bytes in lower-case hexadecimal.
enum Hex {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
    }

    static func md5(_ text: String) -> String {
        Hex.text(Insecure.MD5.hash(data: Data(text.utf8)))
    }

    static func sha256(_ text: String) -> String {
        Hex.text(SHA256.hash(data: Data(text.utf8)))
    }
}
