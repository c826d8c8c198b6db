import SortieBase
import SortieStorage
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Imports descriptions with any text in any place, and reads back what was written.
struct OpenAPIPropertyTests {
    private static let pieces = [
        "{{x}}", "{{", "}}", ": #", "- ", "\"", "'", "\\", "\n", "\t", "\u{2028}", "\u{7}", "é", "😀", "null", "yes", "~", "%7B", "{a}", ":b", "/",
        "..", " ",
        "a", "B", "1", "[", "]", ",", "&", "=", "?", "@", "`", "|", ">", "*", "!",
    ]

    @Test(arguments: [UInt64(11), 12, 13, 14, 15, 16]) func `any text of a description is read back identically`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func text() -> JSONValue {
            .string((0..<Int.random(in: 1...6, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined())
        }
        func parameter(_ location: String) -> JSONValue {
            ["name": text(), "in": .string(location), "description": text(), "required": .bool(Bool.random(using: &random)), "example": text()]
        }
        let paths = (0..<12).map { number -> JSONValue.Member in
            let types = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain"]
            let body: JSONValue =
                number % 4 == 3 ? ["example": text()] : ["example": .object([.init("a", text()), .init("b", .array([text(), text()]))])]
            let header: JSONValue = ["name": "X-Any", "in": "header", "required": true, "example": text()]
            let operation: JSONValue = [
                "summary": text(), "description": text(), "tags": .array([text(), text()]), "operationId": .string("o\(number)"),
                "parameters": .array(["query", "query", "cookie", "path"].map(parameter) + [header]),
                "requestBody": ["content": .object([.init(types[number % 4], body)])],
            ]
            return .init("/\(number)/{id}", .object([.init("post", operation)]))
        }
        let description: JSONValue = [
            "openapi": "3.1.0", "info": ["title": text(), "version": text(), "description": text()],
            "servers": .array([["url": "https://a.example"], ["url": "https://b.example", "description": text()]]), "paths": .object(paths),
        ]
        let imported = try OpenAPIImport.workspace(from: ImportSource(name: "api.json", bytes: Array(description.text.utf8)))
        let folder = try TemporaryFolder()
        let identity = ImportIdentity(format: "openapi", name: "api.json")
        let target = try ImportTarget(path: folder.path("ws"), source: identity)
        let placed = PlacedImport(
            imported, into: target.workspace, folder: target.folder.path, sourceFolder: folder.path, known: target.known, taken: target.taken)
        let plan = try ImportPlan(adding: placed.addition, to: target, isForced: false, reportsMissing: true)
        try target.folder.perform(plan, isForced: true)
        let read = try target.folder.load()
        #expect(plan.omissions.isEmpty, "seed \(seed): \(plan.omissions)")
        let errors = read.problems.filter { $0.severity == .error }
        #expect(errors.isEmpty, "seed \(seed): \(errors)")
        #expect(read.endpoints.count == 12, "seed \(seed)")
        for endpoint in placed.workspace.endpoints {
            let back = try #require(read.endpoint(endpoint.target), "seed \(seed): \(endpoint.target)")
            #expect(back.name == endpoint.name && back.summary == endpoint.summary && back.tags == endpoint.tags, "seed \(seed)")
            #expect(back.query == endpoint.query && back.headers == endpoint.headers && back.body == endpoint.body, "seed \(seed)")
            #expect(back.variables == endpoint.variables && back.path == endpoint.path, "seed \(seed)")
        }
    }
}
