/// A parser for JSON paths (RFC 9535 §2).
struct JSONPathParser {
    private let text: String
    private let characters: [Character]
    private var index = 0
    private var depth = 0
    private var operators = 0

    /// The greatest number of filters, functions and parentheses within each other.
    private static let depthLimit = 100

    /// The greatest number of `&&` and `||` of a path.
    private static let operatorLimit = 1000

    /// The greatest number of characters of a path: a workspace file has no more bytes.
    private static let lengthLimit = 4 << 20

    /// The greatest magnitude of an index (RFC 7493 §2.2).
    private static let largest = 9_007_199_254_740_991

    init(_ text: String) {
        self.text = text
        characters = Array(text.prefix(Self.lengthLimit + 1))
    }

    /// Whether a name needs no quotes.
    static func isPlain(_ name: String) -> Bool { !name.isEmpty && name.allSatisfy(isPlain) }

    private static func isPlain(_ character: Character) -> Bool {
        guard character.isASCII else { return !character.isWhitespace }
        return character.isLetter || character.isNumber || "_-$@:".contains(character)
    }

    /// The steps of a path that is the whole text.
    mutating func path() throws(JSONPathError) -> [JSONPath.Step] {
        guard characters.count <= Self.lengthLimit else {
            let message = "a JSON path has at most \(Self.lengthLimit) characters; name fewer members"
            throw JSONPathError(path: String(text.prefix(50)) + "…", message: message, position: Self.lengthLimit + 1)
        }
        guard next == "$" else {
            let way = next == nil ? "write $ for the whole value" : "write $\(next == "[" || next == "." ? "" : ".")\(text)"
            throw fault("a JSON path begins with $; \(way)")
        }
        index += 1
        let steps = try steps()
        guard let character = next else { return steps }
        throw fault("“\(character)” is not allowed here; a step begins with . or [")
    }

    /// The longest path at the start of the text, which begins with `$`.
    ///
    /// - Parameter position: Is increased by the number of its characters.
    mutating func prefix(_ position: inout Int) throws(JSONPathError) -> JSONPath {
        index = 1
        let path = JSONPath(steps: try steps())
        position += index
        return path
    }

    private mutating func steps() throws(JSONPathError) -> [JSONPath.Step] {
        var steps: [JSONPath.Step] = []
        while true {
            let start = index
            skipBlanks()
            guard next == "." || next == "[" else {
                index = start
                return steps
            }
            let isDotted = skip(".")
            let isRecursive = isDotted && skip(".")
            let open = index
            if !isDotted || isRecursive, skip("[") {
                steps.append(.init(try bracket(open), isRecursive: isRecursive))
            } else {
                steps.append(.init(try name(), isRecursive: isRecursive))
            }
        }
    }

    private var next: Character? { index < characters.count ? characters[index] : nil }

    private mutating func skip(_ character: Character) -> Bool {
        guard next == character else { return false }
        index += 1
        return true
    }

    private mutating func skip(word: String) -> Bool {
        guard characters[index...].starts(with: word) else { return false }
        index += word.count
        return true
    }

    private mutating func skipBlanks() {
        while let character = next, character.isSpaceOrTab || character.isNewline { index += 1 }
    }

    private func fault(_ message: String, at position: Int? = nil) -> JSONPathError {
        JSONPathError(path: text, message: message, position: (position ?? index) + 1)
    }

    /// Counts a part within another one; the caller subtracts it from the depth at the end.
    private mutating func descend() throws(JSONPathError) {
        depth += 1
        guard depth <= Self.depthLimit else { throw fault("more than \(Self.depthLimit) filters, functions and parentheses are within each other") }
    }

    private mutating func name() throws(JSONPathError) -> JSONPath.Selector {
        if skip("*") { return .wildcard }
        let start = index
        while let character = next, Self.isPlain(character) { index += 1 }
        guard index > start else {
            guard let character = next else { throw fault("a name or * is missing after the dot") }
            throw fault("“\(character)” is not allowed in a name; write the name in brackets and quotes: ['odd name']")
        }
        return .name(String(characters[start..<index]))
    }

    /// The selectors between brackets.
    private mutating func bracket(_ open: Int) throws(JSONPathError) -> [JSONPath.Selector] {
        var selectors: [JSONPath.Selector] = []
        while true {
            skipBlanks()
            guard next != nil else { throw fault("this [ is not closed; write [0], [*] or ['name']", at: open) }
            selectors.append(try selector())
            skipBlanks()
            if skip("]") { return selectors }
            guard let character = next else { throw fault("this [ is not closed", at: open) }
            guard skip(",") else { throw fault("“\(character)” is not allowed here; ] or , is expected") }
        }
    }

    private mutating func selector() throws(JSONPathError) -> JSONPath.Selector {
        switch next {
        case "*":
            index += 1
            return .wildcard
        case "'", "\"": return .name(try quoted())
        case "?":
            index += 1
            return .filter(try filter())
        default:
            let start = try integer()
            let end = index
            skipBlanks()
            guard skip(":") else {
                index = end
                guard let start else { throw fault("a number, * or a name in quotes is expected: [0], [*] or ['name']") }
                return .index(start)
            }
            skipBlanks()
            var slice = JSONPathSlice(start: start, end: try integer())
            let beforeStep = index
            skipBlanks()
            if skip(":") {
                skipBlanks()
                slice.step = try integer() ?? 1
            } else {
                index = beforeStep
            }
            return .slice(slice)
        }
    }

    /// An integer without leading zeros; nil where there is none.
    private mutating func integer() throws(JSONPathError) -> Int? {
        let start = index
        let isNegative = skip("-")
        while let character = next, character.isASCII, character.isNumber { index += 1 }
        let digits = String(characters[(isNegative ? start + 1 : start)..<index])
        if digits.isEmpty {
            guard isNegative else { return nil }
            throw fault("a number is missing after -")
        }
        guard digits == "0" ? !isNegative : !digits.hasPrefix("0") else {
            throw fault("an index has no leading 0", at: start)
        }
        guard let number = Int(digits), number <= Self.largest else {
            throw fault("the index \(isNegative ? "-" : "")\(digits) is too large", at: start)
        }
        return isNegative ? -number : number
    }

    private mutating func quoted() throws(JSONPathError) -> String {
        let open = index
        let quote = characters[index]
        index += 1
        var name = ""
        while let character = next {
            index += 1
            if character == quote { return name }
            guard character == "\\" else {
                if let value = character.unicodeScalars.first?.value, value < 0x20 {
                    throw fault(
                        "a control character in quotes is written as \\u\(HexDigits.text(of: value, digits: 4))", at: index - 1)
                }
                name.append(character)
                continue
            }
            guard next != nil else { break }
            name.unicodeScalars.append(try escape(quote))
        }
        throw fault("the quote \(quote) is not closed", at: open)
    }

    private mutating func escape(_ quote: Character) throws(JSONPathError) -> Unicode.Scalar {
        let start = index - 1
        let letter = next
        index += 1
        switch letter {
        case "b": return "\u{8}"
        case "f": return "\u{c}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "/": return "/"
        case "\\": return "\\"
        case quote: return quote.unicodeScalars.first ?? "'"
        case "u":
            guard let unit = unit() else { throw fault("four hexadecimal digits are expected after \\u", at: start) }
            if let scalar = Unicode.Scalar(unit) { return scalar }
            if UTF16.isLeadSurrogate(unit), skip("\\"), skip("u"), let low = self.unit(), UTF16.isTrailSurrogate(low),
                let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
            {
                return scalar
            }
            throw fault("a surrogate without its pair is not a character", at: start)
        default: throw fault("this escape does not exist; write \\\\ for a backslash", at: start)
        }
    }

    private mutating func unit() -> UInt16? {
        guard index + 4 <= characters.count else { return nil }
        let digits = characters[index..<index + 4]
        guard digits.allSatisfy({ $0.isASCII && $0.isHexDigit }), let unit = UInt16(String(digits), radix: 16) else { return nil }
        index += 4
        return unit
    }
}

/// Filter expressions.
extension JSONPathParser {
    /// What a part of an expression is before its use is known.
    private enum Part {
        case filter(JSONPathFilter)
        case operand(JSONPathFilter.Operand)
        /// A query, which is a test or an operand.
        case query(JSONPathFilter.Query)
    }

