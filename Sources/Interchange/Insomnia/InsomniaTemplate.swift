internal import SortieBase
internal import WorkspaceModel

/// Translates the templates of Insomnia (Nunjucks): `{{ _.name }}` and tags such as `{% uuid 'v4' %}`.
struct InsomniaTemplate {
    /// The variables that stand for tags without an equal; their values are asked for.
    private(set) var samples: [String: String] = [:]
    /// Secrets of the vault.
    private(set) var secrets: Set<String> = []
    /// What has another meaning, as it is written.
    private(set) var problems: [ImportReason] = []
    /// What `{% response … %}` takes from responses, by the identities of their requests.
    private(set) var captures: [String: [Capture]] = [:]
    /// The names of requests by their identities; no two are equal.
    private let requests: [String: String]

    init(requests: [String: String] = [:]) { self.requests = requests }

    /// The text in the notation of workspaces.
    mutating func text(_ source: String) -> String {
        guard source.contains("{") else { return source }
        var result = ""
        var rest = source[...]
        var missing: Set<String> = []
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            rest = rest[open...]
            if let inner = Self.content(&rest, "{{", "}}", &missing) {
                result += variable(inner)
            } else if let inner = Self.content(&rest, "{%", "%}", &missing) {
                if inner == "raw", let text = Self.raw(&rest, &missing) {
                    result += Template.quoting(text)
                } else {
                    result += tag(inner)
                }
            } else if let inner = Self.content(&rest, "{#", "#}", &missing) {
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
    ///
    /// - Parameter missing: The marks that the rest does not have, which are not searched for at each opening mark.
    private static func content(_ rest: inout Substring, _ open: String, _ close: String, _ missing: inout Set<String>) -> String? {
        guard rest.hasPrefix(open), !missing.contains(close) else { return nil }
        let inner = rest.dropFirst(open.count)
        guard let end = inner.firstRange(of: close) else {
            missing.insert(close)
            return nil
        }
        rest = inner[end.upperBound...]
        var content = inner[..<end.lowerBound]
        // Nunjucks removes white space around a template with a hyphen.
        if content.hasPrefix("-") { content.removeFirst() }
        if content.hasSuffix("-") { content.removeLast() }
        return content.trimmingBlanks
    }

    /// Takes the text up to `{% endraw %}` and that tag; nil where there is none.
    private static func raw(_ rest: inout Substring, _ missing: inout Set<String>) -> String? {
        guard !missing.contains("endraw") else { return nil }
        var text = ""
        var inner = rest
        while let open = inner.firstRange(of: "{%") {
            text += inner[..<open.lowerBound]
            inner = inner[open.lowerBound...]
            if content(&inner, "{%", "%}", &missing) == "endraw" {
                rest = inner
                return text
            }
            text += rest[open]
            inner = rest[open.upperBound...]
        }
        missing.insert("endraw")
        return nil
    }

    /// The variable or the constant of an expression.
    private mutating func variable(_ expression: String) -> String {
        let parts = expression.split(separator: "|", maxSplits: 1).map(\.trimmingBlanks)
        if parts.count == 1, let constant = Self.constant(parts[0]) { return Template.quoting(constant) }
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

    /// The text of a number, or of a text in quotes; nil for another expression.
    private static func constant(_ expression: String) -> String? {
        if let quote = expression.first, quote == "'" || quote == "\"", expression.count > 1, expression.last == quote {
            let text = expression.dropFirst().dropLast()
            return text.contains(where: { $0 == quote || $0 == "\\" }) ? nil : String(text)
        }
        return !expression.isEmpty && expression.allSatisfy { $0.isASCII && $0.isNumber } ? expression : nil
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
        let written = Self.arguments(content[name.endIndex...])
        if ["base64", "hash", "file", "prompt"].contains(name), written.contains(where: \.isExpression) {
            problems.append("{% \(content) %} has a variable as an argument; a variable whose value is asked for stands for it")
            return sample(content.prefix(60).description)
        }
        let arguments = written.map(\.text)
        switch name {
        case "uuid": return "{{$uuid}}"
        case "faker" where ["guid", "randomUUID"].contains(arguments.first): return "{{$uuid}}"
        case "now", "timestamp":
            switch arguments.first?.lowercased() ?? (name == "now" ? "iso-8601" : "unix") {
            case "iso-8601", "": return "{{$date}}"
            case "unix", "seconds", "s": return "{{$timestamp}}"
            case "millis", "ms":
                problems.append("{% \(content) %} has seconds instead of milliseconds, followed by 000")
                return "{{$timestamp}}000"
            case "custom" where arguments.count > 1 && Self.isPattern(arguments[1]): return "{{$date \(arguments[1])}}"
            default:
                problems.append("{% \(content) %}: the format is that of {{$date}}; write {{$date yyyy-MM-dd}} for another one")
                return "{{$date}}"
            }
        case "prompt":
            let label = arguments.first { !$0.isEmpty } ?? "Value"
            let initial = arguments.count > 2 ? arguments[2] : ""
            let isSafe = !(label + initial).contains("}") && !(label + initial).contains("=")
            if isSafe, arguments.count > 4, arguments[4] == "true" { return "{{$promptSecret \(label)}}" }
            return isSafe ? "{{$prompt \(label)\(initial.isEmpty ? "" : " = \(initial)")}}" : "{{$prompt Value}}"
        case "file" where arguments.first.map({ !$0.isEmpty && !$0.contains("}") }) == true: return "{{$file \(arguments[0])}}"
        case "base64" where arguments.count == 3 && arguments[0] == "encode" && arguments[1] == "normal":
            return Template.quoting(Base64.text(Array(arguments[2].utf8)))
        case "hash" where arguments.count == 3:
            if let digest = Self.digest(of: arguments[2], by: arguments[0], in: arguments[1]) { return digest }
            problems.append("{% \(content) %}: the digest is not known; a variable whose value is asked for stands for it")
            return sample(content.prefix(60).description)
        case "response":
            if let template = captured(arguments, content) { return template }
            problems.append("{% \(content) %} is no part of a response that can be captured; a variable whose value is asked for stands for it")
            return sample(content.prefix(60).description)
        case "externalVault", "vault":
            let secret = SecretName.variable(content)
            secrets.insert(secret)
            return "{{\(secret)}}"
        default:
            problems.append("the tag {% \(content) %} has no equal; a variable whose value is asked for stands for it; in a run, capture the value")
            return sample(content.prefix(60).description)
        }
    }

    /// The text of a digest; nil for an algorithm or an encoding that is not known.
    private static func digest(of text: String, by algorithm: String, in encoding: String) -> String? {
        guard let name = ["hex": "Hex", "base64": "Base64"][encoding],
            case .bytes(let digest)? = ScriptCrypto.result(of: "CryptoJS.\(algorithm.uppercased())", [.constant(.string(text))])
        else { return nil }
        return ScriptCrypto.text(of: digest, [.interface("CryptoJS.enc.\(name)")])?.text
    }

    /// The variable that the request of `{% response 'body', ID, FILTER … %}` captures.
    ///
    /// Nil where the request is none of this file, and for what a capture does not have.
    private mutating func captured(_ arguments: [String], _ content: String) -> String? {
        guard arguments.count > 2, let request = requests[arguments[1]] else { return nil }
        var filter = arguments[2]
        let marks = ("b64::", "::46b")
        if filter.hasPrefix(marks.0), filter.hasSuffix(marks.1) {
            let bytes = Base64.bytes(String(filter.dropFirst(marks.0.count).dropLast(marks.1.count)))
            guard let text = bytes.flatMap({ String(validating: $0, as: UTF8.self) }) else { return nil }
            filter = text
        }
        filter = filter.trimmingBlanks
        let path: String? =
            switch arguments[0] {
            case "header": "header \(filter)"
            case "body" where filter.hasPrefix("$"): filter
            default: nil
            }
        guard let path else { return nil }
        let capture = Capture(name: SecretName.variable("\(request) response \(filter)"), path: path)
        do { _ = try capture.source() } catch { return nil }
        let known = captures[arguments[1], default: []]
        if !known.contains(capture) { captures[arguments[1]] = known + [capture] }
        problems.append("{% \(content.prefix(60)) %} is {{\(capture.name)}}, which “\(request)” captures; send it before, or use the run")
        return "{{\(capture.name)}}"
    }

    /// Whether a format of date-fns has the same meaning in `{{$date}}`.
    private static func isPattern(_ format: String) -> Bool {
        let words = format.split { !$0.isLetter }
        let known: Set<Substring> = ["yyyy", "MM", "dd", "HH", "mm", "ss", "SSS"]
        return !format.contains { "{}|'".contains($0) } && !words.isEmpty && words.allSatisfy { known.contains($0) }
    }

    /// The arguments of a tag: texts in quotes, or words, with commas between them.
    private static func arguments(_ text: Substring) -> [(text: String, isExpression: Bool)] {
        var result: [(text: String, isExpression: Bool)] = []
        var rest = text
        while true {
            while let first = rest.first, first.isWhitespace || first == "," { rest.removeFirst() }
            guard let first = rest.first else { return result }
            if first == "'" || first == "\"" {
                rest.removeFirst()
                let value = rest.prefix { $0 != first }
                result.append((String(value), false))
                rest = rest[value.endIndex...].dropFirst()
            } else {
                let value = rest.prefix { $0 != "," }
                let text = value.trimmingBlanks
                result.append((text, Double(text) == nil && !["true", "false", "null", "undefined"].contains(text)))
                rest = rest[value.endIndex...]
            }
        }
    }
}
