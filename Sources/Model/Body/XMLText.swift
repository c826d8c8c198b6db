/// Characters of XML 1.0.
enum XMLText {
    /// A character that no XML text may hold (XML 1.0 §2.2).
    struct ForbiddenCharacter: Error, CustomStringConvertible {
        let scalar: UnicodeScalar

        var description: String { "U+\(String(scalar.value, radix: 16, uppercase: true))" }
    }

    /// `text` as the content of an element, and of an attribute in quotes where those are escaped, too.
    static func escaped(_ text: String, quotes: Bool) throws(ForbiddenCharacter) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"" where quotes: result += "&quot;"
            case "'" where quotes: result += "&apos;"
            // A bare CR would be read as a line feed (XML 1.0 §2.11).
            case "\r": result += "&#13;"
            default: result.unicodeScalars.append(try allowed(scalar))
            }
        }
        return result
    }

    /// `text` inside a CDATA section, which its end mark would close.
    static func cdata(_ text: String) throws(ForbiddenCharacter) -> String {
        for scalar in text.unicodeScalars { _ = try allowed(scalar) }
        return text.replacing("]]>", with: "]]]]><![CDATA[>")
    }

    private static func allowed(_ scalar: UnicodeScalar) throws(ForbiddenCharacter) -> UnicodeScalar {
        switch scalar {
        case "\t", "\n", "\r": scalar
        case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": throw ForbiddenCharacter(scalar: scalar)
        default: scalar
        }
    }
}
