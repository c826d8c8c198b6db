import SortieBase
import SortieHTTP
import SortieStorage
import Testing
import WorkspaceModel

@testable import Interchange

/// Compares the requests of imported operations with what OpenAPI says about them (OpenAPI 3.1.1, §4.8.12 and appendix C; Swagger 2.0).
struct OpenAPIWireTests {
    /// An operation `GET /x` or `GET /x/{p}` with one parameter, and the request that it describes.
    struct Case: CustomTestStringConvertible {
        var parameter: String
        /// The target after the base path of the server.
        var target = "/x"
        var fields: [String] = []
        var isSwagger = false
        /// A part of the line that the report must have; nil for a request about which there is nothing to say.
        var line: String?

        var testDescription: String { parameter }
    }

    private static func path(_ members: String, _ sent: String) -> Case {
        Case(parameter: "{name: p, in: path, required: true, \(members)}", target: "/x/\(sent)")
    }

    private static func query(_ members: String, _ sent: String, line: String? = nil) -> Case {
        Case(parameter: "{name: q, in: query, required: true, \(members)}", target: "/x?\(sent)", line: line)
    }

    private static func swagger(_ members: String, _ target: String) -> Case {
        Case(parameter: "{required: true, \(members)}", target: target, isSwagger: true)
    }

    static let paths = [
        path("example: a b/c", "a%20b%2Fc"), path("example: [a b, c/d]", "a%20b,c%2Fd"), path("explode: true, example: [a, b]", "a,b"),
        path("example: {R: 100, G: 200}", "R,100,G,200"), path("explode: true, example: {R: 100, G: 200}", "R=100,G=200"),
        path("style: label, example: 5", ".5"), path("style: label, example: [a, b]", ".a,b"),
        path("style: label, explode: true, example: [a, b]", ".a.b"), path("style: label, example: {R: 100, G: 200}", ".R,100,G,200"),
        path("style: label, explode: true, example: {R: 100, G: 200}", ".R=100.G=200"), path("style: matrix, example: a b", ";p=a%20b"),
        path("style: matrix, example: [a, b]", ";p=a,b"), path("style: matrix, explode: true, example: [a, b]", ";p=a;p=b"),
        path("style: matrix, example: {R: 100, G: 200}", ";p=R,100,G,200"),
        path("style: matrix, explode: true, example: {R: 100, G: 200}", ";R=100;G=200"),
    ]

    static let queries = [
        query("example: [a, b]", "q=a&q=b"), query("explode: false, example: [a, 'b,c']", "q=a,b%2Cc"), query("example: []", "q="),
        query("explode: false, example: {R: 100, G: 200}", "q=R,100,G,200"),
        query("example: {R: 100, G: 200}", "R=100&G=200", line: "each property of its object is a parameter"),
        query("style: spaceDelimited, explode: false, example: [a, b]", "q=a%20b"),
        query("style: pipeDelimited, explode: false, example: [a, b]", "q=a%7Cb"),
        query("style: deepObject, example: {a: 1, b: x y}", "q%5Ba%5D=1&q%5Bb%5D=x%20y"),
        query("style: deepObject, example: {a: [1, 2]}", "q%5Ba%5D%5B%5D=1&q%5Ba%5D%5B%5D=2", line: "does not say how"),
        query("example: [{a: 1}]", "q=%7B%22a%22%3A1%7D", line: "does not say how"),
        query("example: 'a/b:c'", "q=a%2Fb%3Ac"), query("allowReserved: true, example: 'a/b:c?d=[e]'", "q=a/b:c?d=[e]"),
        query("allowReserved: true, example: 'a&b/c'", "q=a%26b/c", line: "are percent-encoded"),
        query("content: {application/json: {example: {a: [1]}}}", "q=%7B%22a%22%3A%5B1%5D%7D"),
        query("examples: {one: {$ref: '#/components/examples/E'}}", "q=shared"),
        query("examples: {one: {externalValue: 'https://h/e'}}, schema: {default: d}", "q=d", line: "is not fetched"),
        query("schema: {const: c}", "q=c"), query("schema: {type: integer, examples: [7, 8]}", "q=7"),
        query("schema: {allOf: [{$ref: '#/components/schemas/ID'}]}", "q=from-schema"), query("schema: {type: string, example: 1.0}", "q=1.0"),
    ]

    static let fields = [
        Case(parameter: "{name: X-A, in: header, required: true, example: [a, b]}", fields: ["X-A: a,b"]),
        Case(parameter: "{name: X-A, in: header, required: true, example: {R: 100, G: 200}}", fields: ["X-A: R,100,G,200"]),
        Case(parameter: "{name: X-A, in: header, required: true, explode: true, example: {R: 100, G: 200}}", fields: ["X-A: R=100,G=200"]),
        Case(parameter: "{name: c, in: cookie, required: true, example: 'a;b=c'}", fields: ["Cookie: c=a%3Bb=c"]),
        Case(parameter: "{name: c, in: cookie, required: true, explode: false, example: [a, b]}", fields: ["Cookie: c=a,b"]),
    ]

