/// The octets of fields that a client sends back as it received them: cookies and entity tags, whose bytes need not be UTF-8 (RFC 9110 §5.5, §8.8.3).
///
/// Bytes that are not UTF-8 become characters of a private use area, as in the encoding x-user-defined of the WHATWG: 0x80 to 0xFF are U+F780 to U+F7FF.
/// The bytes of UTF-8 that has these characters itself do so, too. Such a text can be stored like any other one, and the same bytes are sent again.
package enum FieldOctets {
    private static let first: UInt32 = 0xf700

    /// The text for bytes; each byte from 0x80 is a character where they are not UTF-8, or have a character that stands for a byte.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self), !hasOctets(text) { return text }
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte < 0x80 ? UInt32(byte) : first + UInt32(byte)) ?? "\u{fffd}") }
        return String(text)
    }

    /// The bytes of a text.
    package static func bytes(of text: String) -> [UInt8] {
        guard hasOctets(text) else { return Array(text.utf8) }
        return text.unicodeScalars.reduce(into: []) { bytes, scalar in
            if isOctet(scalar) { bytes.append(UInt8(truncatingIfNeeded: scalar.value)) } else { bytes += Array(String(scalar).utf8) }
        }
    }

    /// The text as a person reads it: in UTF-8, or else in Latin-1, as all other fields.
    package static func displayed(_ text: String) -> String {
        guard hasOctets(text) else { return text }
        if let text = String(validating: bytes(of: text), as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isOctet($0) ? Unicode.Scalar(UInt8(truncatingIfNeeded: $0.value)) : $0 }))
    }

    /// The reference of a URL for bytes: each one that is not ASCII is `%XX` where they are not UTF-8.
    package static func reference(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return bytes.reduce(into: "") { text, byte in
            if byte < 0x80 { text.unicodeScalars.append(Unicode.Scalar(byte)) } else { text += "%" + String(byte, radix: 16, uppercase: true) }
        }
    }

    /// Whether a text has characters that stand for bytes.
    package static func hasOctets(_ text: String) -> Bool {
        // Each of them begins with this byte in UTF-8, and few texts have it.
        text.utf8.contains(0xef) && text.unicodeScalars.contains(where: isOctet)
    }

    private static func isOctet(_ scalar: Unicode.Scalar) -> Bool { (first + 0x80...first + 0xff).contains(scalar.value) }
}
