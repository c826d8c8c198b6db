/// A regular expression as a tree.
indirect enum PatternNode {
    case empty
    case scalar(Unicode.Scalar, ignoresCase: Bool)
    /// Any character; a line break only with the flag `s`.
    case any(matchesLineBreak: Bool)
    case set(PatternSet)
    case assertion(PatternAssertion)
    case sequence([PatternNode])
    case alternatives([PatternNode])
    /// A repetition; without a maximum where that is nil. A lazy one finds the shortest text.
    case repeated(PatternNode, minimum: Int, maximum: Int?, isLazy: Bool)
}

/// A condition of a place between two characters.
enum PatternAssertion {
    case textStart, textEnd, textEndOrLastLineBreak
    case lineStart, lineEnd
    case wordBoundary, noWordBoundary

    /// Whether it holds between two characters, nil at the ends of the text.
    ///
    /// - Parameter isLast: whether `next` is the last character.
    package func holds(_ previous: Unicode.Scalar?, _ next: Unicode.Scalar?, isLast: Bool) -> Bool {
        switch self {
        case .textStart: previous == nil
        case .textEnd: next == nil
        case .textEndOrLastLineBreak: next == nil || (isLast && next == "\n")
        case .lineStart: previous == nil || previous == "\n"
        case .lineEnd: next == nil || next == "\n"
        case .wordBoundary: isBoundary(previous, next)
        case .noWordBoundary: !isBoundary(previous, next)
        }
    }

    private func isBoundary(_ previous: Unicode.Scalar?, _ next: Unicode.Scalar?) -> Bool {
        (previous.map(PatternClass.word.contains) ?? false) != (next.map(PatternClass.word.contains) ?? false)
    }
}

/// A named class of characters.
enum PatternClass {
    case digit, word, space
    /// `\d` and `\w` of JavaScript, which only have ASCII characters (ECMA-262 §22.2.2.9).
    case asciiDigit, asciiWord
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
        case .hexDigit, .asciiDigit, .asciiWord: return false
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
        case .digit, .number, .asciiDigit: ASCII.isDigit(byte)
        case .word, .asciiWord: ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "_")
        case .space: byte.isASCIIWhitespace
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

/// Why a text is not a regular expression that can be used, or why its comparison ended early.
package struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The description of the problem and its remedy.
    package var message: String

    /// An error with its sentence.
    package init(_ message: String) {
        self.message = message
    }

    /// The message.
    package var description: String { message }
}

extension PatternError {
    /// The steps of ``TextPattern/maximumSteps`` are used up.
    package static var exhausted: PatternError {
        PatternError("the comparison took more than \(TextPattern.maximumSteps) steps; use a simpler pattern, or a path to a shorter value")
    }
}

/// A set of characters: `[a-z\d]`, `\w`, `[^"]`.
struct PatternSet {
    package var ranges: [ClosedRange<UInt32>] = []
    var classes: [(of: PatternClass, isNegated: Bool)] = []
    package var isNegated = false
    var ignoresCase = false

    init() {}

    /// The set of one class.
    init(_ named: PatternClass, isNegated: Bool) {
        classes = [(named, isNegated)]
    }

    package func contains(_ scalar: Unicode.Scalar) -> Bool {
        var isIn = has(scalar)
        if !isIn, ignoresCase {
            isIn = PatternSet.single(scalar.properties.lowercaseMapping).map(has) ?? false
            if !isIn { isIn = PatternSet.single(scalar.properties.uppercaseMapping).map(has) ?? false }
        }
        return isIn != isNegated
    }

    private func has(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(scalar.value) } || classes.contains { $0.of.contains(scalar) != $0.isNegated }
    }

    /// The only character of a text; nil for more.
    static func single(_ text: String) -> Unicode.Scalar? {
        text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
    }
}
