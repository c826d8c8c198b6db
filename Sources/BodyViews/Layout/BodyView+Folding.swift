package import SortieBase
internal import SortieHTTP

/// Folding of formatted JSON, XML and HTML, and what their rows belong to.
extension BodyView {
    /// Whether containers can be folded.
    package var canFold: Bool { folding != nil }

    /// Whether formatted JSON is shown.
    package var showsJSON: Bool { formatted != nil }

    /// The value or the element of a row; that of the container for the row that closes it.
    package func place(inRow row: Int) -> BodyPlace? {
        guard let folding, let offset = rows(row..<row + 1).first?.sourceRange.lowerBound else { return nil }
        return folding.bodyPlace(at: offset, of: shown)
    }

    /// The value or the element that contains a byte.
    package func place(at offset: Int) -> BodyPlace? { folding?.bodyPlace(at: offset, of: shown) }

    /// Whether it is an array or an object that is not empty, or an element with content in other rows.
    package func isContainer(_ place: BodyPlace) -> Bool {
        switch place {
        case .element(let place): place.row == nil
        case .value(let place): shown.withUnsafeBytes { Self.isContainer(place.start, $0) }
        }
    }

    private static func isContainer(_ start: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard start < bytes.count, bytes[start] | 0x20 == UInt8(ascii: "{") else { return false }
        var next = start + 1
        while next < bytes.count, bytes[next] <= 0x20 { next += 1 }
        return next < bytes.count && bytes[next] | 0x20 != UInt8(ascii: "}")
    }

    /// Whether the value or the element is folded.
    package func isFolded(_ place: BodyPlace) -> Bool { folds.contains(place.start, depth: place.depth) && isContainer(place) }

    /// Folds or unfolds a value or an element.
    package mutating func fold(_ place: BodyPlace, _ isFolded: Bool = true) {
        var folds = folds
        folds.set(place.start, depth: place.depth, isFolded: isFolded)
        change(folds, from: place.start)
    }

    /// Folds all values in the top value, or each value of a sequence; of XML and HTML, all elements in the root.
    package mutating func foldAll() { change(formatted?.hasManyValues == true ? .top : BodyFolds(level: 1), from: 0) }

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
    package var canFilter: Bool { (kind == .json || stream == .events) && modes.contains(.pretty) }

    /// The bytes that a filter of formatted JSON reads, in UTF-8.
    package var filteredBytes: BodyBytes { searchedBytes }

    /// Whether the body is a sequence of JSON values.
    package var hasManyValues: Bool { formatted?.hasManyValues == true }

    private mutating func change(_ folds: BodyFolds, from offset: Int) {
        guard folds != self.folds else { return }
        changeFormatted { $0.fold(folds, from: offset) }
    }

    /// The text of a value or an element as it is in the body; nil where it is larger than `limit` bytes.
    package func sourceText(of place: BodyPlace, limit: Int) -> String? {
        shown.withUnsafeBytes { bytes in
            let range =
                switch place {
                case .value(let value): JSONText.range(ofValueAt: value.start, in: bytes, limit: limit)
                case .element(let element): (folding as? MarkupLayout)?.range(of: element, in: shown, limit: limit)
                }
            return range.map { String(decoding: UnsafeRawBufferPointer(rebasing: bytes[$0]), as: UTF8.self) }
        }
    }
}
