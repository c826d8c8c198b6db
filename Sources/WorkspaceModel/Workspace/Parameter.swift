/// One row of an editable list: a query parameter, a header field, or a form field.
package struct Parameter: Hashable, Sendable {
    /// The name; may contain `{{templates}}`.
    package var name: String { didSet { if name != oldValue { spelling = nil } } }
    /// The value; may contain `{{templates}}`.
    package var value: String { didSet { if value != oldValue { spelling = nil } } }
    /// Whether the row is sent.
    package var isEnabled: Bool
    /// The description of the row.
    package var summary: String?
    /// Whether an empty value is sent as the name without `=`.
    package var isNameOnly = false { didSet { if isNameOnly != oldValue { spelling = nil } } }
    /// Its text in the query of a URL as it was typed, where the name and the value would be encoded in another way; nil after a change of them.
    package var spelling: String?

    /// Creates a row.
    package init(_ name: String, _ value: String, isEnabled: Bool = true, summary: String? = nil) {
        self.name = name
        self.value = value
        self.isEnabled = isEnabled
        self.summary = summary
    }
}
