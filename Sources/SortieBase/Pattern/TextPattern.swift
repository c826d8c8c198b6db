/// A regular expression whose search takes time proportional to the length of the text, whatever the pattern is.
///
/// The search follows all possibilities at once (a Thompson automaton) instead of one after the other, so no pattern makes it exponential. It also counts
/// its steps against a budget, and ends when its task is cancelled. Constructs that need backtracking (looking around, references to groups, atomic
/// groups, possessive repetitions) are refused when the pattern is read. Patterns are compared with Unicode scalars.
package struct TextPattern: Sendable {
    enum Instruction: Sendable {
        case scalar(Unicode.Scalar), folded(Unicode.Scalar)
        case any, anyButLineBreak
        case set(Int)
        case split(Int, Int)
        case jump(Int)
        case assertion(PatternAssertion)
        case found
    }

    /// What `\d` and `\w` stand for.
    package enum Classes {
        /// Digits, letters and marks of all scripts.
        case unicode
        /// ASCII characters, as in JavaScript and therefore in JSON Schema.
        case javaScript
    }

    /// The most instructions of one pattern, counted repetitions written out.
    package static let maximumInstructions = 10_000
    /// The most steps of the patterns that one response is compared with.
    package static let maximumSteps = 20_000_000

    private(set) var instructions: [Instruction] = []
    private(set) var sets: [PatternSet] = []
    /// How many nodes were written; a repetition of nothing writes no instruction and takes time all the same.
    private var written = 0

    /// Reads a pattern.
    ///
    /// - Parameters:
    ///   - ignoringCase: whether `a` matches `A`, as with the flag `(?i)`.
    ///   - classes: what `\d` and `\w` stand for.
    /// - Throws: a ``PatternError`` for a text that is no regular expression, and for one with more than ``maximumInstructions``.
    package init(_ text: String, ignoringCase: Bool = false, classes: Classes = .unicode) throws(PatternError) {
        var parser = PatternParser(text, ignoringCase: ignoringCase, classes: classes)
        try write(try parser.pattern())
        instructions.append(.found)
    }

    /// A pattern that matches a text literally.
    ///
    /// Escapes by scalars, because a combining mark would hide a metacharacter before it.
    package static func escaped(_ text: String) -> String {
        String(
            text.unicodeScalars.reduce(into: String.UnicodeScalarView()) { result, scalar in
                if "\\^$.|?*+()[]{}".unicodeScalars.contains(scalar) { result.append("\\") }
                result.append(scalar)
            })
    }

    private mutating func write(_ node: PatternNode) throws(PatternError) {
        written += 1
        guard max(written, instructions.count) <= Self.maximumInstructions else {
            throw PatternError(
                "with its repetitions written out, the pattern has more than \(Self.maximumInstructions) instructions")
        }
        switch node {
        case .empty: break
        case .scalar(let scalar, ignoresCase: false): instructions.append(.scalar(scalar))
        case .scalar(let scalar, ignoresCase: true): instructions.append(.folded(Self.folded(scalar)))
        case .any(let matchesLineBreak): instructions.append(matchesLineBreak ? .any : .anyButLineBreak)
        case .set(let set):
            instructions.append(.set(sets.count))
            sets.append(set)
        case .assertion(let assertion): instructions.append(.assertion(assertion))
        case .sequence(let nodes): for node in nodes { try write(node) }
        case .alternatives(let nodes):
            var ends: [Int] = []
            for node in nodes.dropLast() {
                let split = instructions.count
                instructions.append(.found)
                try write(node)
                ends.append(instructions.count)
                instructions.append(.found)
                instructions[split] = .split(split + 1, instructions.count)
            }
            if let last = nodes.last { try write(last) }
            for end in ends { instructions[end] = .jump(instructions.count) }
        case .repeated(let node, let minimum, let maximum, let isLazy):
            for _ in 0..<minimum { try write(node) }
            guard let maximum else {
                let split = instructions.count
                instructions.append(.found)
                try write(node)
                instructions.append(.jump(split))
                instructions[split] = Self.split(split + 1, instructions.count, isLazy)
                return
            }
            var splits: [Int] = []
            for _ in minimum..<maximum {
                splits.append(instructions.count)
                instructions.append(.found)
                try write(node)
            }
            for split in splits { instructions[split] = Self.split(split + 1, instructions.count, isLazy) }
        }
    }

    /// A choice between another repetition, which a lazy one prefers not to make, and going on.
    private static func split(_ again: Int, _ on: Int, _ isLazy: Bool) -> Instruction { isLazy ? .split(on, again) : .split(again, on) }

    /// The lower case of a character where that is one character.
    static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.isASCII { return (0x41...0x5a).contains(scalar.value) ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar }
        return PatternSet.single(scalar.properties.lowercaseMapping) ?? scalar
    }

    /// Whether the pattern matches somewhere in `text`.
    ///
    /// - Parameter steps: what is left of the budget; the steps of this search are subtracted.
    /// - Throws: a ``PatternError`` when the budget is exhausted, and when the current task is cancelled.
    package func isFound(in text: String, steps: inout Int) throws(PatternError) -> Bool {
        var current = PlaceList(capacity: instructions.count)
        var following = PlaceList(capacity: instructions.count)
        var waiting: [Int] = []
        var previous: Unicode.Scalar?
        var iterator = text.unicodeScalars.makeIterator()
        var next = iterator.next()
        var afterNext = iterator.next()
        var sinceCheck = 0
        while true {
            if try follow(0, &current, &waiting, previous, next, isLast: afterNext == nil, &steps) { return true }
            guard let scalar = next else { return false }
            let upcoming = afterNext
            afterNext = iterator.next()
            sinceCheck += current.count
            if sinceCheck > 50_000 {
                sinceCheck = 0
                if Task.isCancelled { throw PatternError("the comparison was cancelled") }
            }
            for position in 0..<current.count {
                let place = current[position]
                let matches: Bool
                switch instructions[place] {
                case .scalar(let wanted): matches = scalar == wanted
                case .folded(let wanted): matches = Self.folded(scalar) == wanted
                case .any: matches = true
                case .anyButLineBreak: matches = scalar != "\n" && scalar != "\r"
                case .set(let index): matches = sets[index].contains(scalar)
                case .split, .jump, .assertion, .found: matches = false
                }
                guard matches else { continue }
                let isFound = try follow(place + 1, &following, &waiting, scalar, upcoming, isLast: afterNext == nil, &steps)
                if isFound { return true }
            }
            swap(&current, &following)
            following.removeAll()
            (previous, next) = (scalar, upcoming)
        }
    }

    /// Adds a place and all that are reached from it without a character; true when the end of the pattern is.
    private func follow(
        _ start: Int, _ list: inout PlaceList, _ waiting: inout [Int], _ previous: Unicode.Scalar?, _ next: Unicode.Scalar?, isLast: Bool,
        _ steps: inout Int
    ) throws(PatternError) -> Bool {
        waiting.append(start)
        defer { waiting.removeAll(keepingCapacity: true) }
        while let place = waiting.popLast() {
            guard list.insert(place) else { continue }
            steps -= 1
            guard steps > 0 else { throw .exhausted }
            switch instructions[place] {
            case .jump(let target): waiting.append(target)
            case .split(let first, let second):
                waiting.append(second)
                waiting.append(first)
            case .assertion(let assertion): if assertion.holds(previous, next, isLast: isLast) { waiting.append(place + 1) }
            case .found: return true
            case .scalar, .folded, .any, .anyButLineBreak, .set: break
            }
        }
        return false
    }
}

/// A set of places in a program that keeps their order and is emptied in constant time.
private struct PlaceList {
    private var dense: [Int]
    private var sparse: [Int]
    private(set) var count = 0

    init(capacity: Int) {
        dense = [Int](repeating: 0, count: capacity)
        sparse = [Int](repeating: 0, count: capacity)
    }

    subscript(position: Int) -> Int { dense[position] }

    /// Whether the place was not in the set.
    mutating func insert(_ place: Int) -> Bool {
        let position = sparse[place]
        if position < count, dense[position] == place { return false }
        dense[count] = place
        sparse[place] = count
        count += 1
        return true
    }

    mutating func removeAll() { count = 0 }
}
