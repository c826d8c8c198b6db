import SortieBase
import SortieStorage
import Support
import Testing
import WorkspaceModel

@testable import Interchange

/// Imports generated collections with hostile texts in their places; no item disappears without a line.
struct ImportFuzzTests {
    enum Tool: CaseIterable, Sendable { case postman, insomnia, har, curl, http, bruno }

    private static let count = LongRun.isRequested ? 1000 : 100
    private static let pieces = [
        "{{x}}", "{{", "}}", "{%", "${", "$(", ": #", "- ", "\"", "'", "\\", "\n", "\r\n", "\r", "\t", "\u{85}", "\u{2028}", "\u{2029}", "\u{feff}",
        "\u{7}",
        "\u{7f}", "é", "😀", "null", "yes", "~", "%7B", "%", "{a}", ":b", "/", "..", " ", "a", "B", "1", "[", "]", ",", "&", "=", "?", "@", "|", ">",
        "*", "!",
    ]

    private var random: SeededGenerator

    init() { random = SeededGenerator(seed: 0) }

    /// A text without the pieces of `excluded`.
    private mutating func text(_ excluded: Set<String> = []) -> String {
        let allowed = Self.pieces.filter { !excluded.contains($0) }
        return (0..<Int.random(in: 0...6, using: &random)).map { _ in allowed.randomElement(using: &random) ?? "" }.joined()
    }

    /// JSON with any white space between its tokens, or, in every fourth case, any text.
    private mutating func bodyText() -> String {
        if Int.random(in: 0..<4, using: &random) == 0 { return text() }
        func space() -> String { ["", " ", "\n", "\r\n", "\r", "\t\n  "].randomElement(using: &random) ?? "" }
        let (name, value) = (JSONValue.string(text()).text, JSONValue.string(text()).text)
        return "{\(space())\(name)\(space()):\(space())\(value)\(space()),\(space())\"n\":\(space())[1,\(space())null]\(space())}"
    }

