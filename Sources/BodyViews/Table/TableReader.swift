internal import SortieBase
internal import SortieHTTP

/// Reads the cells of one row from the bytes of a body.
///
/// Of a row, only the first ``limit`` bytes are read, so that a huge one cannot delay the screen.
struct TableReader {
    /// The number of bytes of a row that are read.
    static let limit = 64 << 10
    /// The number of bytes of a cell that are displayed.
    static let textLimit = 256

    let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    // MARK: JSON

    /// Calls `visit` with the name and the value of each member of the object at `start`, until it returns false; false when the row has no members.
    ///
    /// The range of a value that is cut off ends where the reading ended.
    @discardableResult
    func forEachMember(of start: Int, limit: Int = TableReader.limit, _ visit: (Range<Int>, Range<Int>) -> Bool) -> Bool {
        guard start < bytes.count, bytes[start] == UInt8(ascii: "{") else { return false }
        let end = min(bytes.count, start + limit)
        var offset = start + 1
        while true {
            offset = skippingBlanks(offset, end)
            guard offset < end, bytes[offset] == UInt8(ascii: "\""), let keyEnd = self.end(of: offset, before: end) else { return true }
            let key = offset..<keyEnd
            offset = skippingBlanks(keyEnd, end)
            guard offset < end, bytes[offset] == UInt8(ascii: ":") else { return true }
            offset = skippingBlanks(offset + 1, end)
            guard offset < end else { return true }
            let valueEnd = self.end(of: offset, before: end)
            guard visit(key, offset..<(valueEnd ?? end)), let valueEnd else { return true }
            offset = skippingBlanks(valueEnd, end)
            guard offset < end, bytes[offset] == UInt8(ascii: ",") else { return true }
            offset += 1
        }
    }

    func skippingBlanks(_ start: Int, _ end: Int) -> Int {
        var offset = start
        while offset < end, bytes[offset] <= 0x20 { offset += 1 }
        return offset
    }

    /// The offset after the value at `start`; nil when it does not end before `limit`.
    func end(of start: Int, before limit: Int) -> Int? {
        var offset = start
        var depth = 0
        while offset < limit {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                while offset < limit, bytes[offset] != UInt8(ascii: "\"") { offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1 }
                guard offset < limit else { return nil }
                if depth == 0 { return offset + 1 }
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // The end of the container in which a number or a literal is.
                if depth == 0 { return offset }
                depth -= 1
                if depth == 0 { return offset + 1 }
            case UInt8(ascii: ","), 0...0x20:
                if depth == 0 { return offset }
            default: break
            }
            offset += 1
        }
        // A number or a literal may end with the body.
        guard depth == 0, limit == bytes.count else { return nil }
        return limit
    }

    /// The cell of a value.
    func cell(of value: Range<Int>) -> BodyTable.Cell {
        guard let first = value.first else { return .init(text: "", kind: .text, source: value) }
        switch bytes[first] {
        case UInt8(ascii: "\""):
            let isWhole = value.count >= 2 && value.count <= Self.textLimit && bytes[value.upperBound - 1] == UInt8(ascii: "\"")
            if isWhole { return .init(text: JSONStringToken.text(bytes, value), kind: .string, source: value) }
            let shown = bytes[value.dropFirst().prefix(Self.textLimit)]
            return .init(text: String(decoding: shown, as: UTF8.self) + "…", kind: .string, source: value)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return .init(text: compact(value), kind: .container, source: value)
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): return .init(text: text(value), kind: .literal, source: value)
        default: return .init(text: text(value), kind: .number, source: value)
        }
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range.prefix(Self.textLimit)], as: UTF8.self) + (range.count > Self.textLimit ? "…" : "")
    }

    /// The JSON of a container without white space between its tokens.
    private func compact(_ range: Range<Int>) -> String {
        var output: [UInt8] = []
        var isInString = false
        var offset = range.lowerBound
        while offset < range.upperBound, output.count < Self.textLimit {
            let byte = bytes[offset]
            if isInString, byte == UInt8(ascii: "\\"), offset + 1 < range.upperBound {
                output += [byte, bytes[offset + 1]]
                offset += 2
                continue
            }
            if byte == UInt8(ascii: "\"") { isInString.toggle() }
            if isInString || byte > 0x20 { output.append(byte) }
            offset += 1
        }
        return String(decoding: output, as: UTF8.self) + (offset < range.upperBound ? "…" : "")
    }

    // MARK: Separated values

    /// The fields of the record at `start`, without the quotes around them; at most `count`.
    func fields(at start: Int, separator: UInt8, limit count: Int) -> [Range<Int>] {
        let end = min(bytes.count, start + Self.limit)
        var fields: [Range<Int>] = []
        var offset = start
        var first = start
        var quotes = RecordQuotes(separator: separator)
        reading: while offset < end, fields.count < count {
            switch quotes.read(bytes[offset]) {
            case .text: break
            case .separator:
                fields.append(first..<offset)
                first = offset + 1
            case .lineBreak: break reading
            }
            offset += 1
        }
        if fields.count < count { fields.append(first..<offset) }
        return fields
    }

    /// The offset after the record at `start` and its line break; nil where the record does not end in ``limit`` bytes, or may have more.
    func endOfRecord(at start: Int, separator: UInt8, isFinal: Bool) -> Int? {
        let end = min(bytes.count, start + Self.limit)
        var quotes = RecordQuotes(separator: separator)
        var offset = start
        while offset < end {
            if quotes.read(bytes[offset]) == .lineBreak { return offset + 1 }
            offset += 1
        }
        return isFinal && end == bytes.count ? end : nil
    }

    /// The cell of a field.
    func field(_ range: Range<Int>) -> BodyTable.Cell {
        let text = fieldText(range)
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x2B...0x39).contains($0) || $0 | 0x20 == UInt8(ascii: "e") } && Double(text) != nil
        return .init(text: text, kind: isNumber ? .number : .string, source: range)
    }

    /// The text of a field; doubled quotes are quotes.
    func fieldText(_ range: Range<Int>) -> String {
        let shown = range.prefix(Self.textLimit)
        let tail = range.count > Self.textLimit ? "…" : ""
        guard let first = range.first, bytes[first] == UInt8(ascii: "\"") else { return String(decoding: bytes[shown], as: UTF8.self) + tail }
        var output: [UInt8] = []
        var offset = first + 1
        while offset < shown.upperBound {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") {
                guard offset + 1 < shown.upperBound, bytes[offset + 1] == byte else { break }
                offset += 1
            }
            output.append(byte)
            offset += 1
        }
        return String(decoding: output, as: UTF8.self) + tail
    }
}
