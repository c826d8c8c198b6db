import SortieHTTP
import Testing

/// Tests which parts of a file are masked after a template has read it.
@Suite struct HiddenFileTextTests {
    @Test func `a short text is masked as a whole and line by line`() {
        #expect(
            HiddenFileText.parts(of: " \nfirst line\nshort\n  second line \r\n") == ["first line", "first line\nshort\n  second line", "second line"])
        #expect(HiddenFileText.parts(of: "pw\n") == ["pw"])
        #expect(HiddenFileText.parts(of: " \n") == [])
    }

    @Test func `a text above 4 KiB is masked by lines, and one above 64 KiB not at all`() {
        let text = String(repeating: "a line of it\n", count: 400)
        #expect(HiddenFileText.parts(of: text) == ["a line of it"])
        #expect(HiddenFileText.parts(of: String(repeating: text, count: 20)) == [])
    }
}
