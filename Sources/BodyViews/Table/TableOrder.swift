internal import SortieBase

/// The rows of a table in the order of a column.
package struct TableOrder: Hashable, Sendable {
    /// The largest number of rows that are sorted; the order holds 12 bytes for each, and 40 while it is made.
    package static let rowLimit = 1_000_000

    /// The index of the column.
    package let column: Int
    /// Whether small values come first.
    package let isAscending: Bool
    /// Whether the table has more rows than the order.
    package let isPartial: Bool
    /// The rows as the table counts them.
    private let rows: [UInt32]
    private let offsets: [Int]

    /// The number of rows.
    package var count: Int { rows.count }

    /// The row of the table, and the offset at which it begins, in a place of the order.
    package subscript(place: Int) -> (row: Int, offset: Int) { (Int(rows[place]), offsets[place]) }

    /// The place of a row of the table.
    package func place(ofRow row: Int) -> Int? { rows.firstIndex(of: UInt32(clamping: row)) }

    fileprivate init(_ column: Int, _ isAscending: Bool, _ entries: [TableSortEntry], isPartial: Bool) {
        (self.column, self.isAscending, self.isPartial) = (column, isAscending, isPartial)
        rows = entries.map(\.row)
        offsets = entries.map(\.offset)
    }
}

/// A row with the value by which it is sorted.
private struct TableSortEntry {
    /// Values of different types are sorted by type: literals, numbers, texts, containers, missing ones.
    var rank: UInt8
    var row: UInt32
    /// The bits of a number in its order, or the first bytes of a text.
    var key: UInt64
    /// The offset of the value.
    var value: Int
    var offset: Int

    static let (literal, number, text, container, missing): (UInt8, UInt8, UInt8, UInt8, UInt8) = (0, 1, 2, 3, 4)
}

extension BodyTable {
    /// Sorts the rows by a column: numbers by value, texts by their scalars, missing values last; equal values keep their order.
    ///
    /// - Parameter isStopped: Called with the completed part, from 0 to 1; the result is nil after it has returned true.
    package func sorted(by column: Int, ascending: Bool, isStopped: (Double) -> Bool) -> TableOrder? {
        guard columns.indices.contains(column) else { return nil }
        return bytes.withUnsafeBytes { buffer in
            var entries: [TableSortEntry] = []
            var scanner = TableScanner(format, at: firstRow)
            var nextCheck = 0
            let reader = TableReader(buffer)
            var isPartial = false
            while let offset = scanner.next(buffer, limit: buffer.count) {
                if offset >= nextCheck {
                    nextCheck = offset + 256 << 10
                    if isStopped(0.7 * Double(offset) / Double(max(1, buffer.count))) { return nil }
                }
                guard entries.count < TableOrder.rowLimit else {
                    isPartial = true
                    break
                }
                entries.append(entry(of: UInt32(entries.count), at: offset, column, reader))
            }
            let separator: UInt8? = if case .separated(let separator) = format { separator } else { nil }
            do {
                var comparisons = 0
                try entries.sort { left, right in
                    comparisons += 1
                    if comparisons % 65536 == 0, isStopped(0.7) { throw SortStopped() }
                    return Self.precedes(left, right, ascending: ascending, separator, reader)
                }
            } catch {
                return nil
            }
            return TableOrder(column, ascending, entries, isPartial: isPartial)
        }
    }

    private struct SortStopped: Error {}

    private func entry(of row: UInt32, at offset: Int, _ column: Int, _ reader: TableReader) -> TableSortEntry {
        var entry = TableSortEntry(rank: TableSortEntry.missing, row: row, key: 0, value: offset, offset: offset)
        guard let value = value(at: offset, column, reader), let first = value.first else { return entry }
        entry.value = value.lowerBound
        if case .separated = format {
            let cell = reader.field(value)
            if cell.kind == .number, let number = Double(cell.text) {
                (entry.rank, entry.key) = (TableSortEntry.number, Self.key(of: number))
            } else {
                (entry.rank, entry.key) = (TableSortEntry.text, Self.key(of: cell.text))
            }
            return entry
        }
        switch reader.bytes[first] {
        case UInt8(ascii: "n"): break
        case UInt8(ascii: "t"), UInt8(ascii: "f"):
            (entry.rank, entry.key) = (TableSortEntry.literal, reader.bytes[first] == UInt8(ascii: "t") ? 1 : 0)
        case UInt8(ascii: "\""): (entry.rank, entry.key) = (TableSortEntry.text, Self.key(of: reader.cell(of: value).text))
        case UInt8(ascii: "{"), UInt8(ascii: "["): entry.rank = TableSortEntry.container
        default:
            guard let number = Double(reader.cell(of: value).text) else { break }
            (entry.rank, entry.key) = (TableSortEntry.number, Self.key(of: number))
        }
        return entry
    }

