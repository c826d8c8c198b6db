import Foundation
import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests the export of endpoints as HTTP Archive.
struct HARExportTests {
    private func exported(_ endpoints: [Endpoint]) throws -> String {
        var workspace = Workspace(name: "w", folder: "/ws")
        workspace.environments = [WorkspaceEnvironment(name: "e")]
        workspace.secrets = ["token": .environment("MY_TOKEN")]
        var service = Service(folder: "s", name: "S")
        service.servers = ["e": ["https://h"]]
        service.endpoints = endpoints
        workspace.services = [service]
        let resolver = ExportResolver(workspace: workspace, environment: "e") { _, _ in nil }
        return try HARExport.text(
            of: ExportSource(name: "S", workspace: workspace, environment: "e", items: try endpoints.map { try resolver.item(for: $0) }))
    }

    private func endpoint(_ change: (inout Endpoint) -> Void) -> Endpoint {
        var endpoint = Endpoint(target: "s/x", name: "x", path: "/x")
        change(&endpoint)
        return endpoint
    }

    @Test func `an archive has every member that readers require, and no credential`() throws {
        let text = try exported([
            endpoint {
                $0.auth = .bearer(token: "{{token}}")
                $0.headers = [Parameter("X-Api-Key", "canary")]
            }, endpoint { $0.auth = .basic(user: "me", password: "canary") },
        ])
        #expect(!text.contains("canary") && text.contains("Bearer {{MY_TOKEN}}"), "\(text)")
        let root = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let log = try #require(root["log"] as? [String: Any])
        #expect(log["version"] as? String == "1.2" && log["creator"] != nil)
        let entries = try #require(log["entries"] as? [[String: Any]])
        #expect(entries.count == 2)
        for entry in entries {
            #expect(entry["startedDateTime"] as? String == "1970-01-01T00:00:00.000Z")
            for name in ["time", "request", "response", "cache", "timings"] { #expect(entry[name] != nil, "\(name)") }
        }
    }

    @Test func `an exported endpoint is imported as it was`() throws {
        let text = try exported([
            endpoint {
                $0.method = .post
                $0.query = [Parameter("a", "x y&z"), Parameter("b", "é")]
                $0.headers = [Parameter("X-A", "1")]
                $0.body = .form([Parameter("c", "d e")])
            }
        ])
        let back = try #require(try HARImport.workspace(from: ImportSource(name: "a.har", bytes: Array(text.utf8))).endpoints.first)
        #expect(back.method == .post && back.path == "/x" && back.query == [Parameter("a", "x y&z"), Parameter("b", "é")])
        #expect(back.body == .form([Parameter("c", "d e")]) && back.headers.contains(Parameter("X-A", "1")))
    }

    @Test func `the parts of a body that was not sent come back as parts`() throws {
        let text = try exported([
            endpoint {
                $0.method = .post
                $0.body = .multipart([
                    .init(name: "a", value: "1"), .init(name: "b", value: "2", fileName: "b.txt", contentType: "text/x-y"),
                    .init(name: "f", value: "/data/f.bin", isFile: true),
                ])
            }
        ])
        let back = try #require(try HARImport.workspace(from: ImportSource(name: "a.har", bytes: Array(text.utf8))).endpoints.first)
        guard case .multipart(let parts) = back.body else { return #expect(Bool(false), "\(back.body)") }
        #expect(parts.map(\.name) == ["a", "b", "f"] && parts.map(\.isFile) == [false, false, true])
        #expect(parts.map(\.value) == ["1", "2", "f.bin"] && parts[1].fileName == "b.txt" && parts[1].contentType == "text/x-y")
    }

    @Test func `the type of an empty body comes back as a field`() throws {
        let text = try exported([
            endpoint {
                $0.method = .post
                $0.body = .text("", contentType: "application/x-y")
            }
        ])
        let back = try #require(try HARImport.workspace(from: ImportSource(name: "a.har", bytes: Array(text.utf8))).endpoints.first)
        #expect(back.headers == [Parameter("Content-Type", "application/x-y")] && back.body == .none)
    }
}
