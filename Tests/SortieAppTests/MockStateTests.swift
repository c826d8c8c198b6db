import SortieBase
import SortieDemoServer
import Support
import Testing

@testable import SortieApp

/// Tests the resources of `sortie mock --state`.
struct MockStateTests {
    private static let document = """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          /shops/{shop}/pets:
            parameters: [{name: shop, in: path, required: true, schema: {type: string}}]
            get:
              responses:
                "200": {description: pets, content: {application/json: {example: {pets: [{id: 1, name: Rex, secret: x}], total: 1}}}}
            post:
              requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}
              responses: {"201": {description: made, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}
          /shops/{shop}/pets/{petId}:
            parameters:
              - {name: shop, in: path, required: true, schema: {type: string}}
              - {name: petId, in: path, required: true, schema: {type: integer}}
            get:
              responses:
                "200": {description: a pet, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}
                "404": {description: none, content: {application/json: {example: {error: no pet}}}}
            put:
              requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}
              responses: {"200": {description: a pet, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}
            patch:
              requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}
              responses: {"204": {description: changed}}
            delete: {responses: {"204": {description: gone}}}
          /users:
            post: {responses: {"201": {description: x, content: {application/json: {example: {id: 7b1a6c0e-0b0a-4d58-9a53-2c7f3b8d1e20}}}}}}
          /users/{id}:
            get: {responses: {"200": {description: x, content: {application/json: {example: {id: x}}}}}}
        components:
          schemas:
            Pet:
              type: object
              required: [id, name]
              properties:
                id: {type: integer, readOnly: true}
                name: {type: string}
                tag: {type: string}
                secret: {type: string, writeOnly: true}
        """

    private let folder: TemporaryFolder
    private let responder: MockResponder
    private let program = ProgramContext.withoutStreams()

    init() throws {
        folder = try TemporaryFolder()
        _ = try folder.write("api.yaml", Self.document)
        let source = MockSource(
            path: folder.path("api.yaml"), environment: nil, usesHistory: false, isStrict: false, keepsState: true, seed: nil)
        responder = try source.responder(MockCalls(), MockOrigins(permitsOthers: true, more: []), in: program)
    }

    private func send(_ method: String, _ path: String, _ body: String = "", prefer: String? = nil, type: String? = nil) -> String {
        let request = LocalRequest(method: method, path: path, header: { ["Prefer": prefer, "Content-Type": type][$0] ?? nil })
        let reply = responder.choice(request, body: Array(body.utf8), in: program).reply
        let location = reply.headers.first { $0.0 == "Location" }.map { " \($0.1)" } ?? ""
        let text = String(decoding: reply.body, as: UTF8.self).filter { !" \n".contains($0) }
        return "\(reply.status)\(location)\(text.isEmpty ? "" : " " + text)"
    }

    @Test func `POST creates an item that is returned, listed, changed and deleted`() {
        let pets = "/shops/a/pets"
        #expect(
            send("GET", pets) == #"200 {"pets":[{"id":1,"name":"Rex"}],"total":1}"#, "the example is the beginning, without what only requests have")
        #expect(send("GET", "\(pets)/1") == #"200 {"id":1,"name":"Rex"}"#)
        // The identifier is that of the server, and what only requests have is not returned.
        let made = send("POST", pets, #"{"id": 99, "name": "Tom", "tag": "cat", "secret": "s"}"#)
        #expect(made.hasPrefix("201 \(pets)/") && made.contains(#""name":"Tom","tag":"cat""#) && !made.contains("secret"), "\(made)")
        let item = String(made.dropFirst(4).prefix { $0 != " " })
        #expect(item != "\(pets)/99" && item != "\(pets)/1")
        #expect(send("GET", item).hasSuffix(#""name":"Tom","tag":"cat"}"#))
        #expect(send("GET", pets).contains("Tom") && send("GET", pets).hasSuffix(#""total":2}"#))
        #expect(!send("GET", "/shops/b/pets").contains("Tom"), "another parent has other items")
        #expect(send("PATCH", item, #"{"tag": null, "name": "Tim"}"#) == "204")
        #expect(send("GET", item).hasSuffix(#""name":"Tim"}"#))
        #expect(send("PUT", item, #"{"name": "Zoe", "id": 5}"#).hasSuffix(#""name":"Zoe"}"#))
        #expect(send("DELETE", item) == "204")
        for method in ["GET", "DELETE"] { #expect(send(method, item).hasPrefix("404 ")) }
        #expect(send("PUT", item, "{}").hasPrefix("404 "))
        #expect(send("GET", item) == #"404 {"error":"nopet"}"#, "the example of the status")
        #expect(send("GET", item, prefer: "code=200").hasPrefix("200 "), "a preference is an example")
    }

    @Test func `a form is an object of its fields`() {
        let type = "application/x-www-form-urlencoded; charset=utf-8"
        #expect(send("POST", "/users", "id=8&a=x+y&a=%C3%A9", type: type) == #"201 /users/8 {"id":"8","a":["xy","é"]}"#)
        #expect(send("GET", "/users/8") == #"200 {"id":"8","a":["xy","é"]}"#)
        #expect(send("POST", "/users", "id=9").hasPrefix("201 {"), "another type is no resource")
        #expect(send("GET", "/users/9").hasPrefix("404 "))
    }

    @Test func `an identifier that is a number is found by its digits`() {
        #expect(send("POST", "/users", #"{"id": 1e1}"#) == #"201 /users/10 {"id":1e1}"#)
        #expect(send("GET", "/users/10") == #"200 {"id":1e1}"#)
    }

    @Test func `an identifier is unique and of the type of the example, and a reset begins again`() {
        let first = send("POST", "/users", "{}")
        #expect(first == #"201 /users/7b1a6c0e-0b0a-4d58-9a53-2c7f3b8d1e20 {"id":"7b1a6c0e-0b0a-4d58-9a53-2c7f3b8d1e20"}"#)
        let second = send("POST", "/users", "{}")
        #expect(second != first && second.wholeMatch(of: #/201 \/users\/([0-9a-f-]{36}) \{"id":"\1"\}/#) != nil, "\(second)")
        #expect(send("POST", "/users", #"{"id": "me"}"#).hasPrefix("201 /users/me "))
        #expect(send("POST", "/users", #"{"id": "me"}"#).hasPrefix("409 "))
        #expect(send("DELETE", MockState.path) == "204")
        #expect(send("GET", "/users/me").hasPrefix("404 "))
        #expect(send("POST", "/users", "{}") == first)
        #expect(send("POST", "/users", "{}") == second, "one seed gives one sequence")
    }
}
