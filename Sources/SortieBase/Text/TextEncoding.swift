/// The character encodings that a body view supports.
package enum TextEncoding: Hashable, Sendable {
    case utf8
    /// windows-1252, which the web also uses for ISO-8859-1.
    case windows1252
    case utf16LittleEndian
    case utf16BigEndian
    /// An encoding that the C library decodes.
    case other(BodyCharset)

    /// The name for messages and records.
    package var name: String {
        switch self {
        case .utf8: "UTF-8"
        case .windows1252: "windows-1252"
        case .utf16LittleEndian: "UTF-16LE"
        case .utf16BigEndian: "UTF-16BE"
        case .other(let charset): charset.name
        }
    }

    /// Whether two bytes form a code unit.
    package var isUTF16: Bool { self == .utf16LittleEndian || self == .utf16BigEndian }

    /// Whether an ASCII byte may be part of another character, so that a search for it needs the preceding characters.
    package var needsWholeText: Bool {
        switch self {
        case .utf8, .windows1252: false
        case .utf16LittleEndian, .utf16BigEndian: true
        case .other(let charset): charset.isMultiByte
        }
    }

    /// The number of bytes in a code unit.
    package var unit: Int { isUTF16 ? 2 : 1 }

    /// The length of this encoding's byte order mark at the start of a body; 0 without one.
    package func lengthOfMark(in bytes: BodyBytes) -> Int {
        let mark = self.mark
        return !mark.isEmpty && bytes.prefix(mark.count) == mark ? mark.count : 0
    }

    /// The byte order mark; empty for an encoding without one.
    package var mark: [UInt8] {
        switch self {
        case .utf8: [0xEF, 0xBB, 0xBF]
        case .utf16LittleEndian: [0xFF, 0xFE]
        case .utf16BigEndian: [0xFE, 0xFF]
        case .windows1252, .other: []
        }
    }

    /// The text of bytes, with U+FFFD for invalid sequences.
    package func decode(_ bytes: UnsafeRawBufferPointer) -> String {
        switch self {
        case .utf8:
            return String(decoding: bytes, as: UTF8.self)
        case .windows1252:
            var scalars = String.UnicodeScalarView()
            for byte in bytes { scalars.append(Self.scalar(windows1252: byte)) }
            return String(scalars)
        case .utf16LittleEndian, .utf16BigEndian:
            var units: [UInt16] = []
            units.reserveCapacity(bytes.count / 2 + 1)
            var index = 0
            while index + 1 < bytes.count {
                units.append(unit(bytes[index], bytes[index + 1]))
                index += 2
            }
            if index < bytes.count { units.append(0xFFFD) }
            return String(decoding: units, as: UTF16.self)
        case .other:
            guard let decoder = CharsetDecoder(self) else { return String(decoding: bytes, as: UTF8.self) }
            return String(unsafeUninitializedCapacity: bytes.count * CharsetDecoder.expansion + CharsetDecoder.spare) { output in
                decoder.decode(bytes, isEnd: true, into: UnsafeMutableRawBufferPointer(output)).written
            }
        }
    }

    /// The bytes of a text; nil when the encoding lacks one of its characters.
    package func encode(_ text: String) -> [UInt8]? {
        switch self {
        case .utf8:
            return Array(text.utf8)
        case .windows1252:
            var bytes: [UInt8] = []
            for scalar in text.unicodeScalars {
                if let high = Self.highCharacters.firstIndex(of: UInt16(truncatingIfNeeded: scalar.value)), scalar.value < 0x10000 {
                    bytes.append(0x80 + UInt8(high))
                } else if scalar.value < 0x80 || (0xA0...0xFF).contains(scalar.value) {
                    bytes.append(UInt8(scalar.value))
                } else {
                    return nil
                }
            }
            return bytes
        case .utf16LittleEndian:
            return text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        case .utf16BigEndian:
            return text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        case .other(let charset):
            return CharsetConverter.encode(text, converter: charset.converter)
        }
    }

    /// The code unit of two bytes in the order of the body.
    package func unit(_ first: UInt8, _ second: UInt8) -> UInt16 {
        self == .utf16BigEndian ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first)
    }

    private static func scalar(windows1252 byte: UInt8) -> UnicodeScalar {
        guard (0x80..<0xA0).contains(byte) else { return UnicodeScalar(byte) }
        return UnicodeScalar(highCharacters[Int(byte) - 0x80]) ?? "\u{FFFD}"
    }

    /// The characters of the bytes 0x80 to 0x9F (WHATWG Encoding, index windows-1252).
    private static let highCharacters: [UInt16] = [
        0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D,
        0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D,
        0x017E, 0x0178,
    ]
}
