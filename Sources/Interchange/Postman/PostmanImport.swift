package import SortieBase
internal import WorkspaceModel

/// Imports collections of Postman (version 2.0 and 2.1) and environments, as one file or as a folder of files.
package enum PostmanImport: ImportFormat {
    package static let name = "postman"
    package static let title = "Postman collections and environments"

    /// The kinds of JSON files.
    private enum Kind { case collection, environment, old, dump }

    package static func recognizes(_ source: ImportSource) -> Bool {
        if source.paths != nil { return jsonFiles(in: source).contains { source.file($0).flatMap(kind(of:)) != nil } }
        return kind(of: source.bytes) != nil
    }

    package static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        var documents: [(root: SourceNode, file: String, kind: Kind)] = []
        for file in source.paths == nil ? [source.name] : jsonFiles(in: source) {
            guard let bytes = source.paths == nil ? source.bytes : source.file(file) else { continue }
            let found = kind(of: bytes)
            if source.paths != nil, found == nil { continue }
            let root = try SourceJSON.node(parsing: bytes, file: file)
            // The Postman API wraps its objects.
            let inner = root["collection"] ?? root["environment"]
            documents.append((inner?.members == nil ? root : inner ?? root, file, try checked(found, root, file)))
        }
        return try workspace(of: documents, named: source.stem)
    }

    private static func jsonFiles(in source: ImportSource) -> [String] { (source.paths ?? []).filter { $0.lowercased().hasSuffix(".json") } }

    private static func kind(of bytes: [UInt8]) -> Kind? {
        let names = JSONOutline.names(in: bytes.prefix(1 << 20))
        guard !names.contains("__export_format"), !names.contains("openapi"), !names.contains("log") else { return nil }
        if names.contains("item") || names.contains("collection.item") || names.contains("info._postman_id") { return .collection }
        if names.contains("info.schema") || names.contains("collection.info") { return .collection }
        // Thunder Client and Hoppscotch have lists of these names, too.
        let isOther =
            names.contains("clientName") || names.contains("requests[].containerId") || names.contains("requests[].endpoint") || names.contains("v")
        if names.contains("requests"), !isOther, names.contains("order") || names.contains("folders") || names.contains("requests[].rawModeData") {
            return .old
        }
        if names.contains("collections"), names.contains("version") || names.contains("environments") || names.contains("headerPresets") {
            return .dump
        }
        let isList = names.contains("values") || names.contains("environment.values")
        let marks = ["_postman_variable_scope", "values[].key", "environment.values[].key", "name", "id"]
        return isList && names.contains(where: marks.contains) ? .environment : nil
    }

    /// The kind of a document.
    ///
    /// - Throws: A diagnostic for a version that is not supported, with the remedy.
    private static func checked(_ kind: Kind?, _ root: SourceNode, _ file: String) throws(Diagnostic) -> Kind {
        let remedy = "open it in Postman and export each collection as “Collection v2.1”"
        switch kind {
        case .collection:
            let collection = root["collection"]?.members == nil ? root : root["collection"] ?? root
            guard let items = collection["item"], items.items != nil else {
                throw Diagnostic((collection["item"] ?? collection).place(in: file), "the collection has no list “item”; \(remedy)")
            }
            return .collection
        case .environment: return .environment
        case .old: throw Diagnostic(root.place(in: file), "this is a collection of Postman's version 1, which is not supported; \(remedy)")
        case .dump:
            throw Diagnostic(root.place(in: file), "this is a data dump of Postman with all its collections, which is not supported; \(remedy)")
        case nil: throw Diagnostic(root.place(in: file), "this is neither a collection nor an environment of Postman; \(remedy)")
        }
    }

    private static func workspace(
        of documents: [(root: SourceNode, file: String, kind: Kind)], named name: String
    ) throws(Diagnostic) -> ImportedWorkspace {
        var workspace = ImportedWorkspace(name: name)
        for document in documents where document.kind == .environment {
            PostmanEnvironment.add(document.root, file: document.file, to: &workspace)
        }
        var previous: CollectionImport?
        for document in documents where document.kind == .collection {
            let shared = CollectionImport(file: document.file, following: previous)
            let collection = PostmanCollection(document.root, shared: shared)
            previous = collection.shared
            workspace.services.append(collection.service)
            workspace.report.entries += collection.shared.report.entries
            for (name, value) in collection.shared.variables.sorted(by: { $0.key < $1.key }) {
                if let known = workspace.variables[name], known != value {
                    workspace.report.add(.omitted, "variable \(name)", "its value differs between the files; the first one is used")
                } else {
                    workspace.variables[name] = value
                }
            }
            for node in document.root["variable"]?.items ?? [] where node["type"]?.string == "secret" {
                if let name = node["key"]?.text { workspace.secretVariables.insert(name) }
            }
        }
        workspace.keepsOrder = true
        if let first = workspace.services.first {
            workspace.name = workspace.services.count == 1 ? first.service.name : name
            if workspace.services.count == 1 { workspace.summary = first.service.summary }
        } else if let first = workspace.environments.first {
            workspace.name = first.name
        }
        CapturedRun.add(to: &workspace)
        workspace.defineMissingVariables()
        return TextualValues.applied(to: workspace, insertsInQueries: true)
    }
}

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
