internal import SortieBase
internal import WorkspaceModel

/// Translates the templates of Insomnia (Nunjucks): `{{ _.name }}` and tags such as `{% uuid 'v4' %}`.
struct InsomniaTemplate {
    /// The variables that stand for tags without an equal; their values are asked for.
    private(set) var samples: [String: String] = [:]
    /// Secrets of the vault.
    private(set) var secrets: Set<String> = []
    /// What has another meaning, as it is written.
    private(set) var problems: [String] = []

    /// The text in the notation of workspaces.
    mutating func text(_ source: String) -> String {
        guard source.contains("{") else { return source }
        var result = ""
        var rest = source[...]
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            rest = rest[open...]
            if let inner = Self.content(&rest, "{{", "}}") {
                result += variable(inner)
            } else if let inner = Self.content(&rest, "{%", "%}") {
                result += tag(inner)
            } else if let inner = Self.content(&rest, "{#", "#}") {
                problems.append("the comment {#\(inner)#} is left out")
            } else if rest.hasPrefix("{{") {
                result += Template.quoting("{{")
                rest = rest.dropFirst(2)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result + rest
    }

    /// Takes the text between two marks; nil where the rest does not begin with one.
    private static func content(_ rest: inout Substring, _ open: String, _ close: String) -> String? {
        guard rest.hasPrefix(open) else { return nil }
        let inner = rest.dropFirst(open.count)
        guard let end = inner.firstRange(of: close) else { return nil }
        rest = inner[end.upperBound...]
        var content = inner[..<end.lowerBound]
        // Nunjucks removes white space around a template with a hyphen.
        if content.hasPrefix("-") { content.removeFirst() }
        if content.hasSuffix("-") { content.removeLast() }
        return content.trimmingBlanks
    }

    /// The variable of an expression.
    private mutating func variable(_ expression: String) -> String {
        let parts = expression.split(separator: "|", maxSplits: 1).map(\.trimmingBlanks)
        if parts.count > 1 { problems.append("the filter “\(parts[1])” of {{ \(expression) }} is left out") }
        guard let path = Self.path(parts.first ?? "") else {
            problems.append("{{ \(expression) }} is no variable; a variable whose value is asked for stands for it")
            return sample(expression)
        }
        if path.first == "vault", path.count > 1 {
            let name = path.dropFirst().joined(separator: ".")
            secrets.insert(name)
            return "{{\(name)}}"
        }
        let names = path.first == "_" ? path.dropFirst() : path[...]
        return names.isEmpty ? sample(expression) : "{{\(names.joined(separator: "."))}}"
    }

    /// The names of `_.a.b`, `a['b']` and `a[0]`; nil for another expression.
    private static func path(_ text: String) -> [String]? {
        var names: [String] = []
        var rest = text[...]
        while !rest.isEmpty {
            if rest.first == "." { rest.removeFirst() }
            if rest.first == "[" {
                guard let end = rest.firstIndex(of: "]") else { return nil }
                let key = rest[rest.index(after: rest.startIndex)..<end].trimmingBlanks
                names.append(String(key.trimming { "'\"".contains($0) }))
                rest = rest[rest.index(after: end)...]
            } else {
                let name = rest.prefix { $0 == "_" || $0 == "-" || $0 == "$" || $0.isLetter || $0.isNumber }
                guard !name.isEmpty else { return nil }
                names.append(String(name))
                rest = rest[name.endIndex...]
            }
        }
        return names.isEmpty ? nil : names
    }

    /// A variable whose value is asked for.
    private mutating func sample(_ text: String) -> String {
        var name = SecretName.variable(text)
        if name == "secret" { name = "value" }
        samples[name] = ImportedWorkspace.prompt(name)
        return "{{\(name)}}"
    }

    private mutating func tag(_ content: String) -> String {
        let name = content.prefix { !$0.isWhitespace }
        let arguments = Self.arguments(content[name.endIndex...])
        switch name {
        case "uuid": return "{{$uuid}}"
        case "now", "timestamp":
            switch arguments.first?.lowercased() ?? (name == "now" ? "iso-8601" : "unix") {
            case "iso-8601", "": return "{{$date}}"
            case "unix": return "{{$timestamp}}"
            case "millis":
                problems.append("{% \(content) %} has seconds instead of milliseconds, followed by 000")
                return "{{$timestamp}}000"
            default:
                problems.append("{% \(content) %}: the format is that of {{$date}}; write {{$date yyyy-MM-dd}} for another one")
                return "{{$date}}"
            }
        case "prompt":
            let label = arguments.first { !$0.isEmpty } ?? "Value"
            let initial = arguments.count > 2 ? arguments[2] : ""
            let isSafe = !(label + initial).contains("}") && !(label + initial).contains("=")
            return isSafe ? "{{$prompt \(label)\(initial.isEmpty ? "" : " = \(initial)")}}" : "{{$prompt Value}}"
        case "file" where arguments.first.map({ !$0.isEmpty && !$0.contains("}") }) == true: return "{{$file \(arguments[0])}}"
        case "externalVault", "vault":
            let secret = SecretName.variable(content)
            secrets.insert(secret)
            return "{{\(secret)}}"
        default:
            problems.append("the tag {% \(content) %} has no equal; a variable whose value is asked for stands for it; in a run, capture the value")
            return sample(content.prefix(60).description)
        }
    }

    /// The arguments of a tag: texts in quotes, or words, with commas between them.
    private static func arguments(_ text: Substring) -> [String] {
        var result: [String] = []
        var rest = text
        while true {
            while let first = rest.first, first.isWhitespace || first == "," { rest.removeFirst() }
            guard let first = rest.first else { return result }
            if first == "'" || first == "\"" {
                rest.removeFirst()
                let value = rest.prefix { $0 != first }
                result.append(String(value))
                rest = rest[value.endIndex...].dropFirst()
            } else {
                let value = rest.prefix { $0 != "," }
                result.append(value.trimmingBlanks)
                rest = rest[value.endIndex...]
            }
        }
    }
}
