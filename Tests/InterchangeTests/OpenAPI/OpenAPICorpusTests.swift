import Foundation
import SortieBase
import SortieHTTP
import SortieStorage
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Imports the descriptions that others wrote and compares the operations with a simple reading of the same files.
@Suite(.enabled(if: Corpora.url("openapi") != nil, "the corpora are not here"))
struct OpenAPICorpusTests {
    private func files() throws -> [URL] {
        let folder = try #require(Corpora.url("openapi"))
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        return paths.filter { $0.hasSuffix(".json") || $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
            .map { folder.appendingPathComponent($0) }
    }

    private func source(_ url: URL) throws -> ImportSource {
        let folder = ImportFolder(path: url.deletingLastPathComponent().path)
        return ImportSource(
            name: url.lastPathComponent, bytes: Array(try Data(contentsOf: url)), yaml: YAMLSource.node,
            files: folder.bytes(of:))
    }

    @Test func `every schema that an operation leads to is read as JSON Schema`() throws {
        var count = 0
        for url in try files() {
            let source = try source(url)
            guard case .success(let contract) = Result(catching: { () throws(Diagnostic) in try OpenAPIContract(source) }) else { continue }
            for operation in contract.operations { _ = contract.details(of: operation) }
            // Reading a schema finds those that it refers to.
            var number = 0
            while number < contract.withParts({ $0.schemaCount }) {
                do throws(PatternError) { _ = try contract.schema(number) } catch { Issue.record("\(url.path): \(error)") }
                number += 1
            }
            count += number
        }
        #expect(count > 1000)
    }

    @Test func `every operation has its method, path, parameters and kind of body`() throws {
        var (documents, operations) = (0, 0)
        for url in try files() {
            let source = try source(url)
            let root = try source.document(source.bytes, file: source.name)
            guard root["openapi"] != nil || root["swagger"] != nil else { continue }
            guard root["paths"] != nil || root["webhooks"] != nil else { continue }
            let isRecognized = OpenAPIImport.recognizes(source)
            #expect(isRecognized, "\(url.path)")
            let workspace = try OpenAPIImport.workspace(from: source)
            let expected = PlainReading(source: source, root: root).operations
            let imported = Dictionary(
                workspace.services.flatMap { Self.endpoints($0.items) }.map {
                    // A list in the path is inserted with its separators.
                    ("\($0.method.rawValue) \($0.path.replacing("{{", with: "{").replacing("|raw}}", with: "}"))", $0)
                },
                uniquingKeysWith: { first, _ in first })
            #expect(Set(imported.keys) == Set(expected.map(\.key)), "\(url.path)")
            documents += 1
            operations += expected.count
            for operation in expected {
                guard let endpoint = imported[operation.key] else { continue }
                let name = "\(url.lastPathComponent): \(operation.key)"
                for (location, rows) in [
                    "query": endpoint.query, "header": endpoint.headers.filter { $0.name != "Cookie" },
                ] {
                    let names = operation.names[location] ?? []
                    var found: [String] = []
                    for row in rows {
                        let plain = String(row.name.prefix { $0 != "[" })
                        if !found.contains(plain), names.contains(plain) { found.append(plain) }
                    }
                    #expect(found == names, "\(name): \(location)")
                }
                let cookies = endpoint.headers.filter { $0.name == "Cookie" }.map(\.value).joined(
                    separator: "; ")
                for cookie in operation.names["cookie"] ?? [] {
                    #expect(cookies.contains(cookie + "="), "\(name)")
                }
                #expect(Self.kind(endpoint.body) == operation.body, "\(name)")
            }
        }
        #expect(documents > 60 && operations > 400, "\(documents) documents, \(operations) operations")
    }

    @Test func `files that are parts of descriptions are not taken for one`() throws {
        for url in try files() {
            let source = try source(url)
            let root = try source.document(source.bytes, file: source.name)
            if root["openapi"] == nil, root["swagger"] == nil, root["paths"] == nil {
                #expect(!OpenAPIImport.recognizes(source), "\(url.path)")
            }
        }
    }

    @Test func `a damaged description is an error with its place`() throws {
        for url in try files() {
            var source = try source(url)
            guard OpenAPIImport.recognizes(source) else { continue }
            let isJSON = source.bytes.first { $0 > 0x20 } == UInt8(ascii: "{")
            let damage =
                isJSON
                ? source.bytes.dropLast(source.bytes.count / 3)
                : source.bytes[...] + Array("\n  - [unclosed\n x: {\n".utf8)
            source = ImportSource(name: source.name, bytes: Array(damage), yaml: YAMLSource.node)
            do throws(Diagnostic) {
                _ = try OpenAPIImport.workspace(from: source)
                Issue.record("\(url.path) was imported")
            } catch {
                #expect(error.location.line > 0 && !error.message.isEmpty, "\(url.path)")
            }
        }
    }

    private static func endpoints(_ items: [ImportedItem]) -> [Endpoint] {
        items.flatMap { item -> [Endpoint] in
            switch item {
            case .endpoint(let endpoint): [endpoint.endpoint]
            case .folder(_, let items): endpoints(items)
            }
        }
    }

    private static func kind(_ body: BodyTemplate) -> String {
        switch body {
        case .none: ""
        case .json: "json"
        case .form: "form"
        case .multipart: "multipart"
        case .text(_, let type): type ?? "text"
        case .file(_, let type): type ?? "file"
        case .plist: "plist"
        case .graphQL: "graphql"
        }
    }
}

/// A simple reading of a description: no defaults, no examples, only names.
private struct PlainReading {
    struct Operation {
        var key: String
        var names: [String: [String]] = [:]
        var body = ""
    }

