import Testing

@testable import SortieWorkbench

@Suite struct NumberTextTests {
    @Test(arguments: [
        (0, "0 B"), (17, "17 B"), (999, "999 B"), (1000, "1.0 kB"), (1234, "1.2 kB"), (99_949, "99.9 kB"), (99_950, "100 kB"),
        (999_499, "999 kB"), (999_500, "1.0 MB"), (312_000_000, "312 MB"), (Int64.max, "9.2 EB"),
    ])
    func `amounts are abbreviated`(bytes: Int64, text: String) {
        #expect(ByteText.amount(bytes) == text)
    }

    @Test(arguments: [
        (0, "0.0 ms"), (0.0004, "0.4 ms"), (0.034, "34 ms"), (0.9999, "1.0 s"), (3.24, "3.2 s"), (59.96, "1 min 00 s"),
        (125, "2 min 05 s"),
        (4020, "1 h 07 min"), (.infinity, "–"), (-1, "0.0 ms"),
    ])
    func `durations are abbreviated`(seconds: Double, text: String) {
        #expect(NumberText.seconds(seconds) == text)
    }

    @Test func `fractions have one unit where both parts have the same`() {
        #expect(ByteText.share(1_200_000_000, of: 2_000_000_000) == "1.2/2.0 GB")
        #expect(ByteText.share(66_000_000, of: 2_000_000_000) == "66.0 MB/2.0 GB")
    }

    @Test(arguments: ["500ms", "10s", "1500ms", "2m"]) func `time limits are parsed as displayed`(text: String) {
        #expect(NumberText.duration(text).map { NumberText.duration($0) } == text)
    }

    @Test(arguments: ["", "s", "-1s", "soon", "1e99", "10 parsecs"]) func `an invalid time is rejected`(text: String) {
        #expect(NumberText.duration(text) == nil)
    }

    @Test func `scattered letters of a name match less well than its beginning`() throws {
        let start = try #require(FuzzyMatch.score(of: "save", in: "Save the body"))
        let scattered = try #require(FuzzyMatch.score(of: "save", in: "Send and leave"))
        #expect(start > scattered)
        #expect(FuzzyMatch.score(of: "xyz", in: "Save") == nil)
    }
}
