/// A style for every role, so that a call reads `canvas.write(text, at: place, style: .error)`.
extension Style {
    /// Ordinary text.
    package static let text = Style(.text)
    /// Less important text: hints, units, times.
    package static let muted = Style(.muted)
    /// Emphasized text.
    package static let strong = Style(.strong)
    /// The title of a pane without the focus.
    package static let title = Style(.title)
    /// The title of the pane with the focus.
    package static let titleFocused = Style(.titleFocused)
    /// The border of a pane without the focus.
    package static let border = Style(.border)
    /// The border of the pane with the focus.
    package static let borderFocused = Style(.borderFocused)
    /// A success: a 2xx status, a finished transfer.
    package static let success = Style(.success)
    /// A condition that needs attention: a 4xx status, disabled TLS verification.
    package static let warning = Style(.warning)
    /// A failure.
    package static let error = Style(.error)
    /// A neutral notice: a 3xx status.
    package static let info = Style(.info)
    /// A highlighted element.
    package static let accent = Style(.accent)
    /// GET and HEAD.
    package static let methodSafe = Style(.methodSafe)
    /// POST, PUT and PATCH.
    package static let methodWrite = Style(.methodWrite)
    /// DELETE.
    package static let methodDelete = Style(.methodDelete)
    /// The name of a JSON member.
    package static let jsonKey = Style(.jsonKey)
    /// A JSON string.
    package static let jsonString = Style(.jsonString)
    /// A JSON number.
    package static let jsonNumber = Style(.jsonNumber)
    /// `true`, `false` and `null`.
    package static let jsonLiteral = Style(.jsonLiteral)
    /// Braces, brackets, colons and commas of JSON.
    package static let jsonPunctuation = Style(.jsonPunctuation)
    /// The name of a header field.
    package static let headerName = Style(.headerName)
    /// The value of a header field.
    package static let headerValue = Style(.headerValue)
    /// The filled part of a progress bar.
    package static let progressFill = Style(.progressFill)
    /// The empty part of a progress bar.
    package static let progressTrack = Style(.progressTrack)
    /// The name of a key, in the footer and in help.
    package static let key = Style(.key)
    /// The action of a key, in the footer.
    package static let keyLabel = Style(.keyLabel)
    /// The text of a field being edited.
    package static let input = Style(.input)
    /// The hint in an empty field.
    package static let placeholder = Style(.placeholder)
    /// A match of the search text.
    package static let searchMatch = Style(.searchMatch)
    /// The current match of the search text.
    package static let currentMatch = Style(.currentMatch)
    /// A control or format character that is shown instead of being interpreted.
    package static let escaped = Style(.escaped)
    /// The name of an inactive tab.
    package static let tab = Style(.tab)
    /// The name of the active tab.
    package static let tabSelected = Style(.tabSelected)
    /// A short mark beside a name, such as a count.
    package static let badge = Style(.badge)
    /// The background of a popup.
    package static let overlay = Style(.overlay)
    /// The resolution of a host name, in a timing.
    package static let phaseNameLookup = Style(.phaseNameLookup)
    /// The connection, in a timing.
    package static let phaseConnect = Style(.phaseConnect)
    /// The TLS handshake, in a timing.
    package static let phaseTLS = Style(.phaseTLS)
    /// The wait for the first byte of the response, in a timing.
    package static let phaseWait = Style(.phaseWait)
    /// The transfer of a body, in a timing.
    package static let phaseReceive = Style(.phaseReceive)
    /// The mark of a line that is cut at an edge.
    package static let cutMark = Style(.muted)
}
