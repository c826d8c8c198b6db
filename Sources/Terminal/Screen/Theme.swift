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
