/// Decodes the strings of JSON text.
package enum JSONStringToken {
    /// The text of a string or name in a range that the tokenizer has validated, including its quotes.
    ///
    /// A lone surrogate is not a character (RFC 8259 §8.2) and becomes U+FFFD.
    package static func text(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> String {
        let inner = UnsafeRawBufferPointer(rebasing: bytes[range.dropFirst().dropLast()])
        guard inner.contains(UInt8(ascii: "\\")) else { return String(decoding: inner, as: UTF8.self) }
        var text: [UInt8] = []
        text.reserveCapacity(inner.count)
        var index = 0
        while index < inner.count {
            let byte = inner[index]
            guard byte == UInt8(ascii: "\\"), index + 1 < inner.count else {
                text.append(byte)
                index += 1
                continue
            }
            if inner[index + 1] == UInt8(ascii: "u") {
                let (scalar, length) = self.scalar(inner, at: index) ?? ("\u{FFFD}", 2)
                text += String(Character(scalar)).utf8
                index += length
            } else {
                text.append(character(ofEscape: inner[index + 1]) ?? inner[index + 1])
                index += 2
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The character of an escape of two bytes; nil for any other byte after the backslash.
    package static func character(ofEscape letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// The scalar of `\uXXXX`, or of a surrogate pair, and the number of bytes of the escapes; nil for anything else.
    package static func scalar(_ bytes: UnsafeRawBufferPointer, at index: Int) -> (UnicodeScalar, length: Int)? {
        guard let unit = unit(bytes, at: index) else { return nil }
        if UTF16.isLeadSurrogate(unit), let second = self.unit(bytes, at: index + 6), UTF16.isTrailSurrogate(second) {
            let value = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
            return (UnicodeScalar(value) ?? "\u{FFFD}", 12)
        }
        return (UnicodeScalar(unit) ?? "\u{FFFD}", 6)
    }

    private static func unit(_ bytes: UnsafeRawBufferPointer, at index: Int) -> UInt16? {
        guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else { return nil }
        var unit: UInt16 = 0
        for digit in bytes[index + 2..<index + 6] {
            guard let value = ASCII.hexValue(digit) else { return nil }
            unit = unit << 4 | UInt16(value)
        }
        return unit
    }
}
