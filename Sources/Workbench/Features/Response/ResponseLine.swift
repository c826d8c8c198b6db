internal import Terminal

/// A line of a response tab that is a list.
struct ResponseLine: Hashable, Sendable {
    var spans: [Span]
    /// The text that `y` copies.
    var copyText: String
    /// The name of the copied text in messages.
    var name: String

    init(_ spans: [Span], copy: String? = nil, name: String = "the line") {
        self.spans = spans
        copyText = copy ?? spans.reduce("") { $0 + $1.text }
        self.name = name
    }

    /// Creates a heading.
    init(heading: String) {
        self.init([Span(heading, .strong)])
    }

    var text: String { spans.reduce("") { $0 + $1.text } }
}

/// Formatting of text in columns.
enum ColumnText {
    /// Pads the text with trailing spaces to a width, or truncates it.
    static func padded(_ text: String, to width: Int) -> String {
        let cut = CellWidth.truncated(text, to: width)
        return cut + String(repeating: " ", count: max(0, width - CellWidth.width(of: cut)))
    }

    /// Pads the text with leading spaces to a width.
    static func right(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - CellWidth.width(of: text))) + text
    }
}
