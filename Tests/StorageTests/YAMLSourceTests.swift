import SortieBase
import Testing

@testable import SortieStorage

/// Tests reading YAML documents of other tools.
struct YAMLSourceTests {
    private func node(_ text: String) throws -> SourceNode { try YAMLSource.node(parsing: Array(text.utf8), file: "api.yaml") }

    @Test func `values have their types and places, and names of members are texts`() throws {
        let root = try node("paths:\n  /a:\n    200: {ok: true, n: 1.50, t: '1', z: }\n")
        let response = root["paths"]?["/a"]?["200"]
        #expect(response?.json.text == #"{"ok": true, "n": 1.50, "t": "1", "z": null}"#)
        #expect(response?["n"]?.place(in: "f") == SourceLocation(file: "f", line: 3, column: 24))
    }

    @Test func `aliases and merge keys are followed`() throws {
        #expect(try node("a: &x {b: 1}\nc: {<<: *x, d: 2}\n")["c"]?["b"]?.text == "1")
    }

    @Test func `a document without content is null`() throws {
        #expect(try node("# nothing\n").isNull)
    }

    @Test func `a document may be larger than a workspace file`() throws {
        let text = "items:\n" + String(repeating: "- a long line of a description of an API, repeated until the file is large\n", count: 65_000)
        #expect(text.utf8.count > 4 << 20)
        #expect(try node(text)["items"]?.items?.count == 65_000)
    }

    @Test(arguments: [("a: [1\nb: 2", 1, 4), ("{[1]: 2}", 1, 2), ("a: *x", 1, 4)])
    func `an error has its place`(_ text: String, _ line: Int, _ column: Int) throws {
        let problem = #expect(throws: Diagnostic.self) { try node(text) }
        #expect(problem?.location.line == line, "\(problem?.description ?? "")")
        #expect(problem?.location.column == column, "\(problem?.description ?? "")")
    }

    @Test(arguments: [
        ("12", "12"), ("-1.50", "-1.50"), ("12e03", "12e03"), ("1.0", "1.0"), (".5", "0.5"), ("-.5e3", "-0.5e3"), ("5.", "5.0"), ("0x1F", "31"),
        ("0o17", "15"), ("01234", #""01234""#), ("+491234", #""+491234""#), (".inf", #"".inf""#), ("1_000", #""1_000""#),
    ])
    func `a number that JSON does not permit is the same value, or its text`(_ yaml: String, _ json: String) throws {
        #expect(try YAMLSource.node(parsing: Array("a: \(yaml)\n".utf8), file: "a.yaml")["a"]?.json.text == json)
    }
}
