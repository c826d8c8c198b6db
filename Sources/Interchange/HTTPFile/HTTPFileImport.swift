package import SortieBase
package import WorkspaceModel

/// Imports `.http` and `.rest` files of JetBrains, the VS Code REST Client, kulala and httpyac.
package enum HTTPFileImport: ImportFormat {
    package static let name = "http"
    package static let title = ".http files of JetBrains, VS Code, kulala and httpyac"
    package static let endings = [".http", ".rest"]
    package static let worksInPlace = true

    package static func recognizes(_ source: ImportSource) -> Bool {
        if let paths = source.paths { return paths.contains(where: isHTTPFile) }
        let start = String(decoding: source.start(1 << 16), as: UTF8.self)
        let trimmed = start.prefix(64).trimmingBlanks
        if trimmed.hasPrefix("{") && !trimmed.hasPrefix("{{") || trimmed.hasPrefix("[") || trimmed.hasPrefix("<?") { return false }
        let isNamed = isHTTPFile(source.name)
        return start.split(whereSeparator: \.isNewline).contains { line in
            let content = line.trimmingBlanks
            return HTTPFileSyntax.isSeparator(content[...]) || HTTPFileSyntax.beginsRequest(content)
                || content.hasPrefix("http://") || content.hasPrefix("https://") || isNamed && HTTPFileSyntax.beginsCommand(content[...])
        }
    }

    package static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        var collector = HTTPFileCollector(source)
        if let paths = source.paths {
            for path in paths where isHTTPFile(path) {
                guard let bytes = source.file(path) else {
                    collector.report.add(.omitted, path, "the file cannot be read, or is too large")
                    continue
                }
                do throws(Diagnostic) { try collector.add(ImportSource(name: path, bytes: bytes), folder: FilePath.folder(of: path)) } catch {
                    collector.report.add(.omitted, path, error.message, place: error.location)
                }
            }
        } else {
            try collector.add(source, folder: "")
        }
        return try collector.workspace()
    }

    package static func text(_ text: String, changing line: Int, from original: Endpoint, to edited: Endpoint) -> String? {
        var edit = HTTPFileEdit(text)
        return edit.change(line, from: original, to: edited) ? edit.text : nil
    }

    static func isHTTPFile(_ path: String) -> Bool { endings.contains(where: path.lowercased().hasSuffix) }
}
