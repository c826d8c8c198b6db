/// The value of a JSON number, exact for any number of digits: 1, 1.0 and 10e-1 are equal.
///
/// The magnitude of an exponent is at most 2⁴⁰; a larger one counts as that.
package struct JSONDecimal: Hashable, Sendable {
    /// Whether the number is below zero.
    package let isNegative: Bool
    /// The digits without zeros at either end; empty for zero.
    private let digits: [UInt8]
    /// The power of ten of the last digit.
    private let exponent: Int

    /// Reads the text of a JSON number.
    package init(_ text: String) {
        let parts = text.utf8.split(maxSplits: 1) { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
        var exponent = 0
        if parts.count == 2 {
            let written = String(decoding: parts[1], as: UTF8.self)
            let limit = 1 << 40
            exponent = min(max(Int(written) ?? (written.hasPrefix("-") ? -limit : limit), -limit), limit)
        }
        var digits: [UInt8] = []
        var isFraction = false
        for byte in parts.first ?? text.utf8[...] {
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else if ASCII.isDigit(byte) {
                if isFraction { exponent -= 1 }
                if !digits.isEmpty || byte != UInt8(ascii: "0") { digits.append(byte - UInt8(ascii: "0")) }
            }
        }
        while digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        self.digits = digits
        self.exponent = digits.isEmpty ? 0 : exponent
        isNegative = !digits.isEmpty && text.utf8.first == UInt8(ascii: "-")
    }

    /// Reads a decimal number such as `-1.5`, `+2`, `.5` and `1e3`; nil for another text.
    package init?(parsing text: String) {
        var rest = text.utf8[...]
        func skipDigits() -> Int {
            let digits = rest.prefix { ASCII.isDigit($0) }.count
            rest = rest.dropFirst(digits)
            return digits
        }
        func skip(_ characters: String) -> Bool {
            guard let first = rest.first, characters.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        _ = skip("+-")
        var digits = skipDigits()
        if skip(".") { digits += skipDigits() }
        guard digits > 0 else { return nil }
        if skip("eE") {
            _ = skip("+-")
            guard skipDigits() > 0 else { return nil }
        }
        guard rest.isEmpty else { return nil }
        self.init(text)
    }

    /// Whether the number is zero.
    package var isZero: Bool { digits.isEmpty }
    /// Whether the number has no fraction.
    package var isInteger: Bool { exponent >= 0 }

    /// A text that equal numbers share and others do not.
    package var text: String {
        (isNegative ? "-" : "") + String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self) + "e\(exponent)"
    }

    /// The number as an integer; nil where it has a fraction or is out of range.
    package var integer: Int? {
        guard isInteger, digits.count + exponent <= 18 else { return nil }
        var value = digits.reduce(0) { $0 * 10 + Int($1) }
        for _ in 0..<exponent { value *= 10 }
        return isNegative ? -value : value
    }

    /// Whether the number can be a divisor: it is above zero and has at most 18 significant digits.
    package var canDivide: Bool { !isZero && !isNegative && digits.count <= 18 }

    /// Whether the number is an integral multiple of a divisor; see ``canDivide``.
    package func isMultiple(of divisor: JSONDecimal) -> Bool {
        guard !isZero else { return true }
        guard divisor.canDivide else { return false }
        // Neither has a zero at its end, so that the one with the smaller power of ten cannot be a multiple of the other.
        guard exponent >= divisor.exponent else { return false }
        let modulus = divisor.digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1) }
        var rest = digits.reduce(UInt64(0)) { ($0 * 10 + UInt64($1)) % modulus }
        var power = exponent - divisor.exponent
        var factor = 10 % modulus
        while power > 0 {
            if power & 1 == 1 { rest = Self.product(rest, factor, modulus) }
            factor = Self.product(factor, factor, modulus)
            power >>= 1
        }
        return rest == 0
    }

    /// The product of two numbers modulo a third, which is greater than both.
    private static func product(_ left: UInt64, _ right: UInt64, _ modulus: UInt64) -> UInt64 {
        modulus.dividingFullWidth(left.multipliedFullWidth(by: right)).remainder
    }
}

extension JSONDecimal: Comparable {
    /// Whether a number is less than another one.
    package static func < (left: JSONDecimal, right: JSONDecimal) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        return left.isNegative ? right.isNearerToZero(than: left) : left.isNearerToZero(than: right)
    }

    private func isNearerToZero(than other: JSONDecimal) -> Bool {
        guard !isZero, !other.isZero else { return isZero && !other.isZero }
        let (length, otherLength) = (digits.count + exponent, other.digits.count + other.exponent)
        return length == otherLength ? digits.lexicographicallyPrecedes(other.digits) : length < otherLength
    }
}
