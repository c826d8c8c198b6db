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

    /// The line in pieces of at most `width` cells; a character that is wider has a piece for itself.
    package func pieces(width: Int) -> [GuideLine] {
        var pieces = [GuideLine()]
        var used = 0
        for span in spans {
            var rest = span.text[...]
            while !rest.isEmpty {
                let part = CellWidth.prefix(of: rest, fitting: width - used)
                if part.isEmpty, used > 0 {
                    pieces.append(GuideLine())
                    used = 0
                    continue
                }
                let taken = part.isEmpty ? rest.prefix(1) : part
                pieces[pieces.count - 1].spans.append(GuideSpan(String(taken), span.role))
                used += CellWidth.width(of: taken)
                rest = rest.dropFirst(taken.count)
            }
        }
        return pieces
    }
}
