/// Numbers of JSON by what they are worth.
enum JSONNumber {
    /// A text that two numbers share when they are worth the same: 1, 1.0, 10e-1; exact, however many digits there are.
    ///
    /// A number whose exponent is beyond all reason stands for itself.
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
