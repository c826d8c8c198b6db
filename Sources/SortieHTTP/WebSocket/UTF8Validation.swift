/// Validates UTF-8 that arrives in pieces, which may end within a character (RFC 3629 §4).
package struct UTF8Validation: Hashable, Sendable {
    /// The number of missing continuation bytes, and the range of the next one.
    private var missing = 0
    private var range: ClosedRange<UInt8> = 0x80...0xbf

    package init() {}

    /// Whether the text ends between two characters.
    package var isComplete: Bool { missing == 0 }

    /// Adds bytes; returns false when the text cannot become valid any more.
    package mutating func append(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var index = 0
            while index < bytes.count {
                // Most texts are mostly ASCII, of which eight characters are skipped at once.
                if missing == 0, index + 8 <= bytes.count, bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 {
                    index += 8
                    continue
                }
                guard append(bytes[index]) else { return false }
                index += 1
            }
            return true
        }
    }

    private mutating func append(_ byte: UInt8) -> Bool {
        if missing > 0 {
            guard range.contains(byte) else { return false }
            range = 0x80...0xbf
            missing -= 1
            return true
        }
        switch byte {
        case ...0x7f: break
        case 0xc2...0xdf: missing = 1
        case 0xe0...0xef:
            missing = 2
            // Excludes overlong forms and surrogates.
            if byte == 0xe0 { range = 0xa0...0xbf } else if byte == 0xed { range = 0x80...0x9f }
        case 0xf0...0xf4:
            missing = 3
            // Excludes overlong forms and values above U+10FFFF.
            if byte == 0xf0 { range = 0x90...0xbf } else if byte == 0xf4 { range = 0x80...0x8f }
        default: return false
        }
        return true
    }
}
