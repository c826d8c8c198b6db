internal import SortieBase

/// How `json.dumps` writes a value.
struct JSONStyle {
    /// The spaces of a level; nil for one line.
    var indent: Int?
    var isASCII = true
    var isCompact = false

    /// The style of requests.
    static let plain = JSONStyle()
    /// The style of httpx.
    static let compact = JSONStyle(isASCII: false, isCompact: true)

    private init(isASCII: Bool = true, isCompact: Bool = false) { (self.isASCII, self.isCompact) = (isASCII, isCompact) }

    /// The style that arguments describe; nil for other ones.
    init?(_ arguments: [SourceNode.Member]) {
        for argument in arguments {
            switch argument.name {
            case "indent":
                guard let text = argument.value.text, let spaces = Int(text), (0...16).contains(spaces) else { return nil }
                indent = spaces
            case "ensure_ascii" where argument.value.text == "false": isASCII = false
            case "separators":
                guard argument.value.items?.map(\.string) == [",", ":"] else { return nil }
                isCompact = true
            default: return nil
            }
        }
    }
}

extension PythonReader {
    /// The text that `json.dumps` makes.
    static func dumps(_ value: SourceNode, _ style: JSONStyle, level: Int = 1) -> String {
        func quoted(_ text: String) -> String {
            let literal = JSONValue.string(text).compactText
            guard style.isASCII else { return literal }
            return literal.unicodeScalars.map { scalar in
                scalar.isASCII && scalar.value != 0x7f
                    ? String(scalar) : String(scalar).utf16.map { "\\u" + HexDigits.text(of: UInt32($0), digits: 4) }.joined()
            }.joined()
        }
        func list(_ items: [String], _ open: String, _ close: String) -> String {
            guard let indent = style.indent, !items.isEmpty else { return open + items.joined(separator: style.isCompact ? "," : ", ") + close }
            func line(_ level: Int) -> String { "\n" + String(repeating: " ", count: indent * level) }
            return open + line(level) + items.joined(separator: "," + line(level)) + line(level - 1) + close
        }
        switch value.content {
        case .null: return "null"
        case .bool(let isTrue): return isTrue ? "true" : "false"
        case .number(let text): return text.contains(".") ? Double(text).map { "\($0)" } ?? text : text
        case .string(let text): return quoted(text)
        case .array(let items): return list(items.map { dumps($0, style, level: level + 1) }, "[", "]")
        case .object(let members):
            // The last one of several members with a name counts, at the place of the first one.
            var (order, last): ([String], [String: SourceNode]) = ([], [:])
            for member in members { if last.updateValue(member.value, forKey: member.name) == nil { order.append(member.name) } }
            let colon = style.isCompact ? ":" : ": "
            return list(order.compactMap { name in last[name].map { quoted(name) + colon + dumps($0, style, level: level + 1) } }, "{", "}")
        }
    }
}