    private mutating func filter() throws(JSONPathError) -> JSONPathFilter {
        try descend()
        defer { depth -= 1 }
        var filters = [try conjunction()]
        while try skip(operator: "||") { filters.append(try conjunction()) }
        return Self.joined(filters[...]) { .or($0, $1) }
    }

    /// Skips white space and an operator, and counts the operator.
    private mutating func skip(operator word: String) throws(JSONPathError) -> Bool {
        let end = index
        skipBlanks()
        guard skip(word: word) else {
            index = end
            return false
        }
        operators += 1
        guard operators <= Self.operatorLimit else { throw fault("a JSON path has at most \(Self.operatorLimit) of && and ||; compare fewer values") }
        return true
    }

    /// Joins expressions to a tree of the lowest depth, because expressions are evaluated and released by nested calls.
    private static func joined(
        _ filters: ArraySlice<JSONPathFilter>, _ join: (JSONPathFilter, JSONPathFilter) -> JSONPathFilter
    ) -> JSONPathFilter {
        guard filters.count > 1 else { return filters[filters.startIndex] }
        // The first half is the larger one, so that three expressions are joined from the left.
        let middle = filters.startIndex + (filters.count + 1) / 2
        return join(joined(filters[..<middle], join), joined(filters[middle...], join))
    }

