import SortieBase
import SortieHTTP
import SortieStorage
import Testing

@testable import Interchange

/// Compares forms of several parts, values with a discriminator, and credentials with descriptions.
struct ContractRequestTests {
    private static let document = """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          /photos:
            post:
              requestBody:
                content:
                  multipart/form-data:
                    schema:
                      type: object
                      required: [file, size]
                      properties:
                        file: {type: string, format: binary, minLength: 5}
                        size: {type: integer, maximum: 10}
                        meta: {type: object, required: [name], properties: {name: {type: string}}}
              responses: {"200": {description: ok}}
          /pets:
            get:
              responses: {"200": {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}}}}}
          /named:
            get:
              responses:
                "200": {description: ok, content: {application/json: {schema: {allOf: [{$ref: "#/components/schemas/Mapped"}]}}}}
          /mine:
            get:
              security: [{key: [], bearer: []}, {cookie: []}]
              responses: {"200": {description: ok}}
          /open:
            get:
              security: [{}, {bearer: []}]
              responses: {"200": {description: ok}}
        components:
          securitySchemes:
            key: {type: apiKey, in: query, name: api_key}
            bearer: {type: http, scheme: bearer}
            cookie: {type: apiKey, in: cookie, name: sid}
          schemas:
            Pet:
              type: object
              required: [kind]
              properties: {kind: {type: string}, friend: {$ref: "#/components/schemas/Pet"}}
              discriminator: {propertyName: kind}
            Dog: {allOf: [{$ref: "#/components/schemas/Pet"}, {type: object, required: [bark], properties: {bark: {type: boolean}}}]}
            Puppy: {allOf: [{$ref: "#/components/schemas/Dog"}, {type: object, properties: {age: {type: integer}}}]}
            Mapped:
              type: object
              properties: {kind: {type: string}}
              discriminator: {propertyName: kind, mapping: {one: "#/components/schemas/First"}}
            First: {allOf: [{$ref: "#/components/schemas/Mapped"}], properties: {count: {type: integer}}}
        """

    private func failures(_ method: HTTPMethod, _ path: String, _ headers: Headers, body: RequestBody = .none, response text: String? = nil) throws
        -> [String]
    {
        let contract = try OpenAPIContract(ImportSource(name: "api.yaml", bytes: Array(Self.document.utf8), yaml: YAMLSource.node))
        let request = Request(method: method, url: try HTTPURL(parsing: "http://localhost:1\(path)"), headers: headers, body: body)
        let response = text.map { Response(status: 200, headers: ["Content-Type": "application/json"], body: BodyBytes(Array($0.utf8))) }
        let check = ContractCheck(contract, request, sent: headers, response) {
            Result { () throws(BodyProblem) in try response?.value(as: .json) ?? .null }
        }
        return check.checks.compactMap { $0.failure.map { "\($0)" } }
    }

    @Test(
        arguments: [
            ([("size", "3", nil), ("file", "x", "a.png"), ("meta", #"{"name": "n"}"#, nil)], nil),
            ([("size", "30", nil), ("file", "x", "a.png")], "$.size"), ([("size", "3", nil)], "file"),
            ([("size", "3", nil), ("file", "x", "a.png"), ("meta", "{}", nil)], "name"),
        ] as [([(String, String, String?)], String?)])
    func `the parts of a form are compared, and the content of files is not`(_ parts: [(String, String, String?)], _ expected: String?) throws {
        let text = parts.map { name, value, file in
            "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\(file.map { "; filename=\"\($0)\"" } ?? "")\r\n\r\n\(value)\r\n"
        }
        let list = parts.map { RequestBody.Part(name: $0, content: .bytes(Array($1.utf8)), fileName: $2) }
        let bodies: [(RequestBody, Headers)] = [
            (.multipart(list), ["Host": "h"]),
            (.bytes(Array((text.joined() + "--b--\r\n").utf8), contentType: nil), ["Content-Type": "multipart/form-data; boundary=b"]),
        ]
        for (body, headers) in bodies {
            let failures = try failures(.post, "/photos", headers, body: body)
            #expect(failures.count == (expected == nil ? 0 : 1) && failures.allSatisfy { $0.contains(expected ?? "") }, "\(failures)")
        }
    }

    @Test(
        arguments: [
            ("/pets", #"[{"kind": "Dog", "bark": true}, {"kind": "cat"}, {"kind": "Pet"}]"#, nil), ("/pets", #"[{"kind": "Dog"}]"#, "bark"),
            ("/pets", #"[{"kind": "Puppy", "bark": true, "age": "x"}]"#, "age"), ("/pets", #"[{"kind": "x", "friend": {"kind": "Dog"}}]"#, "bark"),
            ("/pets", #"[{"kind": "Dog", "bark": true, "friend": {"kind": "Dog"}}]"#, "bark"),
            ("/named", #"{"kind": "one", "count": 1}"#, nil), ("/named", #"{"kind": "one", "count": "x"}"#, "count"),
            ("/named", #"{"kind": "two"}"#, "enum"), ("/named", #"{"kind": "Mapped"}"#, nil),
        ] as [(String, String, String?)])
    func `a discriminator without alternatives chooses among the schemas that include it`(_ path: String, _ body: String, _ expected: String?) throws
    {
        let failures = try failures(.get, path, ["Host": "h"], response: body)
        #expect(failures.isEmpty == (expected == nil) && failures.allSatisfy { $0.contains(expected ?? "") }, "\(failures)")
    }

    @Test(
        arguments: [
            ("/mine", ["Host": "h"], false), ("/mine?api_key=1", ["Authorization": "Bearer x"], true),
            ("/mine", ["Authorization": "Bearer x"], false),
            ("/mine", ["Cookie": "a=b; sid=1"], true), ("/open", ["Host": "h"], true), ("/mine", [:], true),
        ] as [(String, Headers, Bool)])
    func `a request without the credentials that the description requires is not as described`(_ path: String, _ sent: Headers, _ isValid: Bool)
        throws
    {
        let failures = try failures(.get, path, sent)
        #expect(failures.isEmpty == isValid && failures.allSatisfy { $0.hasPrefix("credentials") }, "\(failures)")
    }
}
