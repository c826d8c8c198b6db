import Foundation
import SortieBase

/// Counts and hashes a stream of bytes.
struct ContentDigest: Sendable {
    private(set) var bytes = 0
    private var message = MessageDigest(.sha256)

    mutating func add(_ data: Data) {
        bytes += data.count
        message.update(data)
    }

    /// The SHA-256 of all bytes so far, in lower-case hexadecimal.
    var hex: String { HexDigits.text(message.digest) }
}
