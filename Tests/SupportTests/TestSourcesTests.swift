import Foundation
import Support
import Testing

/// Rules for the sources of the tests.
@Suite struct TestSourcesTests {
    @Test func `the names of suites are unique`() throws {
        let suites = try TestSources.suites()
        #expect(suites.count > 300)
        let shared = Dictionary(grouping: suites, by: \.name).filter { $0.value.count > 1 }
        #expect(shared.isEmpty, "\(shared.mapValues { $0.map(\.path) })")
    }

    @Test func `the names of tests are unique within their suite`() throws {
        let tests = try TestSources.tests()
        #expect(tests.count > 2000)
        let shared = Dictionary(grouping: tests) { "\($0.suite): \($0.name)" }.filter { $0.value.count > 1 }
        #expect(shared.isEmpty, "\(shared.keys)")
    }

    /// What the lines contain that use random numbers; plain texts are found faster than regular expressions.
    private static let words = ["andom", "shuffled"]

    @Test func `random tests print their seed`() throws {
        var unseeded: [String] = []
        for file in try TestSources.files() where file.path != "SupportTests/TestSourcesTests.swift" && !file.path.hasPrefix("Benchmarks/") {
            for (number, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                // Scripts of other tools in texts have random numbers of JavaScript.
                guard Self.words.contains(where: { line.contains($0) }), !line.contains("Math.random()") else { continue }
                let isRandom = line.contains(/[^.]\.random\(|\.randomElement\(|\.shuffled\(|SystemRandomNumberGenerator|arc4random/)
                // A seed is an argument of the test, or part of the messages.
                let isSeeded = line.contains("using: &") || line.contains(/arguments: \[UInt64\.random/) || line.contains(/let seed = UInt64\.random/)
                if isRandom, !isSeeded { unseeded.append("\(file.path):\(number + 1): \(line)") }
            }
            if file.text.contains("let seed = UInt64.random"), !file.text.contains("seed \\(seed)") {
                unseeded.append("\(file.path) has no message with its seed")
            }
        }
        #expect(unseeded == [])
    }
}
