internal import SortieBase

/// JSON numbers compared by value.
enum JSONNumber {
    /// A text that numbers of equal value share, such as 1, 1.0 and 10e-1; exact for any number of digits.
    ///
    /// A number whose exponent has a magnitude of 2⁴⁰ or more is returned unchanged.
    static func canonical(_ text: String) -> String {
        var digits: [UInt8] = []
        var exponent = 0
        var isFraction = false
        let parts = text.utf8.split(maxSplits: 1) { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
        if parts.count == 2 {
            let written = String(decoding: parts[1], as: UTF8.self)
            guard let value = Int(written), value.magnitude < 1 << 40 else { return text }
            exponent = value
        }
        for byte in parts.first ?? text.utf8[...] {
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else if ASCII.isDigit(byte) {
                if isFraction { exponent -= 1 }
                if !digits.isEmpty || byte != UInt8(ascii: "0") { digits.append(byte) }
            }
        }
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        if digits.isEmpty { return "0" }
        return (text.utf8.first == UInt8(ascii: "-") ? "-" : "") + String(decoding: digits, as: UTF8.self) + "e\(exponent)"
    }
}
