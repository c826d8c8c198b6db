import SortieBase
import Testing

/// Tests the search for bytes in bytes.
@Suite struct ByteScanTests {
    @Test(arguments: [
        ("", "", true), ("a", "", true), ("", "a", false), ("abc", "abc", true), ("aaab", "aab", true), ("ab", "abc", false), ("xaby", "ba", false),
    ])
    func `bytes contain others where these occur in them without a gap`(bytes: String, part: String, isIn: Bool) {
        #expect(Array(bytes.utf8).contains(bytes: Array(part.utf8)) == isIn)
    }
}
