internal import SortieBase

/// What a row of a formatted body belongs to: a value of JSON, or an element of XML or HTML.
package enum BodyPlace: Hashable, Sendable {
    case value(JSONPlace)
    case element(MarkupPlace)

    /// The offset at which it begins.
    package var start: Int {
        switch self {
        case .value(let place): place.start
        case .element(let place): place.start
        }
    }

    /// The depth of its row.
    var depth: Int {
        switch self {
        case .value(let place): place.depth
        case .element(let place): place.depth
        }
    }

    /// The offsets of what hides the row where it is folded, the outermost first.
    package var containers: [Int] {
        switch self {
        case .value(let place): place.containers
        case .element(let place): place.elements.prefix(place.hiding).map(\.start)
        }
    }

    /// An offset in the row of what it is in; nil at the top.
    package var parent: Int? {
        switch self {
        case .value(let place): place.parent
        case .element(let place): place.elements.dropLast().last?.start
        }
    }

    /// Whether it is the whole body.
    package var isWhole: Bool {
        switch self {
        case .value(let place): place.parent == nil && place.valueNumber == nil
        case .element(let place): place.elements.count == 1
        }
    }

    /// The name of a member or an element; nil for an item and for the top of JSON.
    package var key: String? {
        switch self {
        case .value(let place): place.key
        case .element(let place): place.name
        }
    }

    /// The path: a JSON path (RFC 9535), a query for what is in the JSON of a string, or an XPath.
    package var path: String {
        switch self {
        case .value(let place): place.query
        case .element(let place): place.path
        }
    }

    /// The path; with the number of the value where the body has several.
    package var text: String {
        switch self {
        case .value(let place): place.text
        case .element(let place): place.path
        }
    }
}

/// The element of a row of XML or HTML: the element that the row begins or ends, or the element around a text.
package struct MarkupPlace: Hashable, Sendable {
    /// The elements from the root.
    let elements: [MarkupElements.Element]
    /// The elements that hide the row where they are folded.
    let hiding: Int
    /// The range of the element where it is known, which is one row.
    let row: Range<Int>?
    /// The XPath of the element.
    package let path: String
    /// The name of the element.
    package let name: String

    /// The offset of the start tag.
    var start: Int { elements.last?.start ?? 0 }
    /// The depth of the row.
    var depth: Int { elements.count - 1 }
}

extension MarkupLayout {
    /// The greatest number of bytes of a name in a path.
    private static let nameLimit = 256

    /// The element of the row that shows a byte; nil outside of the root, and where the scan has not reached it.
    func element(at offset: Int, of bytes: BodyBytes) -> MarkupPlace? {
        guard offset >= 0, offset < examined else { return nil }
        return bytes.withUnsafeBytes { buffer in
            var elements: [MarkupElements.Element] = []
            var hiding = 0
            var single: Range<Int>?
            scan(buffer, from: checkpoint(before: offset)) { row, before, after in
                guard row.source.lowerBound <= offset else { return false }
                (elements, hiding, single) = (before.open, before.open.count, nil)
                if after.hasOpened(row) {
                    elements = after.open
                    hiding = elements.count - 1
                } else if row.isEndTag(buffer) {
                    hiding = min(hiding, row.depth)
                    elements.removeSubrange(min(elements.count, row.depth + 1)...)
                } else if row.kind == .tag, row.continues {
                    hiding = max(0, min(hiding, row.depth))
                } else if row.kind == .tag, let last = after.elements.last {
                    // An element in one row; its siblings without an end tag have ended.
                    elements = Array(elements.prefix(row.depth)) + [last]
                    (hiding, single) = (row.depth, row.source)
                }
                return row.next <= offset
            }
            guard !elements.isEmpty else { return nil }
            return place(elements, hiding, single, buffer)
        }
    }

    private func place(
        _ elements: [MarkupElements.Element], _ hiding: Int, _ row: Range<Int>?, _ buffer: UnsafeRawBufferPointer
    ) -> MarkupPlace {
        var path = ""
        var name = ""
        for (depth, element) in elements.enumerated() {
            let isLong = element.name.count > Self.nameLimit
            name = String(decoding: buffer[element.name.prefix(Self.nameLimit)], as: UTF8.self) + (isLong ? "…" : "")
            path += "/" + (element.isOfName ? name : "*")
            if depth > 0 || element.position > 1 { path += "[\(element.position)]" }
        }
        return MarkupPlace(elements: elements, hiding: hiding, row: row, path: path, name: name)
    }

    /// The range of an element from its start tag to its end; nil where it has more than `limit` bytes, or its end is not known.
    func range(of place: MarkupPlace, in bytes: BodyBytes, limit: Int) -> Range<Int>? {
        if let row = place.row { return row.count <= limit ? row : nil }
        return bytes.withUnsafeBytes { buffer in
            var hasBegun = false
            var end: Int?
            scan(buffer, from: checkpoint(before: place.start)) { row, _, after in
                if !hasBegun {
                    hasBegun = row.source.lowerBound == place.start
                    return row.source.lowerBound <= place.start
                }
                if row.continues || row.depth > place.depth { return row.next - place.start <= limit }
                end = row.isEndTag(buffer) && row.depth == place.depth ? row.source.upperBound : row.source.lowerBound
                return false
            }
            if end == nil, hasBegun, isComplete, problem == nil, bytes.count - place.start <= limit { end = bytes.count }
            return end.flatMap { $0 - place.start <= limit ? place.start..<$0 : nil }
        }
    }
}
