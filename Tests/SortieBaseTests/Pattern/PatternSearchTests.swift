import SortieBase
import Support
import Testing

/// Tests finding the matches of regular expressions in bytes.
@Suite struct PatternSearchTests {
    /// The matches of a pattern in a line, one after the other.
    private func matches(_ pattern: String, _ text: String, ignoringCase: Bool = false) throws -> [String] {
        let search = PatternSearch(try TextPattern(pattern, ignoringCase: ignoringCase))
        let bytes = Array(text.utf8)
        var found: [String] = []
        var start = 0
        var steps = 1_000_000
        while let match = try first(search, bytes, from: start, &steps) {
            found.append(String(decoding: bytes[match], as: UTF8.self))
            start = match.upperBound
        }
        return found
    }

    private func first(_ search: PatternSearch, _ bytes: [UInt8], from start: Int, _ steps: inout Int) throws -> Range<Int>? {
        try bytes.withUnsafeBytes { try search.first(in: $0, 0..<$0.count, from: start, steps: &steps, isStopped: { false }) }
    }

    @Test(arguments: [
        ("o.d", "order old", ["ord", "old"]), ("[0-9]+", "a12b345", ["12", "345"]), ("a|ab", "ab", ["a"]), ("ab|a", "ab", ["ab"]),
        ("a.*b", "a1b2b", ["a1b2b"]), ("a.*?b", "a1b2b", ["a1b"]), ("x*", "axxb", ["xx"]), ("^a", "aa", ["a"]), ("a$", "aa", ["a"]),
        (#"\bor"#, "for order", ["or"]), ("é+", "caféé!", ["éé"]), ("日.語", "日本語", ["日本語"]), ("(?i)abc", "xABCx", ["ABC"]),
        ("(a+)+b", "aaab", ["aaab"]),
        ("a{2,3}", "aaaaa", ["aaa", "aa"]), ("q", "abc", []),
    ]) func `the matches are those that backtracking finds`(pattern: String, text: String, expected: [String]) throws {
        #expect(try matches(pattern, text) == expected)
    }

    @Test func `case is ignored, also of characters whose lower case is ASCII`() throws {
        #expect(try matches("k", "aKb\u{212A}", ignoringCase: true) == ["K", "\u{212A}"])
        #expect(try matches("ÄB", "äb ÄB", ignoringCase: true) == ["äb", "ÄB"])
    }

    @Test func `bytes that are not UTF-8 are matched one by one`() throws {
        let search = PatternSearch(try TextPattern("a.b"))
        var steps = 1000
        #expect(try first(search, [0x61, 0xFF, 0x62], from: 0, &steps) == 0..<3)
        #expect(try first(search, [0xC3, 0x61, 0xE2, 0x82, 0x62], from: 0, &steps) == nil)
    }

    @Test func `a pattern that makes backtracking exponential takes linear time`() throws {
        #expect(try matches("(a*)*(a*)*(a|a)*c", String(repeating: "a", count: 2000)).isEmpty)
    }

    @Test func `the budget and the question whether to stop end a search`() throws {
        let search = PatternSearch(try TextPattern("(a?){500}b"))
        let bytes = [UInt8](repeating: 0x61, count: 10_000)
        var steps = 10_000
        #expect(throws: PatternError.self) { try first(search, bytes, from: 0, &steps) }
        var more = Int.max
        #expect(throws: PatternError("the search was stopped")) {
            try bytes.withUnsafeBytes { _ = try search.first(in: $0, 0..<$0.count, from: 0, steps: &more, isStopped: { true }) }
        }
    }

    @Test func `random texts have the same matches as when each start is tried`() throws {
        var generator = SeededGenerator(seed: 18)
        for pattern in ["ab*", "(a|b)c", "b{1,2}a?", "[ab]+c$", "^a.c", "a.*?c", #"\ba"#] {
            let search = PatternSearch(try TextPattern(pattern))
            let whole = try TextPattern(pattern)
            for _ in 0..<200 {
                let text = String((0..<Int.random(in: 0...12, using: &generator)).map { _ in "abc ".randomElement(using: &generator) ?? "a" })
                var steps = 100_000
                let found = try first(search, Array(text.utf8), from: 0, &steps)
                let exists = try whole.isFound(in: text, steps: &steps)
                #expect((found != nil) == exists, "\(pattern) in \(text), seed 18")
            }
        }
    }
}
