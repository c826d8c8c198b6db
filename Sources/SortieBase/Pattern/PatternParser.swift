/// Reads the text of a regular expression.
struct PatternParser {
    private struct Flags {
        var ignoresCase = false
        var linesEnd = false
        var dotMatchesLineBreak = false
    }

    /// How deep groups may nest.
    private static let deepest = 100
    /// The largest count of a repetition.
    private static let mostRepetitions = 1000

    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var depth = 0
    private var flags = Flags()

    /// What `\d` and `\w` stand for.
    private let classes: TextPattern.Classes

    init(_ text: String, ignoringCase: Bool = false, classes: TextPattern.Classes = .unicode) {
        (scalars, self.classes) = (Array(text.unicodeScalars), classes)
        flags.ignoresCase = ignoringCase
    }

    package mutating func pattern() throws(PatternError) -> PatternNode {
        let node = try alternatives()
        guard index == scalars.count else { throw PatternError("the ) at character \(index + 1) has no (; write \\) for the character") }
        return node
    }

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func skip(_ text: String) -> Bool {
        let wanted = Array(text.unicodeScalars)
        guard index + wanted.count <= scalars.count, scalars[index..<index + wanted.count].elementsEqual(wanted) else { return false }
        index += wanted.count
        return true
    }

    private mutating func alternatives() throws(PatternError) -> PatternNode {
        var all = [try sequence()]
        while skip("|") { all.append(try sequence()) }
        return all.count == 1 ? all[0] : .alternatives(all)
    }

