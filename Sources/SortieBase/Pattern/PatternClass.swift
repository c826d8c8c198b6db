/// A named class of characters.
enum PatternClass {
    case digit, word, space
    case letter, upper, lower, number, punctuation, symbol, separator
    case hexDigit, control

    /// The classes of `\p{…}` and `[:…:]`.
    package static let named: [String: PatternClass] = [
        "L": .letter, "Letter": .letter, "Alphabetic": .letter, "alpha": .letter, "Lu": .upper, "Uppercase": .upper, "upper": .upper,
        "Ll": .lower, "Lowercase": .lower, "lower": .lower, "N": .number, "Number": .number, "Nd": .digit, "digit": .digit,
        "P": .punctuation, "punct": .punctuation, "S": .symbol, "Z": .separator, "space": .space, "word": .word, "xdigit": .hexDigit,
        "cntrl": .control,
    ]

    package func contains(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return containsASCII(UInt8(scalar.value)) }
        let properties = scalar.properties
        switch self {
        case .digit: return properties.generalCategory == .decimalNumber
        case .word: return properties.isAlphabetic || isNumber(properties.generalCategory) || isMark(properties.generalCategory)
        case .space: return properties.isWhitespace
        case .letter: return properties.isAlphabetic
        case .upper: return properties.isUppercase
        case .lower: return properties.isLowercase
        case .number: return isNumber(properties.generalCategory)
        case .punctuation:
            switch properties.generalCategory {
            case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
                .otherPunctuation:
                return true
            default: return false
            }
        case .symbol:
            switch properties.generalCategory {
            case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol: return true
            default: return false
            }
        case .separator:
            switch properties.generalCategory {
            case .spaceSeparator, .lineSeparator, .paragraphSeparator: return true
            default: return false
            }
        case .hexDigit: return false
        case .control: return properties.generalCategory == .control
        }
    }

    private func isNumber(_ category: Unicode.GeneralCategory) -> Bool {
        category == .decimalNumber || category == .letterNumber || category == .otherNumber
    }

    private func isMark(_ category: Unicode.GeneralCategory) -> Bool {
        category == .nonspacingMark || category == .spacingMark || category == .enclosingMark
    }

    private func containsASCII(_ byte: UInt8) -> Bool {
        switch self {
        case .digit, .number: ASCII.isDigit(byte)
        case .word: ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "_")
        case .space: byte == 0x20 || (0x09...0x0d).contains(byte)
        case .letter: ASCII.isLetter(byte)
        case .upper: (0x41...0x5a).contains(byte)
        case .lower: (0x61...0x7a).contains(byte)
        case .punctuation: "!\"#%&'()*,-./:;?@[\\]_{}".utf8.contains(byte)
        case .symbol: "$+<=>^`|~".utf8.contains(byte)
        case .separator: byte == 0x20
        case .hexDigit: ASCII.isDigit(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
        case .control: byte < 0x20 || byte == 0x7f
        }
    }
}
