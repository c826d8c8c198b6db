import SortieBase
import SortieStorage
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests the copy of a description that an import keeps.
@Suite struct OpenAPICredentialsTests {
    private func copy(_ text: String, keepsCredentials: Bool = false) throws -> (text: String, report: ImportReport) {
        let source = ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node)
        let placed = PlacedImport(
            try OpenAPIImport.workspace(from: source), into: nil, folder: "/ws", sourceFolder: "/src", known: [:], taken: [],
            keepsCredentials: keepsCredentials)
        return (String(decoding: try #require(placed.addition.documents["api.yaml"]), as: UTF8.self), placed.report)
    }

    private static let document = """
        openapi: 3.1.0
        info: {title: T, version: "1", description: "try ghp_canary78901234567890 at https://me:canary-1@h.test/"}
        servers: [{url: "https://{host}/", variables: {host: {default: h.test}, token: {default: canary-2}}}]
        paths:
          /x:
            post:
              parameters:
                - {name: X-Api-Key, in: header, schema: {type: string, default: canary-3}, examples: {a: {value: canary-4}, default: {value: canary-10}}}
                - {name: page, in: query, example: keep-1, schema: {enum: [keep-2]}}
              requestBody:
                content:
                  application/json:
                    example: {user: keep-3, password: canary-5, nested: [{access_token: canary-6}]}
                    schema: {type: object, properties: {secret: {type: string, examples: [canary-7]}, in: {example: keep-4}}}
                  text/plain: {example: '{"password": "canary-8", "note": "keep-5"}'}
              responses:
                "200": {description: keep-6, headers: {Set-Cookie: {example: "sid=canary-9"}}}
                default: {description: keep-7, content: {application/json: {schema: {properties: {token: {example: canary-11}}}}}}
        components:
          parameters: {default: {name: X-Api-Key, in: header, schema: {type: string, default: canary-12}}}
          requestBodies: {value: {content: {application/json: {schema: {dependentSchemas: {default: {properties: {token: {example: canary-13}}}}}}}}}
        """

    @Test func `it has no credentials, and is read with the same operations and schemas`() throws {
        let (text, report) = try copy(Self.document)
        #expect(!text.contains("canary"), "\(text)")
        for number in 1...7 { #expect(text.contains("keep-\(number)"), "keep-\(number): \(text)") }
        #expect(report.entries.contains { $0.reason.programText.contains("credentials of samples") }, "\(report.entries)")
        let contract = try OpenAPIContract(ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node))
        #expect(contract.operations.map(\.name) == ["POST /x"] && contract.details(of: contract.operations[0]).body.map(\.type).count == 2)
    }

    @Test func `the examples of Swagger 2.0 have no credentials`() throws {
        let examples = "{application/json: {password: canary-1, note: keep-1}}"
        let paths = "{/x: {get: {responses: {\"200\": {description: x, examples: \(examples)}}}}}"
        let (text, _) = try copy("swagger: '2.0'\ninfo: {title: T, version: '1'}\npaths: \(paths)\n")
        #expect(!text.contains("canary") && text.contains("keep-1"), "\(text)")
    }

    @Test func `without credentials, or where they are kept, it is the document itself`() throws {
        #expect(try copy(Self.document, keepsCredentials: true).text == Self.document)
        let plain = "openapi: 3.1.0\ninfo: {title: T, version: '1'} # comment\npaths: {/x: {get: {responses: {\"200\": {description: x}}}}}\n"
        #expect(try copy(plain).text == plain)
    }
}
