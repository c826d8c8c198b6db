import Foundation
import SortieBase
import SortieHTTP
import SortieStorage
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Imports the exports of Insomnia's tests, and compares them with a simple reading of the resources.
@Suite(.enabled(if: Corpora.url("insomnia/packages") != nil, "the corpora are not here"))
struct InsomniaCorpusTests {
    @Test func `every export has the same requests in the same order`() throws {
        let folder = try #require(Corpora.url("insomnia/packages"))
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? []
        var count = 0
        for file in all.filter({ ["json", "yaml"].contains($0.pathExtension) }).sorted(by: { $0.path < $1.path }) {
            let bytes = Array(try Data(contentsOf: file))
            let source = ImportSource(name: file.lastPathComponent, bytes: bytes, yaml: YAMLSource.node)
            guard InsomniaImport.recognizes(source) else { continue }
            let root = try source.document(bytes, file: "f")
            guard root["__export_format"]?.text == "4" else {
                #expect(throws: Diagnostic.self, "\(file.path)") { try InsomniaImport.workspace(from: source) }
                continue
            }
            let workspace = try InsomniaImport.workspace(from: source)
            let resources = root["resources"]?.items ?? []
            func isSent(_ node: SourceNode) -> Bool {
                switch node["_type"]?.string {
                case "request", "websocket_request": true
                case "grpc_request": GRPCMethodPath(node["protoMethodName"]?.text ?? "") != nil
                default: false
                }
            }
            func children(_ id: String) -> [SourceNode] {
                let own = resources.enumerated().filter { $0.element["parentId"]?.text == id }
                let sorted = own.sorted {
                    (Double($0.element["metaSortKey"]?.text ?? "0") ?? 0, $0.offset) < (
                        Double($1.element["metaSortKey"]?.text ?? "0") ?? 0, $1.offset
                    )
                }
                return sorted.flatMap { isSent($0.element) ? [$0.element] : children($0.element["_id"]?.text ?? "?") }
            }
            let expected = resources.filter { $0["_type"]?.string == "workspace" }.flatMap { children($0["_id"]?.text ?? "?") }
            let found = workspace.endpoints
            #expect(found.map(\.name) == expected.map { $0["name"]?.text ?? "" }, "\(file.path)")
            for (endpoint, node) in zip(found, expected) {
                func names(_ key: String) -> [String] { (node[key]?.items ?? []).compactMap { $0["name"]?.text }.filter { !$0.isEmpty } }
                if node["_type"]?.string == "request" { #expect(endpoint.method.rawValue == node["method"]?.text, "\(file.path)") }
                #expect(endpoint.headers.map(\.name).starts(with: names("headers")), "\(file.path): \(endpoint.name)")
                #expect(
                    endpoint.query.map(\.name).suffix(names("parameters").count).elementsEqual(names("parameters")), "\(file.path): \(endpoint.name)")
            }
            let others = resources.count { $0["_type"]?.string?.hasSuffix("_request") == true && !isSent($0) }
            let reasons = ["requests are not supported", "the request names no method of gRPC"]
            #expect(workspace.reasons(.omitted).count { reason in reasons.contains { reason.contains($0) } } == others, "\(file.path)")
            count += 1
        }
        #expect(count >= 5)
    }
}
