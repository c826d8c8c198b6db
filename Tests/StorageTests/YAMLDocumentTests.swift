import Foundation
import SortieBase
import Testing

@testable import SortieStorage

@Suite struct YAMLDocumentTests {
    private func problem(_ bytes: [UInt8]) -> String? {
        do {
            _ = try YAMLDocument(bytes: bytes, file: "f")
            return nil
        } catch {
            return error.description
        }
    }

    private func problem(_ text: String) -> String? { problem(Array(text.utf8)) }

    @Test func `bytes that are not UTF-8 are a problem with their position`() {
        #expect(problem(Array("a: 1\nb: ä".utf8) + [0xff]) == "f:2:5: invalid UTF-8; save the file in UTF-8")
        #expect(problem([0xff]) == "f:1:1: invalid UTF-8; save the file in UTF-8")
    }

    @Test(arguments: ["b: |\n 0o1", "b: |\n 0o1 and much longer"])
    func `block text that ends with the file has no line break at its end, however short the file is`(text: String) throws {
        #expect(try YAMLDocument(bytes: Array(text.utf8), file: "f").root?["b"]?.text == String(text.dropFirst(6)))
    }

    @Test func `a second document is a problem with its position`() {
        #expect(problem("---\npath: /a\n") == nil)
        let message = "f:2:1: a second document begins here, and a file has one; move what follows “---” into a file for itself"
        #expect(problem("path: /a\n---\npath: /b\n") == message)
    }

    @Test func `a control character is a problem with its position`() {
        #expect(problem("a: 1\nb: \u{1b}[2J")?.hasPrefix("f:2:4: the character U+001B is not allowed in YAML") == true)
        #expect(problem("\u{0}")?.hasPrefix("f:1:1: the character U+0000") == true)
    }

    @Test func `characters that change the order of a text are written as escapes`() {
        #expect(YAMLText.scalar(.string("a\u{202e}b\u{200f}é"), inFlow: false) == "\"a\\u202eb\\u200fé\"")
    }

    @Test func `an alias has the value of its anchor`() throws {
        let root = try YAMLDocument(bytes: Array("a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}\n".utf8), file: "f").root
        #expect(root?["c"]?["b"]?.text == "1")
        #expect(root?["c"]?.isAlias == true && root?["a"]?.isAlias == false)
        #expect(root?["d"]?.entries?.map(\.key.text) == ["e", "b"])
    }

    @Test func `a scalar used twice by an alias is recognised as an alias`() throws {
        let items = try YAMLDocument(bytes: Array("[&a x, *a, y, *a]".utf8), file: "f").root?.items
        #expect(items?.map(\.isAlias) == [false, true, false, true])
    }

    @Test func `exponential aliases are rejected`() {
        var text = "l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...20 {
            let aliases = Array(repeating: "*l\(level - 1)", count: 10).joined(separator: ", ")
            text += "l\(level): &l\(level) [\(aliases)]\n"
        }
        #expect(problem(text)?.contains("more than 250000 values") == true)
        #expect(problem(text + "? *l20\n: 1\n")?.contains("keys that are not plain text") == true)
        #expect(problem(text + "*l20 : 1\n")?.contains("keys that are not plain text") == true)
        #expect(problem(text + "z: {[*l20]: 1}\n")?.contains("keys that are not plain text") == true)
    }

    @Test(arguments: ["[", "{a: ", "- ", "? "])
    func `endlessly nested collections are rejected`(opening: String) {
        for depth in [101, 999, 1001, 100_000] {
            #expect(problem(String(repeating: opening, count: depth)) != nil)
        }
        #expect(
            problem(String(repeating: "[", count: 500) + String(repeating: "]", count: 500))?.contains("nested deeper") == true)
    }

    @Test func `a byte order mark and CRLF line breaks are accepted`() throws {
        let document = try YAMLDocument(bytes: [0xef, 0xbb, 0xbf] + Array("a: 1\r\nb: |\r\n  x\r\n  y\r\n".utf8), file: "f")
        #expect(document.root?["a"]?.text == "1")
        #expect(document.root?["b"]?.text == "x\ny\n")
        #expect(document.root?["b"]?.line == 2)
    }

    @Test func `a column counts characters, not bytes`() throws {
        let root = try YAMLDocument(bytes: Array("{ä: ö, 日本: x}".utf8), file: "f").root
        let value = try #require(root?["日本"])
        #expect(value.column == 12 && value.start == 17)
    }

    @Test(arguments: [
        ("", YAMLScalar.CoreType.null), ("~", .null), ("null", .null), ("true", .bool), ("yes", .string), ("on", .string),
        ("12", .integer),
        ("-7", .integer), ("0x1F", .integer), ("0o17", .integer), ("0x", .string), ("1.5", .float), (".5", .float),
        ("1.", .float), ("1e3", .float),
        ("1e", .string), (".", .string), ("-", .string), ("1.2.3", .string), (".inf", .float), ("-.INF", .float),
        (".nan", .float), ("1 2", .string),
        ("٣", .string),
    ])
    func `a plain scalar has the type of the core schema`(text: String, type: YAMLScalar.CoreType) {
        #expect(YAMLScalar.coreType(ofPlain: text) == type)
    }

    @Test func `a long line of many values is read in one pass`() throws {
        let text = "[" + String(repeating: "ä,", count: 200_000) + "]"
        let items = try YAMLDocument(bytes: Array(text.utf8), file: "f").root?.items
        #expect(items?.count == 200_000)
        #expect(items?.last?.start == text.utf8.count - 4)
    }
}
