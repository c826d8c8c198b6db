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
        self.text = text
        self.role = role
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
}
