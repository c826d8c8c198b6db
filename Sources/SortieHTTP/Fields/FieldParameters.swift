internal import SortieBase

/// The parameters of a field value, such as `charset` of `Content-Type` (RFC 9110 §5.6.6).
package struct FieldParameters: Sendable {
    /// The parameters in their order: names in lower case, quoted strings without quotes.
    package private(set) var all: [(name: String, value: String)] = []

    /// Reads the parameters after the first `;` of a value.
    ///
    /// - Parameter keepsBackslashes: Whether a backslash before other characters than `"` and `\` is taken literally, as in a path that a server does not
    ///   escape.
    package init(of value: String, keepsBackslashes: Bool = false) {
        guard let semicolon = value.unicodeScalars.firstIndex(of: ";") else { return }
        read(value.unicodeScalars[semicolon...].dropFirst(), separator: ";", keepsBackslashes: keepsBackslashes)
    }

    /// Reads a list that begins with a parameter, such as that of the Digest scheme, without the parameters of its members after `;`.
    package init(list: String, separatedBy separator: Unicode.Scalar) {
        read(list.unicodeScalars[...], separator: separator, keepsBackslashes: false)
    }

    /// The value of the first parameter with a name in lower case; nil where there is none.
    package subscript(name: String) -> String? { all.first { $0.name == name }?.value }

    /// A text as a quoted string (RFC 9110 §5.6.4), which is also a string of structured fields (RFC 9651 §3.3.3).
    package static func quoted(_ text: String) -> String {
        "\"\(text.replacing(scalars: "\\", with: "\\\\").replacing(scalars: "\"", with: "\\\""))\""
    }

    /// Reads by scalars, because a combining mark would hide a separator before it.
    private mutating func read(_ text: Substring.UnicodeScalarView, separator: Unicode.Scalar, keepsBackslashes: Bool) {
        var rest = text
        var isMember = true
        while !rest.isEmpty {
            let name = rest.prefix { $0 != "=" && $0 != separator && $0 != ";" }
            rest = rest[name.endIndex...]
            if rest.first == "=" {
                rest = rest.dropFirst().drop(while: \.isSpaceOrLineBreak)
                let value: String
                if rest.first == "\"" {
                    (value, rest) = Self.unquoted(rest.dropFirst(), keepsBackslashes: keepsBackslashes)
                } else {
                    var token = rest.prefix { $0 != separator && $0 != ";" }
                    while let last = token.last, last.isSpaceOrLineBreak { token.removeLast() }
                    value = String(token)
                }
                if isMember { all.append((String(name.filter { !$0.isSpaceOrLineBreak }).lowercased(), value)) }
            }
            rest = rest.drop { $0 != separator && $0 != ";" }
            isMember = rest.popFirst() == separator
        }
    }

    /// The text up to the closing quote, and what follows it.
    private static func unquoted(_ text: Substring.UnicodeScalarView, keepsBackslashes: Bool) -> (String, Substring.UnicodeScalarView) {
        var result = String.UnicodeScalarView()
        var index = text.startIndex
        while index < text.endIndex, text[index] != "\"" {
            let next = text.index(after: index)
            if text[index] == "\\", next < text.endIndex, !keepsBackslashes || text[next] == "\"" || text[next] == "\\" { index = next }
            result.append(text[index])
            index = text.index(after: index)
        }
        return (String(result), text[index...].dropFirst())
    }
}
