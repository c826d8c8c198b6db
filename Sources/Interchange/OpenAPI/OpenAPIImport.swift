package import SortieBase

/// Imports descriptions of APIs: OpenAPI 3.0 to 3.2 and Swagger 2.0, as JSON or YAML; each operation becomes an endpoint.
package enum OpenAPIImport: ImportFormat {
    package static let name = "openapi"
    package static let title = "OpenAPI 3 and Swagger 2.0, JSON or YAML"

    /// How deep below a folder descriptions are looked for, and in how many files.
    private static let (depth, files) = (4, 500)

    package static func recognizes(_ source: ImportSource) -> Bool {
        source.paths == nil ? OpenAPIKeys(of: source.bytes).isDescription : documents(in: source).contains { _ in true }
    }

    package static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        let reader = OpenAPIReader(source: source)
        var roots: [OpenAPIValue] = []
        if source.paths == nil {
            if let root = reader.root(of: source.name, bytes: source.bytes) { roots.append(root) }
        } else {
            for path in documents(in: source) { if let root = reader.root(of: path) { roots.append(root) } }
            if roots.isEmpty, reader.failure == nil {
                throw Diagnostic(SourceLocation(file: source.name), "the folder has no OpenAPI description; name its file")
            }
        }
        var workspace = ImportedWorkspace(name: source.name)
        for root in roots {
            let prefix = source.paths == nil ? "" : root.file + " "
            guard var document = OpenAPIDocument(root, reader, prefix: prefix) else { break }
            if roots.count == 1 { workspace.name = document.title }
            document.add(to: &workspace)
        }
        if let failure = reader.failure { throw failure }
        workspace.report = reader.report
        workspace.hasSamples = true
        return workspace
    }

    /// The descriptions of a folder: those beside the highest one.
    private static func documents(in source: ImportSource) -> [String] {
        let candidates = (source.paths ?? []).filter { path in
            let name = path.lowercased()
            return [".json", ".yaml", ".yml"].contains { name.hasSuffix($0) } && FilePath.components(of: path).count <= depth
        }.sorted { (FilePath.components(of: $0).count, $0) < (FilePath.components(of: $1).count, $1) }
        var result: [String] = []
        for path in candidates.prefix(files) {
            if let first = result.first, FilePath.folder(of: first) != FilePath.folder(of: path) { break }
            if let bytes = source.file(path), OpenAPIKeys(of: bytes).hasVersion { result.append(path) }
        }
        return result
    }
}
