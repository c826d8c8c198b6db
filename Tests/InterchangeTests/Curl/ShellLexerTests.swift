import SortieBase
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests the splitting of scripts into words in the dialects of three shells.
struct ShellLexerTests {
    private func words(_ text: String, _ dialect: ShellDialect? = nil) throws -> [String] {
        try ShellLexer.commands(in: text, file: "input", dialect: dialect).flatMap { $0.words.map(\.text) }
    }

    @Test(arguments: [
        (#"a 'b c' "d e""#, ["a", "b c", "d e"]), (#"a 'it'\''s' """#, ["a", "it's", ""]), (#"a "x\"\$\`\\\n""#, ["a", #"x"$`\\n"#]),
        (#"a $'\n\t\x41\u00e9\U0001f600\'\101'"#, ["a", "\n\tAé😀'A"]), (#"a $'\ud83d\ude00'"#, ["a", "😀"]), ("a \\\n b", ["a", "b"]),
        ("a \\\r\n b", ["a", "b"]), ("a \\\n\n  -b", ["a", "-b"]), ("a # comment\n", ["a"]), ("a b#c", ["a", "b#c"]), (#"a\ b"#, ["a b"]),
        ("a > out 2>&1 b", ["a", "b"]), ("a $", ["a", "$"]), ("a {b,c}d{1..2}", ["a", "bd1", "bd2", "cd1", "cd2"]),
        (#"a {x} {} {a,'b,c'} \{a,b} '{a,b}' {a,{b,c}} x{,y}"#, ["a", "{x}", "{}", "a", "b,c", "{a,b}", "{a,b}", "a", "b", "c", "x", "xy"]),
        ("a {01..9..4} {c..a} {1..x} {a,b", ["a", "01", "05", "09", "c", "b", "a", "{1..x}", "{a,b"]),
    ])
    func `words of a POSIX shell are split as the shell does`(_ text: String, _ expected: [String]) throws {
        #expect(try words(text, .posix) == expected)
    }

    @Test func `a variable stays a reference, and a byte that is not UTF-8 stays a byte`() throws {
        let word = try #require(try words(#"a "x$NAME-${other}y""#).last)
        #expect(ShellText.template(word) == "x{{$env.NAME}}-{{$env.other}}y")
        #expect(ShellText.bytes(of: word) == nil)
        let bytes = try #require(try words(#"a $'\xff\x00z'"#).last)
        #expect(ShellText.bytes(of: bytes) == [0xff, 0, 0x7a])
        #expect(ShellText.template(bytes) == nil)
    }

    @Test func `braces of a template are literal text`() throws {
        #expect(ShellText.template(try words("a '{{x}}'")[1]) == "{{$braces}}x}}")
    }

    @Test(arguments: ["a 'b", "a \"b", "a $'b", "a\n 'b"]) func `a quote that is not closed is an error with its place`(_ text: String) throws {
        let problem = #expect(throws: Diagnostic.self) { try words(text, .posix) }
        #expect(problem?.location.column == (text.contains("\n") ? 2 : 3))
        #expect(problem?.location.line == (text.contains("\n") ? 2 : 1))
        #expect(problem?.message.contains("not closed") == true)
    }

    @Test func `commands end at operators and lines, and text reaches the next one through a pipe`() throws {
        let commands = try ShellLexer.commands(in: "a 1; b 2 && c\nprintf 'x\\ny%%' | d -\ncat file | e\nls | f", file: "")
        #expect(commands.map { $0.words[0].text } == ["a", "b", "c", "d", "e", "ls", "f"])
        #expect(commands[3].input == .text("x\ny%"))
        #expect(commands[4].input == .file("file"))
        #expect(commands[6].input == .output(of: "ls"))
    }

    @Test func `here-documents and here-strings are standard input`() throws {
        let commands = try ShellLexer.commands(in: "a <<X b\nline $V\n  two\nX\nc <<'Y'\n$V\nY\nd <<< 'text'\ne < file", file: "")
        #expect(commands.map { $0.words.map(\.text) } == [["a", "b"], ["c"], ["d"], ["e"]])
        guard case .text(let first) = commands[0].input else { return #expect(Bool(false)) }
        #expect(ShellText.template(first) == "line {{$env.V}}\n  two\n")
        #expect(commands[1].input == .text("$V\n"))
        #expect(commands[2].input == .text("text\n"))
        #expect(commands[3].input == .file("file"))
    }

    @Test(arguments: [
        ("curl ^\"http://h/?a=1^&b=2^\" ^\n  -H ^\"A: ^\\^\"x^\\^\"^\"", ["curl", "http://h/?a=1&b=2", "-H", "A: \"x\""]),
        ("curl \"http://h/a^b\" ^\r\n -d \"{\\\"k\\\": 1}\"", ["curl", "http://h/a^b", "-d", "{\"k\": 1}"]),
        ("curl ^\"h^\" --data-raw ^\"a^\n\nb^\"", ["curl", "h", "--data-raw", "a\nb"]),
        ("curl \"a\"\"b\" ^\n c\\d", ["curl", "a\"b", "c\\d"]),
    ])
    func `words of cmd are split as cmd and the C runtime do`(_ text: String, _ expected: [String]) throws {
        #expect(ShellDialect.detected(in: text) == .cmd)
        #expect(try words(text) == expected)
    }

    @Test(arguments: [
        ("curl h -d '<<^\n'", "<<^\n"), ("curl h -d 'a\'\\''^\n^'", "a'^\n^"), ("curl h -d=' ^\"x'", "-d= ^\"x"), ("curl h -d 'a `\nb'", "a `\nb"),
        ("curl h -d '$env:A'", "$env:A"), ("curl h -d $'\\'^\n'", "'^\n"), ("# It's a comment ^\ncurl h -d 'a^\nb'", "a^\nb"),
        ("curl h -d '\u{301}^\n'", "\u{301}^\n"),
    ])
    func `text between apostrophes and comments do not decide the dialect`(_ text: String, _ last: String) throws {
        #expect(ShellDialect.detected(in: text) == .posix)
        #expect(try words(text).last == last)
    }

    /// The form of Chrome before 2024: carets within quotes, which cmd would keep.
    @Test(arguments: [
        (#"curl "http://h/?x=1^&y=^%^20""#, "http://h/?x=1&y=%20"), (#"curl "^{^\^"a^\^":^\^"C:^\^\x^\^"^}""#, #"{"a":"C:\x"}"#),
        ("curl \"a^\n\nb^\r\n\r\nc\"", "a\nb\nc"), (#"curl "a&^b""#, "a&^b"), (#"curl "a""b^""#, "a\"b^"),
    ])
    func `carets of an earlier Chrome within quotes are escapes`(_ text: String, _ expected: String) throws {
        #expect(try words(text, .cmd).last == expected)
    }

    @Test func `variables that a script of PowerShell sets have their values`() throws {
        let script = "$env:X = 'a'; $Y=\"b\"\ncurl.exe --% http://h/$env:X `\n -H \"Y: $Y\""
        let workspace = try CurlImport.workspace(from: ImportSource(name: "x", bytes: Array(script.utf8)))
        let endpoint = try #require(workspace.services.first?.items.endpoints.first?.endpoint)
        #expect(endpoint.path == "/a" && endpoint.headers.map(\.value) == ["b"])
    }

    @Test func `an apostrophe that is no quote in cmd hides no caret`() {
        #expect(ShellDialect.detected(in: "curl \"it's\" ^\n -d \"it's\"") == .cmd)
        #expect(ShellDialect.detected(in: "curl -H ^\"A: it's ^\\^\"b^\\^\"^\" ^\n -d it's") == .cmd)
    }

    @Test(arguments: [
        ("curl.exe 'http://h/' `\n -H 'A: it''s'", ["curl.exe", "http://h/", "-H", "A: it's"]),
        ("curl.exe \"a`\"b`n\" `\r\n '{\\\"k\\\":1}'", ["curl.exe", "a\"b\n", "{\"k\":1}"]),
        ("curl.exe \"`a`b`t`n`v`f`r`x\" `\n b", ["curl.exe", "\u{7}\u{8}\t\n\u{b}\u{c}\rx", "b"]),
    ])
    func `words of PowerShell are split as PowerShell does`(_ text: String, _ expected: [String]) throws {
        #expect(ShellDialect.detected(in: text) == .powerShell)
        #expect(try words(text) == expected)
    }

    @Test func `a variable of PowerShell's environment is a reference`() throws {
        #expect(ShellText.template(try words("curl.exe \"x$env:TOKEN\"")[1]) == "x{{$env.TOKEN}}")
    }
}
