extension JSONCompareNode {
    /// Where a value stands in the text of the whole.
    struct Place {
        /// The key it has there.
        var key: String?
        var depth = 0
        var path = JSONPath()

        /// The place of an item.
        func item(_ index: Int) -> Place { Place(depth: depth + 1, path: path.appending(.index(index))) }

        /// The place of a member.
        func member(_ key: String) -> Place { Place(key: key, depth: depth + 1, path: path.appending(.name(key))) }

        /// A line at this place.
        func line(_ kind: BodyComparison.Line.Kind, _ text: String) -> BodyComparison.Line {
            .init(kind, JSONText.indentation(depth) + start + text, path: path)
        }

        /// What stands before the value.
        private var start: String { key.map { LongLine.cut(JSONValue.string($0).text) + ": " } ?? "" }

        /// The line that ends a container at this place.
        func end(_ kind: BodyComparison.Line.Kind, _ bracket: String) -> BodyComparison.Line {
            .init(kind, JSONText.indentation(depth) + bracket, path: path)
        }
    }

    /// The brackets of a container.
    var brackets: (open: String, close: String) {
        if case .array = content { return ("[", "]") }
        return ("{", "}")
    }

    /// The value on one line: whole, or of a container only what it is.
    var shortText: String {
        switch content {
        case .scalar(let value): value.text
        case .array(let items): items.isEmpty ? "[]" : "[…]"
        case .object(let members): members.isEmpty ? "{}" : "{…}"
        }
    }

    /// Hands out some of the lines of the value, counted from its first.
    func lines(_ range: Range<Int>, _ kind: BodyComparison.Line.Kind, at place: Place, to take: (BodyComparison.Line) -> Void) {
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
