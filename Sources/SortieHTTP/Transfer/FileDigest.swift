internal import SortieBase

internal import struct FoundationEssentials.Data

/// The expected SHA-256 of a file, from the user or from the server (RFC 9530).
public struct FileDigest: Hashable, Codable, Sendable {
    /// The 32 bytes in lower-case hexadecimal.
    public let hexadecimal: String

    /// Parses 64 hexadecimal digits; nil for anything else.
    package init?(hexadecimal text: String) {
        guard text.utf8.count == 64, text.utf8.allSatisfy({ ASCII.hexValue($0) != nil }) else { return nil }
        hexadecimal = text.lowercased()
    }

    /// The digest that a response declares for the whole file: `Repr-Digest`, or `Content-Digest` where the body is
    /// the whole, unencoded file.
    ///
    /// Only `sha-256` is used; malformed values are ignored.
    package init?(_ headers: Headers, isWhole: Bool) {
        let names = isWhole && !RangeDecision.isEncoded(headers) ? ["Repr-Digest", "Content-Digest"] : ["Repr-Digest"]
        let found = names.lazy.flatMap { headers.values(of: $0) }.flatMap { $0.split(separator: ",") }.compactMap { Self.member($0) }.first
        guard let found else { return nil }
        hexadecimal = found
    }

    /// Parses `sha-256=:BASE64:` (RFC 8941 §3.3.5).
    private static func member(_ text: Substring) -> String? {
        let trimmed = text.drop { $0 == " " || $0 == "\t" }
        guard trimmed.lowercased().hasPrefix("sha-256=:") else { return nil }
        let value = trimmed.dropFirst("sha-256=:".count).prefix { $0 != ":" }
        guard let bytes = Data(base64Encoded: String(value)), bytes.count == 32 else { return nil }
        return HexDigits.text(bytes)
    }
}
