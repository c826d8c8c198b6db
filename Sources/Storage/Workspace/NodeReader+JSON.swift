internal import SortieBase

extension NodeReader {
    /// The JSON text of a YAML value: two spaces of indentation, keys in their order, numbers with their original digits.
    ///
    /// A block scalar (`|`) is JSON text already and stays unchanged, as a text with the tag `!json` of a stored endpoint does.
    mutating func jsonText(_ node: YAMLNode) -> String? {
        if case .scalar(let scalar) = node.content, isJSONText(node) {
            note(scalar.text, at: node)
            return scalar.text
        }
        var output = ""
        let before = problems.count
        writeJSON(node, indentation: "", to: &output)
        return problems.count == before ? output : nil
    }

    /// Whether a node is a text that is JSON already.
    func isJSONText(_ node: YAMLNode) -> Bool {
        guard case .scalar(let scalar) = node.content else { return false }
        return scalar.style == .literal || scalar.style == .folded || isStored && scalar.tag == YAMLScalar.jsonTag
    }

    private mutating func writeJSON(_ node: YAMLNode, indentation: String, to output: inout String) {
        let inner = indentation + "  "
        switch node.content {
        case .scalar(let scalar):
            note(scalar.text, at: node)
            output += jsonScalar(scalar, at: node)
        case .sequence(let items):
            guard !items.isEmpty else {
                output += "[]"
                return
            }
            output += "["
            for (index, item) in items.enumerated() {
                output += (index == 0 ? "\n" : ",\n") + inner
                writeJSON(item, indentation: inner, to: &output)
            }
            output += "\n\(indentation)]"
        case .mapping:
            let entries = node.entries ?? []
            guard !entries.isEmpty else {
                output += "{}"
                return
            }
            output += "{"
            for (index, entry) in entries.enumerated() {
                guard let key = entry.key.text else {
                    report(entry.key, "a key of JSON must be text, not \(entry.key.kindName)")
                    continue
                }
                note(key, at: entry.key)
                output += (index == 0 ? "\n" : ",\n") + inner + "\"\(JSONText.escaped(key))\"" + ": "
                writeJSON(entry.value, indentation: inner, to: &output)
            }
            output += "\n\(indentation)}"
        }
    }

    private mutating func jsonScalar(_ scalar: YAMLScalar, at node: YAMLNode) -> String {
        switch scalar.type {
        case .null: return "null"
        case .bool: return scalar.text.lowercased()
        case .string: return "\"\(JSONText.escaped(scalar.text))\""
        case .integer, .float:
            guard let number = JSONText.number(scalar.text) else {
                report(node, "JSON has no number “\(scalar.text.shortened)”; put it into quotes")
                return "null"
            }
            return number
        }
    }
}

extension JSONText {
    /// A number of the core schema in JSON notation; nil for infinities, and for octal and hexadecimal numbers that are too large.
    static func number(_ text: String) -> String? {
        if text.hasPrefix("0o") { return UInt64(text.dropFirst(2), radix: 8).map(String.init) }
        if text.hasPrefix("0x") { return UInt64(text.dropFirst(2), radix: 16).map(String.init) }
        let isNegative = text.hasPrefix("-")
        var rest = Substring(text)
        if isNegative || text.hasPrefix("+") { rest = rest.dropFirst() }
        guard let first = rest.first, first.isNumber || rest.dropFirst().first?.isNumber == true else { return nil }
        let whole = rest.prefix { $0.isNumber }
        var tail = rest.dropFirst(whole.count)
        var digits = whole.drop { $0 == "0" }
        if digits.isEmpty { digits = "0" }
        // `1.` and `1.e5` have no digit after the point, which JSON requires.
        if tail.first == ".", tail.dropFirst().first?.isNumber != true { tail = tail.dropFirst() }
        return (isNegative ? "-" : "") + digits + tail
    }
}
