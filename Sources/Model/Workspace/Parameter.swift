/// One row of a list that a person edits: a query parameter, a header, a form field.
public struct Parameter: Hashable, Codable, Sendable {
    /// The name; may hold `{{templates}}`.
    public var name: String
    /// The value; may hold `{{templates}}`.
    public var value: String
    /// Whether it is sent.
    public var isEnabled: Bool
    /// What it is for.
    public var summary: String?

    /// A row.
    public init(_ name: String, _ value: String, isEnabled: Bool = true, summary: String? = nil) {
        self.name = name
        self.value = value
        self.isEnabled = isEnabled
        self.summary = summary
    }
}
