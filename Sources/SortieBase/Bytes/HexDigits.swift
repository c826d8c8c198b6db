/// Conversion between bytes and hexadecimal digits.
package enum HexDigits {
    /// Two lowercase digits per byte.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The lowercase digits of a number, with zeros before it up to a number of digits.
    package static func text(of value: some BinaryInteger, digits: Int) -> String {
        value.padded(to: digits, radix: 16)
    }

    /// The bytes of pairs of digits in either case; nil when `text` contains anything else.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = ASCII.hexValue(digits[index]), let low = ASCII.hexValue(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

extension BinaryInteger {
    /// The digits of a number that is not negative, with zeros before them up to a number of digits.
    package func padded(to digits: Int, radix: Int = 10) -> String {
        let text = String(self, radix: radix)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
