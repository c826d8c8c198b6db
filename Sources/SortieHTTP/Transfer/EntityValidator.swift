internal import SortieBase

internal import struct FoundationEssentials.Data

/// The validator that shows whether the remote file is unchanged (RFC 9110 §8.8).
package enum EntityValidator: Hashable, Sendable {
    /// A strong entity tag with its quotes. Equal tags mean equal bytes.
    case strong(String)
    /// The `Last-Modified` value, which was old enough at the time of the response to identify the bytes.
    case lastModified(String)
    /// No validator that guarantees equal bytes.
    case none

    /// The least age of `Last-Modified` at the time of the response, in seconds.
    ///
    /// RFC 9110 §8.8.2.2 requires one second; the clocks of caches and servers differ by more.
    package static let leastAge: Int64 = 60

    /// Extracts the validator of a response.
    ///
    /// Where there is an entity tag, even a weak one, no date may be used as a condition (RFC 9110 §13.1.5).
    package init(_ headers: Headers) {
        if let tag = headers["ETag"], !tag.isEmpty {
            self = Self.isStrong(tag) ? .strong(tag) : .none
        } else if let modified = headers["Last-Modified"], let date = headers["Date"].flatMap({ HTTPDate($0) }),
            let changed = HTTPDate(modified), date.seconds - changed.seconds >= Self.leastAge
        {
            self = .lastModified(modified)
        } else {
            self = .none
        }
    }

    /// The value of `If-Range`; nil where the field must not be sent.
    package var ifRange: String? {
        switch self {
        case .strong(let value), .lastModified(let value): value
        case .none: nil
        }
    }

    /// Whether equal validators guarantee equal bytes.
    package var isStrong: Bool {
        if case .strong = self { true } else { false }
    }

    /// Whether an entity tag is strong and not empty.
    package static func isStrong(_ tag: String) -> Bool {
        tag.utf8.count > 2 && tag.utf8.first == UInt8(ascii: "\"") && tag.utf8.last == UInt8(ascii: "\"")
    }

    /// Whether two entity tags are equal by weak comparison (RFC 9110 §8.8.3.2).
    package static func isSame(_ left: String, _ right: String) -> Bool {
        func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
        return opaque(left) == opaque(right)
    }
}

/// CRC-32 as in gzip and PNG (ISO 3309).
///
/// It detects damage to files that this program wrote.
package enum Checksum {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    /// The checksum of all bytes.
    package static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
    }
}

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
        let trimmed = text.trimmingOptionalWhitespace
        guard trimmed.lowercased().hasPrefix("sha-256=:") else { return nil }
        let value = trimmed.dropFirst("sha-256=:".count).prefix { $0 != ":" }
        guard let bytes = Data(base64Encoded: String(value)), bytes.count == 32 else { return nil }
        return HexDigits.text(bytes)
    }
}
