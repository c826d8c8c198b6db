/// A call of a function in a template of slumber: `prompt(message='Name')`.
struct SlumberCall: Hashable {
    var name: String
    var arguments: [String] = []
    var named: [String: String] = [:]

    /// The calls of `a('x') | b('y')`; nil for another expression.
    static func pipeline(_ text: String) -> [SlumberCall]? {
        var calls: [SlumberCall] = []
        for part in pieces(text[...], separator: "|") {
            let part = ForeignText.trimmed(part)
            guard let open = part.firstIndex(of: "("), part.hasSuffix(")") else { return nil }
            let name = String(part[..<open])
            guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { return nil }
            var call = SlumberCall(name: name)
            for argument in pieces(part[part.index(after: open)...].dropLast(), separator: ",") {
                let text = ForeignText.trimmed(argument)
                guard !text.isEmpty else { continue }
                let key = text.prefix { $0.isLetter || $0 == "_" }
                let rest = ForeignText.trimmed(text.dropFirst(key.count))
                if !key.isEmpty, rest.hasPrefix("=") {
                    call.named[String(key)] = value(ForeignText.trimmed(rest.dropFirst()))
                } else {
                    call.arguments.append(value(text))
                }
            }
            calls.append(call)
        }
        return calls.isEmpty ? nil : calls
    }

    /// The text of a string in quotes; another value as it is written.
    private static func value(_ text: String) -> String {
        guard let quote = text.first, quote == "'" || quote == "\"", text.count >= 2, text.last == quote else { return text }
        return String(text.dropFirst().dropLast())
    }

    /// The pieces between separators outside of quotes and brackets.
    private static func pieces(_ text: Substring, separator: Character) -> [String] {
        var result = [""]
        var quote: Character?
        var depth = 0
        for character in text {
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "'" || character == "\"" {
                quote = character
            } else if "([{".contains(character) {
                depth += 1
            } else if ")]}".contains(character) {
                depth -= 1
            } else if character == separator, depth == 0 {
                result.append("")
                continue
            }
            result[result.count - 1].append(character)
        }
        return result
    }
}
