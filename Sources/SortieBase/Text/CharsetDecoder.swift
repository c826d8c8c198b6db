// For iconv: see CharsetConverter.
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Decodes bytes to UTF-8 in pieces, with U+FFFD for invalid sequences.
///
/// It owns an iconv descriptor, which must not be used by two threads at the same time.
package final class CharsetDecoder {
    /// The maximum number of UTF-8 bytes for one byte of any supported encoding, including the bytes of U+FFFD.
    package static let expansion = 3
    /// The number of output bytes beyond ``expansion`` that a call may need for what the converter held back.
    package static let spare = 16

    private let descriptor: iconv_t
    private let isMultiByte: Bool
    private let unit: Int
    /// The number of invalid sequences so far.
    package private(set) var invalidSequences = 0

    /// Creates a decoder; nil where the C library has no converter for the encoding.
    package init?(_ encoding: TextEncoding) {
        guard let descriptor = iconv_open("UTF-8", Self.converter(for: encoding)), Int(bitPattern: descriptor) != -1 else { return nil }
        self.descriptor = descriptor
        unit = encoding.unit
        isMultiByte = if case .other(let charset) = encoding { charset.isMultiByte } else { false }
    }

    deinit { iconv_close(descriptor) }

    private static func converter(for encoding: TextEncoding) -> String {
        switch encoding {
        case .windows1252: "CP1252"
        case .other(let charset): charset.converter
        case .utf8, .utf16LittleEndian, .utf16BigEndian: encoding.name
        }
    }

    /// Decodes the complete characters of `source`.
    ///
    /// - Parameters:
    ///   - isEnd: Whether nothing follows `source`; an incomplete character then becomes U+FFFD.
    ///   - output: A buffer of ``expansion`` bytes for each byte of `source`, and ``spare`` more.
    /// - Returns: The number of bytes read and written.
    package func decode(_ source: UnsafeRawBufferPointer, isEnd: Bool, into output: UnsafeMutableRawBufferPointer) -> (read: Int, written: Int) {
        // The type of iconv's parameter is a mutable pointer, but iconv does not change the source.
        var from = UnsafeMutableRawPointer(mutating: source.baseAddress)?.assumingMemoryBound(to: CChar.self)
        var to = output.baseAddress?.assumingMemoryBound(to: CChar.self)
        var rest = source.count
        var room = output.count
        while rest > 0, iconv(descriptor, &from, &rest, &to, &room) == -1 {
            let failure = errno
            guard failure == EILSEQ || isEnd && failure == EINVAL else { break }
            let skipped = failure == EINVAL ? rest : invalidLength(source, at: source.count - rest)
            invalidSequences += 1
            // The characters that the converter holds back come before the replacement.
            _ = iconv(descriptor, nil, nil, &to, &room)
            for byte in "\u{FFFD}".utf8 {
                to?.pointee = CChar(bitPattern: byte)
                to = to.map { $0 + 1 }
                room -= 1
            }
            from = from.map { $0 + skipped }
            rest -= skipped
        }
        if isEnd { _ = iconv(descriptor, nil, nil, &to, &room) }
        return (source.count - rest, output.count - room)
    }

    /// The number of bytes for one replacement; includes a second byte unless that is ASCII, which must not be skipped (WHATWG Encoding).
    private func invalidLength(_ source: UnsafeRawBufferPointer, at offset: Int) -> Int {
        let rest = source.count - offset
        if unit > 1 { return min(unit, rest) }
        return isMultiByte && rest > 1 && source[offset] >= 0x80 && source[offset + 1] >= 0x80 ? 2 : 1
    }
}
