/// Parses the parameters of header fields such as `Content-Type` and `Content-Disposition` (RFC 9110 §5.6.6).
enum FieldParameter {
    /// The value of a parameter without quotes; nil where there is none.
    package static func value(of name: String, in field: String) -> String? {
        var rest = field[...]
        while let semicolon = rest.firstIndex(of: ";") {
            rest = rest[rest.index(after: semicolon)...].drop { $0 == " " || $0 == "\t" }
            guard let equals = rest.firstIndex(where: { $0 == "=" || $0 == ";" }), rest[equals] == "=" else { continue }
            let isFound = rest[..<equals].lowercased() == name
            rest = rest[rest.index(after: equals)...]
            var value = ""
            if rest.first == "\"" {
                rest = rest.dropFirst()
                while let character = rest.popFirst(), character != "\"" {
                    if character == "\\", let escaped = rest.popFirst() { value.append(escaped) } else { value.append(character) }
                }
            } else {
                value = String(rest.prefix { $0 != ";" && $0 != " " && $0 != "\t" })
            }
            if isFound { return value }
        }
        return nil
    }
}
