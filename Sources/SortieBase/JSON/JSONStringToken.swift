/// Decodes the strings of JSON text.
package enum JSONStringToken {
    /// The text of a string or name in a range that the tokenizer has validated, including its quotes.
    ///
    /// A lone surrogate is not a character (RFC 8259 §8.2) and becomes U+FFFD.
    package static func text(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> String {
        let inner = UnsafeRawBufferPointer(rebasing: bytes[range.dropFirst().dropLast()])
        guard inner.contains(UInt8(ascii: "\\")) else { return String(decoding: inner, as: UTF8.self) }
        return String(decoding: decoded(inner), as: UTF8.self)
    }

    /// The bytes of the text between the quotes of a string, without its escapes.
    static func decoded(_ inner: UnsafeRawBufferPointer) -> [UInt8] {
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
        return text
    }

    /// The character of an escape of two bytes; nil for any other byte after the backslash.
    private static func character(ofEscape letter: UInt8) -> UInt8? {
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
    private static func scalar(_ bytes: UnsafeRawBufferPointer, at index: Int) -> (UnicodeScalar, length: Int)? {
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

/// Whether a place in JSON text is inside a string, for texts that arrive in parts and need not be valid.
package struct JSONStringPosition: Sendable {
    /// Whether the place is inside a string.
    package private(set) var isInString = false
    /// Whether the last character is the quote that opens a string.
    package private(set) var isAtStringStart = false
    /// The number of remaining characters of the current escape.
    private var escape = 0
    private var isFirstOfEscape = false

    /// Creates the position before a text.
    package init() {}

    /// Whether the place is inside an escape.
    package var isInEscape: Bool { escape > 0 }

    /// Moves behind a part of the text.
    package mutating func read(_ text: some StringProtocol) {
        for byte in text.utf8 { read(byte) }
    }

    /// Moves behind a byte.
    package mutating func read(_ byte: UInt8) {
        isAtStringStart = false
        if escape > 0 {
            escape = escape == 1 && byte == UInt8(ascii: "u") && isFirstOfEscape ? 4 : escape - 1
            isFirstOfEscape = false
        } else if isInString, byte == UInt8(ascii: "\\") {
            escape = 1
            isFirstOfEscape = true
        } else if byte == UInt8(ascii: "\"") {
            isInString.toggle()
            isAtStringStart = isInString
        }
    }

    /// Moves behind a value that is written into a string, whatever it contains.
    package mutating func passValue() { isAtStringStart = false }
}
