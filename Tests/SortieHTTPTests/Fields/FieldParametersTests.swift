import Testing

@testable import SortieHTTP

/// Tests the parameters of field values.
@Suite struct FieldParametersTests {
    @Test(arguments: [
        ("text/html; Charset=utf-8", ["charset=utf-8"]), ("text/html", []), ("a/b;", []), (";x;y= 1 ;z=", ["y=1", "z="]),
        (#"form-data; name="a;b=\"c\""; filename*=UTF-8''x"#, [#"name=a;b="c""#, "filename*=UTF-8''x"]), (#"a; b="open"#, ["b=open"]),
        (#"a; path="c:\dir\\x""#, [#"path=c:dir\x"#]), ("a; b=\"\u{301}c\";d=e", ["b=\u{301}c", "d=e"]),
        ("a; b=\u{a0}c\u{2003}; \u{a0}d=\te", ["b=\u{a0}c\u{2003}", "\u{a0}d=e"]),
    ])
    func `parameters are read in their order, with quoted strings`(value: String, wanted: [String]) {
        #expect(FieldParameters(of: value).all.map { "\($0.name)=\($0.value)" } == wanted)
    }

    @Test func `a backslash of a path stays where the value is not escaped`() {
        #expect(FieldParameters(of: #"attachment; filename="c:\dir\"x""#, keepsBackslashes: true)["filename"] == #"c:\dir"x"#)
    }

    @Test func `a list begins with a parameter and has another separator`() {
        let list = FieldParameters(list: #"username="me, too", nc=00000001"#, separatedBy: ",")
        #expect(list["username"] == "me, too" && list["nc"] == "00000001" && list["qop"] == nil)
    }
}
