import ArgumentParser
import Foundation
import HistoryModel
import Interchange
import SortieBase
import SortieDemoServer
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

    @Test func `a strict mock of a workspace compares with the description of the service of each endpoint`() throws {
        let workspace = try WorkspaceFolder(path: folder.path).load()
        let contract = try #require(try MockContract.all(of: workspace, in: .withoutStreams())["s"])
        func refusal(_ method: String, _ path: String) -> LocalReply? {
            contract.refusal(of: LocalRequest(method: method, path: path, header: { _ in nil }), body: [])
        }
        #expect(refusal("GET", "/api/v1/a") == nil, "the path of the server precedes that of the description")
        #expect(refusal("GET", "/api/v1/b")?.status == 400)
    }

    @Test func `a description that cannot be read is named by its place in the workspace, because other services have one of the same name`() throws {
        try "[".write(toFile: folder.path("s/api.yaml"), atomically: true, encoding: .utf8)
        try "servers: {dev: [\"http://127.0.0.1\"]}\ncontract: {openapi: api.yaml}\n".write(
            toFile: folder.path("s/service.yaml"), atomically: true, encoding: .utf8)
        let workspace = try WorkspaceFolder(path: folder.path).load()
        let problems = workspace.contractProblems(in: .withoutStreams()).map(\.description)
        #expect(problems.count == 1 && problems.allSatisfy { $0.hasPrefix("s/service.yaml:2:") && $0.contains("(s/api.yaml:") }, "\(problems)")
    }

    @Test func `mistakes of a description are warnings at their places in the workspace`() throws {
        try "type: object\nproperties: {id: {type: intger}}\n".write(toFile: folder.path("id.yaml"), atomically: true, encoding: .utf8)
        let workspace = try WorkspaceFolder(path: folder.path).load()
        #expect(
            workspace.contractWarnings(in: .withoutStreams()).map(\.description) == [
                "id.yaml:2:25: type is not compared: there is no such type; did you mean integer?"
            ])
        #expect(workspace.contractProblems(in: .withoutStreams()) == [])
    }

    @Test(arguments: ["none.yaml", "."])
    func `a description that cannot be read is named without a place in it`(name: String) throws {
        let path = folder.path(name)
        let program = ProgramContext.withoutStreams()
        let problem = try #require(throws: Diagnostic.self) { try program.contracts.contract(at: path, .folder, program.folders) }
        #expect(problem.messageWithLocation.hasSuffix(" (\(path))"), "\(problem.messageWithLocation)")
        let failure = try #require(throws: CommandFailure.self) { try MockContract(file: path, in: program) }
        #expect(failure.name == "contract" && failure.hint == nil, "\(failure)")
    }

    @Test(arguments: ["0", "-1", "x"])
    func `a number of generated requests below 1 is a usage error`(number: String) throws {
        #expect(throws: (any Error).self) { try ContractTestCommand.parse(["s", "--max=\(number)"]) }
        #expect(try ContractTestCommand.parse(["s", "--max=1"]).limit == 1)
    }

    @Test func `a strict mock of a workspace without a description is a usage error`() throws {
        try "servers: {dev: [\"{{base}}/v1\"]}\n".write(toFile: folder.path("s/service.yaml"), atomically: true, encoding: .utf8)
        let workspace = try WorkspaceFolder(path: folder.path).load()
        #expect(throws: CommandFailure.self) { try MockContract.all(of: workspace, in: .withoutStreams()) }
    }

    @Test func `an export knows the operations whose imported endpoints were deleted`() throws {
        let record = """
            {"version": 1, "sources": [{"format": "openapi", "name": "api.yaml", "files": {
              "api.yaml": {"item": "contract", "sha256": "0"}, "s/a.yaml": {"item": "GET /a", "sha256": "0"}, "s/gone.yaml": {"item": "gone", "sha256": "0"}}}]}
            """
        try record.write(toFile: folder.path(".sortie-imports.json"), atomically: true, encoding: .utf8)
        let workspace = try WorkspaceFolder(path: folder.path).load()
        let permission = try WorkspacePermission(workspace, in: .withoutStreams(), isTrusted: true)
        let endpoint = try #require(workspace.endpoint("s/a"))
        let item = try ExportResolver(workspace: workspace, environment: "dev") { _, _ in nil }.item(for: endpoint)
        let source = ExportSource(name: "s", workspace: workspace, environment: "dev", items: [item]).withDescriptions(permission)
        #expect(Array(source.deletedItems.values) == [["gone"]] && source.notes == [], "\(source.deletedItems) \(source.notes)")
    }

    @Test func `the request of a finding is saved once as an endpoint with the credentials of the tested one and a condition`() throws {
        try "path: /a\nquery: {key: \"{{secret}}\"}\nheaders: {X-Own: \"{{secret}}\"}\nauth: {bearer: \"{{secret}}\"}\n"
            .write(toFile: folder.path("s/a.yaml"), atomically: true, encoding: .utf8)
        let workspace = try WorkspaceFolder(path: folder.path).load()
        let tested = try #require(workspace.endpoint("s/a"))
        let permission = try WorkspacePermission(workspace, in: .withoutStreams(), isTrusted: true)
        let description = try #require(EndpointContract(of: tested, in: workspace, permission, isStrict: true)).description()
        var cases = ContractCases(of: description.operations[0], in: description, seed: 1)
        let item = try #require(cases.cases(limit: 1).first)
        var usual = Request(url: try HTTPURL(parsing: "http://127.0.0.1/api/v1/a?key=s3cret"), headers: ["X-Own": "s3cret", "X-Service": "s3cret"])
        usual.options.credential = .bearer(token: "s3cret")
        var sent = usual
        sent.url.query = "key=s3cret&size=-1"
        sent.headers["X-Other"] = "a{{b"
        let exchange = Exchange(id: RequestID(high: 1, low: 1), request: sent, startedAt: Date(timeIntervalSince1970: 0))
        let finding = ContractTest.Finding(category: .acceptedInvalid, message: "it is accepted", item: item, exchange: exchange)
        let place = ContractTestReport.Place(endpoint: tested, usual: usual, base: "/api/v1")
        var saved = ContractTestEndpoints(of: workspace, in: .withoutStreams())
        #expect(try saved.save(finding, of: place, redaction: .none) == "s/findings/a-accepted-invalid")
        #expect(try saved.save(finding, of: place, redaction: .none) == "s/findings/a-accepted-invalid", "the same request")
        let text = try String(contentsOfFile: folder.path("s/findings/a-accepted-invalid.yaml"), encoding: .utf8)
        #expect(!text.contains("s3cret") && !text.contains("X-Service"), "\(text)")
        let endpoint = try #require(try WorkspaceFolder(path: folder.path).load().endpoint("s/findings/a-accepted-invalid"))
        #expect(endpoint.path == "/a" && endpoint.auth == tested.auth && endpoint.summary == "it is accepted")
        #expect(endpoint.query == tested.query + [Parameter("size", "-1")])
        #expect(endpoint.headers == tested.headers + [Parameter("X-Other", "a{{$braces}}b")])
        #expect(endpoint.expectation?.statuses == [400...499])
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
