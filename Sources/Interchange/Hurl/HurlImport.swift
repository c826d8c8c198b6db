package import SortieBase
internal import WorkspaceModel

/// Imports Hurl files (https://hurl.dev): each entry is an endpoint and a step of a chain.
package enum HurlImport: ImportFormat {
    package static let name = "hurl"
    package static let title = "Hurl files"
    package static let endings = [".hurl"]
    package static let worksInPlace = true

    package static func recognizes(_ source: ImportSource) -> Bool {
        // A folder with .http files, too, is one of those.
        if let paths = source.paths { return paths.contains(where: isHurlFile) && !paths.contains(where: HTTPFileImport.isHTTPFile) }
        if isHurlFile(source.name) { return true }
        let lines = String(decoding: source.start(1 << 16), as: UTF8.self).split(whereSeparator: \.isNewline).map(\.trimmingBlanks)
        return lines.contains { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            return line == "[Asserts]" || line == "[Captures]"
                || words.count == 2 && (words[0] == "HTTP" || words[0].hasPrefix("HTTP/")) && (words[1] == "*" || Int(words[1]) != nil)
        } && lines.contains { HTTPFileSyntax.beginsRequest($0) }
    }

    package static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        var collector = HurlCollector(source)
        for path in source.paths ?? [] where isHurlFile(path) {
            guard let bytes = source.file(path) else {
                collector.report.add(.omitted, path, "the file cannot be read, or is too large")
                continue
            }
            do throws(Diagnostic) { try collector.add(ImportSource(name: path, bytes: bytes)) } catch {
                collector.report.add(.omitted, path, error.message, place: error.location)
            }
        }
        if source.paths == nil { try collector.add(source) }
        return collector.workspace()
    }

    private static func isHurlFile(_ path: String) -> Bool { path.lowercased().hasSuffix(".hurl") }
}

/// Collects the entries of Hurl files in services.
struct HurlCollector {
    let source: ImportSource
    var report = ImportReport()
    private var groups = ServerGroups()
    private var runs: [RunDefinition] = []
    private var steps: Set<String> = []
    /// The entries with rows that Hurl encodes; it inserts values into URLs as text.
    private var encoded: Set<String> = []

    init(_ source: ImportSource) { self.source = source }

    /// Adds the entries of a file.
    ///
    /// - Throws: A diagnostic with the place of the first line that is not understood.
    mutating func add(_ file: ImportSource) throws(Diagnostic) {
        let content = try HurlParser.file(try file.text(), named: file.name)
        if !source.isInPlace { steps = [] }
        let stem = Self.stem(file.name)
        let folders = source.paths == nil ? [] : FilePath.components(of: stem).filter { $0 != "." }.map(String.init)
        var templates = HurlTemplates()
        var variables: [String: String] = [:]
        var run: [RunDefinition.Step] = []
        for (section, place) in content.problems { report.add(.omitted, "[\(section)]", "there is no such section", place: place) }
        for (number, entry) in content.entries.enumerated() {
            let id = source.paths == nil ? "entry \(number + 1)" : "entry \(file.name) \(number + 1)"
            var builder = HurlEndpoint(entry, in: source, folder: FilePath.folder(of: file.name), templates, variables)
            guard builder.build() else {
                report.add(.omitted, builder.endpoint.name, "skip: the request is not sent", place: entry.place, id: id)
                continue
            }
            let step = stepName(builder.endpoint)
            run.append(builder.step(named: step, of: id))
            report.add(.imported, builder.endpoint.name, place: entry.place, id: id)
            for (outcome, reason, place) in builder.notes { report.add(outcome, builder.endpoint.name, reason, place: place, id: id) }
            var imported = ImportedEndpoint(id: id, builder.endpoint, bodyBytes: builder.bodyBytes)
            (imported.rowsOfURL, imported.step) = (builder.rowsOfURL, step)
            if entry.sections["Query"] != nil { encoded.insert(id) }
            groups.add(imported, server: builder.server, folders: folders, isInsecure: builder.isInsecure)
            // A capture is the value of its name from the next entry on.
            (templates.captured, variables) = (builder.templates.captured, builder.variables)
            for capture in builder.endpoint.captures {
                templates.captured[capture.name] = step
                variables[capture.name] = nil
            }
        }
        if run.count > 1 || run.contains(where: { $0.loop != nil }) {
            runs.append(RunDefinition(name: FilePath.name(of: stem), kind: .chain, steps: run))
        }
    }

    /// A name for a step: the last part of its path, which is unique.
    private mutating func stepName(_ endpoint: Endpoint) -> String {
        let last = FileNames.slug(endpoint.path.split(separator: "/").last { !$0.contains("{{") }.map(String.init) ?? "")
        let base = last.isEmpty || !ForeignText.isVariable(last) ? "step\(steps.count + 1)" : last
        return steps.insertNumbered(base)
    }

    /// The collected workspace.
    func workspace() -> ImportedWorkspace {
        var workspace = ImportedWorkspace(name: FilePath.name(of: Self.stem(source.name)))
        workspace.report = report
        workspace.keepsOrder = true
        groups.addServices(to: &workspace)
        workspace.runs = runs
        workspace.defineMissingVariables()
        return TextualValues.applied(to: workspace, insertsInQueries: true, except: encoded)
    }

    private static func stem(_ path: String) -> String { path.lowercased().hasSuffix(".hurl") ? String(path.dropLast(5)) : path }
}
