extension Unicode.Scalar {
    /// Whether the scalar may be sent to a terminal after `previous`, which belongs to the same grapheme with the
    /// base `base`.
    ///
    /// Refused are scalars that a terminal interprets (C0, C1, DEL), that reorder text (bidirectional marks,
    /// embeddings, overrides, isolates), and that are invisible (zero-width and other ignorable characters), except
    /// where a script or an emoji needs them.
    func isHarmless(after previous: Unicode.Scalar?, base: Unicode.Scalar?) -> Bool {
        if value < 0x300 { return !isC0OrC1 && value != 0xAD }
        switch self {
        case .zeroWidthJoiner, .zeroWidthNonJoiner:
            // Emoji, Arabic and Indic scripts need joiners; between Latin letters joiners are only invisible.
            guard let base, let previous, base.value >= 0x600 else { return false }
            return previous != .zeroWidthJoiner && previous != .zeroWidthNonJoiner
        case .textSelector, .emojiSelector:
            return previous.map { $0.properties.isEmoji } ?? false
        default: break
        }
        if isVariationSelector { return previous.map { $0.value > 0xFF && $0.columns > 0 } ?? false }
        if isFlagTag { return base?.value == 0x1F3F4 }  // the flags of England, Scotland and Wales
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: return false
        case .format: return isPrependedMark
        default: return !properties.isDefaultIgnorableCodePoint && !properties.isNoncharacterCodePoint
        }
    }

    /// The escaped form of the scalar: its control picture, or its code point in angle quotes.
    var escaped: String {
        if value < 0x20, let picture = Unicode.Scalar(0x2400 + value) { return String(picture) }
        if value == 0x7F { return "\u{2421}" }
        let digits = String(value, radix: 16, uppercase: true)
        return "‹U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "›"
    }

    private var isVariationSelector: Bool {
        (0xFE00...0xFE0D).contains(value) || (0xE0100...0xE01EF).contains(value) || (0x180B...0x180D).contains(value)
            || value == 0x180F
    }

    private var isFlagTag: Bool {
        (0xE0030...0xE0039).contains(value) || (0xE0061...0xE007A).contains(value) || value == 0xE007F
    }
}
