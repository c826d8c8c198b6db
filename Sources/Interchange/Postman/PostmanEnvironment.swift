internal import SortieBase
internal import WorkspaceModel

/// Makes an environment of a file with an environment of Postman; globals become variables of the workspace.
enum PostmanEnvironment {
    static func add(_ root: SourceNode, file: String, to workspace: inout ImportedWorkspace) {
        let stem = FilePath.name(of: file).prefix { $0 != "." }
        let name = root["name"]?.text.flatMap { $0.isEmpty ? nil : $0 } ?? (stem.isEmpty ? "environment" : String(stem))
        let isGlobal = root["_postman_variable_scope"]?.string == "globals" || root["_postman_variable_scope"] == nil && name == "globals"
        var template = PostmanTemplate()
        var variables: [String: String] = [:]
        for node in root["values"]?.items ?? [] {
            guard let key = node["key"]?.text, !key.isEmpty else {
                if node["value"]?.text?.isEmpty == false { workspace.report.add(.omitted, name, "a value has no name", place: node.place(in: file)) }
                continue
            }
            guard PostmanRequest.isEnabled(node) else {
                workspace.report.add(.omitted, name, "the variable \(key) is switched off", place: node.place(in: file))
                continue
            }
            variables[key] = template.text(node["value"].flatMap { $0.text ?? ($0.isNull ? "" : $0.json.text) } ?? "")
            if node["type"]?.string == "secret" { workspace.secretVariables.insert(key) }
        }
        for (sample, value) in template.samples {
            variables[sample] = value
            workspace.report.add(
                .changed, name, "{{$\(sample)}} has no equal; the variable \(sample) has the fixed value \(value)", place: root.place(in: file))
        }
        workspace.report.add(.imported, isGlobal ? "variables \(name)" : "environment \(name)", place: root.place(in: file))
        if isGlobal {
            workspace.variables.merge(variables) { known, _ in known }
        } else if let index = workspace.environments.firstIndex(where: { $0.name == name }) {
            workspace.environments[index].variables.merge(variables) { known, _ in known }
        } else {
            workspace.environments.append(WorkspaceEnvironment(name: name, variables: variables))
        }
    }
}
