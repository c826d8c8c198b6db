import Foundation
import SortieBase
import SortieHTTP
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Imports the archives of haralyzer's, httpsnippet's and Insomnia's tests, and compares them with a simple reading of the JSON.
@Suite(.enabled(if: Corpora.url("har") != nil, "the corpora are not here"))
struct HARCorpusTests {
    @Test func `every archive has the same requests in the same order`() throws {
        let folders = ["har", "insomnia/packages/insomnia/src/utils/importers/importers/fixtures/har"].compactMap { Corpora.url($0) }
        let files = folders.flatMap { FileManager.default.enumerator(at: $0, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? [] }
            .filter { ["json", "har"].contains($0.pathExtension) }.sorted { $0.path < $1.path }
        #expect(files.count > 15)
        for file in files {
            let data = try Data(contentsOf: file)
            let source = ImportSource(name: file.lastPathComponent, bytes: Array(data))
            #expect(try ImportFormats.format(of: source).name == "har", "\(file.path)")
            let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            let entries = (root["log"] as? [String: Any])?["entries"] as? [[String: Any]]
            var requests = entries?.compactMap { $0["request"] as? [String: Any] } ?? [root["request"] as? [String: Any] ?? root]
            requests.removeAll { ($0["url"] as? String ?? "").isEmpty }
            let workspace = try HARImport.workspace(from: source)
            // Services keep the order of their own requests.
            let hosts = requests.map { URL(string: $0["url"] as? String ?? "")?.host ?? "" }
            var order: [String] = []
            for host in hosts where !order.contains(host) { order.append(host) }
            let expected = order.flatMap { host in zip(hosts, requests).filter { $0.0 == host }.map(\.1) }
            #expect(workspace.endpoints.count == expected.count, "\(file.path)")
            for (endpoint, request) in zip(workspace.endpoints, expected) {
                let url = try #require(URLComponents(string: request["url"] as? String ?? ""))
                #expect(endpoint.method.rawValue == request["method"] as? String, "\(file.path)")
                #expect(endpoint.path == (url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath), "\(file.path)")
                func names(_ key: String) -> [String] { (request[key] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String } }
                let typed = url.queryItems?.map(\.name) ?? []
                let list = names("queryString")
                #expect(endpoint.query.map(\.name) == list + typed.filter { !list.contains($0) }, "\(file.path)")
                let dropped = ["host", "connection", "content-length"]
                var fields = names("headers").filter { !dropped.contains($0.lowercased()) }
                if case .multipart = endpoint.body { fields.removeAll { $0.lowercased() == "content-type" } }
                if !names("cookies").isEmpty, !fields.contains(where: { $0.lowercased() == "cookie" }) { fields.append("Cookie") }
                #expect(endpoint.headers.map(\.name) == fields, "\(file.path)")
            }
        }
    }
}
