import Foundation
import HistoryModel
import SortieBase
import SortieHTTP
import SortieStorage
import Support
import Testing
import WorkspaceModel

@testable import SortieApp

/// Tests the comparison with the description of a service.
@Suite struct EndpointContractTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("s"), withIntermediateDirectories: true)
        let files = [
            "workspace.yaml": "name: W\nenvironments: {dev: {variables: {base: \"http://127.0.0.1/api\"}}}\n",
            "s/service.yaml": "servers: {dev: [\"{{base}}/v1\"]}\ncontract: {openapi: ../api.yaml}\n", "s/a.yaml": "path: /a\n",
            "api.yaml": """
            openapi: 3.1.0
            info: {title: T, version: "1"}
            paths: {/a: {get: {responses: {"200": {description: x, content: {application/json: {schema: {$ref: id.yaml}}}}}}}}

            """, "id.yaml": "type: object\nproperties: {id: {type: integer}}\n",
        ]
        for (name, text) in files { try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8) }
    }

    @Test func `a past exchange is compared with the description as its files are now, below the server of a variable`() throws {
        let workspace = try WorkspaceFolder(path: folder.path).load()
        let permission = try WorkspacePermission(workspace, in: .withoutStreams(), isTrusted: true)
        let endpoint = try #require(workspace.endpoint("s/a"))
        let contract = EndpointContract(of: endpoint, in: workspace, permission, isStrict: false)
        var request = Request(url: try HTTPURL(parsing: "http://127.0.0.1/api/v1/a"))
        request.origin = RequestOrigin(endpoint: endpoint, variables: [:])
        var exchange = Exchange(id: RequestID(high: 1, low: 1), request: request, startedAt: Date(timeIntervalSince1970: 0))
        exchange.response = Response(
            status: 200, headers: [HeaderField("Content-Type", "application/json")], body: BodyBytes(Array(#"{"id": "x"}"#.utf8)))
        let item = HistoryItem(
            number: 1, id: exchange.id, startedAt: exchange.startedAt, url: request.url.description, outcome: .answered, attempts: 1)
        func outcomes(missingBody: String? = nil) -> [String] {
            let past = ResponseCheck.repeated(PastExchange(item: item, exchange: exchange, missingBody: missingBody), contract: contract)
            return (past.exchange.expectationResult?.checks ?? []).filter { $0.key == .contract && $0.outcome != .passed }.map {
                "\($0.subject) \($0.outcome)"
            }
        }
        #expect(outcomes() == ["body $.id warned"])
        #expect(outcomes(missingBody: "it was pruned") == ["body skipped"])
        try "type: object\nproperties: {id: {type: string}}\n".write(toFile: folder.path("id.yaml"), atomically: true, encoding: .utf8)
        #expect(outcomes() == [], "the file of a reference is read again")
    }
}
