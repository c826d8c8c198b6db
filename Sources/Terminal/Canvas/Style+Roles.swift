/// A style for every role, so that a call reads `canvas.write(text, at: place, style: .error)`.
extension Style {
    /// Ordinary text.
    public static let text = Style(.text)
    /// Less important text: hints, units, times.
    public static let muted = Style(.muted)
    /// Emphasized text.
    public static let strong = Style(.strong)
    /// The title of a pane without the focus.
    public static let title = Style(.title)
    /// The title of the pane with the focus.
    public static let titleFocused = Style(.titleFocused)
    /// The border of a pane without the focus.
    public static let border = Style(.border)
    /// The border of the pane with the focus.
    public static let borderFocused = Style(.borderFocused)
    /// A success: a 2xx status, a finished transfer.
    public static let success = Style(.success)
    /// A condition that needs attention: a 4xx status, disabled TLS verification.
    public static let warning = Style(.warning)
    /// A failure.
    public static let error = Style(.error)
    /// A neutral notice: a 3xx status.
    public static let info = Style(.info)
    /// A highlighted element.
    public static let accent = Style(.accent)
    /// GET and HEAD.
    public static let methodSafe = Style(.methodSafe)
    /// POST, PUT and PATCH.
    public static let methodWrite = Style(.methodWrite)
    /// DELETE.
    public static let methodDelete = Style(.methodDelete)
    /// The name of a JSON member.
    public static let jsonKey = Style(.jsonKey)
    /// A JSON string.
    public static let jsonString = Style(.jsonString)
    /// A JSON number.
    public static let jsonNumber = Style(.jsonNumber)
    /// `true`, `false` and `null`.
    public static let jsonLiteral = Style(.jsonLiteral)
    /// Braces, brackets, colons and commas of JSON.
    public static let jsonPunctuation = Style(.jsonPunctuation)
    /// The name of a header field.
    public static let headerName = Style(.headerName)
    /// The value of a header field.
    public static let headerValue = Style(.headerValue)
    /// The filled part of a progress bar.
    public static let progressFill = Style(.progressFill)
    /// The empty part of a progress bar.
    public static let progressTrack = Style(.progressTrack)
    /// The name of a key, in the footer and in help.
    public static let key = Style(.key)
    /// The action of a key, in the footer.
    public static let keyLabel = Style(.keyLabel)
    /// The text of a field being edited.
    public static let input = Style(.input)
    /// The hint in an empty field.
    public static let placeholder = Style(.placeholder)
    /// A match of the search text.
    public static let searchMatch = Style(.searchMatch)
    /// The current match of the search text.
    public static let currentMatch = Style(.currentMatch)
    /// A control or format character that is shown instead of being interpreted.
    public static let escaped = Style(.escaped)
    /// The name of an inactive tab.
    public static let tab = Style(.tab)
    /// The name of the active tab.
    public static let tabSelected = Style(.tabSelected)
    /// A short mark beside a name, such as a count.
    public static let badge = Style(.badge)
    /// The background of a popup.
    public static let overlay = Style(.overlay)
}
