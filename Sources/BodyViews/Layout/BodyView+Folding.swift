package import SortieBase
internal import SortieHTTP

/// Folding of formatted JSON, and the values of its rows.
extension BodyView {
    /// Whether containers can be folded.
    package var canFold: Bool { formatted != nil }

    /// The value of a row of formatted JSON; that of the container for the row that closes it.
    package func place(inRow row: Int) -> JSONPlace? {
        guard let formatted, let offset = rows(row..<row + 1).first?.sourceRange.lowerBound else { return nil }
        return formatted.place(at: offset, of: shown)
    }

    /// The value that contains a byte of formatted JSON.
    package func place(at offset: Int) -> JSONPlace? { formatted?.place(at: offset, of: shown) }

    /// Whether the value is an array or an object that is not empty.
    package func isContainer(_ place: JSONPlace) -> Bool {
        shown.withUnsafeBytes { bytes in
            guard place.start < bytes.count, bytes[place.start] | 0x20 == UInt8(ascii: "{") else { return false }
            var next = place.start + 1
            while next < bytes.count, bytes[next] <= 0x20 { next += 1 }
            return next < bytes.count && bytes[next] | 0x20 != UInt8(ascii: "}")
        }
    }

    /// Whether the value is folded.
    package func isFolded(_ place: JSONPlace) -> Bool { folds.contains(place.start, depth: place.depth) && isContainer(place) }

    /// Folds or unfolds a value.
    package mutating func fold(_ place: JSONPlace, _ isFolded: Bool = true) {
        var folds = folds
        folds.set(place.start, depth: place.depth, isFolded: isFolded)
        change(folds, from: place.start)
    }

    /// Folds all values of the top value, or of each value of a sequence.
    package mutating func foldAll() { change(JSONFolds(level: formatted?.hasManyValues == true ? 0 : 1), from: 0) }

    /// Unfolds everything.
    package mutating func unfoldAll() { change(.none, from: 0) }

    /// Unfolds the containers of a byte, so that its row is displayed; false when nothing hides it.
    @discardableResult
    package mutating func reveal(_ offset: Int) -> Bool {
        guard !folds.isEmpty, let place = place(at: offset) else { return false }
        var folds = folds
        for (depth, start) in place.containers.enumerated() { folds.set(start, depth: depth, isFolded: false) }
        guard folds != self.folds else { return false }
        change(folds, from: place.containers.first ?? 0)
        return true
    }

    /// Whether a filter can be applied, perhaps in another mode.
    package var canFilter: Bool { kind == .json && modes.contains(.pretty) }

    /// The bytes that a filter of formatted JSON reads, in UTF-8.
    package var filteredBytes: BodyBytes { searchedBytes }

    /// Whether the body is a sequence of JSON values.
    package var hasManyValues: Bool { formatted?.hasManyValues == true }

    private mutating func change(_ folds: JSONFolds, from offset: Int) {
        guard folds != self.folds else { return }
        changeFormatted { $0.fold(folds, from: offset) }
    }

    /// The text of a value as it is in the body; nil where it is larger than `limit` bytes.
    package func sourceText(of place: JSONPlace, limit: Int) -> String? {
        shown.withUnsafeBytes { bytes in
            JSONText.range(ofValueAt: place.start, in: bytes, limit: limit).map {
                String(decoding: UnsafeRawBufferPointer(rebasing: bytes[$0]), as: UTF8.self)
            }
        }
    }
}
