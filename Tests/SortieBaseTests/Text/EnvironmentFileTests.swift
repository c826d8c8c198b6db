import SortieBase
import Testing

@Suite struct EnvironmentFileTests {
    private func variables(_ text: String) throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try EnvironmentFile(Array(text.utf8), file: ".env").variables.map { ($0.name, $0.value) })
    }

    @Test(arguments: [
        ("A=1", "1"), ("export A=1", "1"), ("  A = one two  ", "one two"), ("A=", ""), ("A=a#b # comment", "a#b"), ("A= # comment", ""),
        ("A='a # b\\n' # comment", "a # b\\n"), ("A=\"a\\nb\\t\\\"c\\\" \\$d \\\\ \\x\"", "a\nb\t\"c\" $d \\ \\x"), ("A=\"one\ntwo\"", "one\ntwo"),
        ("A=`it's \"x\"`", "it's \"x\""), ("A=a=b\r\n", "a=b"), ("A=${HOME}", "${HOME}"), ("A=1\nA=2", "2"), ("\u{feff}# x\n\nA=é", "é"),
    ])
    func `quotes, escapes, comments and lines are those of dotenv`(text: String, value: String) throws {
        #expect(try variables(text) == ["A": value])
    }

    @Test(arguments: [
        ("B=x\nA=\"${B}-${C:-d e}\\${B}\"", "x-d e${B}"), ("B=\nA=${B}${B:-y} # c", "y"), ("B=x\nA='${B}'", "${B}"),
        ("B=x\nA=$B${C}${B", "$B${C}${B"),
        ("export B\nA: 1", "1"), ("A=${B}\nB=1", "${B}"),
    ])
    func `references lead to variables before them, and other notations of dotenv are read`(text: String, value: String) throws {
        #expect(try variables(text)["A"] == value)
    }

    @Test func `references do not multiply a value without a limit`() throws {
        let lines = (1...40).map { "A\($0)=${A\($0 - 1)}${A\($0 - 1)}" }
        let values = try variables((["A0=1234567890"] + lines).joined(separator: "\n"))
        #expect(values["A3"]?.count == 80 && values.values.reduce(0) { $0 + $1.utf8.count } < 4 << 20)
    }

    @Test(arguments: [("A=1\nnothing here s3cret", 2, 1), ("A='s3cret", 1, 3), ("A=\"x\" s3cret", 1, 7), ("=s3cret", 1, 1)])
    func `a line that is no variable is an error with its place, which has no text of the file`(text: String, line: Int, column: Int) throws {
        let problem = try #require(throws: Diagnostic.self) { try variables(text) }
        #expect(problem.location == SourceLocation(file: ".env", line: line, column: column) && !problem.message.contains("s3cret"))
    }
}
