/// The appearance of a cell, given by its role.
package struct Style: Hashable, Sendable {
    /// The role of the cell.
    package var role: Role
    /// Whether the cell is part of the selection bar.
    package var isSelected: Bool
    /// Whether the cell is bold in addition to the look of its role.
    package var isBold: Bool
    /// Whether the cell is dim in addition to the look of its role.
    package var isDim: Bool
    /// Whether the cell is underlined in addition to the look of its role.
    package var isUnderlined: Bool
    /// The colours of a cell of a picture, instead of those of the role; nil for text.
    package var colours: CellColours?

    /// Ordinary text.
    package static let plain = Style(.text)

    /// Creates the plain style of `role`.
    package init(_ role: Role) {
        self.role = role
        isSelected = false
        isBold = false
        isDim = false
        isUnderlined = false
        colours = nil
    }

    /// Creates the style of a cell of a picture.
    package init(_ colours: CellColours) {
        self.init(.text)
        self.colours = colours
    }

    /// A copy inside or outside of the selection bar.
    package func selected(_ on: Bool = true) -> Style {
        var style = self
        style.isSelected = on
        return style
    }

    /// A copy that is bold or not.
    package func bold(_ on: Bool = true) -> Style {
        var style = self
        style.isBold = on
        return style
    }

    /// A copy that is underlined or not.
    package func underlined(_ on: Bool = true) -> Style {
        var style = self
        style.isUnderlined = on
        return style
    }

    /// A copy that is dim or not.
    package func dim(_ on: Bool = true) -> Style {
        var style = self
        style.isDim = on
        return style
    }
}

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
