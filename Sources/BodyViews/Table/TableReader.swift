internal import SortieBase

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
        let text = text(to: start + limit)
        do throws(JSONEvaluationError) {
            try JSONSource(text, at: start).forEachMember { (key, value) throws(JSONEvaluationError) in
                guard value.start < text.bytes.count else { return false }
                let end = end(of: value.start, in: text)
                return visit(key, value.start..<(end ?? text.bytes.count)) && end != nil
            }
        } catch {
            // The rest of the row was not read, or has not arrived.
        }
        withExtendedLifetime(text) {}
        return true
    }

    /// The value of the first member with a name in the object at `start`; nil where there is none, and for another value.
    func member(_ name: String, of start: Int) -> Range<Int>? {
        let text = text(to: start + Self.limit)
        defer { withExtendedLifetime(text) {} }
        do throws(JSONEvaluationError) {
            guard let value = try JSONSource(text, at: start).member(name), value.start < text.bytes.count else { return nil }
            return value.start..<(end(of: value.start, in: text) ?? text.bytes.count)
        } catch {
            // The rest of the row was not read, or has not arrived.
            return nil
        }
    }

    /// The bytes before an offset.
    func text(to end: Int) -> JSONSourceText { JSONSourceText(UnsafeRawBufferPointer(rebasing: bytes[..<min(bytes.count, end)])) }

    /// The offset after the value at `start`; nil when it does not end before `limit`.
    func end(of start: Int, before limit: Int) -> Int? { end(of: start, in: text(to: limit)) }

    private func end(of start: Int, in text: JSONSourceText) -> Int? {
        do throws(JSONEvaluationError) {
            // Where not all bytes are read, a number or a literal may continue.
            if text.bytes.count < bytes.count, try !text.isWhole(at: start) { return nil }
            return try text.end(of: start)
        } catch {
            return nil
        }
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
        var position = JSONStringPosition()
        var offset = range.lowerBound
        while offset < range.upperBound, output.count < Self.textLimit {
            let byte = bytes[offset]
            position.read(byte)
            if position.isInString || byte > 0x20 { output.append(byte) }
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

/// The quotes of separated values (RFC 4180 §2), read byte by byte from the start of a record.
///
/// A quote opens a quoted part only at the start of a field; in `5" pipe` it is text.
struct RecordQuotes: Sendable {
    /// What a byte is.
    enum Byte: Sendable {
        case text, separator, lineBreak
    }

    private let separator: UInt8
    private var isOpen = false
    /// Whether a quote at the next byte opens: at the start of a field, and after a closing quote, where it is the second one of a doubled quote.
    private var canOpen = true

    init(separator: UInt8) { self.separator = separator }

    /// Reads the next byte; separators and line breaks within quotes are text.
    mutating func read(_ byte: UInt8) -> Byte {
        if byte == UInt8(ascii: "\""), isOpen || canOpen {
            isOpen.toggle()
            canOpen = !isOpen
            return .text
        }
        if isOpen { return .text }
        canOpen = byte == separator || byte == 0x0A || byte == 0x0D
        return canOpen ? (byte == separator ? .separator : .lineBreak) : .text
    }
}

/// Finds where the rows of a table begin: the items of a JSON array, the values of a sequence, or the records of separated values (RFC 4180).
///
/// It can stop at any byte and continue later. The bytes are valid JSON where they are JSON; others end in a wrong number of rows, never in a trap.
struct TableScanner: Sendable {
    let format: BodyTable.Format
    /// The next byte to read.
    private(set) var offset: Int
    /// Whether the end of the array was read.
    private(set) var isDone = false
    private var depth = 0
    private var isInString = false
    private var isInRow = false
    private var quotes: RecordQuotes?

    /// Creates a scanner; `offset` is that of the first byte after the bracket of an array, or of the first row.
    init(_ format: BodyTable.Format, at offset: Int) {
        (self.format, self.offset) = (format, offset)
        if case .separated(let separator) = format { quotes = RecordQuotes(separator: separator) }
    }

    /// The start of the next row before `limit`; nil when there is none before it.
    mutating func next(_ bytes: UnsafeRawBufferPointer, limit: Int) -> Int? {
        if let quotes { return nextRecord(bytes, limit: limit, quotes) }
        while offset < limit, !isDone {
            if isInString {
                skipString(bytes, limit: limit)
                continue
            }
            let start = offset
            offset += 1
            switch bytes[start] {
            case UInt8(ascii: "\""):
                isInString = true
                if beginsRow() { return start }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let begins = beginsRow()
                depth += 1
                if begins { return start }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { isDone = true }
                depth = max(0, depth - 1)
            case UInt8(ascii: ","):
                if depth == 0 { isInRow = false }
            case 0x20, 0x09, 0x0A, 0x0D:
                if depth == 0, format == .values { isInRow = false }
            default:
                if beginsRow() { return start }
            }
        }
        return nil
    }

    /// Whether a value at this byte is a row.
    private mutating func beginsRow() -> Bool {
        guard depth == 0, !isInRow else { return false }
        isInRow = true
        return true
    }

    /// Passes the rest of a string.
    private mutating func skipString(_ bytes: UnsafeRawBufferPointer, limit: Int) {
        while offset < limit {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\\") {
                // The escaped byte may not have arrived.
                guard offset + 1 < limit else { return stopInEscape(limit) }
                offset += 2
            } else {
                offset += 1
                if byte == UInt8(ascii: "\"") {
                    isInString = false
                    return
                }
            }
        }
    }

    /// Passes the first byte of an escape whose second one is not known; it is a part of the string in any case.
    private mutating func stopInEscape(_ limit: Int) { offset = limit + 1 }

    private mutating func nextRecord(_ bytes: UnsafeRawBufferPointer, limit: Int, _ known: RecordQuotes) -> Int? {
        var quotes = known
        defer { self.quotes = quotes }
        while offset < limit {
            let start = offset
            offset += 1
            if quotes.read(bytes[start]) == .lineBreak {
                isInRow = false
            } else if beginsRow() {
                return start
            }
        }
        return nil
    }
}
