package import SortieBase
internal import WorkspaceModel

/// Imports folders of Bruno: `bruno.json`, `.bru` files and environments, or `opencollection.yml` and YAML files.
package enum BrunoImport: ImportFormat {
    package static let name = "bruno"
    package static let title = "Bruno collections"
    package static let endings = [".bru"]

    package static func recognizes(_ source: ImportSource) -> Bool {
        if let paths = source.paths { return paths.contains { isCollection($0) || $0.hasSuffix(".bru") } }
        let start = String(decoding: source.start(1 << 12), as: UTF8.self)
        if start.split(whereSeparator: \.isNewline).contains(where: { $0.hasPrefix("opencollection:") }) { return true }
        let first = start.split(whereSeparator: \.isNewline).first { !$0.allSatisfy(\.isWhitespace) }
        return first.map { ForeignText.trimmed($0) } == "meta {"
    }

    package static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        guard let paths = source.paths else {
            var collector = BrunoCollector(source, root: "")
            if !source.name.lowercased().hasSuffix(".bru"), isYAML(source.start(1 << 12)) {
                try collector.addYAML(source.bytes, file: source.name)
                return try collector.workspace(named: collector.name ?? source.stem)
            }
            try collector.add(source.bytes, file: source.name)
            return try collector.workspace(named: source.name.replacing(".bru", with: ""))
        }
        guard paths.contains(where: { $0.hasSuffix(".bru") }) else { return try yamlWorkspace(from: source, paths) }
        // The collection may be in a folder of the source, such as that of a repository.
        let file = paths.filter { FilePath.name(of: $0) == "bruno.json" }.min { $0.count < $1.count }
        let root = file.map { FilePath.folder(of: $0) }.flatMap { $0 == "." ? nil : $0 + "/" } ?? ""
        var collector = BrunoCollector(source, root: root)
        for path in paths where path.hasSuffix(".bru") {
            read(path, of: source, isPart: path.hasPrefix(root), root, into: &collector) { (collector, bytes) throws(Diagnostic) in
                try collector.add(bytes, file: path)
            }
        }
        for path in paths where isOpenCollection(path) {
            collector.report.add(.omitted, path, "it is another collection; import its folder")
        }
        var name = source.name
        if let file, let bytes = source.file(file), let settings = settings(bytes, file: file, &collector.report) {
            name = settings["name"]?.string ?? name
            for member in settings.members ?? [] where ["proxy", "scripts", "clientCertificates", "presets", "protobuf"].contains(member.name) {
                guard member.value.members?.isEmpty == false else { continue }
                collector.report.add(
                    .omitted, member.name, "settings of the collection are not imported; write them in the service",
                    place: member.value.place(in: file))
            }
        }
        return try collector.workspace(named: name)
    }

    /// The workspace of a folder with `opencollection.yml`.
    private static func yamlWorkspace(from source: ImportSource, _ paths: [String]) throws(Diagnostic) -> ImportedWorkspace {
        guard let file = paths.filter({ isOpenCollection($0) }).min(by: { $0.count < $1.count }) else {
            throw Diagnostic(SourceLocation(file: "bruno.json"), "the collection has neither .bru files nor opencollection.yml")
        }
        let root = FilePath.folder(of: file) == "." ? "" : FilePath.folder(of: file) + "/"
        var collector = BrunoCollector(source, root: root)
        for path in paths where path.hasSuffix(".yml") || path.hasSuffix(".yaml") {
            let isPart = path.hasPrefix(root) && (path == file || !isOpenCollection(path))
            read(path, of: source, isPart: isPart, root, into: &collector) { (collector, bytes) throws(Diagnostic) in
                try collector.addYAML(bytes, file: path)
            }
        }
        return try collector.workspace(named: collector.name ?? source.name)
    }

    /// Reads a file of a collection; one that is not part of it, or that cannot be read, is a line of the report.
    private static func read(
        _ path: String, of source: ImportSource, isPart: Bool, _ root: String, into collector: inout BrunoCollector,
        _ add: (inout BrunoCollector, [UInt8]) throws(Diagnostic) -> Void
    ) {
        guard isPart else {
            return collector.report.add(.omitted, path, "it is not part of the collection in \(root.isEmpty ? "." : root)")
        }
        guard let bytes = source.file(path) else { return collector.report.add(.omitted, path, "the file cannot be read, or is too large") }
        do throws(Diagnostic) { try add(&collector, bytes) } catch {
            collector.report.add(.omitted, path, error.message, place: error.location)
        }
    }

    private static func isYAML(_ bytes: ArraySlice<UInt8>) -> Bool { !bytes.drop { $0 <= 0x20 }.starts(with: "meta {".utf8) }

    /// The settings of a collection; nil, with a line of the report, where they are malformed.
    private static func settings(_ bytes: [UInt8], file: String, _ report: inout ImportReport) -> SourceNode? {
        do throws(Diagnostic) { return try SourceJSON.node(parsing: bytes, file: file) } catch {
            report.add(.omitted, file, error.message, place: error.location)
            return nil
        }
    }

    private static func isCollection(_ path: String) -> Bool { FilePath.name(of: path) == "bruno.json" || isOpenCollection(path) }

    private static func isOpenCollection(_ path: String) -> Bool {
        ["opencollection.yml", "opencollection.yaml"].contains(FilePath.name(of: path).lowercased())
    }
}
