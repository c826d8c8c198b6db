/// The preferences of a `Prefer` field (RFC 7240 §2) that select a response.
struct MockPreferences {
    /// `code=N`; nil where it is missing or not a status of a final response.
    let status: Int?
    /// `example=NAME`; nil where it is missing.
    let example: String?

    /// - Parameter field: The field; nil where the request has none.
    init(_ field: String?) {
        let preferences = Self.preferences(of: field ?? "")
        func value(_ name: String) -> String? { preferences.first { $0.name == name }?.value }
        status = value("code").flatMap { Int($0) }.flatMap { (200...599).contains($0) ? $0 : nil }
        example = value("example")
    }

    /// The preferences with a value, without their parameters; commas and semicolons within a quoted string separate nothing.
    private static func preferences(of field: String) -> [(name: String, value: String)] {
        var result: [(String, String)] = []
        var rest = field.unicodeScalars[...]
        while !rest.isEmpty {
            let name = rest.prefix { !"=,;".unicodeScalars.contains($0) }
            rest = rest[name.endIndex...]
            if rest.first == "=" {
                rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
                result.append((trimmed(name).lowercased(), value(&rest)))
            }
            skipParameters(&rest)
        }
        return result
    }

    /// A token, or the content of a quoted string.
    private static func value(_ rest: inout Substring.UnicodeScalarView) -> String {
        guard rest.first == "\"" else {
            let token = rest.prefix { $0 != "," && $0 != ";" }
            rest = rest[token.endIndex...]
            return trimmed(token)
        }
        var text = String.UnicodeScalarView()
        rest = rest.dropFirst()
        while let scalar = rest.popFirst(), scalar != "\"" {
            if scalar == "\\", let escaped = rest.popFirst() { text.append(escaped) } else { text.append(scalar) }
        }
        return String(text)
    }

    /// Skips the parameters of a preference, whose values can be quoted strings.
    private static func skipParameters(_ rest: inout Substring.UnicodeScalarView) {
        while let scalar = rest.first {
            if scalar == "\"" {
                _ = value(&rest)
                continue
            }
            rest = rest.dropFirst()
            if scalar == "," { return }
        }
    }

    private static func trimmed(_ text: Substring.UnicodeScalarView) -> String {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
