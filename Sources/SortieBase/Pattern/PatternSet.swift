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
