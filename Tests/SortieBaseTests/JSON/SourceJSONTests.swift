import Foundation
import SortieBase
import Support
import Testing

/// Tests reading JSON sources with places.
struct SourceJSONTests {
    private func node(_ text: String) throws -> SourceNode { try SourceJSON.node(parsing: Array(text.utf8), file: "x.json") }

    @Test func `values have their content and their place`() throws {
        let root = try node("{\n  \"é\": [1.5e3, true, null],\n  \"b\": \"\\u00e9\\ud83d\\ude00\\n\" }")
        #expect(root["é"]?.items?.map(\.text) == ["1.5e3", "true", nil])
        #expect(root["b"]?.string == "é😀\n")
        #expect(root["é"]?.place(in: "f") == SourceLocation(file: "f", line: 2, column: 8))
        #expect(root["b"]?.place(in: "f") == SourceLocation(file: "f", line: 3, column: 8))
    }

    @Test(arguments: [
        ("{\"a\": }", 1, 7), ("[1,\n 2", 2, 3), ("", 1, 1), ("{\"a\" 1}", 1, 6), ("[1 2]", 1, 4), ("\"é\u{1}\"", 1, 3), ("[01]", 1, 3),
        ("{} x", 1, 4),
        ("\"\\x\"", 1, 3), ("nul", 1, 4), ("\u{feff} x", 1, 2),
    ])
    func `an error has its place`(_ text: String, _ line: Int, _ column: Int) throws {
        let problem = #expect(throws: Diagnostic.self) { try node(text) }
        #expect(problem?.location == SourceLocation(file: "x.json", line: line, column: column), "\(problem?.description ?? "")")
    }

    @Test func `a document that is read in pieces has the same values and places, and skipped members are null`() throws {
        let entries = (0..<300).map { #"{"response": {"x": [1, "\u00e9é"]}, "request": {"url": "http://h/\#($0)é", "t": "a\n"}}"# }
        let bytes = Array("{\"entries\": [\(entries.joined(separator: ",\n"))]}".utf8)
        let whole = try SourceJSON.node(parsing: bytes, file: "f", skipping: ["response"])
        let pieces = try SourceJSON.node(parsing: Array(bytes[..<777]), file: "f", skipping: ["response"]) { (offset) throws(Diagnostic) in
            Array(bytes[min(offset, bytes.count)..<min(offset + 777, bytes.count)])
        }
        #expect(pieces.json == whole.json)
        #expect(whole["entries"]?.items?.count == 300)
        let last = pieces["entries"]?.items?.last
        #expect(last?["response"]?.isNull == true && last?["request"]?["url"]?.string == "http://h/299é")
        #expect(last?["request"]?["t"]?.place(in: "f") == whole["entries"]?.items?.last?["request"]?["t"]?.place(in: "f"))
    }

    @Test(arguments: [4097, 4099, 5000]) func `escapes of a long text that is read in pieces are kept`(_ size: Int) throws {
        let text = String(repeating: #"\\aaaaaaaaaaaaaaaaaaaa\ud83d\ude00\""#, count: 3000)
        let bytes = Array("[\"\(text)\"]".utf8)
        let root = try SourceJSON.node(parsing: Array(bytes[..<size]), file: "f") { (offset) throws(Diagnostic) in
            Array(bytes[min(offset, bytes.count)..<min(offset + size, bytes.count)])
        }
        #expect(root.items?.first?.string == String(repeating: "\\aaaaaaaaaaaaaaaaaaaa😀\"", count: 3000))
    }

    @Test func `of members with one name, the last one counts, and made values have the place of the one they replace`() throws {
        var root = try node(#"{"a": 1, "b": [{"a": 2}, "x"], "a": {"b": 3}}"#)
        #expect(root["a"]?["b"]?.text == "3" && root.members?.map(\.name) == ["a", "b", "a"])
        #expect(root["b"]?.items?[0]["a"]?.text == "2" && root["c"] == nil && root["b"]?["a"] == nil)
        root.content = .array([root])
        #expect(root.items?.first?["b"]?.items?.last?.string == "x" && root.line == 1 && root.column == 1 && root.file == "x.json")
    }

    @Test func `nesting above the limit is an error at the first container that exceeds it`() throws {
        let limit = JSONValue.depthLimit
        #expect(try node(String(repeating: "[", count: limit) + String(repeating: "]", count: limit)).items?.count == 1)
        let problem = #expect(throws: Diagnostic.self) { try node(String(repeating: "[", count: 100_000)) }
        #expect(problem?.location == SourceLocation(file: "x.json", line: 1, column: limit + 1))
    }

    @Test func `a text that is not UTF-8 is refused where it is kept, and passed where it is skipped`() throws {
        func bytes(_ name: String) -> [UInt8] { Array("{\"\(name)\": [\"é".utf8) + [0xff, 0xc3] + Array("\", {\"x\": \"é\"}], \"b\": 1}".utf8) }
        let root = try SourceJSON.node(parsing: bytes("a"), file: "f", skipping: ["a"])
        #expect(root["a"]?.isNull == true && root["b"]?.text == "1")
        let problem = #expect(throws: Diagnostic.self) { try SourceJSON.node(parsing: bytes("c"), file: "f", skipping: ["a"]) }
        #expect(problem?.description == "f:1:10: not JSON: a string is not valid UTF-8")
    }

    @Test(.enabled(if: Corpora.url("json/JSONTestSuite") != nil, "the corpora are not here"))
    func `the cases of JSONTestSuite are accepted and rejected as they demand`() throws {
        let folder = try #require(Corpora.url("json/JSONTestSuite"))
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        #expect(files.count > 100)
        for file in files {
            let bytes = Array(try Data(contentsOf: folder.appendingPathComponent(file)))
            let name = file.split(separator: "/").last ?? ""
            do throws(Diagnostic) {
                _ = try SourceJSON.node(parsing: bytes, file: file)
                #expect(!name.hasPrefix("n_"), "\(file)")
            } catch {
                #expect(!name.hasPrefix("y_"), "\(file): \(error)")
            }
        }
    }
}
