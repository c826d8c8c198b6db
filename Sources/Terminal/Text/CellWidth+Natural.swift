extension CellWidth {
    /// The columns of a grapheme as it stands, nothing escaped: what `wcwidth` 0.9.4 says.
    ///
    /// A grapheme is one base with marks, an emoji sequence, a flag, or an Indic cluster. Zero for lone marks and for format
    /// characters.
    static func naturalWidth(of scalars: some Sequence<Unicode.Scalar>) -> Int {
        var total = 0
        var current = 0
        var base: Unicode.Scalar?
        var isChangeable = false  // the base can still be changed by a selector or a spacing mark
        var followsVirama = false
        var followsJoiner = false
        for scalar in scalars {
            if followsJoiner {  // drawn inside the same picture
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

    /// The columns of a line of text as it stands, nothing escaped; `nil` where it has a control character.
    static func naturalWidth(of text: some StringProtocol) -> Int? {
        if text.unicodeScalars.contains(where: \.isC0OrC1) { return nil }
        return text.reduce(0) { $0 + naturalWidth(of: $1.unicodeScalars) }
    }

    private static func isDrawnWith(_ base: Unicode.Scalar, _ scalar: Unicode.Scalar) -> Bool {
        if scalar.isRegionalIndicator { return base.isRegionalIndicator }
        return scalar.isSkinTone && base.value > 0xFF && base.properties.isEmoji
    }
}
