import Foundation
import SortieBase
import Testing

struct CalendarTimeTests {
    @Test(arguments: [
        (784_111_777.0, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    ])
    func `the notation of header fields has the day of the week`(seconds: Double, text: String) {
        #expect(CalendarTime(secondsSince1970: seconds).httpDate == text)
    }

    @Test(arguments: [
        (0.0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"), (951_696_000, "2000-02-28T00:00:00Z"),
        (1_584_611_163.9, "2020-03-19T09:46:03Z"),
        (4_107_542_400, "2100-03-01T00:00:00Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
        (.infinity, "9999-12-31T23:59:59Z"), (.nan, "1970-01-01T00:00:00Z"),
    ])
    func `a time in UTC is written in the format of RFC 3339`(seconds: Double, text: String) {
        #expect(CalendarTime(secondsSince1970: seconds).iso8601 == text)
    }

    @Test func `every day from 1900 to 2100 equals that of Foundation's calendar`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        for day in stride(from: -25_567, through: 47_481, by: 1) {
            let seconds = Double(day) * 86_400 + 45_296
            let theirs = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: seconds))
            let ours = CalendarTime(secondsSince1970: seconds)
            let isSame =
                (ours.year, ours.month, ours.day) == (theirs.year, theirs.month, theirs.day)
                && (ours.hour, ours.minute, ours.second) == (theirs.hour, theirs.minute, theirs.second)
            try #require(isSame, "day \(day) since 1970: \(ours)")
        }
    }

    @Test(arguments: [
        ("2027-01-31", 1_801_353_600), ("2027-01-31T00:00:00Z", 1_801_353_600), ("2027-01-31t01:00:00+01:00", 1_801_353_600),
        ("2027-01-30 22:30:00-01:30", 1_801_353_600), ("2027-01-31T00:00:00.5z", 1_801_353_600.5), ("2027-01-30T23:59:60Z", 1_801_353_600),
        ("2027-01-31T00:00:00.25000000000000000000Z", 1_801_353_600.25),
    ])
    func `a text of RFC 3339 is a time`(text: String, seconds: Double) {
        #expect(CalendarTime.seconds(ofISO8601: text) == seconds)
    }

    @Test(arguments: [
        "", "2027-02-29", "2027-13-01", "2027-00-01", "2027-1-31", "+027-01-31", "2027-01-31T", "2027-01-31T00:00Z", "2027-01-31T24:00:00Z",
        "2027-01-31T00:00:00", "2027-01-31T00:00:00.Z", "2027-01-31T00:00:00+1:00", "2027-01-31T00:00:00Z ", "2027-01-31T00:00:0\u{0663}Z",
    ])
    func `a text with another form, or of a time that does not exist, is none`(text: String) {
        #expect(CalendarTime.seconds(ofISO8601: text) == nil)
    }

    @Test func `an offset gives the local time`() {
        let time = CalendarTime(secondsSince1970: 1_584_611_163, utcOffset: 8 * 3600)
        #expect((time.year, time.month, time.day) == (2020, 3, 19) && (time.hour, time.minute, time.second) == (17, 46, 3))
    }
}
