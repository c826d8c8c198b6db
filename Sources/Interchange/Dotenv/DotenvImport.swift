package import SortieBase
internal import WorkspaceModel

/// Imports environment files such as `.env` as variables of the workspace.
package enum DotenvImport: ImportFormat {
    package static let name = "dotenv"
    package static let title = "environment files such as .env"
    package static let endings = [".env"]

    package static func recognizes(_ source: ImportSource) -> Bool {
        // A line of a document has the form of a variable, too.
        let isDocument = [".yaml", ".yml", ".json", ".raml"].contains(where: source.name.lowercased().hasSuffix)
        guard source.paths == nil, source.pieces == nil, !isDocument else { return false }
        do throws(Diagnostic) { return try !EnvironmentFile(source.bytes, file: source.name).variables.isEmpty } catch { return false }
    }

    package static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        let variables = try EnvironmentFile(source.bytes, file: source.name).variables
        var workspace = ImportedWorkspace(name: source.stem.isEmpty ? "env" : source.stem)
        for variable in variables {
            workspace.variables[variable.name] = Template.quoting(variable.value)
            workspace.report.add(.imported, "variable \(variable.name)", place: variable.location)
            // The value of a credential is in this one, too.
            let isCredential = variable.references.contains {
                workspace.secretVariables.contains($0) || CredentialWords.isSecret(workspace.variables[$0] ?? "", of: $0)
            }
            if isCredential { workspace.secretVariables.insert(variable.name) }
            guard variable.value.contains("${") else { continue }
            workspace.report.add(
                .changed, "variable \(variable.name)", "its reference to a variable that the file does not define before it is text; write {{NAME}}",
                place: variable.location)
        }
        return workspace
    }
}
