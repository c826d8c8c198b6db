/// The decoded pairs of a query string or a form body, in order.
struct QueryItems: Sendable {
    struct Item: Sendable, Equatable {
        let name: String
        /// Nil when the item has no `=`.
        let value: String?
    }

    let items: [Item]

    /// Splits at `&` and `=` and decodes percent escapes.
    ///
    /// - Parameter plusIsSpace: True for the form rule (WHATWG URL §5.1); false for the URL rule (RFC 3986), where
    ///   `+` is literal.
    init(_ text: String, plusIsSpace: Bool) {
        items = text.split(separator: "&", omittingEmptySubsequences: true).map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.decode(parts.first ?? "", plusIsSpace: plusIsSpace)
            return Item(name: name, value: parts.count > 1 ? Self.decode(parts[1], plusIsSpace: plusIsSpace) : nil)
        }
    }

    /// The first value of a name; an item without `=` has an empty value.
    subscript(name: String) -> String? {
        items.first { $0.name == name }.map { $0.value ?? "" }
    }

    var json: JSON {
        .array(items.map { [.string($0.name), .optional($0.value)] })
    }

    /// Decodes percent escapes.
    ///
    /// Malformed escapes are kept; bytes that are not UTF-8 become U+FFFD.
    static func decode(_ text: some StringProtocol, plusIsSpace: Bool) -> String {
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        var index = 0
        while index < source.count {
            let byte = source[index]
            if byte == UInt8(ascii: "%"), index + 2 < source.count, let high = hexValue(source[index + 1]),
                let low = hexValue(source[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
