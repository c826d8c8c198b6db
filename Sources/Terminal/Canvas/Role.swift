/// The meaning of a part of the screen.
///
/// Only `Screen` maps a role to colours.
package enum Role: UInt8, Hashable, Sendable, CaseIterable {
    /// Ordinary text.
    case text
    /// Less important text: hints, units, times.
    case muted
    /// Emphasized text.
    case strong
    /// The title of a pane without the focus.
    case title
    /// The title of the pane with the focus.
    case titleFocused
    /// The border of a pane without the focus.
    case border
    /// The border of the pane with the focus.
    case borderFocused
    /// A success: a 2xx status, a finished transfer.
    case success
    /// A condition that needs attention: a 4xx status, disabled TLS verification.
    case warning
    /// A failure.
    case error
    /// A neutral notice: a 3xx status.
    case info
    /// A highlighted element.
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
    /// The filled part of a progress bar.
    case progressFill
    /// The empty part of a progress bar.
    case progressTrack
    /// The name of a key, in the footer and in help.
    case key
    /// The action of a key, in the footer.
    case keyLabel
    /// The text of a field being edited.
    case input
    /// The hint in an empty field.
    case placeholder
    /// A match of the search text.
    case searchMatch
    /// The current match of the search text.
    case currentMatch
    /// A control or format character that is shown instead of being interpreted.
    case escaped
    /// The name of an inactive tab.
    case tab
    /// The name of the active tab.
    case tabSelected
    /// A short mark beside a name, such as a count.
    case badge
    /// The background of a popup.
    case overlay
    /// The resolution of a host name, in a timing.
    case phaseNameLookup
    /// The connection, in a timing.
    case phaseConnect
    /// The TLS handshake, in a timing.
    case phaseTLS
    /// The wait for the first byte of the response, in a timing.
    case phaseWait
    /// The transfer of a body, in a timing.
    case phaseReceive
}
