extension Unicode.Scalar {
    static let zeroWidthJoiner: Unicode.Scalar = "\u{200D}"
    static let zeroWidthNonJoiner: Unicode.Scalar = "\u{200C}"
    static let textSelector: Unicode.Scalar = "\u{FE0E}"
    static let emojiSelector: Unicode.Scalar = "\u{FE0F}"

    /// The width of the scalar alone: 0, 1 or 2 columns.
    ///
    /// A control character counts as 0.
    var columns: Int {
        if value < 0x300 { return isC0OrC1 ? 0 : 1 }
        if isZeroWidth { return 0 }
        return WideScalars.contains(self) ? 2 : 1
    }

    /// The columns that terminals and the C library use for the scalar: a spacing mark, such as a vowel sign of Devanagari, has its own.
    ///
    /// ``columns`` counts it with its letter.
    var terminalColumns: Int {
        guard properties.generalCategory == .spacingMark else { return columns }
        return (0x302E...0x302F).contains(value) || (0x16FF0...0x16FF1).contains(value) ? 2 : 1
    }

    /// Whether the scalar is a mark that is no part of the grapheme of its letter, as the vowel sign AA of Burmese.
    var isSeparateMark: Bool { String(String.UnicodeScalarView(["\u{1000}", self])).count == 2 }

    /// Whether the scalar occurs in sequences of emoji.
    var isOfEmojiSequence: Bool {
        properties.isEmoji && !isASCII || self == .emojiSelector || self == .textSelector || self == .zeroWidthJoiner || value == 0x20E3
            || (0xE0020...0xE007F).contains(value)
    }

    /// Whether the scalar is a C0 or C1 control character or DEL.
    var isC0OrC1: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

    /// Whether the scalar is half of a flag.
    var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

    /// Whether the scalar sets the skin tone of the preceding emoji.
    var isSkinTone: Bool { (0x1F3FB...0x1F3FF).contains(value) }

    /// Whether the scalar joins the consonants of an Indic cluster.
    var isVirama: Bool { properties.canonicalCombiningClass == .virama }

    /// Whether the scalar is shown as an emoji only before ``emojiSelector``, and then takes two columns instead of
    /// one.
    var isTextByDefaultEmoji: Bool { properties.isEmoji && !properties.isEmojiPresentation }

    /// Whether the scalar is a visible format character, such as the Arabic number sign below digits.
    var isPrependedMark: Bool {
        switch value {
        case 0x600...0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD: true
        default: false
        }
    }

    private var isZeroWidth: Bool {
        // Vowels and finals of Hangul syllables; the leading consonant counts for both columns.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return true }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark, .lineSeparator, .paragraphSeparator: return true
        case .format: return !isPrependedMark
        // A Hangul leading filler takes the place of a consonant.
        default: return value != 0x115F && properties.isDefaultIgnorableCodePoint
        }
    }
}
