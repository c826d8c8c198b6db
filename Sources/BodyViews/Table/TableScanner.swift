internal import SortieBase

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
        self.format = format
        self.offset = offset
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
