import SortieBase
import Testing

@Suite struct SuggestionTests {
    @Test(arguments: [
        ("methd", "method"), ("METHOD", "method"), ("metohd", "method"), ("qeury", "query"), ("hedaers", "headers"),
        ("bdy", "body"),
    ])
    func `the most similar name is found`(name: String, nearest: String) {
        #expect(Suggestion.nearest(to: name, in: ["path", "method", "query", "headers", "body"]) == nearest)
    }

    @Test func `nothing is suggested without a similar name`() {
        #expect(Suggestion.nearest(to: "completely", in: ["path", "method"]) == nil)
        #expect(Suggestion.nearest(to: "a", in: []) == nil)
        #expect(Suggestion.nearest(to: "", in: ["path"]) == nil)
    }

    @Test func `a name that is part of another one suggests the other one`() {
        #expect(Suggestion.nearest(to: "offline", in: ["limit", "parkWhenOffline"]) == "parkWhenOffline")
    }

    @Test func `the first of equally similar names is suggested`() {
        #expect(Suggestion.nearest(to: "ab", in: ["ac", "ad"]) == "ac")
    }
}
