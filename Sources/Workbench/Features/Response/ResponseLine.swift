internal import SortieTerminal

/// A line of a response tab that is a list.
struct ResponseLine: Hashable, Sendable {
    var spans: [Span]
    /// The text that `y` copies.
    var copyText: String
    /// The name of the copied text in messages.
    var name: String
    /// The value as `capture:` names it, `header ETag` or `status`; nil for a line without one.
    var capturePath: String?

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
