internal import WorkspaceModel

/// The values that the source gives to variables, in each environment.
struct KnownValues {
    /// The names of the environments; one without a name where the source has none.
    let environments: [String?]
    private let values: [[String: String]]

    init(of workspace: ImportedWorkspace) {
        environments = workspace.environments.isEmpty ? [nil] : workspace.environments.map(\.name)
        values =
            workspace.environments.isEmpty
            ? [workspace.variables] : workspace.environments.map { workspace.variables.merging($0.variables) { _, own in own } }
    }

    /// A template with its values inserted as text, for each environment; nil where a value is not known before sending.
    func texts(of template: String, own: [String: String]) -> [String?] {
        values.map { Self.text(of: template, in: $0, own: own, depth: 0) }
    }

    private static func text(of template: String, in values: [String: String], own: [String: String], depth: Int) -> String? {
        // Variables may refer to each other in a cycle.
        guard depth < 16 else { return nil }
        var result = ""
        for segment in Template(template).segments {
            switch segment {
            case .text(let text): result += text
            case .builtin(name: "braces", _, _): result += "{{"
            case .variable(let name, _):
                guard let value = own[name] ?? values[name], let text = text(of: value, in: values, own: own, depth: depth + 1) else { return nil }
                result += text
            case .builtin, .unclosed: return nil
            }
        }
        return result
    }
}
