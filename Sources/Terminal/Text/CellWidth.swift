/// The width of text in terminal columns.
///
/// The values are those of the `wcwidth` 0.9.4 library, by grapheme. A character that ``Canvas`` escapes has the
/// width of its escaped form, so that layout and drawing always agree.
package enum CellWidth {
    /// The width of a drawn character in columns.
    package static func width(of character: Character) -> Int {
        if character.isPrintableASCII { return 1 }
        return DrawnGrapheme(character).pieces.reduce(0) { $0 + $1.width }
    }

    /// The width of a drawn line of text in columns.
    package static func width(of text: some StringProtocol) -> Int {
        if let ascii = printableASCIICount(of: text) { return ascii }
        return text.reduce(0) { $0 + width(of: $1) }
    }

    /// The number of characters where all of them are printable ASCII, which need not be divided into graphemes; nil for other text.
    private static func printableASCIICount(of text: some StringProtocol) -> Int? {
        let count = text.utf8.withContiguousStorageIfAvailable { bytes in
            for byte in bytes where byte < 0x20 || byte > 0x7E { return -1 }
            return bytes.count
        }
        return count.flatMap { $0 < 0 ? nil : $0 }
    }

    /// The longest prefix of `text` with at most `columns` columns.
    package static func prefix<Text: StringProtocol>(of text: Text, fitting columns: Int) -> Text.SubSequence {
        var left = columns
        var index = text.startIndex
        while index < text.endIndex {
            left -= width(of: text[index])
            if left < 0 { break }
            index = text.index(after: index)
        }
        return text[..<index]
    }

    /// The text where it fits into `columns`, else the longest prefix that fits with “…” appended.
    package static func truncated(_ text: some StringProtocol, to columns: Int) -> String {
        guard columns > 0 else { return "" }
        let whole = prefix(of: text, fitting: columns)
        if whole.endIndex == text.endIndex { return String(text) }
        return String(prefix(of: text, fitting: columns - 1)) + "…"
    }

    /// The text where it fits into `columns`, else its end after “…”.
    ///
    /// For paths, whose end is most significant.
    package static func truncatedAtStart(_ text: some StringProtocol, to columns: Int) -> String {
        guard columns > 0 else { return "" }
        guard width(of: text) > columns else { return String(text) }
        var room = columns - 1
        let tail = text.reversed().prefix { character in
            room -= width(of: character)
            return room >= 0
        }
        return "…" + String(tail.reversed())
    }
}

extension CellWidth {
    /// The width of an unescaped grapheme in columns, as in `wcwidth` 0.9.4.
    ///
    /// A grapheme is one base with marks, an emoji sequence, a flag, or an Indic cluster. The width is zero for marks
    /// without a base and for format characters.
    static func naturalWidth(of scalars: some Sequence<Unicode.Scalar>) -> Int {
        var total = 0
        var current = 0
        var base: Unicode.Scalar?
        var isChangeable = false  // a selector or a spacing mark can still change the width of the base
        var followsVirama = false
        var followsJoiner = false
        for scalar in scalars {
            if followsJoiner {  // part of the same emoji
                followsJoiner = false
                continue
            }
            switch scalar {
            case .zeroWidthJoiner:
                followsJoiner = !followsVirama
                continue
            case .emojiSelector where isChangeable:
                if let base, base.isTextByDefaultEmoji { current = 2 }
                isChangeable = false
                continue
            case .textSelector where isChangeable:
                if let base, base.properties.isEmoji, current == 2 { current = 1 }
                isChangeable = false
                continue
            default: break
            }
            if let base, isDrawnWith(base, scalar) { continue }
            let columns = scalar.columns
            if columns > 0 {
                if followsVirama {
                    current = 2
                } else {
                    total += current
                    current = columns
                }
                base = scalar
                isChangeable = true
                followsVirama = false
            } else if scalar.properties.generalCategory == .spacingMark, !scalar.isVirama {
                if isChangeable { current = 2 }
                isChangeable = false
                followsVirama = false
            } else {
                followsVirama = scalar.isVirama
            }
        }
        return total + current
    }

    /// The width of an unescaped line of text in columns; `nil` where it contains a control character.
    static func naturalWidth(of text: some StringProtocol) -> Int? {
        if text.unicodeScalars.contains(where: \.isC0OrC1) { return nil }
        return text.reduce(0) { $0 + naturalWidth(of: $1.unicodeScalars) }
    }

    private static func isDrawnWith(_ base: Unicode.Scalar, _ scalar: Unicode.Scalar) -> Bool {
        if scalar.isRegionalIndicator { return base.isRegionalIndicator }
        return scalar.isSkinTone && base.value > 0xFF && base.properties.isEmoji
    }
}

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

