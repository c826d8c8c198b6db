import Testing

@testable import SortieGuide

@Suite struct GuideTableTests {
    private static let article = GuideArticle(
        fileName: "X", markdown: "# X\n\n## One\n\nText.\n\n## Two: `x`\n\n| a | b |\n|---|---|\n| `c`, d | [e](E.md) |\n\n| f |\n|---|\n| g |\n")

    @Test func `the first table below a heading is found by the beginning of the heading, without its header`() {
        #expect(Self.article.table(below: "Two") == [["c, d", "e"]])
    }

    @Test(arguments: ["One", "Three"]) func `a heading without a table has no rows`(heading: String) {
        #expect(Self.article.table(below: heading).isEmpty)
    }
}