    private mutating func sequence() throws(PatternError) -> PatternNode {
        var nodes: [PatternNode] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            if skip("\\Q") {
                while index < scalars.count, !skip("\\E") {
                    nodes.append(.scalar(scalars[index], ignoresCase: flags.ignoresCase))
                    index += 1
                }
                continue
            }
            guard let node = try atom() else { continue }
            nodes.append(try repeated(node))
        }
        return nodes.count == 1 ? nodes[0] : nodes.isEmpty ? .empty : .sequence(nodes)
    }

    /// One element; nil for flags, which hold for what follows.
    private mutating func atom() throws(PatternError) -> PatternNode? {
        let scalar = scalars[index]
        index += 1
        switch scalar {
        case ".": return .any(matchesLineBreak: flags.dotMatchesLineBreak)
        case "^": return .assertion(flags.linesEnd ? .lineStart : .textStart)
        case "$": return .assertion(flags.linesEnd ? .lineEnd : .textEnd)
        case "(": return try group()
        case "[": return .set(try set())
        case "\\": return try escape()
        case "*", "+", "?": throw PatternError("nothing comes before the \(scalar) at character \(index); write \\\(scalar) for the character")
        default: return .scalar(scalar, ignoresCase: flags.ignoresCase)
        }
    }

    // MARK: Repetitions

    private mutating func repeated(_ atom: PatternNode) throws(PatternError) -> PatternNode {
        var node = atom
        var isRepeated = false
        while let (minimum, maximum) = try repetition() {
            guard !isRepeated else { throw PatternError("two repetitions follow each other at character \(index)") }
            isRepeated = true
            // A lazy repetition finds the same places; one that gives nothing back does not.
            let isLazy = skip("?")
            if !isLazy, skip("+") { throw unsupported("a possessive repetition (++)") }
            node = .repeated(node, minimum: minimum, maximum: maximum, isLazy: isLazy)
        }
        return node
    }

    private mutating func repetition() throws(PatternError) -> (Int, Int?)? {
        if skip("*") { return (0, nil) }
        if skip("+") { return (1, nil) }
        if skip("?") { return (0, 1) }
        let start = index
        guard skip("{") else { return nil }
        let minimum = try number()
        var maximum = minimum
        let hasComma = skip(",")
        if hasComma { maximum = try number() }
        guard minimum != nil || maximum != nil, skip("}") else {
            // Braces that count nothing are characters.
            index = start
            return nil
        }
        if let maximum, maximum < minimum ?? 0 { throw PatternError("the repetition at character \(start + 1) ends before it begins") }
        return (minimum ?? 0, hasComma ? maximum : minimum)
    }

    private mutating func number() throws(PatternError) -> Int? {
        let start = index
        var value = 0
        while let digit = next, ("0"..."9").contains(digit) {
            value = value * 10 + Int(digit.value - 48)
            guard value <= Self.mostRepetitions else { throw PatternError("a repetition may count to \(Self.mostRepetitions) at most") }
            index += 1
        }
        return index > start ? value : nil
    }

    // MARK: Groups

    private mutating func group() throws(PatternError) -> PatternNode? {
        let open = index
        depth += 1
        guard depth <= Self.deepest else { throw PatternError("groups are nested deeper than \(Self.deepest) levels") }
        defer { depth -= 1 }
        let outer = flags
        if skip("?") {
            if skip("=") || skip("!") || skip("<=") || skip("<!") { throw unsupported("lookahead or lookbehind: (?=, (?!, (?<=, (?<!") }
            if skip(">") { throw unsupported("an atomic group: (?>") }
            if skip("P<") || skip("<") {
                while let scalar = next, scalar != ">" {
                    guard PatternClass.word.contains(scalar) else { throw PatternError("the name of the group at character \(open) is not a word") }
                    index += 1
                }
                guard skip(">") else { throw PatternError("the name of the group at character \(open) is not closed") }
            } else if !skip(":") {
                guard try readFlags() else { return nil }
            }
        }
        let node = try alternatives()
        guard skip(")") else { throw PatternError("the ( at character \(open) is not closed; write \\( for the character") }
        flags = outer
        return node
    }

    /// Reads `i`, `m`, `s` and their removal.
    ///
    /// - Returns: whether they hold for a group that follows, else for the rest of the group around them.
    private mutating func readFlags() throws(PatternError) -> Bool {
        var isOn = true
        while let scalar = next {
            index += 1
            switch scalar {
            case "i": flags.ignoresCase = isOn
            case "m": flags.linesEnd = isOn
            case "s": flags.dotMatchesLineBreak = isOn
            case "-": isOn = false
            case ":": return true
            case ")": return false
            default: throw unsupported("(?\(scalar)")
            }
        }
        throw PatternError("the flags at the end are not closed")
    }

    // MARK: Escapes and sets

    private func unsupported(_ what: String) -> PatternError {
        PatternError("\(what) is not supported at character \(index): patterns are compared in linear time")
    }

    private mutating func escape() throws(PatternError) -> PatternNode {
        guard let scalar = next else { throw PatternError("the pattern ends in a single backslash") }
        switch scalar {
        case "A": return assertion(.textStart)
        case "z": return assertion(.textEnd)
        case "Z": return assertion(.textEndOrLastLineBreak)
        case "b": return assertion(.wordBoundary)
        case "B": return assertion(.noWordBoundary)
        case "1"..."9", "k", "g": throw unsupported("a reference to a group: \\\(scalar)")
        default: break
        }
        if let named = try namedClass() { return .set(named) }
        return .scalar(try character(), ignoresCase: flags.ignoresCase)
    }

    private mutating func assertion(_ assertion: PatternAssertion) -> PatternNode {
        index += 1
        return .assertion(assertion)
    }

    /// The class after a backslash; nil for a character.
    private mutating func namedClass() throws(PatternError) -> PatternSet? {
        let (digit, word): (PatternClass, PatternClass) = classes == .javaScript ? (.asciiDigit, .asciiWord) : (.digit, .word)
        let known: [(Unicode.Scalar, PatternClass, Bool)] = [
            ("d", digit, false), ("D", digit, true), ("w", word, false), ("W", word, true), ("s", .space, false), ("S", .space, true),
        ]
        guard let scalar = next else { return nil }
        if let (_, named, isNegated) = known.first(where: { $0.0 == scalar }) {
            index += 1
            return PatternSet(named, isNegated: isNegated)
        }
        guard scalar == "p" || scalar == "P" else { return nil }
        index += 1
        var name = ""
        if skip("{") {
            while let letter = next, letter != "}" {
                name.unicodeScalars.append(letter)
                index += 1
            }
            guard skip("}") else { throw PatternError("the name of the class at character \(index) is not closed") }
        } else if let letter = next {
            name.unicodeScalars.append(letter)
            index += 1
        }
        guard let named = PatternClass.named[name] else { throw PatternError("there is no class \\p{\(name)}; write L, Lu, Ll, N, Nd, P, S or Z") }
        return PatternSet(named, isNegated: scalar == "P")
    }

    /// The character after a backslash.
    private mutating func character() throws(PatternError) -> Unicode.Scalar {
        guard let scalar = next else { throw PatternError("the pattern ends in a single backslash") }
        index += 1
        switch scalar {
        case "t": return "\t"
        case "n": return "\n"
        case "r": return "\r"
        case "f": return "\u{c}"
        case "v": return "\u{b}"
        case "a": return "\u{7}"
        case "e": return "\u{1b}"
        case "0": return "\0"
        case "x": return try hexadecimal(digits: 2)
        case "u": return try hexadecimal(digits: 4)
        default:
            guard !scalar.isASCII || !(ASCII.isLetter(UInt8(scalar.value)) || ASCII.isDigit(UInt8(scalar.value))) else {
                throw unsupported("\\\(scalar)")
            }
            return scalar
        }
    }

    private mutating func hexadecimal(digits: Int) throws(PatternError) -> Unicode.Scalar {
        let isBraced = skip("{")
        var value: UInt32 = 0
        var count = 0
        while count < (isBraced ? 8 : digits), let scalar = next, PatternClass.hexDigit.contains(scalar) {
            value = value << 4 | UInt32(scalar.properties.numericType == nil ? (scalar.value | 0x20) - 87 : scalar.value - 48)
            count += 1
            index += 1
        }
        guard count > 0, isBraced ? skip("}") : count == digits, let scalar = Unicode.Scalar(value) else {
            throw PatternError("the character code before character \(index + 1) is invalid")
        }
        return scalar
    }

    private mutating func set() throws(PatternError) -> PatternSet {
        let open = index
        var set = PatternSet()
        set.ignoresCase = flags.ignoresCase
        set.isNegated = skip("^")
        var isFirst = true
        while let scalar = next, isFirst || scalar != "]" {
            isFirst = false
            if skip("&&") || skip("--") || skip("~~") { throw unsupported("combining sets with &&, -- or ~~") }
            if skip("[:") {
                try readPOSIXClass(into: &set)
                continue
            }
            guard scalar != "[" else { throw unsupported("a set inside a set; write \\[ for the character, which") }
            if scalar == "\\" {
                index += 1
                if let named = try namedClass() {
                    set.classes += named.classes
                    continue
                }
                index -= 1
            }
            let lower = try member()
            guard next == "-", index + 1 < scalars.count, scalars[index + 1] != "]", scalars[index + 1] != "-" else {
                set.ranges.append(lower.value...lower.value)
                continue
            }
            index += 1
            let upper = try member()
            guard lower <= upper else { throw PatternError("the range before character \(index + 1) ends before it begins") }
            set.ranges.append(lower.value...upper.value)
        }
        guard skip("]") else { throw PatternError("the [ at character \(open) is not closed; write \\[ for the character") }
        return set
    }

    private mutating func readPOSIXClass(into set: inout PatternSet) throws(PatternError) {
        let isNegated = skip("^")
        var name = ""
        while let letter = next, letter != ":" {
            name.unicodeScalars.append(letter)
            index += 1
        }
        guard skip(":]") else { throw PatternError("the [: before character \(index + 1) is not closed") }
        if name == "alnum", !isNegated {
            set.classes += [(.letter, false), (.number, false)]
        } else {
            guard let named = PatternClass.named[name] else { throw PatternError("there is no class [:\(name):]") }
            set.classes.append((named, isNegated))
        }
    }

    private mutating func member() throws(PatternError) -> Unicode.Scalar {
        guard let scalar = next else { throw PatternError("a [ is not closed; write \\[ for the character") }
        index += 1
        guard scalar == "\\" else { return scalar }
        if skip("b") { return "\u{8}" }
        return try character()
    }
}
