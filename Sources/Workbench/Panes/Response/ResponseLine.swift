internal import Terminal

/// One line of a tab of the response that is a list.
struct ResponseLine: Hashable, Sendable {
    var spans: [Span]
    /// What `y` copies.
    var copyText: String
    /// What the copied text is called.
    var name: String

    init(_ spans: [Span], copy: String? = nil, name: String = "the line") {
        self.spans = spans
        copyText = copy ?? spans.reduce("") { $0 + $1.text }
        self.name = name
    }

    /// A heading over other lines.
    init(heading: String) {
        self.init([Span(heading, .strong)])
    }

    var text: String { spans.reduce("") { $0 + $1.text } }
}

/// Text in columns.
enum ColumnText {
    /// The text with blanks after it up to a width; a longer one is cut.
    static func padded(_ text: String, to width: Int) -> String {
        let cut = CellWidth.truncated(text, to: width)
        return cut + String(repeating: " ", count: max(0, width - CellWidth.width(of: cut)))
    }

    /// The text with blanks before it up to a width.
    static func right(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - CellWidth.width(of: text))) + text
    }
}
