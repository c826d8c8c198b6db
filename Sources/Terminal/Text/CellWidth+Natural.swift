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