    private mutating func conjunction() throws(JSONPathError) -> JSONPathFilter {
        var filters = [try test()]
        while try skip(operator: "&&") { filters.append(try test()) }
        return Self.joined(filters[...]) { .and($0, $1) }
    }

    private mutating func test() throws(JSONPathError) -> JSONPathFilter {
        skipBlanks()
        if next == "!" {
            index += 1
            skipBlanks()
            if next == "(" { return .not(try parenthesized()) }
            let start = index
            switch try part() {
            case .filter(let filter): return .not(filter)
            case .query(let query): return .not(.exists(query))
            case .operand: throw fault("! is followed by a path, match(), search() or a parenthesis", at: start)
            }
        }
        if next == "(" { return try parenthesized() }
        let start = index
        let left = try part()
        let end = index
        skipBlanks()
        guard let comparison = JSONPathFilter.ComparisonOperator.allCases.first(where: { skip(word: $0.rawValue) }) else {
            if next == "=" { throw fault("equality is written ==") }
            index = end
            switch left {
            case .filter(let filter): return filter
            case .query(let query): return .exists(query)
            case .operand: throw fault("this value is compared with nothing; write == and a value", at: start)
            }
        }
        let leftOperand = try operand(left, at: start)
        skipBlanks()
        let rightStart = index
        return .compare(leftOperand, comparison, try operand(try part(), at: rightStart))
    }

    private mutating func parenthesized() throws(JSONPathError) -> JSONPathFilter {
        let open = index
        index += 1
        let filter = try filter()
        skipBlanks()
        guard skip(")") else { throw next == nil ? fault("this ( is not closed", at: open) : fault("&&, || or ) is expected") }
        return filter
    }

    private func operand(_ part: Part, at start: Int) throws(JSONPathError) -> JSONPathFilter.Operand {
        switch part {
        case .operand(let operand): return operand
        case .query(let query):
            guard query.path.isSingular else {
                throw fault("only a path to one value can be compared; write value(\(query)) or count(\(query))", at: start)
            }
            return .query(query)
        case .filter: throw fault("match() and search() are true or false and are not compared", at: start)
        }
    }

