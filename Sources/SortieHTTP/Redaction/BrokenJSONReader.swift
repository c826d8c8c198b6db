internal import SortieBase

/// Finds the values of secret names in malformed JSON, from the first error on, where a tokenizer stops.
///
/// Searches for a quoted name that is followed by a colon, in any context, so it masks rather too much than too little.
struct BrokenJSONReader {
    /// The current offset.
    package private(set) var offset: Int
    /// The end of the input: the end of the line for line-delimited values, otherwise the end of the bytes.
    private var end: Int
    private let isLine: Bool
    /// The start of the current text, after the last quote or the last value.
    private var start: Int
    /// Whether a quote precedes the current text.
    private var isBehindQuote = false

    /// Begins at a syntax error.
    ///
    /// - Parameters:
    ///   - start: the offset of the last token before the error.
    ///   - fault: an offset in the line with the error.
    init(_ bytes: UnsafeRawBufferPointer, from start: Int, fault: Int, isLine: Bool) {
        offset = start
        (self.start, self.isLine) = (start, isLine)
        end = bytes.count
        if isLine { end = Self.lineEnd(bytes, max(start, fault)) }
    }

    private static func lineEnd(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Int {
        guard place < bytes.count else { return bytes.count }
        return bytes.firstIndex(of: 0x0A, in: place..<bytes.count) ?? bytes.count
    }

    /// The offset up to which the secrets are known.
    var settled: Int { start }
    /// Whether all bytes have been read.
    var isAtEnd: Bool { offset >= end }

    /// Reads up to `limit`, or slightly further.
    ///
    /// - Parameters:
    ///   - text: called for each text between two quotes, or outside of them.
    ///   - secret: called for the value of each secret name.
    package mutating func advance(
        over bytes: UnsafeRawBufferPointer, limit: Int, isSecret: (String) -> Bool, text: (Range<Int>) -> Void, secret: (Range<Int>) -> Void
    ) {
        while offset < min(limit, end) {
            switch bytes[offset] {
            case UInt8(ascii: "\\"): offset += 2
            case UInt8(ascii: "\""):
                let name = start..<offset
                offset += 1
                if isBehindQuote, let value = Self.value(bytes, behind: offset),
                    isSecret(JSONStringToken.text(bytes, name.lowerBound - 1..<name.upperBound + 1))
                {
                    let last = Self.end(bytes, ofValueAt: value)
                    if last > value { secret(value..<last) }
                    begin(at: last, bytes)
                } else {
                    text(name)
                    start = offset
                    isBehindQuote = true
                }
            default: offset += 1
            }
            // A text of this length is not a name; it is examined in parts.
            if offset - start > Redaction.window {
                text(start..<min(offset, bytes.count))
                start = min(offset, bytes.count)
                isBehindQuote = false
            }
        }
        if isAtEnd, start < end {
            text(start..<end)
            start = end
        }
    }

    /// Masks the value, or the name and its value, at this offset and continues after it.
    package mutating func take(_ bytes: UnsafeRawBufferPointer, valueAt place: Int, secret: (Range<Int>) -> Void) {
        let value = Self.passing(bytes, from: place) { $0 <= 0x20 || ":=>".utf8.contains($0) }
        let last = Self.end(bytes, ofValueAt: value)
        if last > value { secret(value..<last) }
        begin(at: last, bytes)
    }

    private mutating func begin(at place: Int, _ bytes: UnsafeRawBufferPointer) {
        offset = place
        start = place
        isBehindQuote = false
        if isLine, end < place { end = Self.lineEnd(bytes, place) }
    }

    /// The offset of a value when a colon follows.
    private static func value(_ bytes: UnsafeRawBufferPointer, behind place: Int) -> Int? {
        let colon = passing(bytes, from: place) { $0 <= 0x20 }
        guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { return nil }
        return passing(bytes, from: colon + 1) { $0 <= 0x20 }
    }

    private static func passing(_ bytes: UnsafeRawBufferPointer, from place: Int, _ passes: (UInt8) -> Bool) -> Int {
        var index = place
        while index < bytes.count, passes(bytes[index]) { index += 1 }
        return index
    }

    /// The end of a value: the closing quote of a string, the closing bracket of a container, else the next delimiter.
    private static func end(_ bytes: UnsafeRawBufferPointer, ofValueAt place: Int) -> Int {
        guard place < bytes.count else { return bytes.count }
        switch bytes[place] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return end(bytes, ofTextAt: place)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return bytes.endOfContainer(at: place) { end(bytes, ofTextAt: $0) }
        default: return passing(bytes, from: place) { $0 > 0x20 && !",}]".utf8.contains($0) }
        }
    }

    private static func end(_ bytes: UnsafeRawBufferPointer, ofTextAt place: Int) -> Int {
        var index = place + 1
        while index < bytes.count, bytes[index] != bytes[place] { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(bytes.count, index + 1)
    }
}

extension UnsafeRawBufferPointer {
    /// The index after the bracket that closes the object or list at an index; the number of bytes where none does.
    ///
    /// - Parameter endOfString: The index after the string at an index.
    func endOfContainer(at place: Int, endOfString: (Int) -> Int) -> Int {
        var depth = 0
        var index = place
        while index < count {
            switch self[index] {
            case UInt8(ascii: "\""):
                index = endOfString(index)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return index + 1 }
            default: break
            }
            index += 1
        }
        return count
    }
}
