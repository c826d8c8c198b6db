/// A single byte range of a request (RFC 9110 §14.1.2), resolved against a length.
enum ByteRange: Equatable {
    /// No range, an unknown or malformed one, or several ranges: the whole representation is sent.
    case whole
    case part(Range<Int>)
    case unsatisfiable

    /// Parses a `Range` header: `bytes=0-99`, `bytes=100-`, `bytes=-500`.
    init(_ header: String?, length: Int) {
        guard let header, header.lowercased().hasPrefix("bytes=") else {
            self = .whole
            return
        }
        let spec = header.dropFirst(6).filter { $0 != " " }
        let parts = spec.split(separator: "-", omittingEmptySubsequences: false)
        guard !spec.contains(","), parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy(Self.isDigit) }) else {
            self = .whole
            return
        }
        switch (parts[0].isEmpty, parts[1].isEmpty) {
        case (true, true): self = .whole
        case (true, false):
            let count = Self.number(parts[1])
            self = count == 0 || length == 0 ? .unsatisfiable : .part(max(0, length - count)..<length)
        case (false, _):
            let first = Self.number(parts[0])
            let last = parts[1].isEmpty ? Int.max : Self.number(parts[1])
            if last < first {
                self = .whole
            } else {
                self = first >= length ? .unsatisfiable : .part(first..<(min(last, length - 1) + 1))
            }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// A number that exceeds `Int` is beyond any end.
    private static func number(_ digits: some StringProtocol) -> Int {
        Int(digits) ?? .max
    }
}
