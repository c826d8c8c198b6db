internal import SortieBase

/// Writes scalars: in their previous style if possible, otherwise in the plainest style that reads back as the same value.
enum YAMLText {
    /// A scalar on one line.
    static func scalar(_ value: YAMLValue, style: YAMLScalar.Style = .plain, inFlow: Bool) -> String {
        switch value {
        case .token(let text): return text
        case .text(let text):
            if style == .plain, isPlain(text, inFlow: inFlow), YAMLScalar.coreType(ofPlain: text) != .null { return text }
            return quoted(text, style: style)
        case .string(let text):
            if style == .plain, isPlain(text, inFlow: inFlow), YAMLScalar.coreType(ofPlain: text) == .string,
                !isOtherTypeInOldYAML(text)
            {
                return text
            }
            return quoted(text, style: style)
        case .block(let text): return quoted(text, style: .doubleQuoted)
        case .json(let text): return "\(YAMLScalar.jsonTag) \(quoted(text, style: .doubleQuoted))"
        case .mapping, .sequence: return flow(value)
        }
    }

    /// Any value on one line.
    static func flow(_ value: YAMLValue) -> String {
        switch value {
        case .mapping(let members):
            "{" + members.map { "\(key($0.key, inFlow: true)): \(flow($0.value))" }.joined(separator: ", ") + "}"
        case .sequence(let items):
            "[" + items.map(flow).joined(separator: ", ") + "]"
        case .text, .string, .token, .block, .json:
            scalar(value, inFlow: true)
        }
    }

    /// A key.
    static func key(_ name: String, inFlow: Bool) -> String {
        // Parsers of YAML 1.1 read these as booleans; y and n, which the standard has as well, are common names of parameters, and hardly any parser does.
        let isBoolean = ["yes", "no", "on", "off"].contains(name.lowercased())
        return isBoolean ? quoted(name, style: .doubleQuoted) : scalar(.text(name), inFlow: inFlow)
    }

    /// `key: value` in block style.
    ///
    /// The first line has no indentation; further lines are indented relative to `indentation` spaces.
    static func entry(_ key: String, _ value: YAMLValue, indentation: Int) -> String {
        let inner = indentation + 2
        switch value {
        case .text(let text), .string(let text):
            if let block = literal(text, indentation: inner) { return "\(key): \(block)" }
            return "\(key): \(scalar(value, inFlow: false))"
        case .token: return "\(key): \(scalar(value, inFlow: false))"
        case .block(let text): return "\(key): \(anyLiteral(text, indentation: inner))"
        case .json(let text): return "\(key): \(literal(text, indentation: inner) ?? scalar(value, inFlow: false))"
        case .mapping(let members):
            guard !members.isEmpty, !fitsOneLine(value) else { return "\(key): \(flow(value))" }
            return "\(key):\n" + spaces(inner) + block(value, indentation: inner)
        case .sequence(let items):
            guard !items.isEmpty, !fitsOneLine(value) else { return "\(key): \(flow(value))" }
            return "\(key):\n" + spaces(inner) + block(value, indentation: inner)
        }
    }

    /// A value in block style.
    ///
    /// The first line has no indentation; further lines are indented by `indentation` spaces or more.
    static func block(_ value: YAMLValue, indentation: Int) -> String {
        switch value {
        case .mapping(let members) where !members.isEmpty:
            return members.map { entry(YAMLText.key($0.key, inFlow: false), $0.value, indentation: indentation) }
                .joined(separator: "\n" + spaces(indentation))
        case .sequence(let items) where !items.isEmpty:
            return items.map { "- " + (fitsOneLine($0) ? flow($0) : block($0, indentation: indentation + 2)) }
                .joined(separator: "\n" + spaces(indentation))
        case .text(let text), .string(let text):
            return literal(text, indentation: indentation) ?? scalar(value, inFlow: false)
        case .block(let text):
            return anyLiteral(text, indentation: indentation)
        default:
            return flow(value)
        }
    }

