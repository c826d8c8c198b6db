/// The colours and attributes of all roles.
///
/// Every theme has attributes that express the meaning without colours as well.
package enum Theme: String, Hashable, Sendable, CaseIterable {
    /// Colours of medium brightness, readable on light and on dark backgrounds.
    case automatic
    /// Bright colours for a dark background.
    case dark
    /// Dark colours for a light background.
    case light
    /// Few strong colours, and no dim text.
    case contrast

    /// The look of a style on a terminal with `depth`.
    func rendition(of style: Style, depth: ColourDepth) -> Rendition {
        let look = look(of: style.role)
        let isReversed = Self.isReversed(style.role)
        var rendition = Rendition()
        rendition.foreground = look.colour(depth)
        if depth == .none {
            rendition.attributes = look.plain
        } else {
            if look.isBold { rendition.attributes.insert(.bold) }
            if isReversed { rendition.attributes.insert(.reverse) }
            if style.role == .tabSelected { rendition.attributes.insert(.underline) }
        }
        if style.isBold { rendition.attributes.insert(.bold) }
        if style.isUnderlined { rendition.attributes.insert(.underline) }
        if style.isDim, self != .contrast { rendition.attributes.insert(.dim) }
        guard style.isSelected else { return rendition }
        guard depth == .rich else {
            // One bar over the whole row: reversed colours would differ from cell to cell.
            rendition.attributes.formSymmetricDifference(.reverse)
            if !isReversed { rendition.foreground = nil }
            return rendition
        }
        rendition.foreground = rendition.foreground ?? selection.text
        rendition.background = selection.background
        return rendition
    }

    /// Whether the role uses its colour as the background, so that it is visible in any text.
    static func isReversed(_ role: Role) -> Bool {
        role == .searchMatch || role == .currentMatch || role == .escaped
    }

    /// The colours of the selection bar in a palette of 256: that of text without a colour, and that of the background.
    private var selection: (text: Int16, background: Int16) {
        switch self {
        case .automatic, .dark: (255, 238)
        case .light: (16, 253)
        case .contrast: (231, 18)
        }
    }

    /// The look of a role.
    func look(of role: Role) -> Look {
        var look = Look.common(role)
        guard let rich = look.rich else { return look }
        switch self {
        case .automatic: break
        case .dark: look.rich = Self.bright[rich] ?? rich
        case .light: look.rich = Self.deep[rich] ?? rich
        case .contrast:
            // Grey text is ordinary text, and the colours are the strong ones of the light or dark background.
            let isGrey = rich >= 242 && rich <= 245
            look.rich = isGrey ? nil : Self.bright[rich] ?? rich
            look.isBold = !isGrey
            look.plain.remove(.dim)
        }
        return look
    }

    /// The brighter colours for those of medium brightness.
    private static let bright: [Int16: Int16] = [37: 80, 68: 111, 71: 114, 133: 177, 167: 210, 172: 215, 178: 221, 242: 244, 244: 248, 245: 251]
    /// The darker colours for those of medium brightness.
    private static let deep: [Int16: Int16] = [37: 30, 68: 25, 71: 28, 133: 90, 167: 160, 172: 130, 178: 136, 242: 247, 244: 241, 245: 239]
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
    /// The colour in a palette of 256; nil is the default text colour.
    var rich: Int16?
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
        case .extended: extended ?? basic
        case .rich: rich
        }
    }

    /// The look of a role in colours of medium brightness, which are readable on light and dark backgrounds.
    static func common(_ role: Role) -> Look {
        switch role {
        case .text, .headerValue, .jsonPunctuation, .overlay, .input: Look()
        case .muted, .placeholder, .keyLabel, .progressTrack: Look(rich: 244, basic: nil, extended: 8, plain: .dim)
        case .strong: Look(isBold: true, plain: .bold)
        case .title: Look(rich: 245, basic: nil)
        case .titleFocused: Look(rich: 37, basic: 6, isBold: true, plain: [.bold, .reverse])
        case .border: Look(rich: 242, basic: nil, extended: 8, plain: .dim)
        case .borderFocused: Look(rich: 37, basic: 6, plain: .bold)
        case .success, .methodSafe, .jsonString: Look(rich: 71, basic: 2)
        case .warning: Look(rich: 172, basic: 3, isBold: true, plain: .bold)
        case .methodWrite: Look(rich: 172, basic: 3, plain: .bold)
        case .error: Look(rich: 167, basic: 1, isBold: true, plain: [.bold, .underline])
        case .methodDelete: Look(rich: 167, basic: 1, plain: [.bold, .underline])
        case .info, .jsonKey, .headerName: Look(rich: 68, basic: 4, plain: role == .info ? [] : .bold)
        case .accent, .key: Look(rich: 133, basic: 5, isBold: true, plain: .bold)
        case .jsonNumber: Look(rich: 133, basic: 5)
        case .jsonLiteral: Look(rich: 172, basic: 3)
        case .progressFill: Look(rich: 37, basic: 6)
        case .searchMatch: Look(rich: 178, basic: 3, plain: .underline)
        case .currentMatch: Look(rich: 37, basic: 6, isBold: true, plain: [.bold, .reverse])
        case .escaped: Look(rich: 167, basic: 1, plain: .reverse)
        case .tab: Look(rich: 244, basic: nil, extended: 8)
        case .tabSelected: Look(rich: 37, basic: 6, isBold: true, plain: [.bold, .underline])
        case .phaseNameLookup: Look(rich: 68, basic: 4)
        case .phaseConnect: Look(rich: 172, basic: 3)
        case .phaseTLS: Look(rich: 133, basic: 5)
        case .phaseWait: Look(rich: 71, basic: 2)
        case .phaseReceive: Look(rich: 37, basic: 6)
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