    private static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        .object(members.map { JSONValue.Member($0.key, $0.value) })
    }

    private mutating func rows(_ name: String, _ value: String) -> JSONValue {
        .array((0..<2).map { _ in Self.object([name: .string(text()), value: .string(text()), "description": .string(text())]) })
    }

    // MARK: Sources

    private mutating func source(_ tool: Tool) -> ImportSource {
        let numbers = 0..<Self.count
        func file(_ name: String, _ content: String) -> ImportSource {
            ImportSource(name: name, bytes: Array(content.utf8), yaml: YAMLSource.node)
        }
        switch tool {
        case .postman:
            let info: JSONValue = ["name": "W", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"]
            return file("c.json", Self.object(["info": info, "item": .array(numbers.map { postman($0) })]).text)
        case .insomnia:
            let workspace: JSONValue = ["_id": "w", "_type": "workspace", "name": "W"]
            let resources = JSONValue.array([workspace] + numbers.map { insomnia($0) })
            return file("i.json", Self.object(["_type": "export", "__export_format": .number("4"), "resources": resources]).text)
        case .har:
            let log = Self.object(["version": "1.2", "entries": .array(numbers.map { Self.object(["request": har($0)]) })])
            return file("h.har", Self.object(["log": log]).text)
        case .curl: return file("c.sh", numbers.map { curl($0) }.joined())
        case .http: return file("a.http", numbers.map { http($0) }.joined())
        case .bruno:
            var files = ["bruno.json": "{\"name\": \"W\"}"]
            for number in numbers { files["r\(number).bru"] = bruno(number) }
            let all = files
            return ImportSource(name: "w", bytes: [], paths: all.keys.sorted(), files: { path in all[path].map { Array($0.utf8) } })
        }
    }

    private mutating func postman(_ number: Int) -> JSONValue {
        let body: JSONValue =
            switch number % 4 {
            case 0: ["mode": "raw", "raw": .string(bodyText()), "options": ["raw": ["language": "json"]]]
            case 1: ["mode": "urlencoded", "urlencoded": rows("key", "value")]
            case 2: ["mode": "formdata", "formdata": rows("key", "value")]
            default: ["mode": "graphql", "graphql": ["query": .string(text()), "variables": .string(bodyText())]]
            }
        let request = Self.object([
            "method": "POST", "url": .string("http://h/item-\(number)"), "header": rows("key", "value"), "body": body, "description": .string(text()),
        ])
        return Self.object(["name": .string("n\(number) \(text())"), "request": request])
    }

    private mutating func insomnia(_ number: Int) -> JSONValue {
        let body: JSONValue =
            switch number % 3 {
            case 0: ["mimeType": "application/json", "text": .string(bodyText())]
            case 1: ["mimeType": "application/x-www-form-urlencoded", "params": rows("name", "value")]
            default: ["mimeType": "multipart/form-data", "params": rows("name", "value")]
            }
        return Self.object([
            "_id": .string("r\(number)"), "_type": "request", "parentId": "w", "name": .string("n\(number) \(text())"), "method": "POST",
            "url": .string("http://h/item-\(number)"), "headers": rows("name", "value"), "parameters": rows("name", "value"), "body": body,
            "description": .string(text()),
        ])
    }

    private mutating func har(_ number: Int) -> JSONValue {
        let data: JSONValue =
            number % 2 == 0
            ? ["mimeType": "application/json", "text": .string(bodyText())]
            : ["mimeType": "application/x-www-form-urlencoded", "params": rows("name", "value")]
        return Self.object([
            "method": "POST", "url": .string("http://h/item-\(number)"), "headers": rows("name", "value"), "queryString": .array([]),
            "postData": data,
        ])
    }

    private mutating func curl(_ number: Int) -> String {
        func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
        let field = quoted("X-A: " + text(["\n", "\r", "\r\n"]))
        return "curl 'http://h/item-\(number)' -H \(field) -H 'Content-Type: application/json' --data-raw \(quoted(bodyText()))\n"
    }

    private mutating func http(_ number: Int) -> String {
        let field = text(["\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}"])
        let value = JSONValue.string(text(["{%"])).text
        return "### n\(number)\nPOST http://h/item-\(number)\nX-A: \(field)\nContent-Type: application/json\n\n{\r\n\"a\": \(value)}\n\n"
    }

    private mutating func bruno(_ number: Int) -> String {
        let value = JSONValue.string(text()).text
        let row = text(["\n", "\r", "\r\n", "'"])
        return """
            meta {
              name: n\(number)
            }

            post {
              url: http://h/item-\(number)
              body: json
            }

            headers {
              X-A: \(row)
            }

            assert {
              res.body.a: isDefined
              res.body.b: eq \(number)
              res.body.a: isString
            }

            body:json {
              {\r
              "a": \(value)}
            }

            """
    }

    // MARK: Test

    /// The number in the path of an item.
    private static func number(of endpoint: Endpoint) -> Int? {
        guard let range = endpoint.path.firstRange(of: "item-") else { return nil }
        return Int(endpoint.path[range.upperBound...].prefix { $0.isNumber })
    }

    @Test(arguments: Tool.allCases, LongRun.isRequested ? [UInt64(1), 2, 3] : [1])
    mutating func `each item with hostile texts is imported, or has a line with its place`(_ tool: Tool, _ seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        let source = source(tool)
        let format = try ImportFormats.format(of: source)
        let imported = try format.workspace(from: source)
        let folder = try TemporaryFolder()
        let identity = ImportIdentity(format: format.name, name: source.name)
        let target = try ImportTarget(path: folder.path("ws"), source: identity)
        let placed = PlacedImport(
            imported, into: target.workspace, folder: target.folder.path, sourceFolder: folder.path, known: target.known, taken: target.taken)
        let plan = try ImportPlan(adding: placed.addition, to: target, isForced: false, reportsMissing: true)
        #expect(plan.omissions.isEmpty, "\(tool), seed \(seed): \(plan.omissions)")
        try target.folder.perform(plan, isForced: true)
        let read = try target.folder.load()
        let errors = read.problems.filter { $0.severity == .error }
        #expect(errors.isEmpty, "\(tool), seed \(seed): \(errors)")
        let arrived = Set(read.endpoints.compactMap(Self.number))
        let omitted = placed.report.entries.filter { $0.outcome == .omitted && $0.place != nil }.map(\.text)
        for number in 0..<Self.count where !arrived.contains(number) {
            let hasLine = omitted.contains { $0.contains("item-\(number)") || $0.hasPrefix("n\(number)") || $0.hasPrefix("r\(number).bru") }
            #expect(hasLine, "\(tool), seed \(seed): item \(number)")
        }
    }
}