/// The scalars that take two columns.
///
/// East Asian Width W and F from Unicode's `EastAsianWidth.txt`, the emoji with emoji presentation by default from
/// `emoji-sequences.txt`, and the additions of Unicode 16 to 18, as in `wcwidth` 0.9.4. Callers exclude zero-width
/// scalars before.
enum WideScalars {
    /// The first and last scalar of each range, in ascending order.
    private static let bounds: [UInt32] = [
        0x1100, 0x115F, 0x231A, 0x231B, 0x2329, 0x232A, 0x23E9, 0x23EC, 0x23F0, 0x23F0, 0x23F3, 0x23F3, 0x25FD, 0x25FE,
        0x2614, 0x2615, 0x2630, 0x2637, 0x2648, 0x2653, 0x267F, 0x267F, 0x268A, 0x268F, 0x2693, 0x2693, 0x26A1, 0x26A1,
        0x26AA, 0x26AB, 0x26BD, 0x26BE, 0x26C4, 0x26C5, 0x26CE, 0x26CE, 0x26D4, 0x26D4, 0x26EA, 0x26EA, 0x26F2, 0x26F3,
        0x26F5, 0x26F5, 0x26FA, 0x26FA, 0x26FD, 0x26FD, 0x2705, 0x2705, 0x270A, 0x270B, 0x2728, 0x2728, 0x274C, 0x274C,
        0x274E, 0x274E, 0x2753, 0x2755, 0x2757, 0x2757, 0x2795, 0x2797, 0x27B0, 0x27B0, 0x27BF, 0x27BF, 0x2B1B, 0x2B1C,
        0x2B50, 0x2B50, 0x2B55, 0x2B55, 0x2E80, 0x2E99, 0x2E9B, 0x2EF3, 0x2F00, 0x2FD5, 0x2FF0, 0x3029, 0x3030, 0x303E,
        0x3041, 0x3096, 0x309B, 0x30FF, 0x3105, 0x312F, 0x3131, 0x3163, 0x3165, 0x318E, 0x3190, 0x31E5, 0x31EF, 0x321E,
        0x3220, 0x3247, 0x3250, 0xA48C, 0xA490, 0xA4C6, 0xA960, 0xA97C, 0xAC00, 0xD7A3, 0xF900, 0xFAFF, 0xFE10, 0xFE19,
        0xFE30, 0xFE52, 0xFE54, 0xFE66, 0xFE68, 0xFE6B, 0xFF01, 0xFF60, 0xFFE0, 0xFFE6, 0x16FE0, 0x16FE3, 0x16FF2, 0x16FF6,
        0x17000, 0x18CDA, 0x18CFF, 0x18D20, 0x18D80, 0x18DF2, 0x18E00, 0x19191, 0x191A0, 0x191D2, 0x1AFF0, 0x1AFF3,
        0x1AFF5, 0x1AFFB, 0x1AFFD, 0x1AFFE, 0x1B000, 0x1B128, 0x1B132, 0x1B132, 0x1B150, 0x1B152, 0x1B155, 0x1B155,
        0x1B164, 0x1B168, 0x1B170, 0x1B2FB, 0x1D300, 0x1D356, 0x1D360, 0x1D376, 0x1F004, 0x1F004, 0x1F0CF, 0x1F0CF,
        0x1F18E, 0x1F18E, 0x1F191, 0x1F19A, 0x1F1AE, 0x1F1AE, 0x1F1E6, 0x1F202, 0x1F210, 0x1F23B, 0x1F240, 0x1F248,
        0x1F250, 0x1F251, 0x1F260, 0x1F265, 0x1F300, 0x1F320, 0x1F32D, 0x1F335, 0x1F337, 0x1F37C, 0x1F37E, 0x1F393,
        0x1F3A0, 0x1F3CA, 0x1F3CF, 0x1F3D3, 0x1F3E0, 0x1F3F0, 0x1F3F4, 0x1F3F4, 0x1F3F8, 0x1F43E, 0x1F440, 0x1F440,
        0x1F442, 0x1F4FC, 0x1F4FF, 0x1F53D, 0x1F54B, 0x1F54E, 0x1F550, 0x1F567, 0x1F57A, 0x1F57A, 0x1F595, 0x1F596,
        0x1F5A4, 0x1F5A4, 0x1F5FB, 0x1F64F, 0x1F680, 0x1F6C5, 0x1F6CC, 0x1F6CC, 0x1F6D0, 0x1F6D2, 0x1F6D5, 0x1F6D9,
        0x1F6DC, 0x1F6DF, 0x1F6EB, 0x1F6EC, 0x1F6F4, 0x1F6FC, 0x1F7DA, 0x1F7DA, 0x1F7E0, 0x1F7EB, 0x1F7F0, 0x1F7F0,
        0x1F90C, 0x1F93A, 0x1F93C, 0x1F945, 0x1F947, 0x1F9FF, 0x1FA70, 0x1FA7C, 0x1FA80, 0x1FAC6, 0x1FAC8, 0x1FAC8,
        0x1FACC, 0x1FADD, 0x1FADF, 0x1FAEB, 0x1FAEF, 0x1FAFA, 0x20000, 0x2FFFD, 0x30000, 0x3FFFD,
    ]

    /// Whether `scalar` takes two columns.
    static func contains(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x1100 else { return false }
        var low = 0
        var high = bounds.count / 2
        while low < high {
            let middle = (low + high) / 2
            if bounds[middle * 2 + 1] < scalar.value { low = middle + 1 } else { high = middle }
        }
        return low < bounds.count / 2 && bounds[low * 2] <= scalar.value
    }
}
