/// The colours and attributes of all roles.
///
/// Every theme has attributes that express the meaning without colours as well.
package struct Theme: Hashable, Sendable {
    /// What a colour is for; its name in the settings.
    package enum Colour: String, Hashable, Sendable, CaseIterable {
        case text, background, selection, selectedText, focus, name, success, accent, error, warning, match, muted, title, border
    }

    /// The name in the settings.
    package var name: String
    /// The description.
    package var summary: String
    /// The colours by their number in the palette of 256 colours of xterm; a missing one is that of the terminal.
    package var colours: [Colour: Int16]
    /// The most colours that it uses.
    package var depth = ColourDepth.rich
    /// Whether coloured text is bold and no text is dim.
    var isStrong = false

    /// The look of a style on a terminal with `depth`.
    func rendition(of style: Style, depth: ColourDepth) -> Rendition {
        let look = Look.common(style.role)
        let isReversed = Self.isReversed(style.role)
        var rendition = Rendition()
        if depth == .none {
            rendition.attributes = look.plain
            if isStrong { rendition.attributes.remove(.dim) }
        } else {
            if look.isBold || isStrong && colour(of: style.role) != nil { rendition.attributes.insert(.bold) }
            if isReversed { rendition.attributes.insert(.reverse) }
            if style.role == .tabSelected { rendition.attributes.insert(.underline) }
        }
        if style.isBold { rendition.attributes.insert(.bold) }
        if style.isUnderlined { rendition.attributes.insert(.underline) }
        if style.isDim, !isStrong { rendition.attributes.insert(.dim) }
        guard depth == .rich else {
            rendition.foreground = look.colour(depth)
            guard style.isSelected else { return rendition }
            // One bar over the whole row: reversed colours would differ from cell to cell.
            rendition.attributes.formSymmetricDifference(.reverse)
            if !isReversed { rendition.foreground = nil }
            return rendition
        }
        rendition.foreground = colour(of: style.role) ?? colours[style.isSelected ? .selectedText : .text]
        rendition.background = colours[style.isSelected ? .selection : .background]
        return rendition
    }

    /// Whether the role uses its colour as the background, so that it is visible in any text.
    static func isReversed(_ role: Role) -> Bool {
        role == .searchMatch || role == .currentMatch || role == .escaped
    }

    /// The colour of a role in a palette of 256; nil is that of text.
    func colour(of role: Role) -> Int16? { Look.common(role).colour.flatMap { colours[$0] } }
}

extension Theme {
    /// The themes of the program, those for any background first.
    package static let all = [automatic, dark, light, contrast, colourBlind, terminal, solarizedDark, solarizedLight, gruvbox, nord, dracula]

    /// Colours of medium brightness.
    package static let automatic = Theme(
        "automatic", "readable on light and on dark backgrounds", [37, 68, 71, 133, 167, 172, 178, 244, 245, 242], selection: 238, 255)
    private static let dark = Theme(
        "dark", "bright colours for a dark background", [80, 111, 114, 177, 210, 215, 221, 248, 251, 244], selection: 238, 255)
    private static let light = Theme(
        "light", "dark colours for a light background", [30, 25, 28, 90, 160, 130, 136, 241, 239, 247], selection: 253, 16)
    private static let contrast: Theme = {
        var theme = Theme("contrast", "few strong colours, and no grey or dim text", [80, 111, 114, 177, 210, 215, 221], selection: 18, 231)
        theme.isStrong = true
        return theme
    }()
    /// The palette of Okabe and Ito (2008), whose colours differ for all kinds of colour vision.
    private static let colourBlind = Theme(
        "color-blind", "colours that differ for all kinds of colour vision", [74, 32, 36, 175, 166, 178, 227, 244, 245, 242], selection: 238, 255)
    private static let terminal: Theme = {
        var theme = automatic
        (theme.name, theme.summary, theme.depth) = ("terminal", "the 16 colours of the terminal", .extended)
        return theme
    }()
    /// https://ethanschoonover.com/solarized, with the numbers for xterm given there.
    private static let solarizedDark = Theme(
        "solarized-dark", "Solarized on its dark background", [37, 33, 64, 125, 160, 166, 136, 240, 245, 240], selection: 236, 254, on: 234, 244)
    private static let solarizedLight = Theme(
        "solarized-light", "Solarized on its light background", [37, 33, 64, 125, 160, 166, 136, 245, 240, 245], selection: 254, 235, on: 230, 241)
    /// https://github.com/morhetz/gruvbox, with the numbers for xterm given there.
    private static let gruvbox = Theme(
        "gruvbox", "Gruvbox on its dark background", [108, 109, 142, 175, 167, 208, 214, 245, 246, 241], selection: 239, 229, on: 235, 223)
    /// https://www.nordtheme.com, by the nearest colours of xterm.
    private static let nord = Theme(
        "nord", "Nord", [110, 109, 144, 139, 131, 173, 222, 60, 146, 240], selection: 239, 255, on: 236, 254)
    /// https://spec.draculatheme.com, by the nearest colours of xterm.
    private static let dracula = Theme(
        "dracula", "Dracula", [117, 141, 84, 212, 203, 215, 228, 61, 253, 60], selection: 239, 231, on: 236, 255)

