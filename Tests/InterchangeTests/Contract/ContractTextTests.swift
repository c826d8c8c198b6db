import SortieBase
import SortieHTTP
import SortieStorage
import Testing

@testable import Interchange

/// Compares the texts of parameters, cookies, queries and bodies with the values that they can stand for.
struct ContractTextTests {
    /// The failures of an exchange with an operation, whose text is the members of `GET /a` or `POST /a`.
    private func failures(
        _ operation: String, version: String = "3.1.0", method: HTTPMethod = .get, path: String = "/a", headers: Headers = [],
        body: RequestBody = .none, response: (type: String?, text: String)? = nil
    ) throws -> [String] {
        let document = """
            openapi: \(version)
            info: {title: A, version: "1"}
            paths: {"/a": \(operation), "/b/{x}": \(operation)}
            """
        let contract = try OpenAPIContract(ImportSource(name: "api.yaml", bytes: Array(document.utf8), yaml: YAMLSource.node))
        let request = Request(method: method, url: try HTTPURL(parsing: "http://localhost:1\(path)"), headers: headers, body: body)
        let answer = response.map { response in
            Response(
                status: 200, headers: Headers(response.type.map { [HeaderField("Content-Type", $0)] } ?? []),
                body: BodyBytes(Array(response.text.utf8)))
        }
        let check = ContractCheck(contract, request, sent: headers, answer) {
            Result { () throws(BodyProblem) in try answer?.value(as: .json) ?? .null }
        }
        return check.checks.compactMap { $0.failure.map { "\($0)" } }
    }

