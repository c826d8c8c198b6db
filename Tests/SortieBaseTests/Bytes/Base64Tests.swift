import SortieBase
import Testing

/// Tests Base64 with the alphabet for URLs.
struct Base64Tests {
    @Test(arguments: [("", []), ("_w", [0xff]), ("-_8", [0xfb, 0xff]), ("AAAA", [0, 0, 0])] as [(String, [UInt8])])
    func `bytes have a text without padding, which is read again`(_ text: String, _ bytes: [UInt8]) {
        #expect(Base64.urlText(bytes) == text && Base64.bytes(text) == bytes)
    }

    @Test func `the standard alphabet and padding are read, other text is not`() {
        #expect(Base64.bytes("+/8=") == [0xfb, 0xff] && Base64.bytes("-_8=") == [0xfb, 0xff])
        #expect(Base64.bytes("A") == nil && Base64.bytes("a b!") == nil)
    }
}
