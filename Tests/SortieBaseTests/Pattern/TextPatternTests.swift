import SortieBase
import Support
import Testing

/// Tests that regular expressions of conditions are evaluated in linear time, within a budget.
@Suite struct TextPatternTests {
    private func isFound(_ pattern: String, in text: String) throws -> Bool {
        var steps = TextPattern.maximumSteps
        return try TextPattern(pattern).isFound(in: text, steps: &steps)
    }

    @Test(arguments: [
        // Unlike in Swift, a word boundary is between a word character and another character.
        (#"^\b"#, " a", false), ("", "", true), ("a", "", false), ("^$", "", true), ("b", "abc", true), ("^b", "abc", false), ("c$", "abc", true),
        ("^a.c$", "abc", true),
        ("^a.c$", "a\nc", false), ("(?s)^a.c$", "a\nc", true), ("(?m)^b$", "a\nb\nc", true), ("^b$", "a\nb\nc", false), ("(?i)ÄB", "xäb", true),
        ("(?i:a)b", "Ab", true), ("(?i:a)b", "AB", false), ("[^\"]+", "\"\"", false), ("[a-c]{2,3}x", "abcx", true), ("^[a-c]{2}$", "abc", false),
        (#"^\d{4}-\d\d-\d\dT[\d:.]+Z$"#, "2024-01-31T10:20:30.5Z", true), (#"\bid\b"#, "the id is", true), (#"\bid\b"#, "idea", false),
        (#"^\p{Lu}\p{Ll}+$"#, "Übung", true), (#"[[:alpha:]]+\s\S"#, "ab c", true), (#"^[\w.+-]+@[\w-]+(\.[\w-]+)+$"#, "a.b+c@x-y.example", true),
        ("^(?:json|xml)$", "xml", true), ("^(?<kind>a|b)*?c", "ababc", true), ("a{,2}b", "aab", true), ("{", "{", true), ("x{y}", "x{y}", true),
        (#"\x41\u0042\u{43}"#, "ABC", true), (#"\Qa.b\E"#, "a.b", true), (#"\Qa.b\E"#, "axb", false), ("[]a]", "]", true), ("a|", "zzz", true),
        (#"a\Z"#, "a\n", true), (#"a\z"#, "a\n", false), (#"[\]\-]"#, "-", true), ("日.語", "日本語", true), ("(a*)*b", "aab", true),
    ])
    func `a pattern matches at the expected places`(pattern: String, text: String, expected: Bool) throws {
        #expect(try isFound(pattern, in: text) == expected)
    }

    @Test(arguments: [
        ("(?=a)", "not supported"), ("(?<!a)b", "not supported"), (#"(a)\1"#, "reference"), ("(?>a)", "atomic"), ("a++", "possessive"),
        ("[a&&b]", "sets"), ("[", "not closed"), ("(", "not closed"), ("a)", "has no ("), ("*a", "nothing comes before"),
        ("a**", "follow each other"),
        ("[b-a]", "before it begins"), ("a{2,1}", "before it begins"), ("a{1001}", "1000 at most"), ("((a{1000}){1000}){1000}", "10000 instructions"),
        ("(((){1000}){1000}){1000}", "10000 instructions"), (#"\"#, "backslash"), (#"\X"#, "not supported"), (#"\p{Klingon}"#, "no class"),
    ])
    func `a pattern without linear-time evaluation is rejected with the reason`(pattern: String, words: String) {
        let error = #expect(throws: PatternError.self) { try TextPattern(pattern) }
        #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    }

    @Test(arguments: [("a.c", "abc"), ("(a|b)*", "ab"), ("a.\u{301}", "ax\u{301}"), ("[\u{301}a]", "a"), ("a\r\n", "a\n")])
    func `an escaped text matches itself only`(_ text: String, _ other: String) throws {
        let pattern = "^\(TextPattern.escaped(text))$"
        #expect(try isFound(pattern, in: text))
        #expect(try !isFound(pattern, in: other))
    }

    @Test func `groups beyond the nesting limit are an error and do not overflow the stack`() {
        let text = String(repeating: "(", count: 100_000)
        #expect(throws: PatternError("groups are nested deeper than 100 levels")) { try TextPattern(text) }
    }

    @Test(arguments: ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(.*a){12}$", "^(([a-z])+.)+[A-Z]([a-z])+$"])
    func `a pattern that is exponential with backtracking terminates`(pattern: String) throws {
        #expect(try !isFound(pattern, in: String(repeating: "a", count: 500) + "!"))
    }

    @Test(arguments: [UInt64.random(in: 0...UInt64.max)])
    func `random patterns match like those of Swift`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = ["a", "b", "a", "b", ".", "[ab]", "[^a]", "(", ")", "(?:", "|", "*", "+", "?", "{2}", "{1,2}", "^", "$", "\\w", "*?"]
        var compared = 0
        for _ in 0..<4000 {
            let pattern = (0..<Int.random(in: 1...7, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "a" }.joined()
            let known: Regex<AnyRegexOutput>
            do { known = try Regex(pattern) } catch { continue }
            let own: TextPattern
            do throws(PatternError) { own = try TextPattern(pattern) } catch { continue }
            for _ in 0..<5 {
                let text = String((0..<Int.random(in: 0...8, using: &random)).map { _ in "ab c".randomElement(using: &random) ?? "a" })
                var steps = 1_000_000
                #expect(try own.isFound(in: text, steps: &steps) == text.contains(known), "\(pattern) in “\(text)”, seed \(seed)")
                compared += 1
            }
        }
        #expect(compared > 1000, "seed \(seed)")
    }

    @Test func `a search that exceeds its budget is an error with the number`() throws {
        let pattern = try TextPattern("(.*,){20}x")
        var steps = 100_000
        let error = #expect(throws: PatternError.self) { try pattern.isFound(in: String(repeating: "a,", count: 10_000), steps: &steps) }
        #expect(error?.message.contains("more than \(TextPattern.maximumSteps) steps") == true)
    }

    @Test func `a search ends when its task is cancelled`() async {
        let task = Task { () throws(PatternError) -> Bool in
            while !Task.isCancelled { await Task.yield() }
            var steps = Int.max
            return try TextPattern("(.*,){20}x").isFound(in: String(repeating: "a,", count: 10_000), steps: &steps)
        }
        task.cancel()
        let result = await task.result
        #expect(throws: PatternError("the comparison was cancelled")) { try result.get() }
    }

    @Test(arguments: [
        ("^[A-Z]{3}$", 0...9, "AAA"), (#"^\+[1-9]\d{1,14}$"#, 0...20, "+11"), ("a+", 4...4, "aaaa"), ("^(x|yy)?$", 0...2, ""),
        ("[^a-z0-9]", 1...1, "A"),
        ("(?i)^ab$", 0...9, "ab"), ("^[€]b?$", 1...1, "€"), (#"^\w{2,}-\d*$"#, 5...6, "aa"),
    ])
    func `a sample has the length, and the pattern is found in it`(_ pattern: String, _ length: ClosedRange<Int>, _ start: String) throws {
        let sample = try #require(TextPattern.sample(of: pattern, length: length))
        var steps = TextPattern.maximumSteps
        #expect(try TextPattern(pattern).isFound(in: sample, steps: &steps))
        #expect(length.contains(sample.unicodeScalars.count) && sample.hasPrefix(start), "\(sample)")
        #expect(TextPattern.sample(of: "[a-c]", length: 1...1, variant: 2) == "c")
    }

    @Test(arguments: [("^a{5}$", 0...4), ("^a$", 2...9), ("a$b", 0...9), ("(?=a)", 0...9), ("(", 0...9), ("[^\\s\\S]", 0...9)])
    func `there is no sample where no text of the length is found`(_ pattern: String, _ length: ClosedRange<Int>) {
        #expect(TextPattern.sample(of: pattern, length: length) == nil)
    }
}
