private import SortieTerminal

/// A part of a line with one appearance.
package struct GuideSpan: Hashable, Sendable {
    /// The role of a part.
    package enum Role: Hashable, Sendable {
        case text, strong, code, heading, muted
    }

    /// The text.
    package var text: String
    /// The role.
    package var role: Role

    init(_ text: String, _ role: Role = .text) {
        (self.text, self.role) = (text, role)
    }
}

/// A line of an article, laid out for a width.
package struct GuideLine: Hashable, Sendable {
    /// The parts from left to right.
    package var spans: [GuideSpan] = []

    /// The text without trailing spaces.
    package var text: String {
        let text = spans.map(\.text).joined()
        return String(text.reversed().drop { $0 == " " }.reversed())
    }

    /// The line in pieces of at most `width` cells, divided at spaces where there are any; a character that is wider has a piece for itself.
    ///
    /// The pieces of an indented line, which is one of code, are indented further from the second on.
    package func pieces(width: Int) -> [GuideLine] {
        let own = spans.first?.text.prefix { $0 == " " }.count ?? 0
        let indent = own == 0 ? 0 : max(0, min(own + 4, width / 2))
        var pieces = [GuideLine()]
        var used = 0
        for span in spans {
            var rest = span.text[...]
            while !rest.isEmpty {
                let fitting = CellWidth.prefix(of: rest, fitting: width - used)
                let isWhole = fitting.count == rest.count
                var taken = isWhole ? fitting : Self.upToSpace(fitting, before: rest.dropFirst(fitting.count))
                if taken.isEmpty, used <= (pieces.count > 1 ? indent : 0) { taken = rest.prefix(1) }
                if !taken.isEmpty { pieces[pieces.count - 1].spans.append(GuideSpan(String(taken), span.role)) }
                used += CellWidth.width(of: taken)
                if isWhole { break }
                rest = rest.dropFirst(taken.count).drop { $0 == " " }
                guard !rest.isEmpty else { break }
                pieces.append(GuideLine(spans: indent == 0 ? [] : [GuideSpan(String(repeating: " ", count: indent), span.role)]))
                used = indent
            }
        }
        return pieces
    }

    /// The part of a text that ends before its last space, where one divides it from the word that continues in `rest`; else the text.
    private static func upToSpace(_ text: Substring, before rest: Substring) -> Substring {
        guard rest.first != " ", let space = text.lastIndex(of: " "), text[..<space].contains(where: { $0 != " " }) else { return text }
        return text[..<space]
    }
}
