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
        values.map { values in
            var rest = Self.longest
            return Self.text(of: template, in: values, own: own, &rest, depth: 0)
        }
    }

    /// The number of bytes that are read for a text, which is longer than URLs are: few variables that repeat each other make a text without bounds.
    private static let longest = 1 << 14

    private static func text(of template: String, in values: [String: String], own: [String: String], _ rest: inout Int, depth: Int) -> String? {
        rest -= template.utf8.count
        // Variables may refer to each other in a cycle.
        guard depth < 16, rest > 0 else { return nil }
        var result = ""
        for segment in Template(template).segments {
            switch segment {
            case .text(let text): result += text
            case .builtin(name: "braces", _, _): result += "{{"
            case .variable(let name, _):
                guard let value = own[name] ?? values[name], let text = text(of: value, in: values, own: own, &rest, depth: depth + 1) else {
                    return nil
                }
                result += text
            case .builtin, .unclosed: return nil
            }
        }
        return result
    }
}
