/// Escaping of text for XML 1.0.
package enum XMLText {
    /// A character that XML text must not contain (XML 1.0 §2.2).
    package struct ForbiddenCharacter: Error, CustomStringConvertible {
        package let scalar: UnicodeScalar

        package var description: String { "U+\(String(scalar.value, radix: 16, uppercase: true))" }
    }

    /// `text` as the content of an element, or of a quoted attribute where `quotes` is true.
    package static func escaped(_ text: String, quotes: Bool) throws(ForbiddenCharacter) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"" where quotes: result += "&quot;"
            case "'" where quotes: result += "&apos;"
            // A parser reads a literal CR as a line feed (XML 1.0 §2.11).
            case "\r": result += "&#13;"
            default: result.unicodeScalars.append(try allowed(scalar))
            }
        }
        return result
    }

    /// `text` as the content of a CDATA section, with the end marker split.
    package static func cdata(_ text: String) throws(ForbiddenCharacter) -> String {
        for scalar in text.unicodeScalars { _ = try allowed(scalar) }
        return text.replacing(scalars: "]]>", with: "]]]]><![CDATA[>")
    }

    private static func allowed(_ scalar: UnicodeScalar) throws(ForbiddenCharacter) -> UnicodeScalar {
        switch scalar {
        case "\t", "\n", "\r": scalar
        case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": throw ForbiddenCharacter(scalar: scalar)
        default: scalar
        }
    }
}
