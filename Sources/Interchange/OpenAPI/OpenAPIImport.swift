package import SortieBase

/// Imports descriptions of APIs: OpenAPI 3.0 to 3.2 and Swagger 2.0, as JSON or YAML; each operation becomes an endpoint.
package enum OpenAPIImport: ImportFormat {
    package static let name = "openapi"
    package static let title = "OpenAPI 3 and Swagger 2.0, JSON or YAML"

    /// How deep below a folder descriptions are looked for, and in how many files.
    private static let (depth, files) = (4, 500)
    /// The most mistakes of a description that are noted.
    private static let problems = 20

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
            guard var document = OpenAPIDocument(root, reader, prefix: prefix, isOnly: roots.count == 1) else { break }
            if roots.count == 1 { workspace.name = document.title }
            document.add(to: &workspace)
            if roots.count == 1 {
                workspace.description = try description(root, reader)
                let known = Set(reader.report.entries.map(\.place))
                for problem in DescriptionProblems.all(in: root, try OpenAPIVersion(of: root), reader, limit: problems)
                where !known.contains(problem.location) { reader.add(.changed, root.file, problem) }
            }
        }
        if let failure = reader.failure { throw failure }
        workspace.report = reader.report
        workspace.hasSamples = true
        return workspace
    }

    /// The copy of a description, in which the files to which it refers are parts.
    private static func description(_ root: OpenAPIValue, _ reader: OpenAPIReader) throws(Diagnostic) -> ImportedDescription? {
        let source = reader.source
        guard let bytes = source.paths == nil ? source.bytes : source.file(root.file) else { return nil }
        let stem = source.paths == nil ? source.stem : String(FilePath.name(of: root.file).prefix { $0 != "." })
        if let bundle = OpenAPIBundle.bytes(of: root, bytes, reader) {
            reader.add(
                .changed, FilePath.name(of: root.file), "its copy for contract: is written as JSON, with the files to which it refers in it", at: root
            )
            return ImportedDescription(stem: stem, ending: ".json", bytes: bundle, root: try source.document(bundle, file: root.file))
        }
        let isJSON = FileText.withoutMark(bytes).first { $0 > 0x20 } == UInt8(ascii: "{")
        return ImportedDescription(stem: stem, ending: isJSON ? ".json" : ".yaml", bytes: bytes, root: root.node)
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

/// The names of the members at the top of a JSON or YAML document, found without reading the document.
struct OpenAPIKeys {
    /// How much of a document is looked at.
    private static let limit = 16 << 20

    private var names: Set<String> = []

    init(of bytes: [UInt8]) {
        let content = bytes.prefix(Self.limit)
        let start = content.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        if content[start...].first(where: { $0 > 0x20 }) == UInt8(ascii: "{") { readJSON(content[start...]) } else { readYAML(content[start...]) }
    }

    /// Whether there is a version of OpenAPI or Swagger.
    var hasVersion: Bool { names.contains("openapi") || names.contains("swagger") || names.contains("swaggerVersion") }

    /// Whether the document is a description, even one without its version.
    var isDescription: Bool { hasVersion || names.contains("paths") && (names.contains("info") || names.contains("components")) }

    private mutating func readJSON(_ bytes: ArraySlice<UInt8>) {
        var (depth, index) = (0, bytes.startIndex)
        while index < bytes.endIndex, !hasVersion {
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                let start = index + 1
                index = start
                while index < bytes.endIndex, bytes[index] != UInt8(ascii: "\"") { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
                guard depth == 1, index < bytes.endIndex else { break }
                let next = bytes[(index + 1)...].first { $0 > 0x20 }
                if next == UInt8(ascii: ":"), index - start < 20 { names.insert(String(decoding: bytes[start..<index], as: UTF8.self)) }
            default: break
            }
            index += 1
        }
    }

    private mutating func readYAML(_ bytes: ArraySlice<UInt8>) {
        var indentation: Int?
        for line in bytes.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
            guard let start = line.firstIndex(where: { $0 != 0x20 }), !"#-%".utf8.contains(line[start]), !hasVersion else { continue }
            let depth = start - line.startIndex
            // The first key determines the indentation of the top.
            if indentation == nil { indentation = depth }
            guard depth == indentation, let colon = line[start...].prefix(30).firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = line[start..<colon].filter { !"\"' ".utf8.contains($0) }
            names.insert(String(decoding: name, as: UTF8.self))
        }
    }
}
