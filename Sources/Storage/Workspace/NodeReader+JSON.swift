internal import SortieBase
internal import WorkspaceModel

extension NodeReader {
    /// The JSON text of a value that is sent or compared as JSON.
    ///
    /// In contrast to ``jsonText(_:)``, a text between quotes that is a JSON object or array is JSON already, unless it has a tag such as `!!str`.
    mutating func jsonDocument(_ node: YAMLNode) -> String? {
        guard !isStored, let text = textLikeJSON(node) else { return jsonText(node) }
        if let problem = problem(ofJSON: text) {
            report(node, "\(problem), so it is a JSON string; correct it, or write !!str before it if a string is meant", severity: .warning)
            return jsonText(node)
        }
        note(text, at: node)
        return text
    }

    /// Whether a node is a text that ``jsonDocument(_:)`` takes as it is.
    func isJSONDocument(_ node: YAMLNode) -> Bool {
        isJSONText(node) || !isStored && textLikeJSON(node).map { problem(ofJSON: $0) == nil } == true
    }

    /// A text between quotes that begins like a JSON object or array; a template at its beginning is none.
    private func textLikeJSON(_ node: YAMLNode) -> String? {
        guard case .scalar(let scalar) = node.content, scalar.tag == nil, scalar.type == .string, !isJSONText(node),
            case .text(let start)? = Template(scalar.text).segments.first, let first = start.first(where: { !$0.isWhitespace })
        else { return nil }
        return first == "{" || first == "[" ? scalar.text : nil
    }

    /// The syntax error of a JSON text with templates, each of which may be a value or a part of a string.
    private func problem(ofJSON text: String) -> String? {
        let sample = Template(text).segments.map { segment in
            // As long as the template, so that the position of an error is that in the text.
            if case .text(let text) = segment { text } else { String(repeating: "1", count: segment.description.count) }
        }
        return JSONText.problem(in: sample.joined())?.ofJSON(in: "the text")
    }

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