    /// A literal, a path or a function.
    private mutating func part() throws(JSONPathError) -> Part {
        switch next {
        case "@", "$":
            let isRelative = next == "@"
            index += 1
            return .query(.init(isRelative: isRelative, path: JSONPath(steps: try steps())))
        case "'", "\"": return .operand(.literal(.string(try quoted())))
        case let character? where character.isASCII && (character.isNumber || character == "-"): return .operand(.literal(.number(try number())))
        case let character? where character.isASCII && character.isLetter: return try word()
        case nil: throw fault("the filter is incomplete; write for example ?@.price > 10")
        case let character?: throw fault("“\(character)” is not allowed here; @, $, a value in quotes, a number or a function is expected")
        }
    }

    private mutating func number() throws(JSONPathError) -> String {
        let start = index
        _ = skip("-")
        let digits = index
        while next?.isASCII == true, next?.isNumber == true { index += 1 }
        guard index > digits, index == digits + 1 || characters[digits] != "0" else {
            throw fault("a number has no leading 0 and at least one digit", at: start)
        }
        for mark in [".", "e"] {
            let part = index
            guard let character = next, character.lowercased() == mark else { continue }
            index += 1
            if mark == "e", next == "+" || next == "-" { index += 1 }
            let first = index
            while next?.isASCII == true, next?.isNumber == true { index += 1 }
            guard index > first else { throw fault("a digit is expected in this number", at: part) }
        }
        return String(characters[start..<index])
    }

    /// `true`, `false`, `null` or a function.
    private mutating func word() throws(JSONPathError) -> Part {
        let start = index
        while let character = next, character.isASCII, character.isLetter || character.isNumber || character == "_" { index += 1 }
        let word = String(characters[start..<index])
        guard next == "(" else {
            switch word {
            case "true": return .operand(.literal(.bool(true)))
            case "false": return .operand(.literal(.bool(false)))
            case "null": return .operand(.literal(.null))
            default: throw fault("“\(word)” is not a value; write '\(word)' in quotes, or @.\(word)", at: start)
            }
        }
        index += 1
        try descend()
        defer { depth -= 1 }
        switch word {
        case "length": return .operand(.length(try value(closing: ")")))
        case "count": return .operand(.count(try query()))
        case "value": return .operand(.value(try query()))
        case "match", "search":
            let text = try value(closing: ",")
            skipBlanks()
            let place = index
            let pattern = try value(closing: ")")
            if case .literal(.string(let literal)) = pattern {
                do throws(PatternError) { _ = try TextPattern(literal) } catch { throw fault("\(error)", at: place) }
            }
            return .filter(.matches(text, pattern, isWhole: word == "match"))
        default:
            let known = ["count", "length", "match", "search", "value"]
            let way = Suggestion.nearest(to: word, in: known).map { "did you mean \($0)()?" } ?? "there are \(known.joined(separator: ", "))"
            throw fault("there is no function \(word)(); \(way)", at: start)
        }
    }

    /// An argument that is a value.
    private mutating func value(closing: Character) throws(JSONPathError) -> JSONPathFilter.Operand {
        skipBlanks()
        let start = index
        let operand = try operand(try part(), at: start)
        try close(closing)
        return operand
    }

    /// An argument that is a query.
    private mutating func query() throws(JSONPathError) -> JSONPathFilter.Query {
        skipBlanks()
        let start = index
        guard case .query(let query) = try part() else { throw fault("a path is expected here, such as @.items[*]", at: start) }
        try close(")")
        return query
    }

    private mutating func close(_ character: Character) throws(JSONPathError) {
        skipBlanks()
        guard skip(character) else { throw fault("\(character) is expected\(next.map { " instead of “\($0)”" } ?? "")") }
    }
}