    private struct Place {
        var node: SourceNode
        var file: String

        subscript(name: String) -> Place? { node[name].map { Place(node: $0, file: file) } }
    }

    let source: ImportSource
    let root: SourceNode

    var operations: [Operation] {
        var result: [Operation] = []
        for path in root["paths"]?.members ?? [] where path.name.hasPrefix("/") {
            guard let item = follow(Place(node: path.value, file: source.name)) else { continue }
            for method in item.node.members ?? [] {
                guard
                    ["get", "put", "post", "delete", "options", "head", "patch", "trace"].contains(
                        method.name)
                else { continue }
                var operation = Operation(key: "\(method.name.uppercased()) \(path.name)")
                let inner = Place(node: method.value, file: item.file)
                let lists = [item["parameters"], inner["parameters"]]
                let parameters = lists.flatMap { list in
                    (list?.node.items ?? []).compactMap { follow(Place(node: $0, file: list?.file ?? "")) }
                }
                for parameter in parameters {
                    let (name, location) = (
                        parameter["name"]?.node.text ?? "", parameter["in"]?.node.text ?? ""
                    )
                    if operation.names[location]?.contains(name) == true || isExploded(parameter) { continue }
                    operation.names[location, default: []].append(name)
                }
                operation.body = body(of: inner, parameters)
                result.append(operation)
            }
        }
        return result
    }

    /// Whether the properties of the parameter are in the query instead of its name.
    private func isExploded(_ parameter: Place) -> Bool {
        guard let schema = parameter["schema"].flatMap(follow),
            parameter["style"]?.node.text ?? "form" == "form"
        else { return false }
        return parameter["in"]?.node.text == "query" && schema["properties"] != nil
            && parameter["explode"]?.node.bool != false
    }

    private func body(of operation: Place, _ parameters: [Place]) -> String {
        func kind(_ type: String) -> String {
            if type == "application/json" { return "json" }
            if type == "application/x-www-form-urlencoded" { return "form" }
            return type.hasPrefix("multipart/") ? "multipart" : type
        }
        if root["swagger"] != nil {
            let types = (operation["consumes"]?.node ?? root["consumes"])?.items?.compactMap(\.text) ?? []
            if parameters.contains(where: { $0["in"]?.node.text == "body" }) {
                return types.contains("application/json") || types.isEmpty ? "json" : kind(types[0])
            }
            let fields = parameters.filter { $0["in"]?.node.text == "formData" }
            guard !fields.isEmpty else { return "" }
            let isMultipart =
                fields.contains { $0["type"]?.node.text == "file" } || types == ["multipart/form-data"]
            return isMultipart ? "multipart" : "form"
        }
        let types =
            operation["requestBody"].flatMap(follow)?["content"]?.node.members?.map(\.name) ?? []
        for known in ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"]
        where types.contains(known) { return kind(known) }
        return types.first.map(kind) ?? ""
    }

    private func follow(_ place: Place) -> Place? {
        var current = place
        for _ in 0..<20 {
            guard let reference = current["$ref"]?.node.text else { return current }
            let parts = reference.components(separatedBy: "#")
            var target = Place(node: root, file: source.name)
            let folder = (current.file as NSString).deletingLastPathComponent
            let path =
                parts[0].isEmpty
                ? current.file
                : ((folder as NSString).appendingPathComponent(parts[0]) as NSString).standardizingPath
            if path != source.name {
                guard let bytes = source.file(path), let node = try? source.document(bytes, file: path)
                else { return nil }
                target = Place(node: node, file: path)
            }
            for part in (parts.count > 1 ? parts[1] : "").components(separatedBy: "/").dropFirst() {
                let name = part.replacingOccurrences(of: "~1", with: "/").replacingOccurrences(
                    of: "~0", with: "~")
                guard let next = target[name.removingPercentEncoding ?? name] else { return nil }
                target = next
            }
            current = target
        }
        return nil
    }
}
