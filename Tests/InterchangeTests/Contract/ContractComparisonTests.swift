import SortieBase
import SortieHTTP
import SortieStorage
import Testing

@testable import Interchange

/// Compares versions of descriptions, and counts what of a description was used.
struct ContractComparisonTests {
    private func source(_ parameters: String, body: String = "", schema: String, paths: String = "") -> ImportSource {
        let text = """
            openapi: 3.1.0
            info: {title: T, version: "1"}
            paths:
              /x/{id}:
                post:
                  parameters: [\(parameters)]
                  \(body.isEmpty ? "tags: []" : "requestBody: {required: true, content: {application/json: {schema: \(body)}}}")
                  responses: {"200": {content: {application/json: {schema: \(schema)}}}, "404": {description: none}}
            \(paths)
            """
        return ImportSource(name: "api.yaml", bytes: Array(text.utf8), yaml: YAMLSource.node)
    }

    private func changes(_ old: ImportSource, _ new: ImportSource) throws -> [String] {
        try ContractComparison(from: old, to: new).changes.map { "\($0.isBreaking ? "!" : "-") \($0.part): \($0.message)" }
    }

    @Test func `parameters break where a request of the old version is not permitted any more`() throws {
        let found = try changes(
            source("{name: id, in: path, required: true, schema: {type: integer}}, {name: a, in: query}, {name: gone, in: query}", schema: "{}"),
            source(
                "{name: key, in: path, required: true, schema: {type: integer, maximum: 9}}, {name: a, in: query, required: true}, {name: b, in: query}, "
                    + "{name: c, in: header, required: true}", schema: "{}"
            ).named("/x/{id}", "/x/{key}"))
        #expect(
            found == [
                "! path key $: maximum changed from none to 9", "! query a: it became required", "- query b: the optional parameter was added",
                "! request header c: the required parameter was added", "! query gone: the parameter was removed",
            ])
    }

    private static let pairs: [(old: String, new: String, inRequest: [String], inResponse: [String])] = [
        ("{type: string}", "{type: [string, \"null\"]}", ["- $: the type null was added"], ["! $: the type null was added"]),
        ("{enum: [a, b]}", "{enum: [a]}", [#"! $: the value "b" was removed"#], [#"- $: the value "b" was removed"#]),
        ("{minLength: 1}", "{minLength: 2}", ["! $: minLength changed from 1 to 2"], ["- $: minLength changed from 1 to 2"]),
        ("{maximum: 5}", "{maximum: 9}", ["- $: maximum changed from 5 to 9"], ["! $: maximum changed from 5 to 9"]),
        (
            "{type: object, properties: {a: {type: string}}}", "{type: object, required: [b], properties: {b: {type: string}}}",
            ["! $.b: the required member was added", "- $.a: the member was removed"],
            ["- $.b: the required member was added", "! $.a: the member was removed"]
        ),
        (
            "{type: object, required: [a], properties: {a: {type: string}}}", "{type: object, properties: {a: {type: string}}}",
            ["- $.a: it became optional"], ["! $.a: it became optional"]
        ),
        (
            "{type: array, items: {type: integer}}", "{type: array, items: {type: number}}", ["- $[*]: the type number was added"],
            ["! $[*]: the type number was added"]
        ),
        (
            "{type: string, format: date}", "{type: string, format: date-time}", ["! $: format changed from date to date-time"],
            ["! $: format changed from date to date-time"]
        ),
    ]

    @Test(arguments: pairs)
    func `a schema breaks by the direction of its use`(old: String, new: String, inRequest: [String], inResponse: [String]) throws {
        let request = try changes(source("", body: old, schema: "{}"), source("", body: new, schema: "{}"))
        #expect(request == inRequest.map { $0.prefix(2) + "request body " + $0.dropFirst(2) })
        let response = try changes(source("", schema: old), source("", schema: new))
        #expect(response == inResponse.map { $0.prefix(2) + "response 200 " + $0.dropFirst(2) })
    }

    @Test func `equal versions have no changes, and operations are added and removed`() throws {
        let schema = "{$ref: '#/components/schemas/N'}"
        let more = "  /y: {get: {responses: {}}}\ncomponents: {schemas: {N: {type: object, properties: {n: {$ref: '#/components/schemas/N'}}}}}"
        #expect(try changes(source("", schema: schema, paths: more), source("", schema: schema, paths: more)) == [])
        let without = more.replacing("/y", with: "/z")
        #expect(
            try changes(source("", schema: schema, paths: more), source("", schema: schema, paths: without)) == [
                "- : the operation was added", "! : the operation was removed",
            ])
    }

    @Test func `schemas in a cycle and in alternatives are compared for each operation that refers to them, by the shortest path`() throws {
        func components(_ changed: String) -> String {
            let all = (0..<300).map { index in
                let name = index == 299 ? changed : "{type: string}"
                return "S\(index): {properties: {next: {$ref: '#/components/schemas/S\((index + 1) % 300)'}, name: \(name)}}"
            }
            return "components: {schemas: {\(all.joined(separator: ", ")), One: {oneOf: [{$ref: '#/components/schemas/S298'}]}}}"
        }
        let operations = ["S299", "S290", "One"].map { name in
            "  /\(name): {get: {responses: {\"200\": {content: {a/json: {schema: {$ref: '#/components/schemas/\(name)'}}}}}}}\n"
        }.joined()
        let found = try ContractComparison(
            from: source("", schema: "{$ref: '#/components/schemas/S0'}", paths: operations + components("{type: string}")),
            to: source("", schema: "{$ref: '#/components/schemas/S0'}", paths: operations + components("{type: integer}")))
        let long = "$" + String(repeating: ".next", count: 8)
        #expect(
            found.changes.filter { $0.isBreaking }.map { "\($0.operation) \($0.part): \($0.message)" } == [
                "POST /x/{id} response 200 \(long)…: the type integer was added", "GET /S299 response 200 $.name: the type integer was added",
                "GET /S290 response 200 \(long)…: the type integer was added",
                "GET /One response 200 $(S298).next.name: the type integer was added",
            ])
        #expect(found.changes.count == 8 && found.changes.contains { $0.message == "the type string was removed" })
    }

    @Test func `more changes than are listed are named with whether they break`() throws {
        func schema(_ limit: Int) -> String {
            "{properties: {all: {properties: {\((0..<60).map { "a\($0): {maxLength: \(limit)}" }.joined(separator: ", "))}}}}"
        }
        let found = try changes(source("", body: schema(9), schema: schema(9)), source("", body: schema(8), schema: schema(8)))
        #expect(found.count == 102 && found.count { $0.hasSuffix("maxLength changed from 9 to 8") } == 100)
        #expect(found[50] == "! request body $: it has more breaking changes than the 50 that are listed")
        #expect(found[101] == "- response 200 $: it has more compatible changes than the 50 that are listed")
    }

    @Test func `coverage counts operations, parameters, media types and responses`() throws {
        let contract = try OpenAPIContract(
            source(
                "{name: a, in: query}, {name: b, in: query}", body: "{}", schema: "{}", paths: "  /y: {get: {responses: {default: {description: x}}}}"
            ))
        let url = try HTTPURL(parsing: "http://localhost/x/1?a=1")
        let request = Request(method: .post, url: url, body: .text("{}", contentType: "application/json"))
        let response = Response(status: 200, headers: ["Content-Type": "application/json"], body: BodyBytes(Array("{}".utf8)))
        let check = ContractCheck(contract, request, sent: [], response) { .success(.object([])) }
        let coverage = ContractCoverage(of: contract, [try #require(check.observation)])
        #expect(
            coverage.text == """
                · POST /x/{id}  1
                    not seen: query b, response 404
                – GET /y        0
                T: 1 of 2 operations, 4 of 8 parts: 50 %

                """)
        let page = [coverage, coverage].html
        #expect(coverage.percent == 50 && page.contains("<span class=\"missing\">query b</span>"))
        #expect(page.split(separator: "<!DOCTYPE html>").count == 1 && page.split(separator: "<h1>T</h1>").count == 3, "one page has all services")
    }
}

extension ImportSource {
    /// The source with a text in the place of another one.
    fileprivate func named(_ old: String, _ new: String) -> ImportSource {
        ImportSource(name: name, bytes: Array(String(decoding: bytes, as: UTF8.self).replacing(old, with: new).utf8), yaml: YAMLSource.node)
    }
}
