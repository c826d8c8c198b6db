import SortieBase
import SortieHTTP
import SortieStorage
import Testing

@testable import Interchange

/// Compares requests and responses with descriptions.
struct ContractCheckTests {
    private static let document = """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        servers: [{url: "https://api.example/v1"}]
        paths:
          /pets:
            get:
              parameters:
                - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}
                - {name: tags, in: query, explode: false, schema: {type: array, items: {type: string, enum: [cat, dog]}}}
                - {name: filter, in: query, style: deepObject, schema: {type: object, properties: {age: {type: integer}}}}
                - {name: X-Trace, in: header, required: true, schema: {type: string, format: uuid}}
              responses:
                "200":
                  headers: {X-Total: {required: true, schema: {type: integer}}}
                  content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}}}
                4XX: {description: refused, content: {application/problem+json: {}}}
            post:
              requestBody:
                required: true
                content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
              responses: {"201": {description: made}}
          /pets/{id}:
            get:
              parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
              responses: {default: {description: any, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}
          /pets/mine:
            get: {responses: {"204": {description: none}}}
          /animals:
            get: {responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Animal"}}}}}}
        components:
          schemas:
            Pet:
              type: object
              required: [id, name]
              properties:
                id: {type: integer, format: int64, readOnly: true}
                name: {type: string, minLength: 1}
                hidden: {type: string, writeOnly: true}
                born: {type: string, format: date, nullable: true}
                price: {type: number, minimum: 0, exclusiveMinimum: true}
                parent: {$ref: "#/components/schemas/Pet"}
            Animal:
              oneOf: [{$ref: "#/components/schemas/Cat"}, {$ref: "#/components/schemas/Dog"}]
              discriminator: {propertyName: kind, mapping: {kitty: "#/components/schemas/Cat"}}
            Cat: {type: object, properties: {kind: {type: string}, lives: {type: integer, maximum: 9}}}
            Dog: {type: object, required: [bark], properties: {kind: {type: string}, bark: {type: boolean}}}
        """

    private let contract: OpenAPIContract

    init() throws {
        contract = try OpenAPIContract(ImportSource(name: "api.yaml", bytes: Array(Self.document.utf8), yaml: YAMLSource.node))
    }

    /// The checks that did not pass, as lines; the trace field is sent unless the test sends fields.
    private func check(
        _ method: HTTPMethod, _ path: String, headers: Headers = ["X-Trace": "3fa85f64-5717-4562-b3fc-2c963f66afa6"], body: RequestBody = .none,
        _ response: Response? = nil
    ) throws -> [String] {
        let request = Request(method: method, url: try HTTPURL(parsing: "http://localhost:1\(path)"), headers: headers, body: body)
        let check = ContractCheck(contract, request, sent: headers, response) {
            Result { () throws(BodyProblem) in try response?.value(as: .json) ?? .null }
        }
        return check.checks.filter { $0.outcome != .passed }.map { "\($0.outcome) \($0.failure.map { "\($0)" } ?? "\($0.subject): \($0.actual)")" }
    }

    private func response(_ status: Int, _ body: String = "", type: String? = "application/json", _ headers: Headers = []) -> Response {
        var fields = headers
        if let type { fields.append("Content-Type", type) }
        return Response(status: status, headers: fields, body: BodyBytes(Array(body.utf8)))
    }

    @Test func `what is as described has no failures, with and without the path of the server`() throws {
        let pet = #"{"id": 1, "name": "a", "born": null, "price": 0.5, "parent": {"id": 2, "name": "b"}}"#
        for base in ["", "/v1"] {
            #expect(try check(.get, "\(base)/pets?limit=5&tags=cat,dog&filter[age]=3", response(200, "[\(pet)]", ["X-Total": "1"])) == [])
            #expect(try check(.get, "\(base)/pets/7", response(500, pet)) == [])
            #expect(try check(.get, "\(base)/pets/mine", response(204)) == [])
            #expect(try check(.head, "\(base)/pets/7", response(200)) == [])
        }
        #expect(try check(.post, "/pets", body: .text(#"{"name": "a", "hidden": "s"}"#, contentType: "application/json"), response(201)) == [])
    }

