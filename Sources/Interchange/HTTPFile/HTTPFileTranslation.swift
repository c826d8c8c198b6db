internal import WorkspaceModel

/// Translates the templates of a request, and collects what they need from earlier responses.
struct HTTPFileTranslation {
    /// A request whose response can be referred to.
    struct Reference {
        /// The position of the request among those of the import.
        var index: Int
        /// The name of its step in a run.
        var step: String
        /// The JSON path that the name stands for: `$` for the body.
        var base = "$"
    }

    /// A value of an earlier response.
    struct Use {
        var index: Int
        var capture: Capture
    }

    /// The requests before this one, and the variables that hold parts of their responses, by name.
    var references: [String: Reference]
    /// The texts, as the file has them, of the variables that contain parts of responses.
    private var texts: [String: String]
    /// What is captured from earlier responses.
    private(set) var uses: [Use] = []
    private var variables = ForeignVariables()

    init(references: [String: Reference], texts: [String: String] = [:]) {
        (self.references, self.texts) = (references, texts)
    }

    /// What is not translated, or with another meaning.
    var notes: [ForeignVariables.Note] { variables.notes }

    /// A text with the templates of Sortie.
    mutating func text(_ text: String) -> String {
        ForeignText.translated(text) { template(for: $0) }
    }

    private mutating func template(for inner: String) -> String {
        // The braces of a file without variables (``Template/quoting(_:)``).
        if inner == "$braces" { return Template.quoting("{{") }
        guard !inner.hasPrefix("$") else { return variables.template(for: inner) }
        if let text = texts.removeValue(forKey: inner) {
            // While it is removed, variables that refer to each other end.
            defer { texts[inner] = text }
            return self.text(text)
        }
        let first = String(inner.prefix { $0 != "." && $0 != "[" })
        if let reference = references[first] {
            let rest = inner.dropFirst(first.count)
            guard let path = Self.source(of: String(rest.hasPrefix(".") ? rest.dropFirst() : rest), base: reference.base) else {
                return variables.prompt(for: inner, because: "this part of a request or a response cannot be captured")
            }
            let capture = Capture(name: Self.captureName(path, first), path: path)
            do { _ = try capture.source() } catch { return variables.prompt(for: inner, because: "the place in the response is not a JSON path") }
            uses.append(Use(index: reference.index, capture: capture))
            return "{{\(reference.step).\(capture.name)}}"
        }
        return variables.template(for: inner)
    }

    // MARK: Responses

    /// The source of a capture for what follows the name of a request; nil where none is possible.
    static func source(of reference: String, base: String) -> String? {
        var rest = reference[...]
        guard !rest.isEmpty else { return base == "$" ? nil : base }
        if rest.hasPrefix("request.") { return nil }
        let isResponse = rest.hasPrefix("response.")
        if isResponse { rest = rest.dropFirst("response.".count) }
        if isResponse, ["status", "statusCode", "code"].contains(rest) { return "status" }
        if isResponse, rest.hasPrefix("headers") {
            let name = rest.dropFirst("headers".count).filter { !".[]'\"".contains($0) }
            return name.isEmpty ? nil : "header \(name)"
        }
        if isResponse {
            guard let body = ["body", "parsedBody"].first(where: { rest.hasPrefix($0) }) else { return nil }
            rest = rest.dropFirst(body.count)
            guard rest.first == "." || rest.first == "[" else { return nil }
            if rest.hasPrefix(".") { rest = rest.dropFirst() }
        }
        if rest.hasPrefix("$") { return String(rest) }
        guard !rest.isEmpty, rest != "*", !rest.hasPrefix("/") else { return nil }
        return base + (rest.hasPrefix("[") ? "" : ".") + rest
    }

    /// The name of a capture: the last word of its place.
    private static func captureName(_ path: String, _ otherwise: String) -> String {
        if path == "status" { return "status" }
        let words = path.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "-" }
        return words.last { $0.contains(where: \.isLetter) }.map(String.init) ?? otherwise
    }
}
