internal import SortieBase

/// Literals and expressions of Swift.
enum SwiftText {
    /// A string literal in which placeholders are interpolated expressions.
    static func string(_ text: String, _ placeholders: ExportPlaceholder? = nil, as notation: CodeNotation = .plain) -> String {
        let pieces = placeholders?.pieces(of: text) ?? [.text(text)]
        var position = JSONStringPosition()
        let content = pieces.map { piece in
            if case .text(let text) = piece {
                if notation == .json { position.read(text) }
                return escaped(text)
            }
            let value = value(piece)
            return switch notation {
            case .plain: "\\(\(value))"
            case .url, .form: "\\(escaped(\(value)))"
            case .json: position.isInString ? "\\(jsonText(\(value)))" : "\\(\(value))"
            case .xml: "\\(xmlText(\(value)))"
            }
        }.joined()
        return "\"\(content)\""
    }

    /// Whether the literal of a text has an interpolation that throws, so that its statement needs `try`.
    static func canThrow(_ text: String, _ placeholders: ExportPlaceholder) -> Bool {
        placeholders.pieces(of: text).contains { piece in
            switch piece {
            case .text, .generated: false
            case .variable, .captured: true
            }
        }
    }

    private static func value(_ piece: ExportPlaceholder.Piece) -> String {
        switch piece {
        case .text(let text): return string(text)
        case .variable(let name): return "environment(\(string(name)))"
        case .captured(let name): return "value(\(string(name)), of: values)"
        case .generated(let name):
            if name == "uuid" { return "UUID().uuidString.lowercased()" }
            if name == "timestamp" { return "Int(Date().timeIntervalSince1970).description" }
            return "Int.random(in: 0..<\(max(1, Int(name.dropFirst("random ".count)) ?? 1_000_000))).description"
        }
    }

    private static func escaped(_ text: String) -> String {
        QuotedText.escaped(text) { ShellQuote.isHidden($0) ? "\\u{\(String($0.value, radix: 16))}" : nil }
    }

    /// A duration, such as `.seconds(2)`.
    static func duration(_ duration: Duration) -> String {
        let milliseconds = duration.milliseconds
        return milliseconds % 1000 == 0 ? ".seconds(\(milliseconds / 1000))" : ".milliseconds(\(milliseconds))"
    }

    /// Identifiers that exported code must not define.
    static let reserved: Set<String> = [
        "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init", "inout", "internal", "let", "open",
        "operator", "private", "protocol", "public", "rethrows", "static", "struct", "subscript", "typealias", "var", "break", "case", "continue",
        "default", "defer", "do", "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return", "switch", "where", "while", "as", "Any",
        "catch", "false", "is", "nil", "super", "self", "Self", "throw", "throws", "true", "try", "await", "async", "run", "environment", "value",
        "escaped", "jsonText", "xmlText", "captured", "require", "check", "holds", "equals", "found", "field", "rows", "Regex", "ContinuousClock",
        "each", "Problem", "Client", "Request", "Response", "Type", "Foundation", "Data", "Date",
        "UUID", "String", "Int", "Bool", "Double", "Array", "Set", "Character", "Timeouts", "Proxy", "Headers", "Error", "Result", "Optional",
        "SortieNetworking", "JSONPath", "JSONValue", "HTTPURL", "HTTPMethod", "RetryPolicy", "Never", "Void", "Task", "Duration",
    ]
}
