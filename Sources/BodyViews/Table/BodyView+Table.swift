internal import SortieBase
internal import SortieHTTP

/// Tables of formatted JSON and of separated values.
extension BodyView {
    /// The number of bytes in which the first array of objects must begin, and after a bracket its first object.
    private static let searchedForArray = 64 << 10

    /// The table for the value that contains a byte: of that value, of an array that contains it, of the whole body, or of the first array of objects.
    ///
    /// Nil where there is none.
    package func table(at offset: Int) -> BodyTable? {
        guard let (format, start) = rows(at: offset) else { return nil }
        let path = format == .items ? formatted?.place(at: start - 1, of: shown)?.path : nil
        return BodyTable(shown, source, format, at: start, path: path ?? JSONPath(), isFinal: isTextFinal)
    }

    /// Whether there is a table for the value that contains a byte.
    package func hasTable(at offset: Int) -> Bool { rows(at: offset) != nil }

    /// The text that tables of the current mode are made from.
    private var source: BodyTable.Source { BodyTable.Source(mode: mode, isConverted: showsConverted) }

    /// A table of this body with the bytes that have arrived since it was made; nil for a table of another text.
    package func grown(_ table: BodyTable) -> BodyTable? {
        guard table.source == source, shown.count >= table.bytes.count else { return nil }
        var table = table
        table.grow(to: shown, isFinal: isTextFinal)
        return table
    }

    /// Whether a table has all bytes that have arrived.
    package func isCurrent(_ table: BodyTable) -> Bool { table.bytes == shown && table.isFinal == isTextFinal }

    /// What the rows of the table for a byte are, and where they begin.
    private func rows(at offset: Int) -> (BodyTable.Format, start: Int)? {
        guard shownEncoding == .utf8 else { return nil }
        if let separator {
            // The columns are known only when the whole first record has arrived.
            let start = firstText
            let end = shown.withUnsafeBytes { TableReader($0).endOfRecord(at: start, separator: separator, isFinal: isTextFinal) }
            return end == nil ? nil : (.separated(separator), start)
        }
        guard mode == .pretty, kind == .json else { return nil }
        let place = place(at: offset)
        let containers = (place.map { [$0.start] } ?? []) + (place?.containers.reversed() ?? [])
        if let array = containers.first(where: isArrayOfObjects) { return (.items, array + 1) }
        let first = firstText
        if hasManyValues, first < shown.count, shown[first] == UInt8(ascii: "{") { return (.values, first) }
        return firstArray.map { (.items, $0 + 1) }
    }

    private func isArrayOfObjects(_ start: Int) -> Bool { shown.withUnsafeBytes { Self.isArrayOfObjects(start, in: $0) } }

    private static func isArrayOfObjects(_ start: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard start < bytes.count, bytes[start] == UInt8(ascii: "[") else { return false }
        let next = TableReader(bytes).text(to: start + searchedForArray).skippingBlanks(start + 1)
        return next < bytes.count && bytes[next] == UInt8(ascii: "{")
    }

    /// The offset of the first array of objects that the index has reached.
    private var firstArray: Int? {
        shown.withUnsafeBytes { bytes in
            let limit = min(bytes.count, Self.searchedForArray, examined)
            let text = TableReader(bytes).text(to: limit)
            var offset = 0
            while offset < limit {
                if bytes[offset] == UInt8(ascii: "\"") {
                    // A string that does not end has no array behind it.
                    do throws(JSONEvaluationError) { offset = try text.stringEnd(offset) } catch { return nil }
                    continue
                }
                if bytes[offset] == UInt8(ascii: "["), Self.isArrayOfObjects(offset, in: bytes) { return offset }
                offset += 1
            }
            return nil
        }
    }

    /// The offset of the first byte after a byte order mark and white space.
    private var firstText: Int {
        shown.withUnsafeBytes { bytes in
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            let start = bytes.starts(with: mark) ? mark.count : 0
            return TableReader(bytes).text(to: start + Self.searchedForArray).skippingBlanks(start)
        }
    }

    /// The separator of a body declared as CSV or TSV, in the raw mode; nil for others.
    private var separator: UInt8? {
        guard mode == .raw, kind == .text, !bytes.isEmpty else { return nil }
        switch mediaType {
        case "text/tab-separated-values": return 0x09
        case "text/csv", "application/csv":
            let line = shown.prefix(4096).prefix { $0 != 0x0A && $0 != 0x0D }
            let counts = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].map { separator in (separator, line.count { $0 == separator }) }
            return counts.max { $0.1 < $1.1 || $0.1 == $1.1 && $0.0 > $1.0 }?.0
        default: return nil
        }
    }
}
