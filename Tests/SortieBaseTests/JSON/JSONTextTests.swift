import Foundation
import Support
import Testing

@testable import SortieBase

struct JSONTextTests {
    private static let suite = BodyFixtures.corpus("json/JSONTestSuite/test_parsing")
    private static let big = BodyFixtures.corpus("json/big")

    @Test func `members and elements are on separate rows`() {
        let pretty = JSONText.pretty(#"{"b":[1,{"x":null}],"a":{},"c":[ ],"b":"\u0041"}"#)
        #expect(
            pretty == """
                {
                  "b": [
                    1,
                    {
                      "x": null
                    }
                  ],
                  "a": {},
                  "c": [],
                  "b": "\\u0041"
                }
                """)
    }

    @Test(.enabled(if: suite != nil, "the JSON test suite is not here"), arguments: ["y_", "i_"])
    func `documents that the JSON test suite accepts keep their tokens`(prefix: String) throws {
        let folder = try #require(Self.suite)
        let files = try BodyFixtures.files(folder, prefix: prefix)
        #expect(files.count > 10)
        for file in files {
            guard let pretty = JSONText.pretty(BodyBytes(file.bytes)) else {
                #expect(prefix == "i_", "\(file.name) was refused")
                continue
            }
            let source = file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(file.bytes.dropFirst(3)) : file.bytes
            #expect(BodyFixtures.stripped(pretty.utf8) == BodyFixtures.stripped(source), "\(file.name)")
            guard prefix == "y_", let value = try? JSONSerialization.jsonObject(with: Data(source), options: .fragmentsAllowed)
            else { continue }
            let again = try JSONSerialization.jsonObject(with: Data(pretty.utf8), options: .fragmentsAllowed)
            #expect((value as? NSObject) == (again as? NSObject), "\(file.name)")
        }
    }

    @Test(.enabled(if: suite != nil, "the JSON test suite is not here"))
    func `what the JSON test suite refuses is a problem`() throws {
        let folder = try #require(Self.suite)
        let files = try BodyFixtures.files(folder, prefix: "n_")
        #expect(files.count > 10)
        for file in files {
            let bytes = BodyBytes(file.bytes)
            #expect(JSONText.pretty(bytes) == nil, "\(file.name)")
            #expect(JSONText.problem(in: bytes) != nil, "\(file.name)")
        }
    }

    @Test(.enabled(if: big != nil, "the JSON documents are not here"))
    func `real documents keep their values`() throws {
        let folder = try #require(Self.big)
        for name in ["small.json", "medium.json", "large.json"] {
            let data = try Data(contentsOf: folder.appendingPathComponent(name))
            let pretty = try #require(JSONText.pretty(BodyBytes([UInt8](data))))
            #expect(BodyFixtures.stripped(pretty.utf8) == BodyFixtures.stripped(data))
        }
    }

    @Test(arguments: [
        ("{\n  \"a\": 1,\n     }", "not JSON: unexpected '}', expected a name in quotes at line 3, column 6 (byte 17)"),
        ("[1,\r\n2,\r\né]", "not JSON: unexpected byte 0xc3, expected a value at line 3, column 1 (byte 9)"),
        ("[\"é\", x]", "not JSON: unexpected 'x', expected a value at line 1, column 7 (byte 7)"),
        ("{\"a\":1} x", "not JSON: unexpected 'x', expected the end of the text at line 1, column 9 (byte 8)"),
        ("[01]", "not JSON: a number must not begin with a leading 0 at line 1, column 3 (byte 2)"),
        ("[\"a", "not JSON: the text ends inside a string at line 1, column 4 (byte 3)"),
        ("[1.]", "not JSON: unexpected ']', expected a digit at line 1, column 4 (byte 3)"),
        ("-", "not JSON: the text ends inside a number at line 1, column 2 (byte 1)"),
        ("[\"a\tb\"]", "not JSON: a control character in a string must be written as an escape at line 1, column 4 (byte 3)"),
        ("[tru", "not JSON: the text ends inside 'true' at line 1, column 5 (byte 4)"),
        ("{\"a\":{}", "not JSON: the text ends inside an object at line 1, column 8 (byte 7)"),
        (" ", "not JSON: the text contains no value at line 1, column 2 (byte 1)"),
    ])
    func `a problem contains line, column and byte`(text: String, sentence: String) {
        #expect(JSONText.problem(in: text)?.description == sentence)
    }

    @Test func `a string that is not UTF-8 is rejected`() {
        for bytes: [UInt8] in [
            [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE9], [0x80], [0xF0, 0x80, 0x80, 0x80],
        ] {
            #expect(JSONText.problem(in: BodyBytes([0x22] + bytes + [0x22]))?.message == "not JSON: a string is not valid UTF-8")
        }
        #expect(JSONText.problem(in: "\"é日👩‍🚀\u{10FFFF}\u{7FF}\u{D7FF}\u{E000}\"") == nil)
    }

    @Test func `ten thousand levels are accepted and one more is rejected`() {
        let deepest = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        #expect(JSONText.problem(in: deepest) == nil)
        let deeper = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(JSONText.problem(in: deeper)?.byte == 10_000)
    }

    @Test(arguments: [
        ("a\"b'c\\d\n\t\u{1}", #"a\"b'c\\d\n\t\u0001"#, #"a"b\'c\\d\n\t\u0001"#), ("é€😀", "é€😀", "é€😀"), ("", "", ""),
        ("\u{7f}\u{85}\u{202e}\u{2028}", "\u{7f}\u{85}\u{202e}\u{2028}", "\u{7f}\u{85}\u{202e}\u{2028}"),
    ])
    func `a text is escaped for its quotes`(text: String, double: String, single: String) throws {
        #expect(JSONText.escaped(text) == double)
        #expect(JSONText.escaped(text, in: "'") == single)
        #expect(try JSONPath("$['\(single)']").steps.last?.singular == .name(text))
        #expect(try JSONValue(parsing: "\"\(double)\"") == .string(text))
    }

    @Test func `controls that a terminal obeys are escaped, and other characters beyond ASCII are not`() {
        let controls = "\u{7f}\u{80}\u{9f}\u{61c}\u{200e}\u{200f}\u{2028}\u{202e}\u{2066}\u{2069}"
        let codes = ["007f", "0080", "009f", "061c", "200e", "200f", "2028", "202e", "2066", "2069"]
        #expect(JSONText.escaped(controls, escapesControls: true) == codes.map { "\\u\($0)" }.joined())
        #expect(JSONText.escaped("\u{a0}é\u{200d}\u{2030}€ذ😀", escapesControls: true) == "\u{a0}é\u{200d}\u{2030}€ذ😀")
        let document = "{\n\t\"a\(controls)€\": \"\\n\"}\n"
        #expect(
            String(decoding: JSONText.escapingControls(in: Array(document.utf8)), as: UTF8.self)
                == document.replacing(controls, with: codes.map { "\\u\($0)" }.joined()))
    }
}
