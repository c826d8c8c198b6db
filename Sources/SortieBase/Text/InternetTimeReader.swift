/// Reads dates and times of RFC 3339 §5.6 byte by byte, because a body has many of them.
struct InternetTimeReader {
    /// A time with its offset.
    struct Time {
        /// The seconds since the beginning of the day in UTC, without their fraction; outside of the day where the offset leads to another one.
        let seconds: Int
        /// The digits of the fraction.
        fileprivate let fraction: Range<Int>
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// What a closure reads from a text; nil where it does not read all of it.
    static func read<Value>(_ text: String, _ value: (inout InternetTimeReader) -> Value?) -> Value? {
        var text = text
        return text.withUTF8 { bytes in
            var reader = InternetTimeReader(bytes)
            let value = value(&reader)
            return reader.isAtEnd ? value : nil
        }
    }

    var isAtEnd: Bool { index == bytes.count }

    /// Skips one of some characters.
    mutating func skip(_ characters: StaticString) -> Bool {
        guard index < bytes.count, characters.withUTF8Buffer({ $0.contains(bytes[index]) }) else { return false }
        index += 1
        return true
    }

    private mutating func number(_ digits: Int) -> Int? {
        guard index + digits <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[index..<index + digits] {
            guard ASCII.isDigit(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        index += digits
        return value
    }

    /// A date that exists: `2027-01-28`.
    mutating func date() -> CalendarTime? {
        guard let year = number(4), skip("-"), let month = number(2), (1...12).contains(month), skip("-"), let day = number(2),
            (1...CalendarTime.days(ofMonth: month, in: year)).contains(day)
        else { return nil }
        return CalendarTime(year: year, month: month, day: day)
    }

    /// A time with its offset: `12:00:00Z`, `12:00:00.5+01:00`.
    mutating func time() -> Time? {
        // A leap second is the 61st one.
        guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60, skip(":"), let second = number(2), second <= 60
        else { return nil }
        var fraction = index..<index
        if skip(".") {
            let start = index
            while index < bytes.count, ASCII.isDigit(bytes[index]) { index += 1 }
            guard index > start else { return nil }
            fraction = start..<index
        }
        let seconds = hour * 3600 + minute * 60 + second
        if skip("Zz") { return Time(seconds: seconds, fraction: fraction) }
        let isBehind = index < bytes.count && bytes[index] == UInt8(ascii: "-")
        guard skip("+-"), let hours = number(2), hours < 24, skip(":"), let minutes = number(2), minutes < 60 else { return nil }
        let offset = hours * 3600 + minutes * 60
        return Time(seconds: isBehind ? seconds + offset : seconds - offset, fraction: fraction)
    }

    /// The fraction of the second of a time that was read.
    func fraction(of time: Time) -> Double {
        // Further digits do not change the number.
        Double("0.\(String(decoding: bytes[time.fraction].prefix(18), as: UTF8.self))") ?? 0
    }
}
