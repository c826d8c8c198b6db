extension JSONValue {
    /// A number of YAML, of which JSON permits only some (YAML 1.2 §10.3.2, RFC 8259 §6); nil for infinities, for what is not a number, and for octal and
    /// hexadecimal numbers that are too large.
    ///
    /// The digits stay as they are written. Digits after a zero or a plus sign are text, because such values are postal codes and telephone numbers,
    /// which numbers do not keep.
    package init?(yamlNumber text: String) {
        if JSONTokenizer.isNumber(text.utf8) {
            self = .number(text)
            return
        }
        for (prefix, radix) in [("0x", 16), ("0o", 8)] where text.hasPrefix(prefix) {
            guard let value = UInt64(text.dropFirst(2), radix: radix) else { return nil }
            self = .number(String(value))
            return
        }
        let sign = text.hasPrefix("-") ? "-" : ""
        var number = text.dropFirst(sign.count)
        if number.hasPrefix(".") { number = "0" + number }
        // A fraction needs a digit.
        if let point = number.firstIndex(of: "."), number[number.index(after: point)...].utf8.first.map(ASCII.isDigit) != true {
            number.insert("0", at: number.index(after: point))
        }
        if JSONTokenizer.isNumber((sign + number).utf8) {
            self = .number(sign + number)
        } else if text.utf8.contains(where: ASCII.isDigit) {
            self = .string(text)
        } else {
            return nil
        }
    }
}
