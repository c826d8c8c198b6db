internal import SortieBase
internal import WorkspaceModel

/// JSON with `{{templates}}`, each of which replaces a value or a part of a string.
enum JSONTemplate {
    /// The first syntax error; nil when the text is valid JSON apart from its templates.
    static func problem(in text: String) -> BodyProblem? { JSONText.problem(in: withDigits(text)).map { named($0, in: text) } }

    /// The error of the text ``withDigits(_:)``, in terms of the text itself.
    static func named(_ problem: BodyProblem, in text: String) -> BodyProblem {
        let lines = text.editedLines
        guard lines.indices.contains(problem.line - 1), lines[problem.line - 1].dropFirst(problem.column - 1).hasPrefix("{{") else { return problem }
        var named = problem
        named.message = problem.message.replacing("'1'", with: "a template")
        return named
    }

    /// The names of the members of an object; nil for other text.
    static func names(in text: String) -> [String]? {
        if case .object(let members)? = JSONValue(ifValid: withDigits(text)) { members.map(\.key) } else { nil }
    }

    /// The text with a number in place of each template, which forms a value and keeps all positions.
    static func withDigits(_ text: String) -> String {
        replacingTemplates(in: text) { $0.map { $0.isLineBreak ? String($0) : "1" }.joined() }
    }

    /// The JSON formatted with two spaces per level; nil when it is not valid.
    static func pretty(_ text: String) -> String? { rewritten(text, JSONText.pretty) }

    /// The JSON on one line; nil when it is not valid.
    static func compact(_ text: String) -> String? { rewritten(text, JSONText.compact) }

    private static func rewritten(_ text: String, _ rewrite: (String) -> String?) -> String? {
        var templates: [String] = []
        // A number that the text does not contain replaces each template; rewriting keeps every token.
        var base = "71828182845904523536"
        while text.contains(base) { base += "0" }
        func mark(_ index: Int) -> String { base + index.padded(to: 7) }
        let marked = replacingTemplates(in: text) {
            templates.append(String($0))
            return mark(templates.count - 1)
        }
        guard var result = rewrite(marked) else { return nil }
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
        while let open = Template.opening(in: rest), let close = rest[open.upperBound...].firstRange(of: "}}") {
            result += rest[..<open.lowerBound] + replacement(rest[open.lowerBound..<close.upperBound])
            rest = rest[close.upperBound...]
        }
        return result + rest
    }
}
