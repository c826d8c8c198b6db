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
        case .badge: Look(rich: 68, basic: 4, plain: .bold)
        case .phaseNameLookup: Look(rich: 68, basic: 4)
        case .phaseConnect: Look(rich: 172, basic: 3)
        case .phaseTLS: Look(rich: 133, basic: 5)
        case .phaseWait: Look(rich: 71, basic: 2)
        case .phaseReceive: Look(rich: 37, basic: 6)
        }
    }
}
