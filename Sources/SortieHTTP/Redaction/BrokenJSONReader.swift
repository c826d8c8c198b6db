internal import SortieBase

/// Finds the values behind secret names in what is nearly JSON: behind a fault, where no tokenizer goes on.
///
/// It looks for a name in quotes with a colon behind it, whatever stands around, and so it masks a little too much rather than too little.
struct BrokenJSONReader {
    /// Where it looks next.
    package private(set) var offset: Int
    /// Where it ends: behind the line, of values on lines of their own, else with the bytes.
    private var end: Int
    private let isLine: Bool
    /// Where the text begins that the last quote, or the last value, divides from what was before.
    private var start: Int
    /// Whether there is a quote before that text.
    private var isBehindQuote = false

    /// Begins at a fault.
    ///
    /// - Parameters:
    ///   - start: where the last token before it begins.
    ///   - fault: a place in the line with the fault.
    init(_ bytes: UnsafeRawBufferPointer, from start: Int, fault: Int, isLine: Bool) {
        offset = start
        self.start = start
        self.isLine = isLine
        end = bytes.count
        if isLine { end = Self.lineEnd(bytes, max(start, fault)) }
    }

    private static func lineEnd(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Int {
        guard place < bytes.count else { return bytes.count }
        return bytes.firstIndex(of: 0x0A, in: place..<bytes.count) ?? bytes.count
    }

    /// How far it is known what is secret.
    var settled: Int { start }
    /// Whether it has read all.
    var isAtEnd: Bool { offset >= end }

    /// Reads up to `limit`, or a little further.
    ///
    /// - Parameters:
    ///   - text: is told of each text between two quotes, or outside of them.
    ///   - secret: is told of the value of a secret name.
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
            // A text that is that long is no name, and it is looked at in parts.
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

    /// Masks the value that begins, or ends a name, here, and goes on behind it.
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

    /// Where the value begins when a colon stands here.
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

    /// Where a value ends: a text with its quote, a container with its bracket, else before what can be in none.
    private static func end(_ bytes: UnsafeRawBufferPointer, ofValueAt place: Int) -> Int {
        guard place < bytes.count else { return bytes.count }
        switch bytes[place] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return end(bytes, ofTextAt: place)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            var depth = 0
            var index = place
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "\""):
                    index = end(bytes, ofTextAt: index)
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth -= 1
                    if depth == 0 { return index + 1 }
                default: break
                }
                index += 1
            }
            return bytes.count
        default: return passing(bytes, from: place) { $0 > 0x20 && !",}]".utf8.contains($0) }
        }
    }

    private static func end(_ bytes: UnsafeRawBufferPointer, ofTextAt place: Int) -> Int {
        var index = place + 1
        while index < bytes.count, bytes[index] != bytes[place] { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(bytes.count, index + 1)
    }
}
