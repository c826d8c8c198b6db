package import SortieBase

/// The formats that can be imported.
package enum ImportFormats {
    /// All formats, in the order of detection.
    package static let all: [any ImportFormat.Type] = [
        HARImport.self, PostmanImport.self, InsomniaImport.self, OpenAPIImport.self, FetchImport.self, PowerShellImport.self, PythonImport.self,
        CurlImport.self, BrunoImport.self, PostingImport.self, SlumberImport.self, GRPCImport.self, HurlImport.self, HTTPFileImport.self,
        DotenvImport.self, MarkdownImport.self,
    ]

    /// The format with a name for `--format`.
    package static func named(_ name: String) -> (any ImportFormat.Type)? { all.first { $0.name == name } }

    /// The format of a file by the ending of its name, else by its content.
    ///
    /// - Throws: A diagnostic that lists the formats, where no format recognizes the content.
    package static func format(of source: ImportSource) throws(Diagnostic) -> any ImportFormat.Type {
        let named = source.paths == nil ? formats(byEndingOf: source.name) : []
        // Content of another format under the name of this one is read as what it is.
        if let format = (named + all).first(where: { $0.recognizes(source) }) ?? named.first { return format }
        if let problem = workspaceProblem(of: source) ?? OtherFormats.remedy(of: source).map({ ImportReason($0) }) {
            throw Diagnostic(SourceLocation(file: source.name), "this is \(problem.message)", remedy: problem.remedy)
        }
        let files = otherFiles(in: source, than: nil).map { "\($0.path) (\($0.format.name))" }
        guard files.isEmpty else {
            let list = files.prefix(10).joined(separator: ", ") + (files.count > 10 ? ", …" : "")
            throw Diagnostic(SourceLocation(file: source.name), "these formats are not imported by folder; import each file: \(list)")
        }
        try checkSyntax(of: source)
        let list = all.map { "\($0.name) (\($0.title))" }.joined(separator: ", ")
        let problem = source.bytes.allSatisfy { $0 <= 0x20 } ? "there is nothing to import" : "the format is not known"
        throw Diagnostic(SourceLocation(file: source.name), "\(problem); the formats are \(list)", remedy: ImportRemedy.format.remedy)
    }

    /// - Throws: The place of the mistake in a JSON or YAML document, which is more useful than a list of formats.
    private static func checkSyntax(of source: ImportSource) throws(Diagnostic) {
        let isDocument = [".json", ".yaml", ".yml"].contains(where: source.name.lowercased().hasSuffix)
        guard isDocument, source.paths == nil, source.pieces == nil else { return }
        _ = try source.document(source.bytes, file: source.name)
    }

    /// What a folder or a file of a workspace of Sortie is, with the remedy; nil for another source.
    private static func workspaceProblem(of source: ImportSource) -> ImportReason? {
        func remedy(_ folder: String) -> Diagnostic.Remedy {
            .text(
                program: "open \(folder) with sortie -w \(folder == "it" ? source.name : "FOLDER"), or copy the folder",
                workbench: "open \(folder) with “Open workspace…” in the palette, or copy the folder")
        }
        if let paths = source.paths {
            return paths.contains("workspace.yaml") ? ImportReason("a workspace of Sortie already", remedy: remedy("it")) : nil
        }
        guard [".yaml", ".yml"].contains(where: source.name.lowercased().hasSuffix) else { return nil }
        let keys: Set<String>
        do throws(Diagnostic) {
            guard let members = try source.document(source.bytes, file: source.name).members else { return nil }
            keys = Set(members.map(\.name))
        } catch { return nil }
        let copy = "copy it into the folder of a workspace"
        if !keys.isDisjoint(with: ["environment", "environments", "publicParameters", "envFiles"]) {
            return ImportReason("the file workspace.yaml of a workspace of Sortie", remedy: remedy("its folder"))
        }
        if keys.contains("servers") { return "the file of a service of Sortie; \(copy) with its endpoints" }
        if keys.contains("chain") || keys.contains("batch") { return "a run of Sortie; \(copy), below runs/" }
        return keys.contains("path") || keys.contains("extends") ? "an endpoint of Sortie; \(copy)" : nil
    }

    /// The files of a folder that are not imported with it, because another format than that of the folder reads them.
    ///
    /// Of a folder that is used in place, only those of formats that work in place, by the endings of their names: such a folder may have thousands of other
    /// documents, which are not read.
    ///
    /// - Parameter chosen: The format of the folder; nil for none.
    package static func otherFiles(
        in folder: ImportSource, than chosen: (any ImportFormat.Type)?
    ) -> [(path: String, format: any ImportFormat.Type)] {
        (folder.paths ?? []).compactMap { path in
            if FilePath.folder(of: path) == ".", chosen?.variableEndings.contains(where: path.lowercased().hasSuffix) == true { return nil }
            // A document beside requests describes them.
            let named = formats(byEndingOf: path).filter { $0.name != MarkdownImport.name }
            let isDocument = !folder.isInPlace && [".json", ".yaml", ".yml"].contains(where: path.lowercased().hasSuffix)
            guard isDocument || named.contains(where: { !folder.isInPlace || $0.worksInPlace }), !named.contains(where: { $0.name == chosen?.name }),
                let bytes = folder.file(path)
            else { return nil }
            let file = ImportSource(name: FilePath.name(of: path), bytes: bytes)
            // The ending decides between formats whose content is similar, such as .http and .hurl.
            guard !named.isEmpty || chosen?.recognizes(file) != true, let format = (named + all).first(where: { $0.recognizes(file) }),
                !folder.isInPlace || format.worksInPlace
            else { return nil }
            return (path, format)
        }
    }

    private static func formats(byEndingOf name: String) -> [any ImportFormat.Type] {
        all.filter { $0.endings.contains(where: name.lowercased().hasSuffix) }
    }
}
