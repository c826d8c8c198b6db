package import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Exports endpoints as a collection of Postman, version 2.1; credentials become variables without a value.
package enum PostmanExport: ExportFormat {
    package static let name = "postman"
    package static let title = "a Postman collection (v2.1)"
    package static let fileExtension = "postman_collection.json"
    package static let keys = Set(["name", "description", "redirects", "compression", "examples"])

    private static let schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

    package static func text(of source: ExportSource) throws(Diagnostic) -> String {
        var names = PostmanVariables(source)
        var root = PostmanFolder()
        // Steps of a run, and exchanges of the history, are a list; endpoints keep their folders.
        let targets = Set(source.workspace.services.flatMap { $0.endpoints.map(\.target) })
        let isTree = source.items.allSatisfy { $0.name == $0.endpoint.target && targets.contains($0.name) }
        let services = Set(source.items.map(\.endpoint.serviceName))
        for item in source.items {
            var path: [String] = []
            if isTree {
                path = FilePath.components(of: item.name).dropLast().map(String.init)
                let service = source.workspace.service(item.endpoint.serviceName)
                path = (services.count > 1 ? [service?.name ?? path.first ?? ""] : []) + path.dropFirst()
            }
            let name = isTree || source.items.count == 1 ? item.endpoint.name : item.name
            let request = PostmanItem(item, of: source, &names)
            let examples = item.endpoint.examples.map { PostmanExample.saved($0, of: item, source, &names) }
            var members: [JSONValue.Member] = [
                .init("name", .string(name)), .init("request", request.value), .init("response", .array(examples)),
            ]
            if let behavior = request.behavior { members.append(.init("protocolProfileBehavior", behavior)) }
            root.add(.object(members), in: path[...])
        }
        let collection: JSONValue = [
            "info": ["name": .string(source.name), "schema": .string(schema)], "item": .array(root.items), "variable": .array(names.rows),
        ]
        return (JSONText.pretty(collection.text) ?? collection.text) + "\n"
    }

    package static func notes(of source: ExportSource) throws(Diagnostic) -> [String] {
        var names = PostmanVariables(source)
        var notes: [String] = []
        for item in source.items {
            _ = PostmanItem(item, of: source, &names)
            var own = ExportNotes.common(of: item, in: source.workspace, writing: keys, hasPublicParameters: true)
            own += ExportNotes.parameters(of: item, in: source.workspace) + PostmanAuth.notes(about: item.credentials)
            if case .multipart(let parts) = item.endpoint.body {
                let named = parts.filter { $0.isEnabled && !$0.isFile && $0.fileName?.isEmpty == false }.map(\.name)
                if !named.isEmpty { own.append("the file names of the parts \(named.joined(separator: ", ")), which are texts") }
            }
            own += ExportNotes.insertedValues(
                of: item.endpointAsSent(in: source.workspace), in: source.workspace, environment: source.environment, encodesQuery: false,
                encodesForms: true)
            if item.endpoint.sentTemplates.contains(where: { $0.contains("{{$braces}}") }) {
                own.append("two braces in a text, which Postman reads as the start of a variable")
            }
            if !item.request.options.decompresses { own.append("Postman requests compressed responses") }
            notes += own.map { "\(item.name): \($0)" }
        }
        return notes + ExportNotes.variables(names.unset)
    }
}

/// A folder while it is filled; an item or folder stands where its first request does.
private struct PostmanFolder {
    private enum Entry {
        case item(JSONValue)
        indirect case folder(String, PostmanFolder)
    }

    private var entries: [Entry] = []

    mutating func add(_ item: JSONValue, in path: ArraySlice<String>) {
        guard let name = path.first else { return entries.append(.item(item)) }
        for index in entries.indices {
            guard case .folder(name, var folder) = entries[index] else { continue }
            folder.add(item, in: path.dropFirst())
            entries[index] = .folder(name, folder)
            return
        }
        var folder = PostmanFolder()
        folder.add(item, in: path.dropFirst())
        entries.append(.folder(name, folder))
    }

    var items: [JSONValue] {
        entries.map { entry in
            switch entry {
            case .item(let item): item
            case .folder(let name, let folder): ["name": .string(name), "item": .array(folder.items)]
            }
        }
    }
}
