// For iconv: the C library contains the large tables of the East Asian charsets, and the conversion is a pure function.
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Encodes text with the C library.
enum CharsetConverter {
    package static func encode(_ text: String, _ charset: ParameterCharset) throws(ParameterCharset.Problem) -> [UInt8] {
        switch convert(text, to: name(of: charset)) {
        case .converted(let bytes): return bytes
        case .stopped(let offset): throw .unencodable(character(at: offset, in: text), charset: charset)
        case .unavailable: throw .unavailable(charset)
        }
    }

    /// The bytes of a text in the encoding with this iconv name; nil when a character cannot be encoded, or the converter is missing.
    package static func encode(_ text: String, converter: String) -> [UInt8]? {
        guard case .converted(let bytes) = convert(text, to: converter) else { return nil }
        return bytes
    }

    private enum Conversion {
        case converted([UInt8])
        /// The offset of the character in the UTF-8 text that stopped the conversion.
        case stopped(Int)
        case unavailable
    }

    private static func convert(_ text: String, to converter: String) -> Conversion {
        guard let descriptor = iconv_open(converter, "UTF-8"), Int(bitPattern: descriptor) != -1 else { return .unavailable }
        defer { iconv_close(descriptor) }
        let source = Array(text.utf8)
        // No scalar takes more than four bytes in these charsets, escape sequences excluded, or less than one in UTF-8.
        var output = [UInt8](repeating: 0, count: 8 * source.count + 16)
        let (read, written) = convert(descriptor, source, &output)
        guard let written else { return .stopped(read) }
        return .converted(Array(output[..<written]))
    }

    /// The numbers of bytes read and written; the latter is nil when the conversion stopped.
    private static func convert(_ descriptor: iconv_t, _ source: [UInt8], _ output: inout [UInt8]) -> (read: Int, written: Int?) {
        var source = source
        return source.withUnsafeMutableBytes { input in
            output.withUnsafeMutableBytes { buffer in
                var from = input.baseAddress?.assumingMemoryBound(to: CChar.self)
                var to = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
                var rest = input.count
                var room = buffer.count
                guard rest == 0 || iconv(descriptor, &from, &rest, &to, &room) != -1 else { return (input.count - rest, nil) }
                // Ends the shift state.
                guard iconv(descriptor, nil, nil, &to, &room) != -1 else { return (input.count, nil) }
                return (input.count, buffer.count - room)
            }
        }
    }

    /// The grapheme cluster that contains byte `offset` of the text.
    private static func character(at offset: Int, in text: String) -> Character {
        var end = 0
        for character in text {
            end += character.utf8.count
            if offset < end { return character }
        }
        return "\u{FFFD}"
    }

    /// The iconv name of the encoding that browsers use for the charset (WHATWG Encoding).
    private static func name(of charset: ParameterCharset) -> String {
        switch charset {
        case .shiftJIS: "CP932"
        case .eucKR: "CP949"
        case .windows1252: "CP1252"
        default: charset.rawValue
        }
    }
}
