internal import SortieBase
internal import WorkspaceModel

/// The values that an exported description shows as examples: those of variables that are not credentials.
struct OpenAPIExportValues {
    private let item: ExportSource.Item
    private let secrets: Set<String>
    private let variables: [String: String]

    init(_ item: ExportSource.Item, _ source: ExportSource) {
        self.item = item
        let environment = source.workspace.environments.first { $0.name == source.environment }?.variables ?? [:]
        variables = source.workspace.variables.merging(environment) { $1 }.merging(item.endpoint.variables) { $1 }
        secrets = Set(source.workspace.secrets.keys)
    }

    func isDefined(_ name: String) -> Bool { variables[name] != nil || secrets.contains(name) }

    /// The value of a variable; nil for a credential, and where it is not known.
    func value(of name: String) -> String? {
        guard !secrets.contains(name), !CredentialNames.contains(name), let value = variables[name] else { return nil }
        return text(value, depth: 1)
    }

    /// The text of a template; nil where a part of it is not known.
    func text(_ template: String) -> String? { text(template, depth: 0) }

    private func text(_ template: String, depth: Int) -> String? {
        var result = ""
        for segment in Template(template).segments {
            switch segment {
            case .text(let text), .unclosed(let text): result += text
            case .builtin("braces", _, _): result += "{{"
            case .builtin: return nil
            case .variable(let name, _):
                guard depth < 8, !secrets.contains(name), !CredentialNames.contains(name), let value = variables[name],
                    let inner = text(value, depth: depth + 1)
                else { return nil }
                result += inner
            }
        }
        return result
    }

    /// The name of a row; unknown parts are written as in the template.
    func name(_ template: String) -> String { text(template) ?? template }

    /// Whether a template uses a secret or a credential.
    func isSecret(_ template: String) -> Bool {
        Template(template).segments.contains { segment in
            switch segment {
            case .variable(let name, _): secrets.contains(name) || CredentialNames.contains(name) || variables[name] == nil
            case .builtin(let name, _, _): name == "env" || name == "prompt"
            case .text, .unclosed: false
            }
        }
    }

    func isCredential(_ row: Parameter) -> Bool {
        CredentialNames.contains(row.name) && isSecret(row.value) || isSecret(row.value) && !row.value.isEmpty
    }

    /// A text of the resolved request with the names of variables in place of unknown values.
    func shown(_ text: String) -> String {
        item.placeholders.pieces(of: text).map { piece in
            switch piece {
            case .text(let text): text
            case .variable(let name), .captured(let name), .generated(let name): "$\(name)"
            }
        }.joined()
    }
}
