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
    public enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The charset does not contain the character.
        case unencodable(Character, charset: ParameterCharset)
        /// This machine has no converter for the charset.
        case unavailable(ParameterCharset)

        /// The description of the problem and its remedy.
        public var description: String {
            switch self {
            case .unencodable(let character, let charset):
                let codes = character.unicodeScalars.map { "U+" + Self.hex($0.value) }.joined(separator: " ")
                return "\(charset.rawValue) cannot encode “\(character)” (\(codes)); change the text or send it as UTF-8"
            case .unavailable(let charset):
                return "this machine cannot convert to \(charset.rawValue); install the gconv modules of its C library or use UTF-8"
            }
        }

        private static func hex(_ value: UInt32) -> String {
            let digits = String(value, radix: 16, uppercase: true)
            return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
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
    public func encode(_ text: String) throws(Problem) -> [UInt8] {
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
