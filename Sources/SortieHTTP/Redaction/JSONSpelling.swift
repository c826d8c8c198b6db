internal import SortieBase

/// The ways in which JSON writers spell the same text.
enum JSONSpelling {
    /// Returns the spellings that common writers use for a text, without the quotes.
    package static func all(of text: String) -> Set<String> {
        let plain = String(JSONValue.string(text).text.dropFirst().dropLast())
        var all: Set<String> = [plain, plain.replacing("/", with: #"\/"#)]
        // Go, Ruby on Rails; Gson; JavaScript in HTML.
        for characters in ["<>&", "<>&='", "<>&'/"] { all.insert(unicode(plain, characters, beyondASCII: false, digits: lower)) }
        // Python; PHP; .NET, which also escapes the quote in this way.
        let python = unicode(plain, "", beyondASCII: true, digits: lower)
        all.formUnion([python, python.replacing("/", with: #"\/"#)])
        all.insert(unicode(plain.replacing(#"\""#, with: #"\u0022"#), "<>&'+`", beyondASCII: true, digits: upper))
        // Every character as an escape.
        for digits in [lower, upper] { all.insert(unicode(text, nil, beyondASCII: true, digits: digits)) }
        return all
    }

    private static let lower = Array("0123456789abcdef".utf8)
    private static let upper = Array("0123456789ABCDEF".utf8)

    /// Writes the given characters, or all characters beyond ASCII, as `\uXXXX`.
    ///
    /// - Parameter characters: the characters in ASCII; nil for all.
    private static func unicode(_ text: String, _ characters: String?, beyondASCII: Bool, digits: [UInt8]) -> String {
        let escaped = characters.map { Set($0.utf8) }
        // In bytes, because the server of a captured value chooses its length.
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            let isEscaped = scalar.isASCII ? escaped?.contains(UInt8(scalar.value)) ?? true : beyondASCII
            guard isEscaped else {
                result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                continue
            }
            for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                result.append(UInt8(ascii: "\\"))
                result.append(UInt8(ascii: "u"))
                for shift: UInt16 in [12, 8, 4, 0] { result.append(digits[Int(unit >> shift & 15)]) }
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
