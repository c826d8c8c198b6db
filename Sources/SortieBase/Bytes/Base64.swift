internal import struct FoundationEssentials.Data

/// Base64 with the alphabet for URLs (RFC 4648 §5).
package enum Base64 {
    /// The text of bytes in the standard alphabet, with padding (RFC 4648 §4).
    package static func text(_ bytes: some Sequence<UInt8>) -> String { Data(Array(bytes)).base64EncodedString() }

    /// The text of bytes with the alphabet for URLs, without padding (RFC 7515 §2).
    package static func urlText(_ bytes: some Sequence<UInt8>) -> String {
        String(text(bytes).map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }.prefix { $0 != "=" })
    }

    /// The bytes of a text in the standard alphabet or that for URLs, with or without padding; nil for anything else.
    package static func bytes(_ text: String) -> [UInt8]? {
        var text = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        while text.hasSuffix("=") { text.removeLast() }
        return Data(base64Encoded: text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)).map { Array($0) }
    }
}
