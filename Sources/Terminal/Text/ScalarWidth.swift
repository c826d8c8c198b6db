extension Unicode.Scalar {
    static let zeroWidthJoiner: Unicode.Scalar = "\u{200D}"
    static let zeroWidthNonJoiner: Unicode.Scalar = "\u{200C}"
    static let textSelector: Unicode.Scalar = "\u{FE0E}"
    static let emojiSelector: Unicode.Scalar = "\u{FE0F}"

    /// The columns this scalar takes on its own: 0, 1 or 2; a control character, which has no width, counts as 0.
    var columns: Int {
        if value < 0x300 { return isC0OrC1 ? 0 : 1 }
        if isZeroWidth { return 0 }
        return WideScalars.contains(self) ? 2 : 1
    }

    /// Whether it is one of the two blocks of control characters, or DEL.
    var isC0OrC1: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

    /// Whether it is half of a flag.
    var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

    /// Whether it colours the skin of the emoji before it.
    var isSkinTone: Bool { (0x1F3FB...0x1F3FF).contains(value) }

    /// Whether it joins the consonants of an Indic cluster.
    var isVirama: Bool { properties.canonicalCombiningClass == .virama }

    /// Whether it is drawn as a picture only when ``emojiSelector`` follows, and then takes two columns instead of one.
    var isTextByDefaultEmoji: Bool { properties.isEmoji && !properties.isEmojiPresentation }

    /// Whether it is a visible format character, such as the Arabic number sign that stands under digits.
    var isPrependedMark: Bool {
        switch value {
        case 0x600...0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD: true
        default: false
        }
    }

    private var isZeroWidth: Bool {
        // Vowels and finals of Hangul syllables: the leading consonant already took the two columns.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return true }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark, .lineSeparator, .paragraphSeparator: return true
        case .format: return !isPrependedMark
        // A Hangul leading filler holds the place of a consonant.
        default: return value != 0x115F && properties.isDefaultIgnorableCodePoint
        }
    }
}
