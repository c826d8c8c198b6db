import SortieBase
import SortieHTTP
import SortieStorage
import Testing

@testable import Interchange

/// Compares the notations of parameters and forms, and keywords of schemas, with what Python's jsonschema and openapi-schema-validator say.
struct ContractNotationTests {
    /// The failures of a request to an operation.
    private func failures(
        _ operation: String, path: String, url: String, headers: Headers = Headers(), form: String? = nil, schemas: String = "{}"
    ) throws -> [String] {
        let text = """
            openapi: 3.1.0
            info: {title: T, version: "1"}
            servers: [{url: "https://{zone}.example/{base}", variables: {zone: {default: eu}, base: {default: api/v2}}}]
            paths: {"\(path)": {post: {\(operation), responses: {default: {description: any}}}}}
            components: {schemas: \(schemas)}
            """
        let contract = try OpenAPIContract(ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node))
        let body = form.map { RequestBody.text($0, contentType: $0.hasPrefix("{") ? "application/json" : "application/x-www-form-urlencoded") }
        let request = Request(method: .post, url: try HTTPURL(parsing: "http://localhost\(url)"), headers: headers, body: body ?? .none)
        return ContractCheck(contract, request, sent: headers, nil) { .success(.null) }.checks.compactMap { $0.failure.map { "\($0.subject)" } }
    }

    private static let object = "{type: object, properties: {r: {type: integer}, g: {type: string}}, additionalProperties: false}"
    private static let integers = "{type: array, items: {type: integer}}"

    @Test(arguments: [
        ("in: path, style: matrix, explode: true, schema: \(integers)", ";v=1;v=2", ";v=1;v=x", "path v $[1]"),
        ("in: path, style: matrix, explode: true, schema: \(object)", ";r=1;g=a", ";r=x;g=a", "path v $.r"),
        ("in: path, style: matrix, schema: \(object)", ";v=r,1", ";v=r,x", "path v $.r"),
        ("in: path, style: label, explode: true, schema: \(integers)", ".1.2", ".1.x", "path v $[1]"),
        ("in: header, schema: \(integers)", "1, 2", "1, x", "request header v $[1]"),
        ("in: query, style: spaceDelimited, explode: false, schema: \(integers)", "1+2", "1+x", "query v $[0]"),
        ("in: query, allowEmptyValue: true, schema: {type: integer}", "", "x", "query v"),
        ("in: query, schema: {type: string, pattern: '^a b$'}", "a+b", "a%2Bb", "query v"),
        ("in: query, schema: {type: [integer, 'null']}", "5", "x", "query v"),
    ])
    func `parameters are read by their style`(parameter: String, valid: String, invalid: String, subject: String) throws {
        func check(_ value: String) throws -> [String] {
            let isPath = parameter.hasPrefix("in: path")
            let query = parameter.hasPrefix("in: query") ? "?v=\(value)" : ""
            return try failures(
                "parameters: [{name: v, required: true, \(parameter)}]", path: isPath ? "/x/{v}" : "/x",
                url: "/api/v2/x\(isPath ? "/\(value)" : "")\(query)", headers: parameter.hasPrefix("in: header") ? ["v": value] : Headers())
        }
        #expect(try check(valid) == [])
        #expect(try check(invalid) == [subject])
    }

    @Test(arguments: [
        ("{v}.{w}", "a.b.12", ["path w"]), ("{v}.{w}", "a.b.pdf", []), ("x{v}-{w}(y)", "x1-pdf(y)", []), ("x{v}-{w}(y)", "x1-2(y)", ["path w"]),
        ("{v}{w}", "12", []),
    ])
    func `several parameters in one segment are compared`(_ form: String, _ text: String, _ subjects: [String]) throws {
        let parameters =
            "{name: v, in: path, required: true, schema: {type: string}}, {name: w, in: path, required: true, schema: {type: string, enum: [pdf]}}"
        #expect(try failures("parameters: [\(parameters)]", path: "/x/\(form)", url: "/api/v2/x/\(text)") == subjects)
    }

    @Test func `fields of forms are read by their schemas and styles`() throws {
        let operation = """
            requestBody: {content: {application/x-www-form-urlencoded: {schema: {properties: {n: {type: [integer, 'null']}, all: \(Self.integers), \
            list: \(Self.integers), deep: \(Self.object), json: \(Self.object)}}, encoding: {list: {explode: false}, deep: {style: deepObject}}}}}
            """
        func check(_ form: String) throws -> [String] { try failures(operation, path: "/x", url: "/x", form: form) }
        #expect(try check("n=5&all=1&list=1,2&deep[r]=1&deep[g]=a&json=%7B%22r%22%3A1%7D") == [])
        #expect(
            try check("n=a&all=x&list=1,x&deep[r]=x&json=%7B%22r%22%3A%22%22%7D") == [
                "request body $.n", "request body $.all[0]", "request body $.list[1]", "request body $.deep.r", "request body $.json.r",
            ])
    }

    @Test(arguments: [
        ("{$ref: '#/components/schemas/Middle'}", ["{\"id\": 1, \"x\": 1}"], ["{\"id\": 1}", "{\"x\": 1}"]),
        ("{dependentRequired: {a: [b]}}", ["{\"a\": 1, \"b\": 1}", "{}"], ["{\"a\": 1}"]),
        ("{$ref: '#tree'}", ["{\"kids\": [{\"kids\": []}]}"], ["{\"kids\": [3]}", "{\"kids\": [{\"kids\": 3}]}"]),
        (
            "{allOf: [{$ref: '#/components/schemas/Base'}], properties: {n: {type: string}}, unevaluatedProperties: false}",
            ["{\"id\": 1, \"n\": \"a\"}"], ["{\"id\": 1, \"q\": 1}"]
        ),
        (
            "{anyOf: [{properties: {a: true}}, {patternProperties: {'^b': true}}], unevaluatedProperties: {type: integer}}",
            ["{\"a\": \"\", \"bb\": \"\", \"c\": 1}"], ["{\"c\": \"\"}"]
        ),
        ("{allOf: [{additionalProperties: true}], unevaluatedProperties: false}", ["{\"a\": 1}"], []),
        (
            "{anyOf: [{required: [a], properties: {a: true}}, {required: [b], properties: {b: true}}], unevaluatedProperties: false}",
            ["{\"a\": 1}", "{\"a\": 1, \"b\": 1}"], ["{\"a\": 1, \"c\": 1}"]
        ),
        ("{allOf: [{$ref: '#/nothing'}], unevaluatedProperties: false}", ["{\"a\": 1}"], []),
        ("{patternProperties: {'(?=a)': true}, additionalProperties: false}", ["{\"a\": 1}"], []),
        ("{$ref: '#/components/schemas/Pets'}", ["{\"items\": [{\"id\": 1}]}"], ["{\"items\": [{\"id\": \"1\"}]}", "{\"items\": [{}]}"]),
        ("{$ref: 'https://x.example/page'}", ["{}", "{\"items\": []}"], ["{\"items\": [{\"id\": 1}]}"]),
        (
            "{properties: {l: {prefixItems: [{type: integer}], unevaluatedItems: false}}}", ["{\"l\": [1]}", "{}"], ["{\"l\": [1, 2]}"]
        ),
    ])
    func `keywords of JSON Schema are compared`(schema: String, valid: [String], invalid: [String]) throws {
        let schemas = """
            {Base: {required: [id], properties: {id: {type: integer}}}, Middle: {$ref: '#/components/schemas/Base', required: [x]}, \
            Page: {$id: 'https://x.example/page', properties: {items: {items: {$dynamicRef: '#item'}}}, \
            $defs: {any: {$dynamicAnchor: item, not: {}}}}, \
            Pets: {$id: 'https://x.example/pets', $ref: page, $defs: {pet: {$dynamicAnchor: item, $ref: '#/components/schemas/Base'}}}, \
            Tree: {$anchor: tree, $dynamicAnchor: node, type: object, properties: {kids: {type: array, items: {$dynamicRef: '#node'}}}}}
            """
        for body in valid + invalid {
            let operation = "requestBody: {content: {application/json: {schema: \(schema)}}}"
            let found = try failures(operation, path: "/x", url: "/x", form: body, schemas: schemas)
            #expect(found.isEmpty == valid.contains(body), "\(body): \(found)")
        }
    }

    @Test func `fields of a form of Swagger 2_0 are compared`() throws {
        let text = """
            {"swagger": "2.0", "info": {"title": "T", "version": "1"}, "consumes": ["application/json"], "paths": {"/x": {"post": {
             "parameters": [{"name": "n", "in": "formData", "type": "integer", "required": true}, {"name": "f", "in": "formData", "type": "string"}],
             "responses": {"200": {"description": "ok"}}}}}}
            """
        let contract = try OpenAPIContract(ImportSource(name: "api.json", bytes: Array(text.utf8)))
        func check(_ form: String) throws -> [String] {
            let body = RequestBody.text(form, contentType: "application/x-www-form-urlencoded")
            let request = Request(method: .post, url: try HTTPURL(parsing: "http://localhost/x"), body: body)
            return ContractCheck(contract, request, sent: Headers(), nil) { .success(.null) }.checks.compactMap { $0.failure.map { "\($0)" } }
        }
        #expect(try check("n=5&f=a") == [])
        #expect(try check("n=a").first?.hasPrefix("form n: expected type: integer") == true)
        #expect(try check("f=a").first?.hasPrefix("form n: expected a value") == true)
    }
}
