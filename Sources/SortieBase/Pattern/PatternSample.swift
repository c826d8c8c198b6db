extension TextPattern {
    /// A text in which a pattern is found.
    ///
    /// Anchors, word boundaries and negated sets are not solved; the text is compared afterwards, and nil where the pattern is not found in it.
    ///
    /// - Parameters:
    ///   - pattern: The pattern; nil is returned where it is none.
    ///   - length: The permitted numbers of Unicode scalars.
    ///   - variant: Chooses among the characters of sets.
    package static func sample(of pattern: String, length: ClosedRange<Int>, variant: Int = 0) -> String? {
        var parser = PatternParser(pattern, classes: .javaScript)
        guard case .success(let compiled) = Result(catching: { () throws(PatternError) in try TextPattern(pattern, classes: .javaScript) }),
            case .success(let node) = Result(catching: { () throws(PatternError) in try parser.pattern() })
        else { return nil }
        // Repetitions without a limit make a text longer.
        for repetitions in [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256, 512, 1000] {
            var sample = PatternSample(repetitions: repetitions, limit: length.upperBound, variant: variant)
            guard sample.append(node) else { continue }
            if sample.scalars.count > length.upperBound { return nil }
            guard sample.scalars.count >= length.lowerBound else { continue }
            let text = String(sample.scalars)
            var steps = maximumSteps
            if case .success(true) = Result(catching: { () throws(PatternError) in try compiled.isFound(in: text, steps: &steps) }) { return text }
        }
        return nil
    }
}

/// A text that a pattern describes, with the first of its alternatives.
private struct PatternSample {
    /// How often a repetition is repeated above its lower limit.
    let repetitions: Int
    /// The largest number of scalars.
    let limit: Int
    let variant: Int
    var scalars = String.UnicodeScalarView()

    private static let first: [Unicode.Scalar] = ["a", "A", "1", "-", "_", " "]
    private static let usual: [Unicode.Scalar] = first + (0x21...0x7e).map { Unicode.Scalar(UInt8($0)) }.filter { !first.contains($0) }

    /// Appends a text of a node; false for a set that is empty, and where the text is longer than the limit.
    mutating func append(_ node: PatternNode) -> Bool {
        guard scalars.count <= limit else { return false }
        switch node {
        case .empty, .assertion: return true
        case .scalar(let scalar, _): scalars.append(scalar)
        case .any: scalars.append("a")
        case .set(let set):
            var found = Self.usual.filter(set.contains)
            if found.isEmpty { found = set.ranges.compactMap { Unicode.Scalar($0.lowerBound) }.filter(set.contains) }
            guard !found.isEmpty else { return false }
            let scalar = found[Int(UInt(bitPattern: variant) % UInt(found.count))]
            scalars.append(scalar)
        case .sequence(let nodes): return nodes.allSatisfy { append($0) }
        case .alternatives(let nodes):
            for node in nodes {
                let start = scalars
                if append(node) { return true }
                scalars = start
            }
            return false
        case .repeated(let node, let minimum, let maximum, _):
            for _ in 0..<max(minimum, min(minimum + repetitions, maximum ?? .max)) { guard append(node) else { return false } }
        }
        return true
    }
}
