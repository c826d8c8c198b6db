internal import SortieBase
internal import WorkspaceModel

/// Translates the templates of slumber: names, `chains.ID` and `env.NAME` of the versions to 3, and calls of functions since version 4.
struct SlumberTemplates {
    /// A value of a response of another recipe.
    struct Use: Hashable {
        var recipe: String
        var capture: Capture
    }

    /// The chains by their identity.
    let chains: [String: SourceNode]
    let tags: SlumberTags
    /// The responses that the texts use.
    private(set) var uses: [Use] = []
    private var variables = ForeignVariables()

    init(chains: [String: SourceNode], tags: SlumberTags) {
        (self.chains, self.tags) = (chains, tags)
    }

    /// What is not translated, or with another meaning.
    var notes: [ForeignVariables.Note] { variables.notes }

    /// The name of the step for a recipe.
    static func step(_ recipe: String) -> String {
        String(recipe.map { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" || $0 == "-" ? $0 : "-" })
    }

    /// A text with the templates of Sortie.
    mutating func text(_ text: String) -> String { ForeignText.translated(text) { template(for: $0) } }

    private mutating func template(for inner: String) -> String {
        if inner.hasPrefix("env.") { return environment(String(inner.dropFirst(4)), inner) }
        if inner.hasPrefix("chains.") { return chain(String(inner.dropFirst("chains.".count)), inner) }
        if ForeignText.isVariable(inner) { return "{{\(inner)}}" }
        let calls = SlumberCall.pipeline(inner)
        guard let first = calls?.first else { return variables.prompt(for: inner, because: "this expression is not evaluated") }
        let rest = (calls ?? []).dropFirst().filter { $0.name != "trim" && $0.name != "sensitive" }
        switch (first.name, rest.count) {
        case ("env", 0):
            if let value = first.named["default"] ?? first.arguments.dropFirst().first {
                variables.note(.changed, "{{\(inner)}}: the default \(ForeignText.short(value)) is left out; set the environment variable")
            }
            return environment(first.arguments.first ?? "", inner)
        case ("file", 0): return file(first.arguments.first ?? "", inner)
        case ("prompt", 0):
            let isSecret = first.named["sensitive"] == "true"
            return prompt(first.named["message"] ?? "Value", first.named["default"] ?? "", isSecret: isSecret)
        case ("sensitive", 0) where first.arguments.count == 1 && ForeignText.isVariable(first.arguments[0]): return "{{\(first.arguments[0])}}"
        case ("response", 1) where rest.first?.name == "jsonpath":
            return response(first.arguments.first ?? "", rest.first?.arguments.first ?? "", inner)
        case ("response_header", 0) where first.arguments.count == 2:
            return response(first.arguments[0], "header \(first.arguments[1])", inner)
        default: return variables.prompt(for: inner, because: "this expression is not evaluated")
        }
    }

    private mutating func environment(_ name: String, _ inner: String) -> String {
        EnvironmentFile.isVariableName(name) ? "{{$env.\(name)}}" : variables.prompt(for: inner, because: "this is no environment variable")
    }

    private mutating func file(_ path: String, _ inner: String) -> String {
        let isPlain = !path.isEmpty && !path.contains(where: { "{}|".contains($0) })
        guard isPlain else { return variables.prompt(for: inner, because: "the path of the file is not known") }
        variables.note(.changed, "{{$file \(path)}}: the path begins at the file of the endpoint; move the file, or write its path")
        return "{{$file \(path)}}"
    }

    private func prompt(_ message: String, _ value: String, isSecret: Bool) -> String {
        let label = message.filter { !"={}|".contains($0) && !$0.isNewline }
        if isSecret { return "{{$promptSecret \(label.isEmpty ? "Value" : label)}}" }
        let suggestion = value.filter { !"{}|".contains($0) && !$0.isNewline }
        return "{{$prompt \(label.isEmpty ? "Value" : label)\(suggestion.isEmpty ? "" : " = \(suggestion)")}}"
    }

    private mutating func response(_ recipe: String, _ place: String, _ inner: String) -> String {
        let words = place.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "-" }
        let capture = Capture(name: words.last.map(String.init) ?? "value", path: place)
        do { _ = try capture.source() } catch { return variables.prompt(for: inner, because: "the place in the response is not a JSON path") }
        guard !recipe.isEmpty else { return variables.prompt(for: inner, because: "the recipe is not known") }
        if !uses.contains(where: { $0.recipe == recipe && $0.capture == capture }) { uses.append(Use(recipe: recipe, capture: capture)) }
        return "{{\(Self.step(recipe)).\(capture.name)}}"
    }

    /// The value of a chain; its source has different members for each kind.
    private mutating func chain(_ id: String, _ inner: String) -> String {
        guard let chain = chains[id], let source = chain["source"] else {
            return variables.prompt(for: inner, because: "there is no such chain")
        }
        if let name = source["variable"]?.text { return environment(name, inner) }
        if let path = source["path"]?.text, chain["selector"] == nil { return file(path, inner) }
        if let message = source["message"]?.text {
            return prompt(message, source["default"]?.text ?? "", isSecret: chain["sensitive"]?.bool ?? false)
        }
        if let recipe = source["recipe"]?.text {
            let section = source["section"]
            if let name = section?.text, let section, tags.tag(of: section) == "header" { return response(recipe, "header \(name)", inner) }
            if let selector = chain["selector"]?.text { return response(recipe, selector, inner) }
            return response(recipe, "$", inner)
        }
        return variables.prompt(for: inner, because: "the source of this chain is not run")
    }
}

/// A call of a function in a template of slumber: `prompt(message='Name')`.
struct SlumberCall: Hashable {
    var name: String
    var arguments: [String] = []
    var named: [String: String] = [:]