    private func failures(ofQuery query: String, _ parameter: String) throws -> [String] {
        try failures(
            #"{get: {parameters: [{name: f, in: query, \#(parameter)}], responses: {"200": {description: ok}}}}"#, path: "/a?\(query)")
    }

    private static let list = "explode: false, schema: {type: array, maxItems: 2, items: {type: string}}"

    @Test func `an encoded comma belongs to an item, or is between items`() throws {
        #expect(try failures(ofQuery: "f=a%2Cb,c", Self.list) == [])
        #expect(try failures(ofQuery: "f=1%2c2", "explode: false, schema: {type: array, items: {type: integer}}") == [])
        #expect(try failures(ofQuery: "f=a,b,c", Self.list) != [])
        let operation = #"{get: {parameters: [{name: x, in: path, required: true, \#(Self.list)}], responses: {"200": {description: ok}}}}"#
        #expect(try failures(operation, path: "/b/a%2Cb,c") == [])
        #expect(try failures(operation, path: "/b/a,b,c") != [])
    }

    @Test(arguments: ["f=5&f=6", "f=5"])
    func `a parameter that is a list or null is compared as a list`(_ query: String) throws {
        let schema = "schema: {anyOf: [{type: array, maxItems: 2, items: {type: integer}}, {type: 'null'}]}"
        #expect(try failures(ofQuery: query, schema) == [])
        #expect(try failures(ofQuery: query + "&f=x", schema) != [])
        #expect(try failures(ofQuery: "f=5&f=6&f=7", schema) != [])
        #expect(try failures(ofQuery: query, "schema: {type: [array, 'null'], items: {type: integer}}") == [])
        #expect(try failures(ofQuery: query, "schema: {type: array, items: {anyOf: [{type: integer}, {type: 'null'}]}}") == [])
        #expect(try failures(ofQuery: query, "schema: {type: array, items: {enum: [5, 6]}}") == [])
    }

    @Test func `brackets of deepObject lead into objects and lists`() throws {
        func query(_ text: String, _ member: String) throws -> [String] {
            try failures(ofQuery: text, "style: deepObject, schema: {type: object, properties: {a: \(member)}}")
        }
        let object = "{type: object, properties: {b: {type: integer}}}"
        #expect(try query("f[a][b]=1", object) == [])
        #expect(try query("f%5Ba%5D%5Bb%5D=x", object).first?.contains("$.a.b") == true)
        let list = "{type: array, maxItems: 2, items: {type: integer}}"
        #expect(try query("f[a][]=1&f[a][]=2", list) == [])
        #expect(try query("f[a][0]=1&f[a][1]=2&f[a][2]=3", list) != [])
        let objects = "{type: array, items: \(object)}"
        #expect(try query("f[a][0][b]=1&f[a][1][b]=2", objects) == [])
        #expect(try query("f[a][0][b]=1&f[a][1][b]=x", objects) != [])
    }

    @Test func `the value of a cookie is read with and without percent-encoding`() throws {
        let operation =
            #"{get: {parameters: [{name: c, in: cookie, schema: {type: string, pattern: "^a b$"}}], responses: {"200": {description: ok}}}}"#
        #expect(try failures(operation, headers: ["Cookie": "c=a%20b"]) == [])
        #expect(try failures(operation, headers: ["Cookie": "c=a b"]) == [])
        #expect(try failures(operation, headers: ["Cookie": "c=a%21b"]) != [])
    }

    @Test func `the whole query is compared with the media type of a querystring`() throws {
        func query(_ text: String, _ type: String) throws -> [String] {
            let schema = "{type: object, required: [a], properties: {a: {type: integer}}}"
            let parameter = "{name: q, in: querystring, required: true, content: {\(type): {schema: \(schema)}}}"
            return try failures(#"{get: {parameters: [\#(parameter)], responses: {"200": {description: ok}}}}"#, version: "3.2.0", path: "/a\(text)")
        }
        for type in ["application/x-www-form-urlencoded", "application/json"] {
            let isForm = type.hasSuffix("urlencoded")
            #expect(try query(isForm ? "?a=1" : "?%7B%22a%22%3A1%7D", type) == [])
            #expect(try query(isForm ? "?a=x" : "?%7B%22a%22%3A%22x%22%7D", type).first?.contains("query string $.a") == true)
            #expect(try query("", type).first?.hasPrefix("query string") == true)
        }
    }

    @Test func `plain text is compared with the schema of a scalar`() throws {
        func text(_ text: String, _ schema: String) throws -> [String] {
            try failures(
                #"{get: {responses: {"200": {description: ok, content: {text/plain: {schema: \#(schema)}}}}}}"#,
                response: ("text/plain; charset=utf-8", text))
        }
        #expect(try text("pong", "{type: string, enum: [pong]}") == [])
        #expect(try text("pong\n", "{type: string, enum: [pong]}") == [])
        #expect(try text("ping", "{type: string, enum: [pong]}") != [])
        #expect(try text("5", "{type: integer, maximum: 5}") == [])
        #expect(try text("6", "{type: integer, maximum: 5}") != [])
        #expect(try text("a=1", "{type: object}") == [])
        let operation =
            #"{post: {requestBody: {content: {text/plain: {schema: {type: string, maxLength: 2}}}}, responses: {"200": {description: ok}}}}"#
        #expect(try failures(operation, method: .post, body: .bytes(Array("abc".utf8), contentType: "text/plain")) != [])
        #expect(try failures(operation, method: .post, body: .bytes(Array("ab".utf8), contentType: "text/plain")) == [])
    }

    @Test func `a response without a body is not as described where that is JSON`() throws {
        func response(_ responses: String, _ type: String?, method: HTTPMethod = .get) throws -> [String] {
            try failures("{get: {responses: \(responses)}}", method: method, response: (type, ""))
        }
        let json = "{application/json: {schema: {type: object}}}"
        let exact = #"{"200": {description: ok, content: \#(json)}}"#
        #expect(try response(exact, "application/json").first?.contains("nothing") == true)
        #expect(try response(exact, nil) != [])
        #expect(try response(exact, nil, method: .head) == [])
        #expect(try response("{default: {description: ok, content: \(json)}}", nil) == [])
        #expect(try response(#"{"200": {description: ok, content: {application/json: {schema: {type: object}}, text/html: {}}}}"#, nil) == [])
        #expect(try response(#"{"200": {description: ok}}"#, nil) == [])
    }

    @Test func `a field with another scheme has no credentials`() throws {
        func credentials(_ scheme: String, _ value: String) throws -> [String] {
            let document = """
                openapi: 3.0.3
                info: {title: A, version: "1"}
                paths: {"/a": {get: {security: [{key: []}], responses: {"200": {description: ok}}}}}
                components: {securitySchemes: {key: {type: http, scheme: \(scheme)}}}
                """
            let contract = try OpenAPIContract(ImportSource(name: "api.yaml", bytes: Array(document.utf8), yaml: YAMLSource.node))
            let headers: Headers = ["Authorization": value]
            let request = Request(method: .get, url: try HTTPURL(parsing: "http://localhost:1/a"), headers: headers)
            return ContractCheck(contract, request, sent: headers, nil) { .success(.null) }.checks.compactMap { $0.failure.map { "\($0)" } }
        }
        #expect(try credentials("bearer", "Bearer x") == [])
        #expect(try credentials("Basic", "basic eDp5") == [])
        #expect(try credentials("bearer", HeaderField.mask) == [])
        let failures = try credentials("bearer", "Basic eDp5")
        #expect(failures.first?.contains("http basic") == true && !"\(failures)".contains("eDp5"), "\(failures)")
        #expect(try credentials("basic", "Bearer x") != [])
        let raw = try credentials("bearer", "open-sesame")
        #expect(raw.count == 1 && !"\(raw)".contains("sesame"), "\(raw)")
    }

    @Test func `a required property that only responses have may be missing where another schema of allOf requires it`() throws {
        func body(_ members: String, _ schema: String) throws -> [String] {
            let operation = #"{post: {requestBody: {content: {application/json: {schema: \#(schema)}}}, responses: {"200": {description: ok}}}}"#
            return try failures(operation, method: .post, body: .bytes(Array(members.utf8), contentType: "application/json"))
        }
        let base = "{type: object, properties: {id: {type: integer, readOnly: true}, n: {type: string}}}"
        for schema in ["{allOf: [\(base), {required: [id, n]}]}", "{oneOf: [\(base)], required: [id, n]}"] {
            #expect(try body(#"{"n": "x"}"#, schema) == [])
            #expect(try body("{}", schema).contains { $0.contains("$.n") })
            #expect(try body(#"{"id": 1, "n": "x"}"#, schema) != [])
        }
        // The members of a member are others.
        let nested = "{allOf: [\(base), {properties: {kid: {type: object, required: [id]}}}]}"
        #expect(try body(#"{"kid": {}}"#, nested).contains { $0.contains("$.kid.id") })
    }
}
