extension Unicode.Scalar {
    /// Whether a terminal may be given this scalar after `previous`, which stands in the same grapheme with the base `base`.
    ///
    /// Refused is what a terminal obeys (C0, C1, DEL), what reorders text (bidirectional marks, embeddings, overrides, isolates),
    /// and what cannot be seen (zero-width and other ignorable characters), except where a script or an emoji needs it.
    func isHarmless(after previous: Unicode.Scalar?, base: Unicode.Scalar?) -> Bool {
        if value < 0x300 { return !isC0OrC1 && value != 0xAD }
        switch self {
        case .zeroWidthJoiner, .zeroWidthNonJoiner:
            // Emoji, Arabic and Indic scripts need joiners; between Latin letters they only hide.
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

    /// What is shown in place of this scalar: its control picture, or its number in angle quotes.
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
