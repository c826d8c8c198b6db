import Foundation
import SortieBase

@testable import SortieDemoServer

extension String {
    /// The MD5 of the text in hexadecimal digits, as Digest and the gateway use it.
    var md5: String { HexDigits.text(HashFunction.md5.digest(of: self)) }
}

extension Data {
    /// The SHA-256 of the bytes in hexadecimal digits.
    var sha256: String {
        var digest = ContentDigest()
        digest.add(self)
        return digest.hex
    }
}
