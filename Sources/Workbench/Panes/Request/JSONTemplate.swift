internal import Model

/// JSON with `{{templates}}` in it: a template stands for a value, or for a part of a string.
enum JSONTemplate {
    /// Why a text is not JSON, and where; nil when it is as far as its templates let that be seen.
    static func problem(in text: String) -> BodyProblem? {
        // As many digits as the template has characters are a value, and leave every place where it was.
        JSONText.problem(in: replacingTemplates(in: text) { $0.map { $0.isNewline ? String($0) : "1" }.joined() })
    }

    /// The same JSON laid out with two spaces a level; nil when it is not JSON.
    static func pretty(_ text: String) -> String? {
        var templates: [String] = []
        // A number that the text does not have stands for each template; every token is kept as it is.
        var base = "71828182845904523536"
        while text.contains(base) { base += "0" }
        func mark(_ index: Int) -> String {
            let digits = String(index)
            return base + String(repeating: "0", count: max(0, 7 - digits.count)) + digits
        }
        let marked = replacingTemplates(in: text) {
            templates.append(String($0))
            return mark(templates.count - 1)
        }
        guard var result = JSONText.pretty(marked) else { return nil }
        guard !templates.isEmpty else { return result }
        var output = ""
        var rest = result[...]
        for (index, template) in templates.enumerated() {
            guard let range = rest.firstRange(of: mark(index)) else { return nil }
            output += rest[..<range.lowerBound] + template
            rest = rest[range.upperBound...]
        }
        result = output + rest
        return result
    }

    private static func replacingTemplates(in text: String, with replacement: (Substring) -> String) -> String {
        guard text.contains("{{") else { return text }
        var result = ""
        var rest = text[...]
        while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
            result += rest[..<open.lowerBound] + replacement(rest[open.lowerBound..<close.upperBound])
            rest = rest[close.upperBound...]
        }
        return result + rest
    }
}
