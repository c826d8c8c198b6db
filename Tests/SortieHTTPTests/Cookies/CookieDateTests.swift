import FoundationEssentials
import Testing

@testable import SortieHTTP

/// Tests dates of `Expires` (RFC 6265 §5.1.1).
struct CookieDateTests {
    @Test(arguments: [
        "Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21-Oct-15 07:28:00 GMT", "Wed Oct 21 07:28:00 2015", "21 oct 2015 7:28:0",
        "2015 October 21 07:28:00", "07:28:00 21/Oct/2015", "Wednesday, 21-OCT-15 07:28:00 PST", "21th Oct 2015 07:28:00x",
    ])
    func `a date is parsed in any order and with any delimiters`(_ text: String) {
        #expect(CookieDate.parse(text) == Date(timeIntervalSince1970: 1_445_412_480))
    }

    @Test(arguments: [("01 Jan 70 00:00:00", 0.0), ("01 Jan 69 00:00:00", 3_124_224_000), ("29 Feb 2016 00:00:00", 1_456_704_000)])
    func `years with two digits mean 1970 to 2069`(_ text: String, _ seconds: Double) {
        #expect(CookieDate.parse(text) == Date(timeIntervalSince1970: seconds))
    }

    @Test(arguments: [
        "", "soon", "21 Oct 2015", "21 Oct 07:28:00", "Oct 2015 07:28:00", "32 Oct 2015 07:28:00", "30 Feb 2016 07:28:00", "29 Feb 2015 07:28:00",
        "21 Oct 1600 07:28:00", "21 Oct 2015 24:00:00", "21 Oct 2015 07:60:00", "21 Oct 2015 07:28", "021 Oct 20155 07:28:00",
    ])
    func `an invalid date is rejected`(_ text: String) {
        #expect(CookieDate.parse(text) == nil)
    }
}