    /// A literal block scalar (`|`).
    ///
    /// Text that cannot be represented is detected when the result is read back.
    static func anyLiteral(_ text: String, indentation: Int) -> String {
        let body = text.hasSuffix("\n") ? String(text.dropLast()) : text
        let chomping = !text.hasSuffix("\n") ? "-" : body.hasSuffix("\n") || body.isEmpty ? "+" : ""
        // A first line that begins with a space or is empty needs an indentation indicator, which counts from the parent, two
        // columns less.
        let indicator = text.first.map { $0 == " " || $0 == "\n" } ?? false ? "2" : ""
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.isEmpty ? "" : spaces(indentation) + $0
        }
        return "|\(indicator)\(chomping)\n" + lines.joined(separator: "\n")
    }

    /// A literal block scalar for a text of several lines; nil for a single line or a text that the style cannot represent.
    static func literal(_ text: String, indentation: Int) -> String? {
        guard text.contains("\n"), let first = text.first, !first.isWhitespace,
            text.unicodeScalars.allSatisfy({ $0 == "\n" || $0 == "\t" || isPrintable($0) })
        else { return nil }
        return anyLiteral(text, indentation: indentation)
    }

    static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

    private static func fitsOneLine(_ value: YAMLValue) -> Bool {
        switch value {
        case .text(let text), .string(let text): !text.contains("\n")
        case .token: true
        case .block, .json: false
        case .mapping(let members) where members.contains(where: { !fitsOneLine($0.value) }): false
        case .sequence(let items) where !items.allSatisfy(fitsOneLine): false
        case .mapping, .sequence: flow(value).count <= 72
        }
    }

    private static func quoted(_ text: String, style: YAMLScalar.Style) -> String {
        if style == .singleQuoted, text.unicodeScalars.allSatisfy(isPrintable) {
            return "'" + text.replacing(scalars: "'", with: "''") + "'"
        }
        let content = QuotedText.escaped(text) { scalar in
            guard !isPrintable(scalar) else { return nil }
            let isShort = scalar.value <= 0xffff
            return (isShort ? "\\u" : "\\U") + HexDigits.text(of: scalar.value, digits: isShort ? 4 : 8)
        }
        return "\"\(content)\""
    }

    /// Whether a text can be written without quotes (YAML 1.2 §7.3.3); false in doubtful cases.
    static func isPlain(_ text: String, inFlow: Bool) -> Bool {
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else { return false }
        guard text.unicodeScalars.allSatisfy(isPrintable), first != " ", last != " ", last != ":" else { return false }
        guard !",[]{}#&*!|>'\"%@`?:".unicodeScalars.contains(first), !text.hasPrefix("- "), text != "-", !text.hasPrefix("---"),
            !text.hasPrefix("..."),
            text != "<<", text != "=", !text.contains(": "), !text.contains(" #")
        else { return false }
        guard inFlow else { return true }
        // libyaml refuses `:?` in a flow.
        return !text.unicodeScalars.contains { ",[]{}".unicodeScalars.contains($0) } && first != "-" && !text.contains(":?")
    }

    /// Whether YAML permits a character as it is, and it does not change the order in which a terminal or an editor shows the text.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x61c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: false
        case 0x20...0x7e, 0xa0...0x2027, 0x202a...0xd7ff, 0xe000...0xfefe, 0xff00...0xfffd, 0x10000...0x10ffff: true
        default: false
        }
    }

    /// Whether a parser of YAML 1.1 reads the plain text as another type than a string: a boolean, a number with `_`, `:` or `0b`, or a date.
    private static func isOtherTypeInOldYAML(_ text: String) -> Bool {
        if isWordOfOldYAML(text) { return true }
        guard let first = text.utf8.first, (0x30...0x39).contains(first) || "+-.".utf8.contains(first) else { return false }
        let number = /[-+]?(0b[01_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*(:[0-5]?[0-9])*(\.[0-9_]*)?([eE][-+][0-9]+)?|\.[0-9][0-9_]*([eE][-+][0-9]+)?)/
        let date = /[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt\s].*)?/
        return text.wholeMatch(of: number) != nil || text.wholeMatch(of: date) != nil
    }

    private static func isWordOfOldYAML(_ text: String) -> Bool {
        ["y", "n", "yes", "no", "on", "off"].contains(text.lowercased())
    }
}
