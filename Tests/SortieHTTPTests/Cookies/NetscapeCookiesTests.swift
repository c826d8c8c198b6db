import FoundationEssentials
import Testing

@testable import SortieHTTP

/// Tests cookie files in the format of curl.
struct NetscapeCookiesTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func file(_ text: String) -> NetscapeCookies { NetscapeCookies(parsing: Array(text.utf8), at: Self.now) }

    @Test func `written cookies are read back unchanged`() {
        let cookies = [
            Cookie(name: "a", value: "b\tc=\"d\"", domain: "h.example", path: "/x", expiresAt: Date(timeIntervalSince1970: 1_800_000_000)),
            Cookie(name: "s", value: "", domain: "h.example", isHostOnly: false, isSecure: true, isHTTPOnly: true),
        ]
        #expect(
            String(decoding: NetscapeCookies(cookies).bytes, as: UTF8.self) == """
                # Netscape HTTP Cookie File
                h.example\tFALSE\t/x\tFALSE\t1800000000\ta\tb\tc="d"
                #HttpOnly_.h.example\tTRUE\t/\tTRUE\t0\ts\t

                """)
        #expect(NetscapeCookies(parsing: NetscapeCookies(cookies).bytes, at: Self.now).cookies == cookies)
    }

    @Test func `expired cookies are left out`() {
        #expect(file("h.example\tFALSE\t/\tFALSE\t1699999999\told\t1\nh.example\tFALSE\t/\tFALSE\t1700000001\tnew\t1").cookies.map(\.name) == ["new"])
    }

    @Test func `an expiry after the year 9999 becomes the end of that year, and is read back unchanged`() {
        let read = file("h.example\tFALSE\t/\tFALSE\t270283000000\ta\tb\nh.example\tFALSE\t/\tFALSE\t\(Int64.max)\tc\td\n")
        #expect(read.cookies.map(\.expiresAt) == [Cookie.lastExpiry, Cookie.lastExpiry])
        #expect(NetscapeCookies(parsing: read.bytes, at: Self.now).cookies == read.cookies)
    }

    @Test func `an empty value may lack its tab, and lines may have Windows line endings`() {
        let read = file("# comment\r\n\r\nh.example\tFALSE\t/\tFALSE\t0\ta\r\n")
        #expect(read.cookies == [Cookie(name: "a", value: "", domain: "h.example")])
        #expect(read.problems.isEmpty)
    }

    @Test(
        arguments: [
            [0xd6, 0xd0] + "é".utf8, Array("\u{f780}\u{f7ff}é".utf8), [0xff] + "\u{f780}".utf8, Array("\u{e080}\u{f8ff}".utf8),
        ] as [[UInt8]])
    func `bytes that are not UTF-8, or characters that stand for bytes, are written as they were read`(_ value: [UInt8]) {
        let bytes = "# Netscape HTTP Cookie File\nh.example\tFALSE\t/\tFALSE\t0\ta\t".utf8 + value + "\n".utf8
        let file = NetscapeCookies(parsing: bytes, at: Self.now)
        #expect(file.problems.isEmpty && file.bytes == bytes)
    }

    @Test func `spaces before a domain or a comment are ignored, as curl does`() {
        let read = file("  h.example\tFALSE\t/\tFALSE\t0\ta\tb\n  # comment\n #HttpOnly_g.example\tFALSE\t/\tFALSE\t0\tc\td\n")
        #expect(read.cookies.map(\.domain) == ["h.example", "g.example"] && read.cookies.last?.isHTTPOnly == true)
        #expect(read.problems.isEmpty)
    }

    @Test func `a byte order mark is no part of the first cookie`() {
        #expect(file("\u{feff}h.example\tFALSE\t/\tFALSE\t0\ta\tb\n").cookies.first?.domain == "h.example")
    }

    @Test(arguments: [
        ("just words", "1 field "), ("h.example\tFALSE\t/\tFALSE\tsoon\ta\tb", "soon"), ("h.example\tMAYBE\t/\tFALSE\t0\ta\tb", "MAYBE"),
        ("\tFALSE\t/\tFALSE\t0\ta\tb", "no domain"), (".#h.example\tTRUE\t/\tFALSE\t0\ta\tb", "“#h.example” is not a domain"),
        ("..h.example\tTRUE\t/\tFALSE\t0\ta\tb", "is not a domain"),
        ("h.example\tFALSE\t/\tFALSE\t0\t\tb", "no name"),
        ("h.example\tFALSE\t/\tFALSE\t0\ta\tb\rX: y", "control character"),
    ])
    func `an invalid line is reported with its number, and preserved`(_ line: String, _ words: String) {
        let read = file("# Netscape HTTP Cookie File\n\n\(line)\nh.example\tFALSE\t/\tFALSE\t0\ta\tb\n")
        #expect(read.problems.map(\.line) == [3])
        #expect(read.problems.first?.message.contains(words) == true)
        #expect(read.cookies.map(\.name) == ["a"])
        let written = String(decoding: read.bytes, as: UTF8.self)
        #expect(written == "# Netscape HTTP Cookie File\n\(line)\nh.example\tFALSE\t/\tFALSE\t0\ta\tb\n")
    }

    @Test func `a line that is not text is preserved byte for byte`() {
        let read = NetscapeCookies(parsing: [0xff, 0x09, 0x0a], at: Self.now)
        #expect(read.problems.map(\.line) == [1])
        #expect(read.bytes.firstRange(of: [0xff, 0x09, 0x0a]) != nil)
    }
}