    /// The calls of `a('x') | b('y')`; nil for another expression.
    static func pipeline(_ text: String) -> [SlumberCall]? {
        var calls: [SlumberCall] = []
        for part in pieces(text[...], separator: "|") {
            let part = part.trimmingBlanks
            guard let open = part.firstIndex(of: "("), part.hasSuffix(")") else { return nil }
            let name = String(part[..<open])
            guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { return nil }
            var call = SlumberCall(name: name)
            for argument in pieces(part[part.index(after: open)...].dropLast(), separator: ",") {
                let text = argument.trimmingBlanks
                guard !text.isEmpty else { continue }
                let key = text.prefix { $0.isLetter || $0 == "_" }
                let rest = text.dropFirst(key.count).trimmingBlanks
                if !key.isEmpty, rest.hasPrefix("=") {
                    call.named[String(key)] = value(rest.dropFirst().trimmingBlanks)
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

/// Finds the tags of YAML values (`!json`) in a text, which the reader of documents does not keep.
struct SlumberTags {
    private let lines: [Substring]

    init(_ text: String) {
        lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }

    /// The tag before a value; nil for none.
    func tag(of node: SourceNode) -> String? {
        guard node.line >= 1, node.line <= lines.count else { return nil }
        let line = lines[node.line - 1]
        // A place may be that of the value or of its tag.
        let before = line.prefix(node.column - 1)
        let after = line.dropFirst(node.column - 1)
        if after.first == "!" { return Self.word(after) }
        if let mark = before.lastIndex(of: "!"), let tag = Self.word(before[mark...]),
            before[mark...].dropFirst(tag.count + 1).allSatisfy(\.isWhitespace)
        {
            return tag
        }
        guard before.allSatisfy(\.isWhitespace) else { return nil }
        var index = node.line - 2
        while index >= 0 {
            var text = lines[index].trimmingBlanks[...]
            if let comment = text.firstRange(of: " #") { text = text[..<comment.lowerBound] }
            if text.isEmpty || text.hasPrefix("#") {
                index -= 1
                continue
            }
            guard let mark = text.lastIndex(of: "!"), let tag = Self.word(text[mark...]), text[mark...].count == tag.count + 1 else { return nil }
            return tag
        }
        return nil
    }

    private static func word(_ text: Substring) -> String? {
        let word = text.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return word.isEmpty ? nil : String(word)
    }
}
