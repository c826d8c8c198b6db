import SortieBase
import Testing

struct XMLTreeTests {
    private func tree(_ text: String) throws -> XMLTree { try XMLTree(parsing: BodyBytes(Array(text.utf8))) }

    private func problem(_ text: String) throws -> BodyProblem { try #require(#expect(throws: BodyProblem.self) { try tree(text) }) }

    @Test func `S0.13 a document becomes a tree of elements, attributes and texts`() throws {
        let text = """
            <?xml version="1.0" encoding="ISO-8859-1"?>
            <!-- before --><a:note xmlns:a="urn:x" id="7&amp;8"><to lang='de'>J\u{fc}rgen</to> and <to><![CDATA[<Li>]]></to>&#x4f60;</a:note>
            """
        let note = try tree(text)
        #expect(note.name == "a:note")
        #expect(note.attribute("id") == "7&8" && note.attribute("xmlns:a") == "urn:x" && note.attribute("no") == nil)
        #expect(note.elements(named: "to").map(\.text) == ["Jürgen", "<Li>"])
        #expect(note["to"]?.attribute("lang") == "de")
        #expect(note.text == "Jürgen and <Li>你")
        #expect(note.content.count == 4)
    }

    @Test func `a byte order mark is accepted, and a long text arrives whole`() throws {
        let lines = String(repeating: "line\n", count: 300_000)
        #expect(try tree("\u{feff}<a>\(lines)</a>").text == lines)
    }

    @Test(arguments: [
        ("<a><b></a>", "mismatched tag", 1, 9), ("", "no element found", 1, 1), ("<a>", "no element found", 1, 4), ("{\n}", "not well-formed", 1, 1),
        ("<a>\n &no;</a>", "undefined entity", 2, 2),
    ])
    func `an error has the position and the reason`(text: String, reason: String, line: Int, column: Int) throws {
        let problem = try problem(text)
        #expect(problem.message.hasPrefix("not XML: \(reason)"), "\(problem)")
        #expect(problem.line == line && problem.column == column, "\(problem)")
    }

    @Test(arguments: [
        #"<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>"#, #"<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>"#,
        #"<!DOCTYPE a [<!ENTITY % e SYSTEM "http://127.0.0.1:1/"> %e;]><a/>"#,
    ])
    func `a document that declares entities is refused`(text: String) throws {
        #expect(try problem(text).message == "not XML: the document declares entities, which are not read")
    }

    @Test func `an external document type is not loaded`() throws {
        #expect(try tree(#"<!DOCTYPE a SYSTEM "file:///dev/zero"><a>1</a>"#).text == "1")
    }

    @Test func `elements may be within each other up to a limit`() throws {
        func nested(_ depth: Int) -> String { String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth) }
        #expect(try tree(nested(XMLTree.depthLimit)).name == "a")
        #expect(try problem(nested(XMLTree.depthLimit + 1)).message == "not XML: more than 256 elements are within each other")
    }

    @Test(arguments: [
        ("<a>text</a>", #"{"a":"text"}"#), ("<a/>", #"{"a":""}"#), ("<a x='1'/>", #"{"a":{"@x":"1"}}"#),
        ("<a x='1'> t </a>", ##"{"a":{"@x":"1","#text":"t"}}"##), ("<a> <b>1</b>\n<c/> <b>2</b></a>", #"{"a":{"b":["1","2"],"c":""}}"#),
        ("<a>x<b>1</b>y</a>", ##"{"a":{"b":"1","#text":"xy"}}"##),
    ])
    func `S0.13 a tree is an object for JSON paths`(text: String, json: String) throws {
        #expect(try tree(text).json.compactText == json)
    }

    @Test func `S0.13 a property list is a value`() throws {
        let body = "<key>s</key><string>a b</string><key>i</key><integer> 12 </integer><key>r</key><real>1.5</real><key>t</key><true/>"
        let more = "<key>d</key><date>2027-01-31T00:00:00Z</date><key>x</key><data>\nAQ\nID</data><key>l</key><array><false/><dict/></array>"
        let value = try tree("<plist version='1.0'><dict>\(body)\(more)</dict></plist>").propertyList()
        #expect(value.compactText == #"{"s":"a b","i":12,"r":1.5,"t":true,"d":"2027-01-31T00:00:00Z","x":"AQID","l":[false,{}]}"#)
    }

    @Test(arguments: [
        ("<a/>", "the root element is not plist with one value"), ("<plist><dict><key>a</key></dict></plist>", "a dict has a key without a value"),
        ("<plist><dict><true/><true/></dict></plist>", "a dict has a value without a key"),
        ("<plist><integer>x</integer></plist>", "“x” is not a number"), ("<plist><b/></plist>", "there is no value of the type “b”"),
    ])
    func `a document that is not a property list has a reason`(text: String, reason: String) throws {
        let problem = #expect(throws: BodyProblem.self) { try tree(text).propertyList() }
        #expect(problem?.message == "not a property list: \(reason)")
    }
}
