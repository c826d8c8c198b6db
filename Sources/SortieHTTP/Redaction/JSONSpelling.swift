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
        for digits in [lower, upper] { all.insert(unicode(text, text, beyondASCII: true, digits: digits)) }
        return all
    }

    private static let lower = Array("0123456789abcdef".unicodeScalars)
    private static let upper = Array("0123456789ABCDEF".unicodeScalars)

    /// Writes the given characters, or all characters beyond ASCII, as `\uXXXX`.
    private static func unicode(_ text: String, _ characters: String, beyondASCII: Bool, digits: [Unicode.Scalar]) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard beyondASCII && !scalar.isASCII || characters.unicodeScalars.contains(scalar) else {
                result.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                result.append(contentsOf: "\\u".unicodeScalars)
                for shift in [12, 8, 4, 0] { result.append(digits[Int(unit >> UInt16(shift) & 15)]) }
            }
        }
        return String(result)
    }
}
