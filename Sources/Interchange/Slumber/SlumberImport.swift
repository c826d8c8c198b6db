package import SortieBase
internal import WorkspaceModel

/// Imports collections of slumber (`slumber.yml`) of the versions 1 to 5.
package enum SlumberImport: ImportFormat {
    package static let name = "slumber"
    package static let title = "collections of slumber"

    private static let files = ["slumber.yml", "slumber.yaml"]

    package static func recognizes(_ source: ImportSource) -> Bool {
        if let paths = source.paths { return paths.contains(where: files.contains) }
        let start = String(decoding: source.start(1 << 18), as: UTF8.self)
        let lines = start.split(whereSeparator: \.isNewline)
        guard lines.contains(where: { $0.hasPrefix("requests:") || $0.hasPrefix("chains:") || $0.hasPrefix("profiles:") }) else { return false }
        // The words of a recipe, so that other documents with requests are not taken for a collection.
        return lines.contains { ForeignText.trimmed($0).hasPrefix("url:") } && lines.contains { ForeignText.trimmed($0).hasPrefix("method:") }
    }

    package static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        var (file, bytes) = (source.name, source.bytes)
        if let paths = source.paths {
            guard let path = paths.first(where: files.contains), let content = source.file(path) else {
                throw Diagnostic(SourceLocation(file: source.name), "there is no slumber.yml in the folder")
            }
            (file, bytes) = (path, content)
        }
        let text = try ImportSource(name: file, bytes: bytes).text()
        var references = SlumberReferences(source: source, root: try source.document(bytes, file: file), file: file)
        var collector = SlumberCollector(root: try references.resolved(), tags: SlumberTags(text), file: file)
        let name = file.split(separator: ".").first.map(String.init) ?? file
        return try collector.workspace(named: source.paths == nil ? name : source.name)
    }
}
