import Foundation
import SortieBase
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Imports the collections of newman's and Insomnia's tests, and compares them with a simple reading of the JSON.
@Suite(.enabled(if: Corpora.url("postman/newman/test") != nil, "the corpora are not here"))
struct PostmanCorpusTests {
    /// A request as a simple reader sees it.
    private struct Leaf: Equatable {
        var method: String
        var name: String
        var query: [String]
        var headers: [String]
        var body: [String]
    }

    private static func files() throws -> [URL] {
        let folders = ["postman/newman/test", "insomnia/packages/insomnia/src/utils/importers/importers/fixtures/postman"]
        return folders.compactMap { Corpora.url($0) }.flatMap { folder in
            (FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? [])
                .filter { $0.pathExtension == "json" }
        }.sorted { $0.path < $1.path }
    }

    private func leaves(_ item: [String: Any]) -> [Leaf] {
        if let items = item["item"] as? [[String: Any]] { return items.flatMap(leaves) }
        guard let request = item["request"] else { return [] }
        let object = request as? [String: Any] ?? ["url": request]
        func keys(_ rows: Any?) -> [String] { (rows as? [[String: Any]] ?? []).compactMap { $0["key"] as? String } }
        let url = object["url"] as? [String: Any]
        let text = (url?["raw"] ?? object["url"]) as? String ?? ""
        let typed = text.split(separator: "?", maxSplits: 1).dropFirst().first?.split(separator: "&").map { String($0.prefix { $0 != "=" }) }
        let body = object["body"] as? [String: Any] ?? [:]
        return [
            Leaf(
                method: object["method"] as? String ?? "GET", name: item["name"] as? String ?? "",
                query: url == nil ? typed ?? [] : keys(url?["query"]),
                headers: keys(object["header"]), body: keys(body["urlencoded"]) + keys(body["formdata"]))
        ]
    }

    private func leaf(_ endpoint: Endpoint) -> Leaf {
        let body =
            switch endpoint.body {
            case .form(let rows): rows.map(\.name)
            case .multipart(let parts): parts.map(\.name)
            default: [String]()
            }
        return Leaf(
            method: endpoint.method.rawValue, name: endpoint.name, query: endpoint.query.map(\.name), headers: endpoint.headers.map(\.name),
            body: body)
    }

    @Test func `every collection has the same requests in the same order`() throws {
        var count = 0
        for file in try Self.files() {
            let bytes = Array(try Data(contentsOf: file))
            let source = ImportSource(name: file.lastPathComponent, bytes: bytes)
            let clean = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Data(bytes.dropFirst(3)) : Data(bytes)
            guard let root = try JSONSerialization.jsonObject(with: clean) as? [String: Any], root["item"] != nil else {
                guard PostmanImport.recognizes(source) else { continue }
                do throws(Diagnostic) { #expect(!(try PostmanImport.workspace(from: source)).environments.isEmpty || !source.name.isEmpty) } catch {
                    #expect(error.message.contains("not supported"), "\(file.path): \(error)")
                }
                continue
            }
            #expect(try ImportFormats.format(of: source).name == "postman", "\(file.path)")
            let workspace = try PostmanImport.workspace(from: source)
            var expected = leaves(root)
            let found = workspace.endpoints.map(leaf)
            // A key of the API is a row, and a request without a name has its method and path.
            for index in expected.indices where expected[index].name.isEmpty { expected[index].name = found[index].name }
            #expect(found.map(\.name) == expected.map(\.name) && found.map(\.method) == expected.map(\.method), "\(file.path)")
            for (one, other) in zip(found, expected) {
                #expect(
                    one.query.starts(with: other.query) && one.headers.starts(with: other.headers) && one.body == other.body,
                    "\(file.path): \(one) \(other)")
            }
            count += 1
        }
        #expect(count > 10)
    }
}
