import Foundation
import SortieBase
import Support
import Testing

struct JSONValueParseTests {
    @Test func `order, duplicate keys and the text of numbers are preserved`() throws {
        let value = try JSONValue(parsing: #"{"b": 1.10, "a": [true, false, null, -0, 1E400], "b": {}}"#)
        #expect(
            value
                == .object([
                    .init("b", .number("1.10")),
                    .init("a", .array([.bool(true), .bool(false), .null, .number("-0"), .number("1E400")])),
                    .init("b", .object([])),
                ]))
    }

    @Test(arguments: [
        (#""a\n\t\"\\\/\b\f\r""#, "a\n\t\"\\/\u{8}\u{c}\r"), (#""\u4f60\uD83D\uDE00é""#, "你😀é"), (#""\uD83Dx\uDE00""#, "\u{FFFD}x\u{FFFD}"),
        (#""""#, ""),
    ])
    func `strings are decoded`(text: String, expected: String) throws {
        #expect(try JSONValue(parsing: text) == .string(expected))
    }

    @Test func `names are decoded`() throws {
        #expect(try JSONValue(parsing: #"{"\u0061\n": 1}"#) == .object([.init("a\n", .number("1"))]))
    }

    @Test func `an error has its line and column`() throws {
        let problem = #expect(throws: BodyProblem.self) { try JSONValue(parsing: "{\n  \"é\": }") }
        #expect(problem?.line == 2 && problem?.column == 8)
    }

    @Test func `nesting is limited without overflowing the stack`() throws {
        let limit = JSONValue.depthLimit
        let deepest = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
        #expect(throws: Never.self) { try JSONValue(parsing: deepest) }
        let problem = #expect(throws: BodyProblem.self) { try JSONValue(parsing: "\n[\r\n" + deepest + "]") }
        #expect(problem?.line == 3 && problem?.column == limit)
        let objects = String(repeating: #"{"a":"#, count: 100_000)
        #expect(throws: BodyProblem.self) { try JSONValue(parsing: objects) }
    }

    @Test func `an empty container one level too deep is rejected too`() {
        let limit = JSONValue.depthLimit
        let text = String(repeating: "[", count: limit) + "{}" + String(repeating: "]", count: limit)
        #expect(throws: BodyProblem.self) { try JSONValue(parsing: text) }
    }

    @Test func `written JSON is parsed as the same value`() throws {
        let value: JSONValue = ["a": .array([.integer(1), "x\u{1}\u{85}\"\\", nil, true]), "": ["b": .number("1e-7")]]
        #expect(try JSONValue(parsing: value.text) == value)
    }

    @Test func `the texts of the test suite are accepted and rejected as specified`() throws {
        guard let folder = Corpora.url("json/JSONTestSuite") else {
            print("shared/corpora/json/JSONTestSuite is not here; its cases are skipped")
            return
        }
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)).compactMap { $0 as? URL }
        var seen = 0
        for file in files where file.pathExtension == "json" {
            let kind = file.lastPathComponent.prefix(2)
            guard kind == "y_" || kind == "n_" else { continue }
            let bytes = try Data(contentsOf: file)
            let value = try? JSONValue(parsing: bytes)
            #expect((value != nil) == (kind == "y_"), "\(file.lastPathComponent)")
            if let value { #expect(try JSONValue(parsing: value.text) == value, "\(file.lastPathComponent)") }
            seen += 1
        }
        #expect(seen >= 100)
    }

    @Test func `strings equal those of Foundation`() throws {
        guard let folder = Corpora.url("json/JSONTestSuite") else {
            print("shared/corpora/json/JSONTestSuite is not here; its cases are skipped")
            return
        }
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)).compactMap { $0 as? URL }
        var seen = 0
        for file in files where file.lastPathComponent.hasPrefix("y_string") {
            let bytes = try Data(contentsOf: file)
            guard let theirs = try JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed) as? [String] else { continue }
            #expect(try JSONValue(parsing: bytes) == .array(theirs.map { .string($0) }), "\(file.lastPathComponent)")
            seen += 1
        }
        #expect(seen > 10)
    }
}
