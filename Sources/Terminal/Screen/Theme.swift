/// The appearance of a role: a colour, and attributes that express the meaning without colours.
struct Theme: Hashable, Sendable {
    /// The colour in a palette of 256; `nil` is the default text colour.
    var rich: Int16?
    /// The colour in a palette of 8; `nil` is the default text colour.
    var basic: Int16?
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

    /// The look of a role.
    ///
    /// The colours have medium brightness and are readable on light and dark backgrounds.
    static func of(_ role: Role) -> Theme {
        switch role {
        case .text, .headerValue, .jsonPunctuation, .overlay, .input: Theme()
        case .muted, .placeholder, .keyLabel, .progressTrack: Theme(rich: 244, basic: nil, plain: .dim)
        case .strong: Theme(isBold: true, plain: .bold)
        case .title: Theme(rich: 245, basic: nil)
        case .titleFocused: Theme(rich: 37, basic: 6, isBold: true, plain: [.bold, .reverse])
        case .border: Theme(rich: 242, basic: nil, plain: .dim)
        case .borderFocused: Theme(rich: 37, basic: 6, plain: .bold)
        case .success, .methodSafe, .jsonString: Theme(rich: 71, basic: 2)
        case .warning: Theme(rich: 172, basic: 3, isBold: true, plain: .bold)
        case .methodWrite: Theme(rich: 172, basic: 3, plain: .bold)
        case .error: Theme(rich: 167, basic: 1, isBold: true, plain: [.bold, .underline])
        case .methodDelete: Theme(rich: 167, basic: 1, plain: [.bold, .underline])
        case .info, .jsonKey, .headerName: Theme(rich: 68, basic: 4, plain: role == .info ? [] : .bold)
        case .accent, .key: Theme(rich: 133, basic: 5, isBold: true, plain: .bold)
        case .jsonNumber: Theme(rich: 133, basic: 5)
        case .jsonLiteral: Theme(rich: 172, basic: 3)
        case .progressFill: Theme(rich: 37, basic: 6)
        case .searchMatch: Theme(rich: 178, basic: 3, plain: .underline)
        case .currentMatch: Theme(rich: 37, basic: 6, isBold: true, plain: [.bold, .reverse])
        case .escaped: Theme(rich: 167, basic: 1, plain: .reverse)
        case .tab: Theme(rich: 244, basic: nil)
        case .tabSelected: Theme(rich: 37, basic: 6, isBold: true, plain: [.bold, .underline])
        case .badge: Theme(rich: 68, basic: 4, plain: .bold)
        }
    }

    /// Whether the role uses its colour as the background, so that it is visible in any text.
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
        if style.isSelected { attributes.formSymmetricDifference(.reverse) }
        return attributes
    }
}
