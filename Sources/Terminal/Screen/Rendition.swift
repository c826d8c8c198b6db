/// The look of one cell: colours by number, and attributes.
struct Rendition: Hashable, Sendable {
    /// The text colour; nil is the default one of the terminal.
    var foreground: Int16?
    /// The background; nil is the default one of the terminal.
    var background: Int16?
    var attributes: Look.Attributes = []
}