    static let swagger = [
        swagger("name: q, in: query, type: array, default: [a, b]", "/x?q=a,b"),
        swagger("name: q, in: query, type: array, collectionFormat: ssv, default: [a, b]", "/x?q=a%20b"),
        swagger("name: q, in: query, type: array, collectionFormat: tsv, default: [a, b]", "/x?q=a%09b"),
        swagger("name: q, in: query, type: array, collectionFormat: pipes, default: [a, b]", "/x?q=a%7Cb"),
        swagger("name: q, in: query, type: array, collectionFormat: multi, default: [a, b]", "/x?q=a&q=b"),
        swagger(
            "name: q, in: query, type: array, items: {type: array, collectionFormat: pipes, items: {type: integer}}, default: [[1, 2], [3]]",
            "/x?q=1%7C2,3"),
        swagger("name: p, in: path, type: array, default: [a, b]", "/x/a,b"), swagger("name: p, in: path, type: string, enum: [a/b]", "/x/a%2Fb"),
    ]

    private static func imported(_ text: String) throws -> (request: Request, reasons: [String]) {
        let source = ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node)
        let placed = PlacedImport(
            try OpenAPIImport.workspace(from: source), into: nil, folder: "/ws", sourceFolder: "/src", known: [:], taken: [])
        let endpoint = try #require(placed.workspace.endpoints.first)
        let builder = RequestBuilder(workspace: placed.workspace, environment: placed.workspace.environments.first?.name)
        let secrets = Set(placed.workspace.secrets.keys)
        let scope = builder.scope(of: endpoint) { name in
            secrets.contains(name) ? "secret" : nil
        } builtin: { _, _ in
            nil
        }
        let reasons = placed.report.entries.filter { $0.outcome != .imported }.map(\.reason.programText)
        return (try builder.request(for: endpoint, in: scope), reasons)
    }

    @Test(arguments: paths + queries + fields + swagger)
    func `a parameter is sent as its style says, or a line says what differs`(_ row: Case) throws {
        let path = row.parameter.contains("in: path") ? "/x/{p}" : "/x"
        let head =
            row.isSwagger
            ? "swagger: '2.0'\nhost: h\nbasePath: /v1\nschemes: [https]\n"
            : "openapi: 3.1.0\nservers: [{url: 'https://h/v1'}]\n"
                + "components: {examples: {E: {value: shared}}, schemas: {ID: {type: string, examples: [from-schema]}}}\n"
        let text = head + "info: {title: T, version: '1'}\npaths:\n  \(path):\n    get:\n      parameters:\n        - \(row.parameter)\n"
        let (request, reasons) = try Self.imported(text)
        #expect(request.url.description == "https://h/v1" + row.target, "\(reasons)")
        #expect(request.headers.fields.map { "\($0.name): \($0.value)" } == row.fields)
        if let line = row.line {
            #expect(reasons.contains { $0.contains(line) }, "\(reasons)")
        } else {
            #expect(reasons.isEmpty)
        }
    }

    /// Bodies: the description of `requestBody`, and the type and the text that are sent.
    static let bodies: [(String, String, String)] = [
        ("{content: {application/json: {schema: {type: string, const: c}}}}", "application/json", "\"c\""),
        ("{content: {'application/json; charset=utf-8': {example: [1]}}}", "application/json; charset=utf-8", "[\n  1\n]"),
        ("{content: {application/vnd.x+json: {example: [1]}}}", "application/vnd.x+json", "[\n  1\n]"),
        ("{content: {text/plain: {example: 'a{{b'}}}", "text/plain", "a{{b"),
        ("{content: {application/json: {schema: {properties: {v: {type: string, example: 1.0}}}}}}", "application/json", "{\n  \"v\": \"1.0\"\n}"),
        ("{content: {application/x-www-form-urlencoded: {example: {a: [x, y], b: 'c&d'}}}}", "application/x-www-form-urlencoded", "a=x&a=y&b=c%26d"),
        (
            "{content: {application/x-www-form-urlencoded: {example: {a: [x, y]}, encoding: {a: {style: form, explode: false}}}}}",
            "application/x-www-form-urlencoded", "a=x%2Cy"
        ),
        (
            "{content: {'application/x-www-form-urlencoded;charset=UTF-8': {example: {a: b}}}}",
            "application/x-www-form-urlencoded;charset=UTF-8", "a=b"
        ),
    ]

    @Test(arguments: bodies)
    func `a body is the example in the described type`(_ body: String, _ type: String, _ text: String) throws {
        let head = "openapi: 3.1.0\nservers: [{url: 'https://h'}]\ninfo: {title: T, version: '1'}\n"
        let (request, reasons) = try Self.imported(head + "paths: {/x: {post: {requestBody: \(body)}}}\n")
        #expect(request.headers["Content-Type"] ?? request.body.contentType == type)
        guard case .bytes(let bytes, _) = request.body else {
            Issue.record("\(request.body)")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self) == text)
        #expect(reasons.isEmpty)
    }

    @Test(arguments: [
        ("/x#part: {get: {}}", "#part of the path is a fragment"),
        ("/x: {get: {security: [{basic: [], bearer: []}]}}", "basic and bearer are sent in one field"),
        (
            "/x: {post: {requestBody: {content: {multipart/form-data: {schema: {properties: {a: {type: string}}}, encoding: {a: {headers: {X-A: {}}}}}}}}}",
            "its header fields X-A are not imported"
        ),
    ])
    func `what a request cannot have is a line`(_ path: String, _ line: String) throws {
        let schemes = "{basic: {type: http, scheme: basic}, bearer: {type: http, scheme: bearer}}"
        let (_, reasons) = try Self.imported(
            """
            openapi: 3.1.0
            info: {title: T, version: '1'}
            servers: [{url: 'https://h'}]
            components: {securitySchemes: \(schemes)}
            paths:
              \(path)
            """)
        #expect(reasons.contains { $0.contains(line) }, "\(reasons)")
    }
}
