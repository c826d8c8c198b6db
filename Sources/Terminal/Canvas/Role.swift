/// What a piece of the screen means; only `Screen` knows the colour that goes with it.
public enum Role: UInt8, Hashable, Sendable, CaseIterable {
    /// Ordinary text.
    case text
    /// Text of less weight: hints, units, times.
    case muted
    /// Text of more weight.
    case strong
    /// The title of a pane without the focus.
    case title
    /// The title of the pane with the focus.
    case titleFocused
    /// The border of a pane without the focus.
    case border
    /// The border of the pane with the focus.
    case borderFocused
    /// Something went well: a 2xx status, a finished transfer.
    case success
    /// Something needs a look: a 4xx status, trust switched off.
    case warning
    /// Something failed.
    case error
    /// A neutral notice: a 3xx status.
    case info
    /// Something that should catch the eye.
    case accent
    /// GET and HEAD.
    case methodSafe
    /// POST, PUT and PATCH.
    case methodWrite
    /// DELETE.
    case methodDelete
    /// The name of a JSON member.
    case jsonKey
    /// A JSON string.
    case jsonString
    /// A JSON number.
    case jsonNumber
    /// `true`, `false` and `null`.
    case jsonLiteral
    /// Braces, brackets, colons and commas of JSON.
    case jsonPunctuation
    /// The name of a header field.
    case headerName
    /// The value of a header field.
    case headerValue
    /// The done part of a progress bar.
    case progressFill
    /// The part of a progress bar still to do.
    case progressTrack
    /// The name of a key, in the footer and in help.
    case key
    /// What a key does, in the footer.
    case keyLabel
    /// The text of a field being edited.
    case input
    /// What an empty field is for.
    case placeholder
    /// A place where the search text was found.
    case searchMatch
    /// The place of the search text that the reader is at.
    case currentMatch
    /// A character that was made visible instead of being obeyed.
    case escaped
    /// The name of a tab that is not shown.
    case tab
    /// The name of the tab that is shown.
    case tabSelected
    /// A short mark beside a name, such as a count.
    case badge
    /// The ground of a popup.
    case overlay
}
