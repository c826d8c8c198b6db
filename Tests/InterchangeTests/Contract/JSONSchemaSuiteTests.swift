import Foundation
import SortieBase
import SortieHTTP
import Support
import Testing

@testable import Interchange

/// Compares the values of the JSON-Schema-Test-Suite with its schemas as those of a description.
@Suite(.enabled(if: Corpora.url("json-schema") != nil, "the corpora are not here"))
struct JSONSchemaSuiteTests {
    /// The valid values that are refused, the number of the invalid ones that are permitted by the file, and the number of all.
    private func results(
        _ folder: String, version: String, only: Set<String>? = nil, without: Set<String> = []
    ) throws -> (refused: [String], permitted: [String: Int], count: Int) {
        let root = try #require(Corpora.url("json-schema")).appendingPathComponent("tests/\(folder)")
        let remotes = try #require(Corpora.url("json-schema")).appendingPathComponent("remotes")
        let files = try FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".json") }.sorted()
        var (refused, permitted, count): ([String], [String: Int], Int) = ([], [:], 0)
        for file in files {
            let name = String(file.dropLast(".json".count))
            guard only?.contains(name) ?? true, !without.contains(name) else { continue }
            let data = try Data(contentsOf: root.appendingPathComponent(file))
            // The decoder of Foundation does not keep the text of numbers, which some tests are about.
            guard case .array(let groups) = try JSONValue(parsing: Array(data)) else { continue }
            for group in groups {
                let schema = try #require(group["schema"])
                // A schema that is one word is no document.
                let place = schema.members.isEmpty ? schema.text : #"{"$ref": "s.json"}"#
                let text = """
                    {"openapi": "\(version)", "paths": {"/x": {"post": {"requestBody": {"content": {"application/json": {"schema": \(place)}}},
                    "responses": {}}}}}
                    """
                var source = ImportSource(
                    name: "api.json", bytes: Array(text.utf8),
                    files: { file in
                        guard file != "s.json" else { return Array(schema.text.utf8) }
                        return FileManager.default.contents(atPath: remotes.appendingPathComponent(file).path).map { Array($0) }
                    })
                // The server of the suite, whose documents were fetched.
                source.url = try HTTPURL(parsing: "http://localhost:1234/api.json")
                let contract = try OpenAPIContract(source)
                let number = try #require(contract.details(of: contract.operations[0]).body.first?.schema)
                guard case .array(let tests)? = group["tests"] else { continue }
                for test in tests {
                    count += 1
                    var steps = TextPattern.maximumSteps
                    let value = try #require(test["data"])
                    let failures = try contract.schema(number).failures(in: value, limit: 1, patternSteps: &steps) {
                        (part) throws(PatternError) in try contract.schema(part)
                    }
                    if test["valid"] == true {
                        let words = [group, test].compactMap { $0["description"]?.stringValue }
                        if let first = failures.first { refused.append("\(name): \(words.joined(separator: ": ")): \(first)") }
                    } else if failures.isEmpty {
                        permitted[name, default: 0] += 1
                    }
                }
            }
        }
        return (refused, permitted, count)
    }

    @Test func `the schemas of OpenAPI 3_1 are evaluated as the suite says, and refuse no valid value`() throws {
        // Formats are evaluated, and a vocabulary cannot be left out.
        let found = try results("draft2020-12", version: "3.1.0", without: ["format", "vocabulary"])
        #expect(found.count > 1100)
        #expect(found.refused == [])
        // Both refer to the meta-schema, a document of another origin.
        #expect(found.permitted == ["defs": 1, "ref": 1], "\(found.permitted)")
    }

    @Test func `the keywords of OpenAPI 3_0 are evaluated as the suite of draft 7 says`() throws {
        let found = try results(
            "draft7", version: "3.0.3",
            only: [
                "additionalProperties", "allOf", "anyOf", "enum", "maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength",
                "minProperties", "minimum", "multipleOf", "not", "oneOf", "pattern", "properties", "required", "type",
            ])
        #expect(found.count > 380 && found.refused == [] && found.permitted == [:], "\(found)")
    }
}
