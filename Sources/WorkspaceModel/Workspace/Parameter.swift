/// One row of an editable list: a query parameter, a header field, or a form field.
public struct Parameter: Hashable, Sendable {
    /// The name; may contain `{{templates}}`.
    public var name: String
    /// The value; may contain `{{templates}}`.
    public var value: String
    /// Whether the row is sent.
    public var isEnabled: Bool
    /// The description of the row.
    public var summary: String?

    /// Creates a row.
    public init(_ name: String, _ value: String, isEnabled: Bool = true, summary: String? = nil) {
        self.name = name
        self.value = value
        self.isEnabled = isEnabled
        self.summary = summary
    }
}
