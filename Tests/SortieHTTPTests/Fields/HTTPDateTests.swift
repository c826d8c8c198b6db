import SortieHTTP
import Testing

struct HTTPDateTests {
    @Test(arguments: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
    func `all three formats of RFC 9110 are parsed`(text: String) {
        #expect(HTTPDate(text)?.seconds == 784_111_777)
    }

    @Test(
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000), ("Fri, 31 Dec 2100 23:59:59 GMT", 4_133_980_799),
        ] as [(String, Int64)])
    func `leap years are counted`(text: String, seconds: Int64) {
        #expect(HTTPDate(text)?.seconds == seconds)
    }

    @Test(arguments: ["", "soon", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT", "-1"])
    func `anything else is rejected`(text: String) {
        #expect(HTTPDate(text) == nil)
    }

    @Test func `Retry-After is a number of seconds, or a date relative to the server's clock`() {
        let now = HTTPDate(seconds: 1000)
        #expect(RetryAfter.seconds(in: [HeaderField("Retry-After", "120")], now: now) == 120)
        let date = HeaderField("Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(RetryAfter.seconds(in: [date, HeaderField("Date", "Sun, 06 Nov 1994 08:49:30 GMT")], now: now) == 7)
        #expect(RetryAfter.seconds(in: [date], now: HTTPDate(seconds: 784_111_778)) == 0)
        #expect(RetryAfter.seconds(in: [HeaderField("Retry-After", "later")], now: now) == nil)
        #expect(RetryAfter.seconds(in: [], now: now) == nil)
    }
}
