package import SortieBase
internal import WorkspaceModel

/// Imports collections of posting: folders with `.posting.yaml` files, and `.env` files.
package enum PostingImport: ImportFormat {
    package static let name = "posting"
    package static let title = "collections of posting"
    package static let endings = [ending]

    private static let ending = ".posting.yaml"

    package static func recognizes(_ source: ImportSource) -> Bool {
        if let paths = source.paths { return paths.contains { $0.hasSuffix(ending) } }
        let start = String(decoding: source.start(1 << 16), as: UTF8.self)
        return start.split(whereSeparator: \.isNewline).contains { $0.hasPrefix("posting_version:") }
    }

    package static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        var workspace = ImportedWorkspace(name: source.name.replacing(ending, with: ""))
        var groups = ServerGroups()
        let files = source.paths?.filter { $0.hasSuffix(ending) } ?? [source.name]
        for file in files {
            guard let bytes = source.paths == nil ? source.bytes : source.file(file) else {
                workspace.report.add(.omitted, file, "the file cannot be read, or is too large")
                continue
            }
            var builder = PostingEndpoint(try source.document(bytes, file: file), file: file)
            try builder.build()
            let id = source.paths == nil ? "request" : "request \(file)"
            workspace.report.add(.imported, builder.endpoint.name, place: SourceLocation(file: file), id: id)
            workspace.report.entries += builder.entries.map { entry in
                var entry = entry
                entry.id = id
                return entry
            }
            let folders = FilePath.components(of: FilePath.folder(of: file)).map(String.init).filter { $0 != "." }
            groups.add(
                ImportedEndpoint(id: id, builder.endpoint, notes: builder.comments), server: builder.server, folders: folders,
                isInsecure: builder.isInsecure)
        }
        guard groups.count > 0 else { throw Diagnostic(SourceLocation(file: source.name), "there is no \(ending) file that can be read") }
        addVariables(of: source, to: &workspace)
        groups.addServices(to: &workspace)
        workspace.defineMissingVariables()
        return TextualValues.applied(to: workspace, insertsInQueries: false)
    }

    /// The variables of `posting.env` are those of the workspace, and those of other `.env` files are environments.
    private static func addVariables(of source: ImportSource, to workspace: inout ImportedWorkspace) {
        let paths = source.paths?.filter { $0.hasSuffix(".env") && FilePath.folder(of: $0) == "." } ?? ["posting.env"]
        for path in paths {
            guard let bytes = source.file(path) else { continue }
            var variables: [String: String] = [:]
            for (index, line) in String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                .enumerated()
            {
                var text = ForeignText.trimmed(line)
                if text.hasPrefix("export ") { text = ForeignText.trimmed(text.dropFirst("export ".count)) }
                if text.isEmpty || text.hasPrefix("#") { continue }
                guard let equals = text.firstIndex(of: "="), ForeignText.isVariable(ForeignText.trimmed(text[..<equals])) else {
                    workspace.report.add(
                        .omitted, ForeignText.short(text.prefix { $0 != "=" }), "this line is no NAME=value",
                        place: SourceLocation(file: path, line: index + 1))
                    continue
                }
                var value = ForeignText.trimmed(text[text.index(after: equals)...])
                if let quote = value.first, "\"'".contains(quote), value.count > 1, value.last == quote {
                    value = String(value.dropFirst().dropLast())
                }
                variables[ForeignText.trimmed(text[..<equals])] = PostingTemplates.text(value)
            }
            let name = String(FilePath.name(of: path).dropLast(".env".count))
            if name == "posting" || name.isEmpty {
                workspace.variables.merge(variables) { _, new in new }
            } else {
                workspace.environments.append(WorkspaceEnvironment(name: name, variables: variables))
            }
        }
    }
}
