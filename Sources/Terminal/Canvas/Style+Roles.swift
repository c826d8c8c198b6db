/// Every role as a style, so that a call reads `canvas.write(text, at: place, style: .error)`.
extension Style {
    /// Ordinary text.
    public static let text = Style(.text)
    /// Text of less weight: hints, units, times.
    public static let muted = Style(.muted)
    /// Text of more weight.
    public static let strong = Style(.strong)
    /// The title of a pane without the focus.
    public static let title = Style(.title)
    /// The title of the pane with the focus.
    public static let titleFocused = Style(.titleFocused)
    /// The border of a pane without the focus.
    public static let border = Style(.border)
    /// The border of the pane with the focus.
    public static let borderFocused = Style(.borderFocused)
    /// Something went well: a 2xx status, a finished transfer.
    public static let success = Style(.success)
    /// Something needs a look: a 4xx status, trust switched off.
    public static let warning = Style(.warning)
    /// Something failed.
    public static let error = Style(.error)
    /// A neutral notice: a 3xx status.
    public static let info = Style(.info)
    /// Something that should catch the eye.
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
    /// The done part of a progress bar.
    public static let progressFill = Style(.progressFill)
    /// The part of a progress bar still to do.
    public static let progressTrack = Style(.progressTrack)
    /// The name of a key, in the footer and in help.
    public static let key = Style(.key)
    /// What a key does, in the footer.
    public static let keyLabel = Style(.keyLabel)
    /// The text of a field being edited.
    public static let input = Style(.input)
    /// What an empty field is for.
    public static let placeholder = Style(.placeholder)
    /// A place where the search text was found.
    public static let searchMatch = Style(.searchMatch)
    /// The place of the search text that the reader is at.
    public static let currentMatch = Style(.currentMatch)
    /// A character that was made visible instead of being obeyed.
    public static let escaped = Style(.escaped)
    /// The name of a tab that is not shown.
    public static let tab = Style(.tab)
    /// The name of the tab that is shown.
    public static let tabSelected = Style(.tabSelected)
    /// A short mark beside a name, such as a count.
    public static let badge = Style(.badge)
    /// The ground of a popup.
    public static let overlay = Style(.overlay)
}
