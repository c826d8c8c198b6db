/// A piece of a text with resolved templates.
enum TemplatePiece: Hashable, Sendable {
    /// The author's text.
    case text(String)
    /// The value of a template, with the template. A raw value is written without encoding.
    case value(String, Template.Segment, isRaw: Bool)
}
