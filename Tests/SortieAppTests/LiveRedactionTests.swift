import SortieHTTP
import Testing

@testable import SortieApp

/// Tests the masking rules that a command learns.
struct LiveRedactionTests {
    @Test func `names that are added later are masked beside the earlier ones`() {
        let redaction = LiveRedaction(names: ["X-First"], showsSecrets: false)
        redaction.hide("hidden-value")
        redaction.add(names: ["X-Second"])
        redaction.add(names: ["X-Third"])
        for name in ["X-First", "X-Second", "X-Third"] {
            #expect(redaction.current.masked(HeaderField(name, "value")).value == HeaderField.mask)
        }
        #expect(!redaction.current.masked("got hidden-value").contains("hidden-value"))
    }
}
