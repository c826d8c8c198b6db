import SortieBase
import Testing

@testable import BodyViews

/// Tests the colours of texts that are typed.
@Suite struct LineColoursTests {
    /// The parts of lines as `kind:text`, without those of plain text.
    private func parts(_ language: TextLanguage, _ lines: String...) -> [[String]] {
        var colours = LineColours(language)
        return lines.map { line in
            let characters = Array(line)
            let parts = colours.parts(of: characters)
            #expect(parts.flatMap(\.range) == Array(characters.indices), "gaps or overlaps in \(line)")
            return parts.filter { $0.kind != .text }.map { "\($0.kind):\(String(characters[$0.range]))" }
        }
    }

    @Test func `JSON has names, values and punctuation, also where it is not complete`() {
        let found = parts(.json, #"{"a\"b" : "x", "n":-1.5e3,"#, #"true, nul, null, "open \"#)
        #expect(found[0].prefix(5) == ["punctuation:{", #"key:"a\"b""#, "punctuation::", #"string:"x""#, "punctuation:,"])
        #expect(found[0].dropFirst(5) == [#"key:"n""#, "punctuation::", "number:-1.5e3", "punctuation:,"])
        #expect(found[1] == ["literal:true", "punctuation:,", "punctuation:,", "literal:null", "punctuation:,", #"string:"open \"#])
    }

    @Test func `a template has its own colour within a string and in place of a value`() {
        #expect(
            parts(.json, #"{"to": "a {{name}} b", "n": {{count}}}"#) == [
                [
                    "punctuation:{", #"key:"to""#, "punctuation::", #"string:"a "#, "tag:{{name}}", #"string: b""#, "punctuation:,", #"key:"n""#,
                    "punctuation::", "tag:{{count}}", "punctuation:}",
                ]
            ])
    }

    @Test func `thousands of templates in a line are a part each`() {
        var colours = LineColours(.json)
        let parts = colours.parts(of: Array(String(repeating: "{{a}},", count: 10_000)))
        #expect(parts.count == 20_000 && parts.prefix(3).map(\.kind) == [.tag, .punctuation, .tag] && parts.last?.range.upperBound == 60_000)
    }

    @Test func `tags, attributes and comments of XML continue on further lines`() {
        let found = parts(.xml, "<?xml version='1.0'?><a", "  x=\"1", "2\" y='3'>text<!-- one", "two --></a>", "<![CDATA[<b>]]>")
        #expect(found[0] == ["comment:<?xml version='1.0'?>", "punctuation:<", "tag:a"])
        #expect(found[1] == ["attribute:x", "punctuation:=", "string:\"1"])
        #expect(found[2] == ["string:2\"", "attribute:y", "punctuation:=", "string:'3'", "punctuation:>", "comment:<!-- one"])
        #expect(found[3] == ["comment:two -->", "punctuation:</", "tag:a", "punctuation:>"] && found[4] == ["comment:<![CDATA[<b>]]>"])
    }

    @Test func `GraphQL has keywords, variables, names of arguments and block strings`() {
        let found = parts(.graphQL, "query Get($id: ID!) { item(id: $id) @skip { n } } # end", #"{ a(t: """one"#, #"two""") }"#)
        let first = [
            "literal:query", "punctuation:(", "attribute:$id", "punctuation::", "punctuation:!)", "punctuation:{", "punctuation:(", "key:id",
        ]
        #expect(Array(found[0].prefix(8)) == first)
        #expect(found[0].dropFirst(8).prefix(4) == ["punctuation::", "attribute:$id", "punctuation:)", "tag:@skip"])
        #expect(found[0].suffix(4) == ["punctuation:{", "punctuation:}", "punctuation:}", "comment:# end"])
        #expect(found[1] == ["punctuation:{", "punctuation:(", "key:t", "punctuation::", #"string:"""one"#])
        #expect(found[2] == [#"string:two""""#, "punctuation:)", "punctuation:}"])
    }

    @Test func `a form has names and values`() {
        let found = parts(.form, "a=1&b=&c=x=y")[0]
        #expect(found.prefix(4) == ["key:a", "punctuation:=", "string:1", "punctuation:&"])
        #expect(found.dropFirst(4) == ["key:b", "punctuation:=&", "key:c", "punctuation:=", "string:x=y"])
    }

    @Test func `a line in a comment is coloured by the lines before it, of which a limited number is read`() {
        let lines = ["<!-- begins"] + [String](repeating: "inside", count: 500)
        func kind(ofLine row: Int) -> BodySpan.Kind? {
            var read = 0
            var colours = LineColours(.xml, before: row) { number in
                read += 1
                return Array(lines[number])
            }
            #expect(read <= LineColours.lookBehind)
            return colours.parts(of: Array(lines[row])).first?.kind
        }
        #expect(kind(ofLine: 100) == .comment)
        #expect(kind(ofLine: 480) == .text)
    }

    @Test func `the language follows from a media type or the name of a file`() {
        #expect(TextLanguage(mediaType: "application/problem+json; charset=utf-8") == .json)
        #expect(TextLanguage(mediaType: "application/soap+xml") == .xml && TextLanguage(mediaType: "Text/HTML") == .html)
        #expect(TextLanguage(mediaType: "application/x-www-form-urlencoded") == .form && TextLanguage(mediaType: "text/plain") == .plain)
        #expect(TextLanguage(fileName: "list.body.json") == .json && TextLanguage(fileName: "a.GQL") == .graphQL)
        #expect(TextLanguage(fileName: "x") == .plain)
    }

    @Test func `a mistake of XML has its line and column, and correct XML has none`() {
        #expect(MarkupText.problem(in: "<a>\n  <b/>é<c x='1'>t</c>\n</a>") == nil)
        let problem = MarkupText.problem(in: "<a>\n  é</b>\n</a>")
        #expect(problem?.line == 2 && problem?.column == 4 && problem?.message == "</b> ends no element here; </a> is expected")
    }
}
