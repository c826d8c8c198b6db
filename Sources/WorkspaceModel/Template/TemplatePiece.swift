/// A piece of a text whose templates have their values.
enum TemplatePiece: Hashable, Sendable {
    /// Text of the author.
    case text(String)
    /// What a template stands for, with the template; a raw one is written without any encoding.
    case value(String, Template.Segment, isRaw: Bool)
}