    /// - Parameter colours: Those from `focus` to `border`; missing ones are that of text.
    private init(
        _ name: String, _ summary: String, _ colours: [Int16], selection: Int16, _ selectedText: Int16, on background: Int16? = nil,
        _ text: Int16? = nil
    ) {
        (self.name, self.summary) = (name, summary)
        self.colours = Dictionary(uniqueKeysWithValues: zip(Colour.allCases.dropFirst(4), colours))
        self.colours[.selection] = selection
        self.colours[.selectedText] = selectedText
        self.colours[.background] = background
        self.colours[.text] = text
    }

    /// The number of a colour that is written as a number, as `#rrggbb`, of which the nearest one is taken, or as `default`, which has none.
    ///
    /// - Returns: nil for another text.
    package static func number(of text: String) -> Int16?? {
        if text == "default" { return .some(nil) }
        if let number = Int16(text) {
            guard 0...255 ~= number else { return nil }
            return number
        }
        guard text.first == "#", text.utf8.count == 7, text.dropFirst().allSatisfy(\.isHexDigit), let rgb = Int(text.dropFirst(), radix: 16) else {
            return nil
        }
        let wanted = [rgb >> 16, (rgb >> 8) & 255, rgb & 255]
        func distance(_ number: UInt8) -> Int { CellColours.distance(CellColours.components(of: number), wanted) }
        let nearest = (UInt8(16)...255).min { distance($0) < distance($1) }
        return nearest.map { .some(Int16($0)) }
    }
}

/// The number of colours that are used.
package enum ColourDepth: Int, Hashable, Sendable, Comparable {
    case none = 0
    case basic = 8
    case extended = 16
    case rich = 256

    package static func < (one: ColourDepth, other: ColourDepth) -> Bool { one.rawValue < other.rawValue }

    /// The largest depth of a terminal with this number of colours.
    init(colours: Int) {
        self = [.rich, .extended, .basic].first { $0.rawValue <= colours } ?? .none
    }
}

/// The colours of a role on different terminals, and the attributes that express its meaning without colours.
struct Look: Hashable, Sendable {
    /// The colour of the theme, in a palette of 256; nil is that of text.
    var colour: Theme.Colour?
    /// The colour in a palette of 8; nil is the default text colour.
    var basic: Int16?
    /// The colour in a palette of 16, where it differs from that of 8.
    var extended: Int16?
    /// Whether text in colour is bold.
    var isBold = false
    /// The attributes used without colours.
    var plain: Attributes = []

    /// Attributes that every terminal supports in some form.
    struct Attributes: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        static let bold = Attributes(rawValue: 1)
        static let dim = Attributes(rawValue: 2)
        static let reverse = Attributes(rawValue: 4)
        static let underline = Attributes(rawValue: 8)
    }

    /// The colour at a depth; nil is the default text colour.
    func colour(_ depth: ColourDepth) -> Int16? {
        switch depth {
        case .none: nil
        case .basic: basic
        case .extended, .rich: extended ?? basic
        }
    }

    /// The look of a role.
    static func common(_ role: Role) -> Look {
        switch role {
        case .text, .headerValue, .jsonPunctuation, .overlay, .input: Look()
        case .muted, .placeholder, .keyLabel, .progressTrack: Look(colour: .muted, basic: nil, extended: 8, plain: .dim)
        case .strong: Look(isBold: true, plain: .bold)
        case .title: Look(colour: .title, basic: nil)
        case .titleFocused: Look(colour: .focus, basic: 6, isBold: true, plain: [.bold, .reverse])
        case .border: Look(colour: .border, basic: nil, extended: 8, plain: .dim)
        case .borderFocused: Look(colour: .focus, basic: 6, plain: .bold)
        case .success, .methodSafe, .jsonString: Look(colour: .success, basic: 2)
        case .warning: Look(colour: .warning, basic: 3, isBold: true, plain: .bold)
        case .methodWrite: Look(colour: .warning, basic: 3, plain: .bold)
        case .error: Look(colour: .error, basic: 1, isBold: true, plain: [.bold, .underline])
        case .methodDelete: Look(colour: .error, basic: 1, plain: [.bold, .underline])
        case .info, .jsonKey, .headerName: Look(colour: .name, basic: 4, plain: role == .info ? [] : .bold)
        case .accent, .key: Look(colour: .accent, basic: 5, isBold: true, plain: .bold)
        case .jsonNumber: Look(colour: .accent, basic: 5)
        case .jsonLiteral: Look(colour: .warning, basic: 3)
        case .progressFill: Look(colour: .focus, basic: 6)
        case .searchMatch: Look(colour: .match, basic: 3, plain: .underline)
        case .currentMatch: Look(colour: .focus, basic: 6, isBold: true, plain: [.bold, .reverse])
        case .escaped: Look(colour: .error, basic: 1, plain: .reverse)
        case .tab: Look(colour: .muted, basic: nil, extended: 8)
        case .tabSelected: Look(colour: .focus, basic: 6, isBold: true, plain: [.bold, .underline])
        case .phaseNameLookup: Look(colour: .name, basic: 4)
        case .phaseConnect: Look(colour: .warning, basic: 3)
        case .phaseTLS: Look(colour: .accent, basic: 5)
        case .phaseWait: Look(colour: .success, basic: 2)
        case .phaseReceive: Look(colour: .focus, basic: 6)
        }
    }
}

/// The look of one cell: colours by number, and attributes.
struct Rendition: Hashable, Sendable {
    /// The text colour; nil is the default one of the terminal.
    var foreground: Int16?
    /// The background; nil is the default one of the terminal.
    var background: Int16?
    var attributes: Look.Attributes = []
}
