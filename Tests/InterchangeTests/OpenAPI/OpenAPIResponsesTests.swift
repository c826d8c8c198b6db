import SortieHTTP
import SortieStorage
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests the responses that descriptions in OpenAPI and Swagger have for their operations.
struct OpenAPIResponsesTests {
    /// The responses of `GET /x`, as lines.
    private func responses(_ responses: String, version: String = "openapi: 3.1.0", more: String = "", reads: Bool = true, seed: UInt64? = nil) throws
        -> [String]
    {
        let lines = responses.split(separator: "\n", omittingEmptySubsequences: false).map { "        \($0)\n" }.joined()
        let text = "\(version)\ninfo: {title: Shop, version: \"1\"}\npaths:\n  /x:\n    get:\n      responses:\n" + lines + more
        var source = ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node)
        (source.readsResponses, source.sampleSeed) = (reads, seed)
        let endpoint = try #require(try OpenAPIImport.workspace(from: source).services.flatMap(\.items.endpoints).first)
        return endpoint.endpoint.examples.map { example in
            let response = example.response
            let statuses = response.statuses.map { "\($0.lowerBound)-\($0.upperBound)" } ?? "default"
            let headers = response.headers.map { " [\($0.name)=\($0.value)]" }.joined()
            let body = (response.body.literal ?? "").filter { $0 != "\n" && $0 != " " }
            return "\(statuses) \(example.name) \(response.contentType ?? "-")\(headers) \(body)"
        }
    }

    @Test func `each status has its example, its schema's value, or no body`() throws {
        let lines = try responses(
            """
            "200":
              description: ok
              content: {application/json: {example: {id: 7}}}
            4XX:
              description: error
              content: {application/json: {schema: {type: object, properties: {error: {type: string}, secret: {type: string, writeOnly: true}}}}}
            "204": {description: none}
            1XX: {description: an interim response, which cannot be sent}
            default: {description: other}
            x-note: {}
            """)
        #expect(
            lines == [
                #"200-200 200 application/json {"id":7}"#, "204-204 204 - ", "default default - ",
                #"400-499 4XX application/json {"error":"string"}"#,
            ])
    }

    @Test func `named examples are responses of their own, and properties that only servers write are included`() throws {
        let lines = try responses(
            """
            "200":
              description: ok
              content:
                text/csv: {example: "a,b"}
                application/json:
                  schema: {$ref: "#/components/schemas/Order"}
                  examples:
                    small: {value: {id: 1}}
                    large: {$ref: "#/components/examples/Large"}
            """,
            more: """
                components:
                  schemas: {Order: {type: object, properties: {id: {type: integer, readOnly: true}}}}
                  examples: {Large: {value: {id: 9}}}

                """)
        #expect(
            lines == [
                #"200-200 small application/json {"id":1}"#, #"200-200 large application/json {"id":9}"#, "200-200 200 text/csv a,b",
            ])
        let schema = try responses(
            "\"200\": {description: ok, content: {application/json: {schema: {$ref: \"#/components/schemas/Order\"}}}}",
            more: "components:\n  schemas: {Order: {type: object, properties: {id: {type: integer, readOnly: true}}}}\n")
        #expect(schema == [#"200-200 200 application/json {"id":1}"#])
    }

    @Test func `header fields have their examples, and one with a line break is left out`() throws {
        let lines = try responses(
            #"""
            "200":
              description: ok
              headers:
                X-Rate: {schema: {type: integer, example: 5}}
                X-Bad: {example: "a\r\nSet-Cookie: b"}
                Content-Type: {example: text/plain}
            """#)
        #expect(lines == ["200-200 200 - [X-Rate=5] "])
    }

    @Test func `a response of Swagger has its examples, else a value for each type that it produces`() throws {
        let version = "swagger: \"2.0\"\nproduces: [application/xml, application/json]"
        #expect(
            try responses("\"200\": {description: ok, examples: {application/json: {id: 3}}}", version: version)
                == [#"200-200 200 application/json {"id":3}"#])
        let both = try responses(
            "\"200\": {description: ok, schema: {type: object, properties: {id: {type: integer}}, xml: {name: order}}}", version: version)
        #expect(both.count == 2 && both[0] == #"200-200 200 application/json {"id":1}"# && both[1].contains("<order><id>1</id></order>"), "\(both)")
    }

    @Test func `an example that is the text of JSON is sent as JSON`() throws {
        let lines = try responses(
            #""200": {description: ok, content: {application/json: {schema: {type: object}, example: '{"id": 1}'}}}"#)
        #expect(lines == [#"200-200 200 application/json {"id":1}"#])
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func `a seed gives the same random values that the schema permits`(seed: UInt64) throws {
        let schema = """
            {type: object, properties: {n: {type: integer, minimum: 3, maximum: 7}, w: {type: string, minLength: 2, maxLength: 5},
            e: {enum: [x, y]}, l: {type: array, maxItems: 3, items: {type: number, exclusiveMaximum: 10, minimum: 1}}}}
            """.replacing("\n", with: " ")
        let text = "\"200\": {description: ok, content: {application/json: {schema: \(schema)}}}"
        let lines = try responses(text, seed: seed)
        #expect(try responses(text, seed: seed) == lines)
        let pattern = #/200-200 200 application/json \{"n":[3-7],"w":"[a-z]{2,5}","e":"[xy]","l":\[[1-9](,[1-9]){0,2}\]\}/#
        #expect(lines.count == 1 && lines[0].wholeMatch(of: pattern) != nil, "\(lines)")
    }

    @Test func `an import has examples, and no values of schemas`() throws {
        let lines = try responses(
            """
            "200": {description: ok, content: {application/json: {schema: {type: string}}}}
            "404": {description: none, content: {application/json: {example: 1}}}
            """, reads: false)
        #expect(lines == ["404-404 404 application/json 1"])
    }

    @Test func `parameters, body and response with one name are one example, and a request without a response gets that of the success`() throws {
        let text = """
            openapi: 3.1.0
            info: {title: Shop, version: "1"}
            paths:
              /x/{id}:
                post:
                  parameters:
                    - {name: id, in: path, required: true, examples: {small: {value: 7}, none: {value: 9}}}
                    - {name: size, in: query, examples: {small: {value: 1}}}
                  requestBody: {content: {application/json: {examples: {small: {value: {a: 1}}, other: {value: {a: 2}}}}}}
                  responses:
                    "404": {description: none, content: {text/plain: {examples: {none: {value: gone}}}}}
                    "200": {description: ok, content: {application/json: {examples: {small: {value: []}, any: {value: [1]}}}}}
            """
        let source = ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node)
        let endpoint = try #require(try OpenAPIImport.workspace(from: source).services.flatMap(\.items.endpoints).first).endpoint
        let lines = endpoint.examples.map { example in
            let rows = (example.request.path + example.request.query).map { "\($0.name)=\($0.value)" }
            let body = (example.request.body.literal ?? "-").filter { !$0.isWhitespace }
            let response = (example.response.body.literal ?? "-").filter { !$0.isWhitespace }
            return "\(example.name) \(rows.joined(separator: ",")) \(body) \(example.response.statuses?.lowerBound ?? 0) \(response)"
        }
        #expect(
            lines == [
                #"small id=7,size=1 {"a":1} 200 []"#, #"other  {"a":2} 200 []"#, "none id=9 - 404 gone", "any  - 200 [1]",
            ])
    }
}
