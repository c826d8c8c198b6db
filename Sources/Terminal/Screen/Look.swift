/// How a role looks: a colour where there are colours, and attributes that carry the meaning where there are none.
struct Look: Hashable, Sendable {
    /// The colour among 256; `nil` is the terminal's own text colour.
    var rich: Int16?
    /// The colour among 8; `nil` is the terminal's own text colour.
    var basic: Int16?
    /// Whether it is bold, in colour too.
    var isBold = false
    /// The attributes without colours.
    var plain: Attributes = []

    /// Attributes every terminal has in some form.
    struct Attributes: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        static let bold = Attributes(rawValue: 1)
        static let dim = Attributes(rawValue: 2)
        static let reverse = Attributes(rawValue: 4)
        static let underline = Attributes(rawValue: 8)
    }

    /// The look of a role.
    ///
    /// The colours are middle ones, readable on a light and on a dark ground.
    static func of(_ role: Role) -> Look {
        switch role {
        case .text, .headerValue, .jsonPunctuation, .overlay, .input: Look()
        case .muted, .placeholder, .keyLabel, .progressTrack: Look(rich: 244, basic: nil, plain: .dim)
        case .strong: Look(isBold: true, plain: .bold)
        case .title: Look(rich: 245, basic: nil)
        case .titleFocused: Look(rich: 37, basic: 6, isBold: true, plain: [.bold, .reverse])
        case .border: Look(rich: 242, basic: nil, plain: .dim)
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
        case .tab: Look(rich: 244, basic: nil)
        case .tabSelected: Look(rich: 37, basic: 6, isBold: true, plain: [.bold, .underline])
        case .badge: Look(rich: 68, basic: 4, plain: .bold)
        }
    }

    /// Whether the role is drawn with its colour as the ground, so that it stands out in any text.
    static func isReversed(_ role: Role) -> Bool {
        role == .searchMatch || role == .currentMatch || role == .escaped
    }

    /// The attributes of a style, with colours or without.
    static func attributes(of style: Style, colour: Bool) -> Attributes {
        let look = of(style.role)
        var attributes: Attributes = colour ? (look.isBold ? .bold : []) : look.plain
        if colour, isReversed(style.role) { attributes.insert(.reverse) }
        if colour, style.role == .tabSelected { attributes.insert(.underline) }
        if style.isBold { attributes.insert(.bold) }
        if style.isDim { attributes.insert(.dim) }
        if style.isUnderlined { attributes.insert(.underline) }
        if style.isSelected { attributes.formSymmetricDifference(.reverse) }
        return attributes
    }
}
