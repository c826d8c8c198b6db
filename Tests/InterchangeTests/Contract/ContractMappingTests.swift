import SortieBase
import SortieHTTP
import SortieStorage
import Testing

@testable import Interchange

/// References of descriptions that are no `$ref`: mappings of discriminators and links.
struct ContractMappingTests {
    private func contract(_ text: String, files: [String: String] = [:]) throws -> OpenAPIContract {
        try OpenAPIContract(
            ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node) { files[$0].map { Array($0.utf8) } })
    }

    private func failures(_ contract: OpenAPIContract, _ body: String) throws -> [String] {
        let answer = Response(status: 200, headers: ["Content-Type": "application/json"], body: BodyBytes(Array(body.utf8)))
        let check = ContractCheck(contract, Request(url: try HTTPURL(parsing: "http://localhost/x")), sent: [], answer) {
            Result { () throws(BodyProblem) in try answer.value(as: .json) }
        }
        return check.checks.compactMap { $0.failure?.subject }
    }

    private static let files = ["models/cat.yaml": "type: object\nrequired: [lives]\nproperties: {lives: {type: integer}}\n"]

    @Test func `the mapping of a discriminator leads into another file`() throws {
        let base = try contract(
            """
            openapi: 3.0.3
            paths: {/x: {get: {responses: {"200": {content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}}}}
            components:
              schemas:
                Pet:
                  type: object
                  properties: {kind: {type: string}}
                  discriminator: {propertyName: kind, mapping: {cat: models/cat.yaml}}
            """, files: Self.files)
        #expect(try failures(base, #"{"kind": "cat", "lives": 9}"#) == [])
        #expect(try failures(base, #"{"kind": "cat", "lives": "9"}"#) == ["body $.lives"])
        // The same file by another text.
        let choice = try contract(
            """
            openapi: 3.0.3
            paths:
              /x:
                get:
                  responses:
                    "200":
                      content:
                        application/json:
                          schema:
                            oneOf: [{$ref: "./models/cat.yaml"}]
                            discriminator: {propertyName: kind, mapping: {kitty: models/cat.yaml}}
            """, files: Self.files)
        #expect(try failures(choice, #"{"kind": "kitty", "lives": 9}"#) == [])
        #expect(try failures(choice, #"{"kind": "kitty"}"#) == ["body $.lives"])
    }

    @Test func `a mapping that leads to nothing is named with its place`() throws {
        let text = """
            openapi: 3.0.3
            paths: {/x: {get: {responses: {"200": {content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}}}}
            components:
              schemas:
                Pet:
                  discriminator:
                    propertyName: kind
                    mapping:
                      dog: "#/components/schemas/Dog"
                      cat: Cat
            """
        let problems = try contract(text).problems(limit: 9).map { "\($0.location.line): \($0.message)" }
        #expect(problems == ["9: the reference #/components/schemas/Dog cannot be followed: api.yaml has nothing at #/components/schemas/Dog"])
    }

    @Test func `a version that is not known is named, and the description is read`() throws {
        func problems(_ version: String) throws -> [String] {
            try contract("openapi: \(version)\npaths: {/x: {get: {responses: {default: {description: any}}}}}\n").problems(limit: 9).map(\.message)
        }
        #expect(try problems("3.3.0") == ["OpenAPI 3.3.0 is not known; the description is read as OpenAPI 3.2, and what is new is not compared"])
        for known in ["3.0.4", "3.1.1", "3.2.0", "3.1"] { #expect(try problems(known) == []) }
    }

    @Test(arguments: [
        ("'#/paths/~1x~1{id}/get'", true), ("'#/paths/~1x~1%7Bid%7D/get'", true), ("'api.yaml#/paths/~1x~1%7Bid%7D/get'", true),
        ("'./api.yaml#/paths/~1x~1{id}/get'", true), ("'other.yaml#/paths/~1x~1{id}/get'", false), ("'#/paths/~1x~1{id}/delete'", false),
    ])
    func `a link leads to an operation of its document, with encoded braces or not`(reference: String, isFound: Bool) throws {
        let contract = try contract(
            """
            openapi: 3.0.3
            paths:
              /made:
                post:
                  responses:
                    "201": {description: made, links: {show: {operationRef: \(reference), parameters: {id: $response.body#/key}}}}
              /x/{id}:
                get: {responses: {default: {description: any}}}
            """)
        let links = contract.links(from: try #require(contract.operations.first { $0.method == "POST" }))
        #expect(links.map(\.operation.name) == (isFound ? ["GET /x/{id}"] : []))
    }
}
