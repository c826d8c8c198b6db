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

/// A character encoding that the C library decodes: those of the WHATWG Encoding standard except UTF-8, UTF-16 and windows-1252, which the views
/// decode themselves.
package struct BodyCharset: Hashable, Sendable {
    /// The name for messages and records, such as `GB18030`.
    package let name: String
    /// The iconv name of the encoding with which browsers decode this charset.
    let converter: String
    /// Whether some characters take two bytes or more.
    let isMultiByte: Bool

    private init(_ name: String, _ converter: String? = nil, isMultiByte: Bool = false) {
        self.name = name
        self.converter = converter ?? name
        self.isMultiByte = isMultiByte
    }

    /// Creates the charset of a label in any spelling; nil for labels of other encodings and unknown ones.
    package init?(label: String) {
        let plain = Self.plain(label)
        guard let found = Self.byLabel[plain] ?? Self.numbered(plain) else { return nil }
        self = found
    }

    /// A label in lowercase without separators, so that `Shift_JIS`, `shift-jis` and `shiftjis` are equal.
    package static func plain(_ label: String) -> String {
        String(label.lowercased().filter { !"-_ :.".contains($0) })
    }

    /// The charset of a label in the families that differ only by a number.
    private static func numbered(_ label: String) -> BodyCharset? {
        for prefix in ["iso8859", "windows", "cp", "xcp"] where label.hasPrefix(prefix) {
            guard let number = Int(label.dropFirst(prefix.count)) else { continue }
            if prefix == "iso8859", let name = isoNames[number] { return name }
            if prefix != "iso8859", [866, 874, 1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258].contains(number) {
                return BodyCharset(number == 866 ? "IBM866" : "windows-\(number)", "CP\(number)")
            }
        }
        return nil
    }

    /// The parts of ISO 8859; browsers decode parts 9 and 11 as the Windows code pages that extend them.
    private static let isoNames: [Int: BodyCharset] = {
        var names: [Int: BodyCharset] = [9: BodyCharset("ISO-8859-9", "CP1254"), 11: BodyCharset("ISO-8859-11", "CP874")]
        for part in [2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16] { names[part] = BodyCharset("ISO-8859-\(part)") }
        return names
    }()

    private static let byLabel: [String: BodyCharset] = {
        let charsets: [(BodyCharset, [String])] = [
            (BodyCharset("GB18030", isMultiByte: true), ["gb18030"]),
            (
                BodyCharset("GBK", "GB18030", isMultiByte: true),
                ["gbk", "xgbk", "gb2312", "gb231280", "euccn", "cp936", "ms936", "chinese", "csgb2312"]
            ),
            (BodyCharset("Big5", "BIG5-HKSCS", isMultiByte: true), ["big5", "big5hkscs", "cnbig5", "xxbig5", "csbig5", "cp950"]),
            (
                BodyCharset("Shift_JIS", "CP932", isMultiByte: true),
                ["shiftjis", "sjis", "xsjis", "windows31j", "mskanji", "ms932", "cp932", "csshiftjis"]
            ),
            (BodyCharset("EUC-JP", isMultiByte: true), ["eucjp", "xeucjp", "ujis"]),
            (BodyCharset("ISO-2022-JP", isMultiByte: true), ["iso2022jp", "csiso2022jp"]),
            (
                BodyCharset("EUC-KR", "CP949", isMultiByte: true),
                ["euckr", "ksc5601", "ksc56011987", "ksx1001", "korean", "windows949", "cp949", "uhc", "cseuckr"]
            ),
            (BodyCharset("KOI8-R"), ["koi8r", "koi8", "koi", "cskoi8r"]), (BodyCharset("KOI8-U"), ["koi8u", "koi8ru"]),
            (BodyCharset("macintosh", "MACINTOSH"), ["macintosh", "mac", "xmacroman", "csmacintosh"]),
            (BodyCharset("IBM866", "CP866"), ["ibm866", "csibm866"]), (BodyCharset("ISO-8859-11", "CP874"), ["tis620", "dos874"]),
            (isoNames[2] ?? BodyCharset("ISO-8859-2"), ["latin2", "l2"]), (BodyCharset("ISO-8859-9", "CP1254"), ["latin5", "l5"]),
            (BodyCharset("ISO-8859-15"), ["latin9", "l9"]), (BodyCharset("ISO-8859-5"), ["cyrillic"]), (BodyCharset("ISO-8859-7"), ["greek"]),
            (BodyCharset("ISO-8859-8"), ["hebrew", "iso88598i", "iso88598e"]), (BodyCharset("ISO-8859-6"), ["arabic"]),
        ]
        return Dictionary(charsets.flatMap { charset, labels in labels.map { ($0, charset) } }) { first, _ in first }
    }()
}

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
    /// Whether the byte 0x80 is the euro sign, as in WHATWG Encoding §10.1.1, which iconv's GB18030 does not know.
    private let hasEuroSign: Bool
    /// The number of invalid sequences so far.
    package private(set) var invalidSequences = 0

    /// Creates a decoder; nil where the C library has no converter for the encoding.
    package init?(_ encoding: TextEncoding) {
        guard let descriptor = iconv_open("UTF-8", Self.converter(for: encoding)), Int(bitPattern: descriptor) != -1 else { return nil }
        self.descriptor = descriptor
        unit = encoding.unit
        isMultiByte = if case .other(let charset) = encoding { charset.isMultiByte } else { false }
        hasEuroSign = if case .other(let charset) = encoding { charset.converter == "GB18030" } else { false }
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
            let isEuroSign = hasEuroSign && source[source.count - rest] == 0x80
            // The next byte decides whether the replacement includes it.
            if !isEnd, isMultiByte, !isEuroSign, rest == 1, source[source.count - 1] >= 0x80 { break }
            let skipped = isEuroSign ? 1 : failure == EINVAL ? rest : invalidLength(source, at: source.count - rest)
            if !isEuroSign { invalidSequences += 1 }
            // The characters that the converter holds back come before the replacement.
            _ = iconv(descriptor, nil, nil, &to, &room)
            for byte in (isEuroSign ? "€" : "\u{FFFD}").utf8 {
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

/// A character encoding for a query or a form, for servers that do not use UTF-8.
public enum ParameterCharset: String, Hashable, Sendable, CaseIterable {
    case utf8 = "UTF-8"
    case latin1 = "ISO-8859-1"
    case windows1252 = "windows-1252"
    case gb18030 = "GB18030"
    case gbk = "GBK"
    case shiftJIS = "Shift_JIS"
    case eucJP = "EUC-JP"
    case big5 = "Big5"
    case eucKR = "EUC-KR"

    /// The error for a text that cannot be encoded.
    package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The charset does not contain the character.
        case unencodable(Character, charset: ParameterCharset)
        /// This machine has no converter for the charset.
        case unavailable(ParameterCharset)

        /// The description of the problem and its remedy.
        package var description: String {
            switch self {
            case .unencodable(let character, let charset):
                let codes = character.unicodeScalars.map { "U+" + HexDigits.text(of: $0.value, digits: 4).uppercased() }.joined(separator: " ")
                return "\(charset.rawValue) cannot encode “\(character)” (\(codes)); change the text or send it as UTF-8"
            case .unavailable(let charset):
                return "this machine cannot convert to \(charset.rawValue); install the gconv modules of its C library or use UTF-8"
            }
        }
    }

    /// Creates the charset of a name in one of its usual spellings; nil for other names.
    public init?(named name: String) {
        let plain = name.lowercased().filter { $0 != "-" && $0 != "_" }
        guard let found = Self.names[plain] else { return nil }
        self = found
    }

    /// The bytes of a text.
    ///
    /// - Throws: A ``Problem`` with the first character that cannot be encoded.
    package func encode(_ text: String) throws(Problem) -> [UInt8] {
        switch self {
        case .utf8: return Array(text.utf8)
        case .latin1:
            var bytes: [UInt8] = []
            for scalar in text.unicodeScalars {
                guard let byte = UInt8(exactly: scalar.value) else { throw .unencodable(Character(scalar), charset: self) }
                bytes.append(byte)
            }
            return bytes
        default: return try CharsetConverter.encode(text, self)
        }
    }

    /// The text in this charset, with every byte outside `allowed` as `%XX`.
    ///
    /// - Throws: The errors of ``encode(_:)``.
    package func percentEncoded(_ text: String, allowed: PercentEncoding.Allowed) throws(Problem) -> String {
        PercentEncoding.encode(bytes: try encode(text), allowed: allowed)
    }

    private static let names: [String: ParameterCharset] = [
        "utf8": .utf8, "iso88591": .latin1, "latin1": .latin1, "windows1252": .windows1252, "cp1252": .windows1252, "gb18030": .gb18030,
        "gbk": .gbk, "gb2312": .gbk, "cp936": .gbk, "shiftjis": .shiftJIS, "sjis": .shiftJIS, "windows31j": .shiftJIS, "cp932": .shiftJIS,
        "eucjp": .eucJP, "big5": .big5, "cp950": .big5, "euckr": .eucKR, "cp949": .eucKR,
    ]
}
