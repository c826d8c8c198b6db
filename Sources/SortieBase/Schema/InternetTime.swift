/// Dates and times of RFC 3339 §5.6, which are read byte by byte, because a body has many of them.
enum InternetTime {
    /// Whether a text is a date: `2027-01-28`.
    static func isDate(_ text: String) -> Bool { matches(text) { $0.date() } }

    /// Whether a text is a time with its offset: `12:00:00Z`, `12:00:00.5+01:00`.
    static func isTime(_ text: String) -> Bool { matches(text) { $0.time() } }

    /// Whether a text is a date and a time with its offset.
    static func isDateTime(_ text: String) -> Bool { matches(text) { $0.date() && $0.skip("Tt") && $0.time() } }

    private static func matches(_ text: String, _ read: (inout Reader) -> Bool) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var reader = Reader(bytes: bytes)
            return read(&reader) && reader.index == bytes.count
        }
    }

    private struct Reader {
        let bytes: UnsafeBufferPointer<UInt8>
        var index = 0

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

        mutating func date() -> Bool {
            guard let year = number(4), skip("-"), let month = number(2), (1...12).contains(month), skip("-"), let day = number(2)
            else { return false }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let days = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
            return (1...days).contains(day)
        }

        mutating func time() -> Bool {
            // A leap second is the 61st one.
            guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60, skip(":"), let second = number(2), second <= 60
            else { return false }
            if skip(".") {
                let start = index
                while index < bytes.count, ASCII.isDigit(bytes[index]) { index += 1 }
                guard index > start else { return false }
            }
            if skip("Zz") { return true }
            guard skip("+-"), let hours = number(2), hours < 24, skip(":"), let minutes = number(2) else { return false }
            return minutes < 60
        }
    }
}
