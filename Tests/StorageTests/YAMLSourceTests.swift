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

    @Test(arguments: [300, 2000]) func `collections that are nested too deep are an error with the limit`(depth: Int) throws {
        let text = "a: " + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let problem = try #require(throws: Diagnostic.self) { try node(text) }
        #expect(problem.message == "collections are nested deeper than 256 levels" && problem.location.line == 1, "\(problem)")
    }

    @Test func `a document without content is null`() throws {
        #expect(try node("# nothing\n").isNull)
    }

    /// Documents in forms that parts must not change: texts over several lines, lists with the indentation of their key, flow collections, comments.
    private static let documents = [
        "info:\n  text: |\n    # heading\n    a: b\n\n    more\npaths:\n  /a:\n    tags:\n    - a\n    - b\n    x: [1,\n      2]\n  '/b': {a: 1,\n    b: 2\n  }\n",
        "---\n# c\na:\n- x: 1\n  y: 2\n- z\n-\n  q: 1\nb: 'multi\n  line'\nc: plain\n  more\nd:\n\n  # comment\n  e: é\n  f: \"ü\\u00e9\"\n",
        "- a: 1\n  b:\n    c: 2\n- - 1\n  - 2\n- text\n", "a: 1\r\nb:\r\n  c: 2\r\n  d: |\r\n    t\r\n",
        "\u{feff}200:\n  yes: no\n  ~: null\n1.0: 0x1F\n", "\u{2028}a: 1\n\u{85}\nb: 2\n",
    ]

    /// Documents that cannot be read in small parts: aliases, merge keys, open texts and collections at the end of a line, and errors.
    private static let others = [
        "a: &x {b: 1}\nc: *x\n", "a:\n  <<: {q: 1}\n  b: 2\n", "a: 'x\nb: y'\nc: 2\n", "a: {\nb: 1,\nc: 2\n}\nd: 2\n", "a: 1\nb: 2\na: 3\n",
        "a:\n  b: 1\n  c: [\n", "a:\n b: 1\n  c: 2\n", "a:\n  b: 1\n c: 2\n", "text\nmore\n", "a: 1\n...\n", "a: 1\n---\nb: 2\n",
        "%YAML 1.1\n---\na: 1\nb: 2\n", "  ---\na: b\nc: d\n", "{a: 1}\nb: 2\n", "a: 1\n\u{feff}b: 2\n", "a:\n  # \u{7}\n  b: 1\nc: 2\n",
    ]

    @Test(arguments: documents + others) func `a document that is read in parts has the same values and places, or the same error`(_ text: String) {
        func result(_ size: Int) -> String {
            do throws(Diagnostic) {
                return Self.description(of: try YAMLSource.node(parsing: Array(text.utf8), file: "f", inPiecesOf: size))
            } catch { return "\(error)" }
        }
        let whole = result(.max)
        for size in [1, 8, 20, 50] { #expect(result(size) == whole, "parts of \(size) bytes") }
    }

    @Test func `only a document whose form permits it is read in parts`() {
        func isRead(_ text: String) -> Bool { YAMLPieces.node(parsing: Array(text.utf8), file: "f", limits: .source, longest: 1) != nil }
        for text in Self.documents { #expect(isRead(text), "\(text)") }
        for text in Self.others { #expect(!isRead(text), "\(text)") }
    }

    /// All values with their places.
    private static func description(of node: SourceNode) -> String {
        var content = node.string.map { "'\($0)'" } ?? node.text ?? "null"
        if let members = node.members { content = "{" + members.map { "\($0.name): \(description(of: $0.value))" }.joined(separator: ", ") + "}" }
        if let items = node.items { content = "[" + items.map(description).joined(separator: ", ") + "]" }
        return "\(node.line):\(node.column) \(content)"
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
