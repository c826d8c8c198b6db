package import SortieBase
internal import SortieHTTP

/// A table over the bytes of a body: a row for each object of a JSON array or of a sequence of values, or for each record of separated values.
///
/// An index that is built in steps, like that of a ``BodyView``, has the places where the rows begin; only the rows that are displayed are read.
package struct BodyTable: Sendable {
    /// What the rows are.
    package enum Format: Hashable, Sendable {
        /// The items of an array.
        case items
        /// The values of a sequence (NDJSON, the results of a filter).
        case values
        /// The records of text with a separator; the first record has the names of the columns.
        case separated(UInt8)
    }

    /// A column.
    package struct Column: Hashable, Sendable {
        /// The name of the member; empty for items that are not objects.
        package var name: String
        /// Whether all known values are numbers.
        package var isNumeric: Bool
    }

    /// The value of a row in a column.
    package struct Cell: Hashable, Sendable {
        /// The type of a value.
        package enum Kind: Hashable, Sendable {
            case string, number, literal, container, text
        }

        /// The text to display: of a string its characters, of a container its JSON; a long one is cut.
        package var text: String
        /// The type of the value.
        package var kind: Kind
        /// The bytes of the value; the end of a very long one is not known.
        package var source: Range<Int>
    }

    /// The text of a view from which a table is made; offsets in one are not valid in another.
    struct Source: Hashable, Sendable {
        var mode: BodyView.Mode
        var isConverted: Bool
    }

    /// The start of a row at which the scan can continue.
    struct Checkpoint: Sendable {
        var row: Int
        var offset: Int
    }

    /// The number of rows from which the columns are determined, and the number of bytes in which they must begin.
    package static let sampleRows = 200
    private static let sampleBytes = 1 << 20
    /// The largest number of columns.
    package static let columnLimit = 200
    /// The number of bytes between checkpoints.
    private static let spacing = 32 << 10

    /// The bytes of the body, in UTF-8.
    package private(set) var bytes: BodyBytes
    /// What the rows are.
    package let format: Format
    /// Whether no more bytes will arrive.
    package private(set) var isFinal: Bool
    /// The columns, in the order in which their names occur.
    package private(set) var columns: [Column] = []
    /// The number of known rows.
    package private(set) var rowCount = 0
    /// The path of the array; `$` for a sequence and for separated values.
    package let path: JSONPath

    /// The offset of the first byte after the bracket of the array, or of the first row.
    let start: Int
    /// The text that has the rows.
    let source: Source
    private var scanner: TableScanner
    private var checkpoints = CheckpointList<Checkpoint>()
    private var sampled = 0
    private var places: [String: Int] = [:]

    init(_ bytes: BodyBytes, _ source: Source, _ format: Format, at start: Int, path: JSONPath, isFinal: Bool) {
        (self.bytes, self.source, self.format, self.start, self.path) = (bytes, source, format, start, path)
        self.isFinal = isFinal
        scanner = TableScanner(format, at: start)
        if case .separated(let separator) = format { readHeader(separator) }
        advance(budget: BodyView.firstBudget)
    }

    /// Whether every row is known.
    package var isComplete: Bool { scanner.isDone || isFinal && scanner.offset >= bytes.count }
    /// Whether the index does not cover all bytes yet.
    package var canAdvance: Bool { !scanner.isDone && scanner.offset < bytes.count }
    /// The covered part of the bytes, from 0 to 1.
    package var progress: Double { bytes.isEmpty || isComplete ? 1 : min(1, Double(scanner.offset) / Double(bytes.count)) }
    /// The memory of the index, in bytes.
    package var memoryUse: Int { checkpoints.memoryUse }

    /// Continues the index by about `budget` bytes.
    package mutating func advance(budget: Int) {
        guard canAdvance else { return }
        let limit = min(bytes.count, scanner.offset + max(1, budget))
        bytes.withUnsafeBytes { buffer in
            while let row = scanner.next(buffer, limit: limit) {
                if checkpoints.count == 0 || row - checkpoints[checkpoints.count - 1].offset >= Self.spacing {
                    checkpoints.append(Checkpoint(row: rowCount, offset: row))
                }
                rowCount += 1
            }
            sample(buffer)
        }
    }

    /// Adds bytes of the same body.
    package mutating func grow(to newBytes: BodyBytes, isFinal: Bool) {
        bytes = newBytes
        self.isFinal = isFinal
        advance(budget: BodyView.firstBudget)
    }

    // MARK: Columns

    /// Whether more rows can add columns.
    private var isSampling: Bool {
        sampled < Self.sampleRows && (sampled == 0 || (checkpoints.count > 0 && scanner.offset - start <= 2 * Self.sampleBytes))
    }

    /// Determines the columns from rows that were found since the last time.
    ///
    /// The last known row may not be complete while the body arrives.
    private mutating func sample(_ buffer: UnsafeRawBufferPointer) {
        guard isSampling else { return }
        let end = min(Self.sampleRows, isComplete ? rowCount : rowCount - 1)
        guard sampled < end else { return }
        let reader = TableReader(buffer)
        for offset in offsets(of: sampled..<end, buffer) where offset - start <= Self.sampleBytes {
            switch format {
            case .separated(let separator):
                for (place, field) in reader.fields(at: offset, separator: separator, limit: Self.columnLimit).enumerated() {
                    note(place < columns.count ? columns[place].name : "\(place + 1)", at: place, reader.field(field))
                }
            case .items, .values:
                let isObject = reader.forEachMember(of: offset) { key, value in
                    let name = JSONStringToken.text(buffer, key)
                    note(name, at: places[name] ?? columns.count, reader.cell(of: value))
                    return true
                }
                if !isObject { note("", at: places[""] ?? columns.count, Cell(text: "", kind: .text, source: offset..<offset)) }
            }
        }
        sampled = end
    }

    private mutating func note(_ name: String, at place: Int, _ cell: Cell) {
        if place == columns.count {
            guard columns.count < Self.columnLimit else { return }
            columns.append(Column(name: name, isNumeric: true))
            if places[name] == nil { places[name] = place }
        }
        let isMissing = cell.kind == .literal && cell.text == "null" || cell.kind == .string && cell.text.isEmpty
        if cell.kind != .number, !isMissing { columns[place].isNumeric = false }
    }

    /// Reads the names in the first record; the first row is the second record.
    private mutating func readHeader(_ separator: UInt8) {
        let header = bytes.withUnsafeBytes { buffer in
            let reader = TableReader(buffer)
            let end = reader.endOfRecord(at: start, separator: separator, isFinal: true) ?? buffer.count
            return (names: reader.fields(at: start, separator: separator, limit: Self.columnLimit).map(reader.fieldText), end: end)
        }
        columns = header.names.map { Column(name: $0, isNumeric: true) }
        scanner = TableScanner(format, at: header.end)
    }

    // MARK: Rows

    /// The offset of the first row; the end of the known bytes without one.
    var firstRow: Int { checkpoints.count > 0 ? checkpoints[0].offset : bytes.count }

    /// The offsets at which rows begin, clamped to the known ones.
    package func offsets(ofRows rows: Range<Int>) -> [Int] { bytes.withUnsafeBytes { offsets(of: rows, $0) } }

    private func offsets(of rows: Range<Int>, _ buffer: UnsafeRawBufferPointer) -> [Int] {
        let rows = rows.clamped(to: 0..<rowCount)
        guard !rows.isEmpty, var number = checkpoints.lastIndex(where: { $0.row <= rows.lowerBound }) else { return [] }
        var offsets: [Int] = []
        var row = checkpoints[number].row
        var scanner = TableScanner(format, at: checkpoints[number].offset)
        while row < rows.upperBound {
            if number + 1 < checkpoints.count, checkpoints[number + 1].row == row {
                // The row before may be large.
                number += 1
                scanner = TableScanner(format, at: checkpoints[number].offset)
            }
            guard let offset = scanner.next(buffer, limit: buffer.count) else { return offsets }
            if row >= rows.lowerBound { offsets.append(offset) }
            row += 1
        }
        return offsets
    }

    /// The row that contains a byte; nil where none is known to.
    package func row(containing offset: Int) -> Int? {
        guard offset >= start, offset < scanner.offset, let number = checkpoints.lastIndex(where: { $0.offset <= offset }) else { return nil }
        let checkpoint = checkpoints[number]
        // A large row is not read to its end.
        if number + 1 < checkpoints.count, checkpoints[number + 1].row == checkpoint.row + 1 { return checkpoint.row }
        return bytes.withUnsafeBytes { buffer in
            var scanner = TableScanner(format, at: checkpoint.offset)
            var row = checkpoint.row - 1
            while row + 1 < rowCount, let start = scanner.next(buffer, limit: min(buffer.count, offset + 1)), start <= offset { row += 1 }
            return row
        }
    }

    /// The cells of the row that begins at an offset, by column; nil where it has none.
    package func cells(at offset: Int) -> [Cell?] {
        bytes.withUnsafeBytes { buffer in
            let reader = TableReader(buffer)
            var cells = [Cell?](repeating: nil, count: columns.count)
            guard offset < buffer.count else { return cells }
            if case .separated(let separator) = format {
                for (place, field) in reader.fields(at: offset, separator: separator, limit: columns.count).enumerated() where !field.isEmpty {
                    cells[place] = reader.field(field)
                }
                return cells
            }
            let isObject = reader.forEachMember(of: offset) { key, value in
                if let place = places[JSONStringToken.text(buffer, key)], cells[place] == nil { cells[place] = reader.cell(of: value) }
                return true
            }
            if !isObject, let place = places[""] {
                let end = min(buffer.count, offset + TableReader.limit)
                cells[place] = reader.cell(of: offset..<(reader.end(of: offset, before: end) ?? end))
            }
            return cells
        }
    }

    /// The path of a cell: `$.items[3].price`, `3: $.price` in a sequence, `record 3, price` in separated values.
    package func path(ofRow row: Int, column: Int) -> String {
        let name = columns.indices.contains(column) ? columns[column].name : ""
        var path = path
        switch format {
        case .separated: return "record \(row + 1)\(name.isEmpty ? "" : ", \(name)")"
        case .items: path.steps.append(.init(.index(row)))
        case .values: break
        }
        if !name.isEmpty { path.steps.append(.init(.name(name))) }
        return format == .values ? "\(row + 1): \(path)" : "\(path)"
    }

    /// The text of a cell to copy: of a string its characters, else the JSON as it is in the body; nil above `limit` bytes.
    package func copyText(of cell: Cell, limit: Int) -> String? {
        bytes.withUnsafeBytes { buffer in
            if case .separated = format { return cell.source.count <= limit ? Self.whole(cell.source, buffer) : nil }
            guard let range = JSONText.range(ofValueAt: cell.source.lowerBound, in: buffer, limit: limit) else { return nil }
            if cell.kind == .string { return JSONStringToken.text(buffer, range) }
            return String(decoding: buffer[range], as: UTF8.self)
        }
    }

    private static func whole(_ range: Range<Int>, _ buffer: UnsafeRawBufferPointer) -> String {
        let text = String(decoding: buffer[range], as: UTF8.self)
        guard text.first == "\"" else { return text }
        return String(text.dropFirst().dropLast(text.last == "\"" && text.count > 1 ? 1 : 0)).replacing(scalars: "\"\"", with: "\"")
    }
}

extension BodyTable: Hashable {
    /// Whether both are tables of the same rows, as far as they are known.
    package static func == (left: BodyTable, right: BodyTable) -> Bool {
        left.bytes == right.bytes && left.format == right.format && left.start == right.start && left.rowCount == right.rowCount
            && left.isFinal == right.isFinal && left.columns == right.columns && left.scanner.offset == right.scanner.offset
    }

    /// Hashes the memory and the number of rows.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
        hasher.combine(rowCount)
    }
}
