/// Every text that a variable's name may stand for, in one environment or in all of them.
///
/// It is wider than ``TemplateScope``: a name that several layers define counts with each definition, because a list of capabilities must not depend on
/// which of them wins.
struct VariableDefinitions: Sendable {
    /// How many bytes an expanded text may have; a longer one is left as it was written.
    static let maximumExpansion = 4096

    private let shared: [String: [String]]
    /// What each of the shared definitions refers to, read once: every text of a workspace is followed through them.
    private let direct: [String: Direct]
    private var own: [[String: String]] = []
    private let secrets: [String: SecretSource]

    /// The variables of a workspace.
    ///
    /// - Parameter environment: the environment whose variables count; nil for those of all.
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
            for text in texts where Self.hasTemplate(text) { direct.read(text) }
            return direct.isEmpty ? nil : direct
        }
        secrets = workspace.secrets
    }

    /// These, and the variables of an endpoint or of the steps of runs that send it.
    func adding(_ layers: [String: String]...) -> VariableDefinitions {
        var result = self
        result.own += layers.filter { !$0.isEmpty }
        return result
    }

    private func definitions(of name: String) -> [String] {
        own.isEmpty ? shared[name] ?? [] : own.compactMap { $0[name] } + (shared[name] ?? [])
    }

    /// What the templates of texts name without following variables.
    private struct Direct {
        package var names: Set<String> = []
        var references = TemplateReferences()

        package var isEmpty: Bool { names.isEmpty && references.isEmpty }

        package mutating func read(_ text: String) {
            for segment in Template(text).segments {
                switch segment {
                case .text, .unclosed: break
                case .variable(let name, _): names.insert(name)
                case .builtin(let name, let argument, _):
                    if name.hasPrefix("env.") {
                        references.environment.insert(String(name.dropFirst("env.".count)))
                    } else if name == "file" {
                        references.files.insert(argument)
                    }
                }
            }
        }
    }

    /// What a text refers to.
    func references(of text: String) -> TemplateReferences { references(of: [text]) }

    /// What several texts refer to together, in time proportional to the texts and the definitions.
    func references(of texts: [String]) -> TemplateReferences {
        var found = Direct()
        for text in texts where Self.hasTemplate(text) { found.read(text) }
        // With a list instead of nested calls: a chain of variables may be as long as the file.
        var visited = found.names
        var waiting = Array(found.names)
        while let name = waiting.popLast() {
            if secrets[name] != nil { found.references.secrets.insert(name) }
            var next = direct[name] ?? Direct()
            for layer in own { if let text = layer[name], Self.hasTemplate(text) { next.read(text) } }
            found.references.formUnion(next.references)
            for name in next.names where visited.insert(name).inserted { waiting.append(name) }
        }
        return found.references
    }

    /// Most texts have no template, and every text of a workspace is looked at.
    private static func hasTemplate(_ text: String) -> Bool {
        var previous: UInt8 = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "{"), previous == byte { return true }
            previous = byte
        }
        return false
    }

    /// The texts that `text` may become when plain variables are replaced: one for each definition of its names, templates without one as they stand.
    ///
    /// The count is limited; what goes beyond is covered by the text itself, unexpanded.
    func expansions(of text: String) -> [String] {
        guard Self.hasTemplate(text) else { return [text] }
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
        }
        return expanded.sorted()
    }

    /// The first `{{name}}` of a variable that leads to nothing but text.
    private func firstPlainVariable(of text: String) -> (Range<String.Index>, String)? {
        var start = text.startIndex
        while let open = text[start...].firstRange(of: "{{"), let close = text[open.upperBound...].firstRange(of: "}}") {
            let range = open.lowerBound..<close.upperBound
            start = range.upperBound
            guard case .variable(let name, _)? = Template(String(text[range])).segments.first, !definitions(of: name).isEmpty,
                references(of: String(text[range])).isEmpty
            else { continue }
            return (range, name)
        }
        return nil
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