    /// The value of a row in a column.
    private func value(at offset: Int, _ column: Int, _ reader: TableReader) -> Range<Int>? {
        if case .separated(let separator) = format {
            let fields = reader.fields(at: offset, separator: separator, limit: column + 1)
            return fields.count > column && !fields[column].isEmpty ? fields[column] : nil
        }
        let name = columns[column].name
        guard offset < reader.bytes.count else { return nil }
        if reader.bytes[offset] == UInt8(ascii: "{") { return reader.member(name, of: offset) }
        guard name.isEmpty else { return nil }
        let end = min(reader.bytes.count, offset + TableReader.limit)
        return offset..<(reader.end(of: offset, before: end) ?? end)
    }

    private static func precedes(
        _ left: TableSortEntry, _ right: TableSortEntry, ascending: Bool, _ separator: UInt8?, _ reader: TableReader
    ) -> Bool {
        if left.rank != right.rank {
            if left.rank == TableSortEntry.missing || right.rank == TableSortEntry.missing { return left.rank < right.rank }
            return (left.rank < right.rank) == ascending
        }
        if left.key != right.key { return (left.key < right.key) == ascending }
        if left.rank == TableSortEntry.text {
            // Most texts differ in their first bytes.
            let difference = reader.compareTexts(at: left.value, right.value, separator)
            if difference != 0 { return (difference < 0) == ascending }
        }
        return left.row < right.row
    }

    /// The bits of a number as an integer of the same order.
    private static func key(of number: Double) -> UInt64 {
        // 0 and -0 are equal.
        let bits = (number == 0 ? 0 : number).bitPattern
        return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    }

    /// The first bytes of a text as an integer of the same order.
    private static func key(of text: String) -> UInt64 {
        var key: UInt64 = 0
        for (index, byte) in text.utf8.prefix(8).enumerated() { key |= UInt64(byte) << (56 - 8 * UInt64(index)) }
        return key
    }
}

extension TableReader {
    /// The order of two strings or fields: negative where the first one precedes the other, 0 where they are equal.
    ///
    /// The bytes of UTF-8 have the order of the scalars. Most strings have no escapes, and are compared without creating texts.
    fileprivate func compareTexts(at one: Int, _ other: Int, _ separator: UInt8?) -> Int {
        if separator == nil {
            let quote = UInt8(ascii: "\"")
            for distance in 1...Self.textLimit {
                guard max(one, other) + distance < bytes.count else { break }
                let (left, right) = (bytes[one + distance], bytes[other + distance])
                if left == UInt8(ascii: "\\") || right == UInt8(ascii: "\\") { break }
                if left == quote || right == quote { return left == right ? 0 : left == quote ? -1 : 1 }
                if left != right { return left < right ? -1 : 1 }
            }
        }
        let (left, right) = (sortText(at: one, separator), sortText(at: other, separator))
        return left.utf8.elementsEqual(right.utf8) ? 0 : left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars) ? -1 : 1
    }

    /// The text of a string, or of a field where the body has a separator; at most ``textLimit`` bytes of it.
    fileprivate func sortText(at start: Int, _ separator: UInt8?) -> String {
        guard start < bytes.count else { return "" }
        if let separator { return fields(at: start, separator: separator, limit: 1).first.map(fieldText) ?? "" }
        let limit = min(bytes.count, start + Self.textLimit + 1)
        return cell(of: start..<(end(of: start, before: limit) ?? limit)).text
    }
}