    @Test func `parameters of a request are compared with their schemas, and others are named`() throws {
        #expect(
            try check(.get, "/pets?limit=0&tags=cat,cow&filter[age]=x&page=2", headers: ["X-Trace": "1"]) == [
                "failed query limit: expected minimum: >= 1 (api.yaml:8), got 0",
                #"failed query tags $[1]: expected enum: one of "cat", "dog" (api.yaml:9), got "cow""#,
                #"failed query filter $.age: expected type: integer (api.yaml:10), got "x""#,
                #"failed request header X-Trace: expected format: uuid (api.yaml:11), got "1""#, "skipped query page: not in the description",
            ])
        #expect(try check(.get, "/pets", headers: []) == ["failed request header X-Trace: expected a value (api.yaml:11), got nothing"])
        #expect(try check(.get, "/pets/x") == [#"failed path id: expected type: integer (api.yaml:24), got "x""#])
    }

    @Test func `the text of an integer has digits only, and a number of JSON may be written with an exponent`() throws {
        for text in ["1e1", "1.0", "1."] {
            #expect(try check(.get, "/pets/\(text)") == [#"failed path id: expected type: integer (api.yaml:24), got "\#(text)""#])
        }
        for text in ["10", "-1", "+1", "007"] { #expect(try check(.get, "/pets/\(text)") == []) }
        for number in ["1e1", "1.0"] {
            #expect(try check(.get, "/pets/7", response(500, #"{"id": \#(number), "name": "a", "born": null, "price": 1}"#)) == [])
        }
    }

    @Test func `a request of no operation is a failure that names the methods of its path`() throws {
        #expect(try check(.delete, "/pets") == ["failed request: expected GET or POST, got DELETE /pets"])
        #expect(try check(.get, "/other") == ["failed request: expected an operation of api.yaml, got GET /other"])
    }

    @Test func `the body of a request is required, has a described type, and no members that only the server writes`() throws {
        #expect(try check(.post, "/pets") == ["failed request body: expected a body (application/json), got nothing"])
        #expect(
            try check(.post, "/pets", body: .text("a", contentType: "text/plain")) == [
                "failed request type: expected application/json, got text/plain"
            ])
        #expect(
            try check(.post, "/pets", body: .text(#"{"id": 1}"#, contentType: "application/json")) == [
                "failed request body $.name: expected required: a value (api.yaml:33), got nothing",
                "failed request body $.id: expected readOnly: no value (api.yaml:36), got 1",
            ])
        #expect(try check(.post, "/pets", body: .text("{", contentType: "application/json")).count == 1)
    }

    @Test func `status, type and fields of a response are compared`() throws {
        #expect(try check(.get, "/pets", response(500)) == ["failed status: expected 200, 4XX (api.yaml:13), got 500"])
        #expect(
            try check(.get, "/pets", response(200, "<a>", type: "text/html")) == [
                "failed header X-Total: expected a value (api.yaml:14), got nothing",
                "failed type: expected application/json (api.yaml:14), got text/html",
            ])
        #expect(
            try check(.get, "/pets", response(404, "{}")) == ["failed type: expected application/problem+json (api.yaml:16), got application/json"])
        #expect(try check(.get, "/pets", response(200, "[", ["X-Total": "1"])).first?.hasPrefix("failed body: expected JSON, got ") == true)
    }

    @Test func `a body is compared with its schema, with the places in the body and in the document`() throws {
        let body = #"{"id": "1", "name": "", "hidden": "s", "born": "1.1.2027", "price": 0, "parent": {"id": 2}}"#
        let failures = try check(.get, "/pets/7", response(200, body))
        #expect(
            failures == [
                #"failed body $.id: expected type: integer (api.yaml:36), got "1""#,
                "failed body $.name: expected minLength: at least 1 character (api.yaml:37), got 0",
                #"failed body $.hidden: expected writeOnly: no value (api.yaml:38), got "s""#,
                #"failed body $.born: expected format: date (api.yaml:39), got "1.1.2027""#,
                "failed body $.price: expected exclusiveMinimum: > 0 (api.yaml:40), got 0",
                "failed body $.parent.name: expected required: a value (api.yaml:33), got nothing",
            ])
    }

    @Test func `members that the description does not have are named where nothing else fails`() throws {
        let body = #"{"id": 1, "name": "a", "age": 2, "parent": {"id": 2, "name": "b", "owner": {"x": 1}}}"#
        #expect(
            try check(.get, "/pets/7", response(200, body)) == [
                "skipped body $.age: not in the description", "skipped body $.parent.owner: not in the description",
            ])
    }

    @Test func `a discriminator chooses the alternative, so that failures are those of its schema`() throws {
        #expect(try check(.get, "/animals", response(200, #"{"kind": "kitty", "lives": 9}"#)) == [])
        #expect(
            try check(.get, "/animals", response(200, #"{"kind": "Cat", "lives": 10}"#)) == [
                "failed body $.lives: expected maximum: <= 9 (api.yaml:45), got 10"
            ])
        #expect(try check(.get, "/animals", response(200, #"{"kind": "Dog"}"#)).first?.hasPrefix("failed body $.bark: expected required") == true)
        #expect(try check(.get, "/animals", response(200, #"{"kind": "cow"}"#)).first?.hasPrefix("failed body $.kind: expected enum: one of") == true)
    }

    @Test func `Swagger 2_0 has its base path, its body parameter and the types of its responses`() throws {
        let text = """
            {"swagger": "2.0", "info": {"title": "T", "version": "1"}, "basePath": "/api", "consumes": ["application/json"], "produces": ["application/json"],
             "paths": {"/x": {"post": {"parameters": [{"name": "b", "in": "body", "required": true, "schema": {"$ref": "#/definitions/X"}},
              {"name": "n", "in": "query", "type": "array", "items": {"type": "integer"}, "collectionFormat": "multi"},
              {"name": "m", "in": "query", "type": "array", "items": {"type": "array", "items": {"type": "integer"}, "collectionFormat": "pipes"}}],
              "responses": {"200": {"description": "ok", "schema": {"$ref": "#/definitions/X"}, "headers": {"X-A": {"type": "integer"}}}}}}},
             "definitions": {"X": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "x-nullable": true}}}}}
            """
        let contract = try OpenAPIContract(ImportSource(name: "api.json", bytes: Array(text.utf8)))
        let url = try HTTPURL(parsing: "http://localhost/api/x?n=1&n=b&m=1%7C2,3%7Cc")
        let request = Request(method: .post, url: url, body: .text(#"{"a": 1}"#, contentType: "application/json"))
        let answer = response(200, #"{"a": null}"#, ["X-A": "b"])
        let check = ContractCheck(contract, request, sent: [], answer) { Result { () throws(BodyProblem) in try answer.value(as: .json) } }
        #expect(
            check.checks.compactMap(\.failure).map(\.subject) == ["query n $[1]", "query m $[1][1]", "request body $.a", "header X-A"],
            "\(check.checks)")
        #expect(check.operation?.name == "POST /x")
    }

    @Test func `OpenAPI 3_1 has types as lists, keywords beside references, and constants`() throws {
        let text = """
            openapi: 3.1.0
            info: {title: T, version: "1"}
            paths:
              /x:
                get:
                  responses:
                    "200": {content: {application/json: {schema: {$ref: "#/components/schemas/X", required: [b]}}}}
            components: {schemas: {X: {type: [object, "null"], properties: {a: {const: 1}, b: {type: [string, "null"]}, c: {exclusiveMinimum: 1}}}}}
            """
        let contract = try OpenAPIContract(ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node))
        let answer = response(200, #"{"a": 2, "c": 1}"#)
        let request = Request(url: try HTTPURL(parsing: "http://localhost/x"))
        let check = ContractCheck(contract, request, sent: [], answer) { Result { () throws(BodyProblem) in try answer.value(as: .json) } }
        #expect(Set(check.checks.compactMap(\.failure).map(\.subject)) == ["body $.b", "body $.a", "body $.c"], "\(check.checks)")
    }

    @Test func `what cannot be compared is left out or named, and everything else is compared`() throws {
        let text = """
            openapi: 3.0.0
            info: {title: T, version: "1"}
            paths:
              /x:
                get:
                  responses:
                    "200":
                      content:
                        application/json:
                          schema:
                            type: object
                            required: true
                            properties:
                              a: {type: strig, pattern: "(?=x)y", maxLength: 1}
                              b: {$ref: "#/components/schemas/Missing"}
                              c: {type: integer}
            """
        let contract = try OpenAPIContract(ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node))
        let answer = response(200, #"{"a": "ab", "b": 1, "c": "d"}"#)
        let request = Request(url: try HTTPURL(parsing: "http://localhost/x"))
        let check = ContractCheck(contract, request, sent: [], answer) { Result { () throws(BodyProblem) in try answer.value(as: .json) } }
        #expect(check.checks.compactMap(\.failure).map(\.subject) == ["body $.a", "body $.c"], "\(check.checks)")
        let skipped = check.checks.filter { $0.outcome == .skipped && $0.subject == "schema" }.map(\.actual)
        let message = "type is not compared: there is no such type; did you mean string? (api.yaml:"
        #expect(skipped.count == 4 && skipped.contains { $0.hasPrefix(message) }, "\(skipped)")
        #expect(Set(contract.problems(limit: 9).map { "\($0.message) (api.yaml:\($0.location.line))" }) == Set(skipped))
    }

    @Test(arguments: [
        ("type", "strng", "there is no such type; did you mean string?"), ("type", "[string, strng]", "there is no such type; did you mean string?"),
        ("type", "[]", "the value has another type"), ("minimum", "'1'", "minimum must be a number"),
        ("maxLength", "-1", "maxLength must be a whole number from 0 on"),
        ("pattern", "'['", "the [ at character 1 is not closed; write \\[ for the character: ["),
        ("enum", "a", "enum must be a list"), ("required", "true", "required must be a list of names"),
        ("properties", "[]", "properties must be an object"),
        ("items", "[{}]", "items must be a schema"), ("allOf", "[]", "allOf must be a list of schemas"),
        ("nullable", "'no'", "nullable must be true or false"),
        ("multipleOf", "0", "multipleOf must be a number above 0 with at most 18 significant digits"), ("format", "1", "format must be a string"),
    ])
    func `a keyword with a mistake is named where it is, and refuses no value`(keyword: String, value: String, message: String) throws {
        let text = """
            openapi: 3.0.0
            paths:
              /x:
                get:
                  responses:
                    default:
                      content:
                        application/json:
                          schema:
                            \(keyword): \(value)
            """
        let contract = try OpenAPIContract(ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node))
        #expect(contract.problems(limit: 9).map { "\($0.location.line): \($0.message)" } == ["10: \(keyword) is not compared: \(message)"])
        let request = Request(url: try HTTPURL(parsing: "http://localhost/x"))
        for body in ["1", "\"a\"", "{\"a\": 1}", "[1]", "null"] {
            let answer = response(200, body)
            let check = ContractCheck(contract, request, sent: [], answer) { Result { () throws(BodyProblem) in try answer.value(as: .json) } }
            #expect(check.checks.compactMap(\.failure) == [], "\(body)")
        }
    }

    @Test(arguments: SubschemaKeyword.allCases)
    func `a reference in each keyword that has schemas is followed`(keyword: SubschemaKeyword) throws {
        let reference = "{$ref: '#/nothing'}"
        let value =
            switch keyword.content {
            case .schema: reference
            case .list: "[\(reference)]"
            case .map: "{a: \(reference)}"
            }
        let paths = "paths: {/x: {get: {responses: {'200': {content: {application/json: {schema: {\(keyword.rawValue): \(value)}}}}}}}}"
        let text = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n\(paths)\n"
        let contract = try OpenAPIContract(ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node))
        #expect(contract.problems(limit: 9).map(\.message) == ["the reference #/nothing cannot be followed: api.yaml has nothing at #/nothing"])
    }

    @Test func `references that lead to nothing or to themselves are named with their places`() throws {
        let text = """
            openapi: 3.1.0
            paths:
              /x: {get: {parameters: [{$ref: '#/components/parameters/p'}], responses: {"200": {$ref: none.yaml}}}}
            components:
              parameters: {p: {$ref: '#/components/parameters/p'}}
              schemas: {Tree: {properties: {next: {$ref: '#/components/schemas/Tree'}}}}
            """
        let contract = try OpenAPIContract(ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node))
        let found = contract.problems(limit: 10).map { "\($0.location.line): \($0.message)" }
        #expect(found.count == 2 && found.filter { $0.contains("leads to itself") }.map { $0.prefix(1) } == ["3"], "\(found)")
    }

    @Test(arguments: [
        "a: 1\n", "openapi: 4.0.0\npaths: {}\n", "openapi: 3.0.0\npaths: {}\n", "openapi: 3.0.0\npaths: [1]\n", "openapi: [\n",
    ])
    func `a document without operations is an error with its place`(text: String) {
        #expect(throws: Diagnostic.self) { try OpenAPIContract(ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node)) }
    }
}
