internal import SortieBase

extension JSONCompareNode {
    /// The position of a value in the printed text.
    struct Place {
        /// The key before the value.
        var key: String?
        var depth = 0
        var path = JSONPath()

        /// The place of an array item.
        func item(_ index: Int) -> Place { Place(depth: depth + 1, path: path.appending(.index(index))) }

        /// The place of an object member.
        func member(_ key: String) -> Place { Place(key: key, depth: depth + 1, path: path.appending(.name(key))) }

        /// A line at this place.
        func line(_ kind: BodyComparison.Line.Change, _ text: String) -> BodyComparison.Line {
            .init(kind, JSONText.indentation(depth) + start + text, path: path)
        }

        /// The text before the value.
        private var start: String { key.map { LongLine.cut(JSONValue.string($0).text) + ": " } ?? "" }

        /// The closing line of a container at this place.
        func end(_ kind: BodyComparison.Line.Change, _ bracket: String) -> BodyComparison.Line {
            .init(kind, JSONText.indentation(depth) + bracket, path: path)
        }
    }

    /// The brackets of a container.
    var brackets: (open: String, close: String) {
        if case .array = content { return ("[", "]") }
        return ("{", "}")
    }

    /// The value on one line; a non-empty container is abbreviated.
    var shortText: String {
        switch content {
        case .scalar(let value): value.text
        case .array(let items): items.isEmpty ? "[]" : "[…]"
        case .object(let members): members.isEmpty ? "{}" : "{…}"
        }
    }

    /// Passes some lines of the value to `take`; the range counts from the value's first line.
    func lines(_ range: Range<Int>, _ kind: BodyComparison.Line.Change, at place: Place, to take: (BodyComparison.Line) -> Void) {
        guard range.overlaps(0..<lineCount) else { return }
        if isIgnored { return take(place.line(.ignored, LongLine.cut(shortText))) }
        guard lineCount > 1 else { return take(place.line(kind, LongLine.cut(shortText))) }
        if range.contains(0) { take(place.line(kind, brackets.open)) }
        var first = 1
        func pass(_ node: JSONCompareNode, _ place: @autoclosure () -> Place) {
            let inner = range.lowerBound - first..<range.upperBound - first
            if inner.overlaps(0..<node.lineCount) { node.lines(inner, kind, at: place(), to: take) }
            first += node.lineCount
        }
        switch content {
        case .scalar: break
        case .array(let items): for (index, item) in items.enumerated() { pass(item, place.item(index)) }
        case .object(let members): for member in members { pass(member.node, place.member(member.key)) }
        }
        if range.contains(lineCount - 1) { take(place.end(kind, brackets.close)) }
    }
}
