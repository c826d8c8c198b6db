import Foundation

/// The `name=value` and `name="value"` parameters of a field, separated by `;` or `,` outside of quotes (RFC 9110
/// §5.6.6, §11.2).
struct HeaderParameters {
    private var values: [String: String] = [:]

    init(_ text: some StringProtocol, separator: Character = ";") {
        var name = ""
        var value = ""
        var isValue = false
        var isQuoted = false
        var isEscaped = false
        // Iterates over scalars, because a quote before a combining mark is still a quote.
        for scalar in text.unicodeScalars {
            let character = Character(scalar)
            switch character {
            case _ where isEscaped:
                value.unicodeScalars.append(scalar)
                isEscaped = false
            case "\\" where isQuoted: isEscaped = true
            case "\"" where isValue: isQuoted.toggle()
            case separator where !isQuoted:
                add(name, value)
                (name, value, isValue) = ("", "", false)
            case "=" where !isValue: isValue = true
            default:
                if isValue { value.unicodeScalars.append(scalar) } else { name.unicodeScalars.append(scalar) }
            }
        }
        add(name, value)
    }

    /// The value of a parameter; names are case-insensitive.
    subscript(name: String) -> String? { values[name] }

    private mutating func add(_ name: String, _ value: String) {
        let key = name.trimmingCharacters(in: .whitespaces).lowercased()
        if !key.isEmpty { values[key] = value.trimmingCharacters(in: .whitespaces) }
    }
}
