import SortieBase
import SortieDemoServer
import Support
import Testing

@testable import SortieApp

/// Tests what `sortie mock` of a workspace serves from the descriptions of its services.
struct MockDescriptionTests {
    @Test func `a workspace serves its examples, and what a description has for other operations`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("workspace.yaml", "name: W\n")
        _ = try folder.write("api/service.yaml", "servers: {dev: [\"http://127.0.0.1:1/v1\"]}\ncontract: {openapi: api.yaml}\n")
        _ = try folder.write("api/own.yaml", "path: /own\nexamples: {mine: {response: {status: 201, body: {text: mine}}}}\n")
        _ = try folder.write("api/plain.yaml", "path: /plain/{{id}}\n")
        _ = try folder.write("api/expected.yaml", "path: /expected\nexpect: {status: 202}\n")
        let content = "content: {application/json: {schema: {type: object, properties: {n: {type: integer}}}}}"
        let paths = ["/own", "/plain/{key}", "/expected", "/other"].map { path in
            "  \(path): {get: {responses: {\"200\": {description: ok, \(content)}, \"404\": {description: none, \(content)}}}}\n"
        }
        _ = try folder.write("api/api.yaml", "openapi: 3.1.0\ninfo: {title: T, version: \"1\"}\npaths:\n\(paths.joined())")
        let calls = MockCalls()
        let program = ProgramContext.withoutStreams()
        let source = MockSource(path: folder.path, environment: nil, usesHistory: false, isStrict: true, keepsState: false, seed: nil)
        let responder = try source.responder(calls, MockOrigins(permitsOthers: true, more: []), in: program)
        func send(_ path: String, prefer: String? = nil) -> String {
            let request = LocalRequest(method: "GET", path: path, header: { $0 == "Prefer" ? prefer : nil })
            let choice = responder.choice(request, body: [], in: program)
            return "\(choice.reply.status) \(String(decoding: choice.reply.body, as: UTF8.self).filter { !" \n".contains($0) }) \(choice.source)"
        }
        #expect(send("/v1/own") == "201 mine example mine")
        #expect(send("/v1/plain/7") == #"200 {"n":1} example 200"#)
        #expect(send("/v1/plain/7", prefer: "code=404") == #"404 {"n":1} example 404"#)
        #expect(send("/v1/expected") == "202 {} expect")
        #expect(send("/v1/other") == #"200 {"n":1} example 200"#)
        #expect(send("/v1/none").hasPrefix(#"404 {"error":"noendpointoftheworkspacehasthepath/v1/none""#))
        let expected = calls.expected(by: responder.routes.routes).map(\.text)
        #expect(expected == ["came api/expected 1 of 1", "came api/own 1 of 1", "came api/plain 2 of 1"], "\(expected)")
        let file = try MockSource(
            path: folder.path("api/api.yaml"), environment: nil, usesHistory: false, isStrict: false, keepsState: false, seed: nil
        ).responder(calls, MockOrigins(permitsOthers: true, more: []), in: program)
        let missing = file.choice(LocalRequest(method: "GET", path: "/none", header: { _ in nil }), body: [], in: program)
        #expect(String(decoding: missing.reply.body, as: UTF8.self).contains("api.yaml has no operation with the path /none"))
    }

    @Test func `a description outside of the workspace is not read without permission, and one inside with the files of the workspace`() throws {
        let folder = try TemporaryFolder()
        let head = "openapi: 3.1.0\ninfo: {title: T, version: \"1\"}\n"
        _ = try folder.write("outside.yaml", head + "paths: {/secret: {get: {responses: {\"200\": {description: ok}}}}}\n")
        _ = try folder.write("w/workspace.yaml", "name: W\n")
        _ = try folder.write("w/one/service.yaml", "servers: {dev: [\"http://127.0.0.1:1\"]}\ncontract: {openapi: ../../outside.yaml}\n")
        _ = try folder.write("w/two/service.yaml", "servers: {dev: [\"http://127.0.0.1:1\"]}\ncontract: {openapi: api.yaml}\n")
        let content = "content: {application/json: {schema: {$ref: ../models.yaml#/N}}}"
        _ = try folder.write("w/two/api.yaml", head + "paths: {/n: {get: {responses: {\"200\": {description: ok, \(content)}}}}}\n")
        _ = try folder.write("w/models.yaml", "N: {type: integer, example: 7}\n")
        let program = ProgramContext.withoutStreams()
        let source = MockSource(path: folder.path("w"), environment: nil, usesHistory: false, isStrict: false, keepsState: false, seed: nil)
        let responder = try source.responder(MockCalls(), MockOrigins(permitsOthers: true, more: []), in: program)
        func status(_ path: String) -> String {
            let reply = responder.choice(LocalRequest(method: "GET", path: path, header: { _ in nil }), body: [], in: program).reply
            return "\(reply.status) \(String(decoding: reply.body, as: UTF8.self))"
        }
        #expect(status("/secret").hasPrefix("404"))
        #expect(status("/n") == "200 7")
        let file = try MockSource(
            path: folder.path("w/two/api.yaml"), environment: nil, usesHistory: false, isStrict: false, keepsState: false, seed: nil
        ).responder(MockCalls(), MockOrigins(permitsOthers: true, more: []), in: program)
        let reply = file.choice(LocalRequest(method: "GET", path: "/n", header: { _ in nil }), body: [], in: program).reply
        #expect(String(decoding: reply.body, as: UTF8.self) == "7")
    }
}
