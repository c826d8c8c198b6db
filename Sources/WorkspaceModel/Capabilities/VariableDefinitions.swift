internal import SortieBase
internal import SortieHTTP
internal import Synchronization

/// All texts to which a variable name may expand, in one environment or in all of them.
///
/// Includes more definitions than ``TemplateScope``: where several layers define a name, each definition counts, because a list of capabilities
/// must not depend on the precedence of the layers.
struct VariableDefinitions: Sendable {
    /// The maximum length of an expanded text in bytes; a longer text stays unexpanded.
    static let maximumExpansion = 4096

    private let shared: [String: [String]]
    /// The references of each shared definition, read once because every text of a workspace is expanded through them.
    private let direct: [String: Direct]
    private var own: [[String: String]] = []
    /// The values of a run and of its step; a list, so that adding those of a step does not copy those of the run.
    private var runValues: [RunValues] = []
    private let secrets: [String: SecretSource]
    private var known = Known()

    /// The origins that were computed with these definitions, because all endpoints of a service have its servers.
    private final class Known: Sendable {
        let origins = Mutex<[String: [String]]>([:])
    }

    /// The variables of a workspace.
    ///
    /// - Parameter environment: the environment whose variables count; nil for those of all environments.
    init(_ workspace: Workspace, environment: String?) {
        let environments = workspace.environments.filter { environment == nil || $0.name == environment }.map(\.variables)
        let common = workspace.publicParameters.map { [$0.name: $0.value] }
        var shared: [String: [String]] = [:]
        for layer in environments + [workspace.variables] + common {
            for (name, text) in layer where shared[name]?.contains(text) != true { shared[name, default: []].append(text) }
        }
        self.shared = shared
        direct = shared.compactMapValues { texts in
            var direct = Direct()
            for text in texts where text.contains("{{") { direct.read(text) }
            return direct.isEmpty ? nil : direct
        }
        secrets = workspace.secrets
    }

    /// Returns these definitions with the variables of an endpoint, or of run steps that send it.
    func adding(_ layers: [String: String]...) -> VariableDefinitions {
        let own = layers.filter { !$0.isEmpty }
        guard !own.isEmpty else { return self }
        var result = self
        result.own += own
        result.known = Known()
        return result
    }

    /// Returns these definitions with the values that a step of a run has from lists, data and captures.
    func adding(_ values: RunValues) -> VariableDefinitions {
        guard !values.isEmpty else { return self }
        var result = self
        result.runValues.append(values)
        result.known = Known()
        return result
    }

    /// Whether nothing was added to the same definitions.
    func isSame(as other: VariableDefinitions) -> Bool { known === other.known }

    private func definitions(of name: String) -> [String] {
        own.compactMap { $0[name] } + runValues.flatMap { $0.lists[name] ?? [] } + (shared[name] ?? [])
    }

    /// Whether the value of a name is not known before the run.
    private func isOpen(_ name: String) -> Bool { runValues.contains { $0.open.contains(name) } }

    /// The text in place of a value that is not known before the run; a template, so that it is never taken for the value itself.
    static func anyValue(of name: String) -> String { "{{any value of \(name)}}" }

    /// The names in the templates of texts, without the names that variables lead to.
    private struct Direct {
        package var names: Set<String> = []
        var references = TemplateReferences()

        package var isEmpty: Bool { names.isEmpty && references.isEmpty && !references.asksForSecret }

        package mutating func read(_ text: String) {
            for segment in Template(text).segments {
                switch segment {
                case .text, .unclosed: break
                case .variable(let name, _):
                    names.insert(name)
                    if name.contains(".") { references.dotted.insert(name) }
                case .builtin(let name, let argument, _):
                    if name.hasPrefix("env.") {
                        references.environment.insert(String(name.dropFirst("env.".count)))
                    } else if name == "file" {
                        references.files.insert(argument)
                    } else if PromptQuestion(name, argument)?.isSecret == true {
                        references.asksForSecret = true
                    }
                }
            }
        }
    }

    /// The references of a text.
    func references(of text: String) -> TemplateReferences { references(of: [text]) }

    /// The combined references of several texts, in time proportional to the texts and the definitions.
    func references(of texts: [String]) -> TemplateReferences {
        var found = Direct()
        for text in texts where text.contains("{{") { found.read(text) }
        // A list instead of recursion, because a chain of variables may be as long as the file.
        var visited = found.names
        var waiting = Array(found.names)
        while let name = waiting.popLast() {
            if secrets[name] != nil { found.references.secrets.insert(name) }
            var next = direct[name] ?? Direct()
            for layer in own { if let text = layer[name], text.contains("{{") { next.read(text) } }
            for values in runValues { if let text = values.sources[name] { next.read(text) } }
            found.references.formUnion(next.references)
            for name in next.names where visited.insert(name).inserted { waiting.append(name) }
        }
        return found.references
    }

    /// The texts that `text` may become when plain variables are replaced: one for each definition of its names.
    ///
    /// Templates without a plain value stay as they are.
    ///
    /// The number of texts is limited; the unexpanded text covers the rest.
    func expansions(of text: String) -> [String] {
        guard text.contains("{{") else { return [text] }
        var results = [text]
        var expanded: Set<String> = []
        var steps = 0
        while let next = results.popLast() {
            steps += 1
            guard steps <= 64, next.utf8.count <= Self.maximumExpansion, let (range, name) = firstPlainVariable(of: next) else {
                expanded.insert(next)
                continue
            }
            for definition in definitions(of: name) { results.append(next.replacingCharacters(in: range, with: definition)) }
            if isOpen(name) { results.append(next.replacingCharacters(in: range, with: Self.anyValue(of: name))) }
        }
        return expanded.sorted()
    }

    /// The origins of a server or a URL; templates without a plain value stay as they are.
    func origins(of text: String) -> [String] {
        // Without the text after the authority, so that its length cannot prevent the expansion of the origin.
        let authority = text.authorityPart
        if let origins = known.origins.withLock({ $0[authority] }) { return origins }
        let origins = expansions(of: authority).map { text in
            if Template(text).isPlain, let url = HTTPURL(ifValid: text) { return url.origin }
            return text.authorityPart
        }
        known.origins.withLock { $0[authority] = origins }
        return origins
    }

    /// The first `{{name}}` of a variable that expands to text only, or whose value is not known before a run.
    private func firstPlainVariable(of text: String) -> (Range<String.Index>, String)? {
        var start = text.startIndex
        while let open = Template.opening(in: text[start...]), let close = text[open.upperBound...].firstRange(of: "}}") {
            let range = open.lowerBound..<close.upperBound
            start = range.upperBound
            guard case .variable(let name, _)? = Template(String(text[range])).segments.first else { continue }
            if isOpen(name) { return (range, name) }
            guard !definitions(of: name).isEmpty, references(of: String(text[range])).isEmpty else { continue }
            return (range, name)
        }
        return nil
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        String(self[..<range.lowerBound]) + text + self[range.upperBound...]
    }
}
