/// A parser for filters in a subset of the language of jq.
struct JSONTermParser {
    let characters: [Character]
    var index = 0
    var depth = 0
    private var operators = 0

    /// The greatest number of terms within each other.
    private static let depthLimit = 100

    /// The greatest number of operators of a filter; a chain of them is as deep as it is long, and a term is released by nested calls.
    private static let operatorLimit = 1000

    /// The greatest number of characters of a filter.
    private static let lengthLimit = 10_000

    init(_ text: String) { characters = Array(text.prefix(Self.lengthLimit + 1)) }

    /// The filter that is the whole text.
    mutating func query() throws(JSONQueryError) -> JSONTerm {
        guard characters.count <= Self.lengthLimit else {
            throw fault("a filter has at most \(Self.lengthLimit) characters; divide it into several filters", at: Self.lengthLimit)
        }
        let term = try pipe()
        skipBlanks()
        guard let character = next else { return term }
        throw fault("“\(character)” is not allowed here; | or , continues a filter")
    }

    // MARK: Characters

    var next: Character? { index < characters.count ? characters[index] : nil }

    func fault(_ message: String, at position: Int? = nil) -> JSONQueryError {
        JSONQueryError(message: message, position: (position ?? index) + 1)
    }

    /// Counts a term within another one; the caller subtracts it from the depth at the end.
    mutating func descend() throws(JSONQueryError) {
        depth += 1
        guard depth <= Self.depthLimit else { throw fault("more than \(Self.depthLimit) terms are within each other") }
    }

    /// Counts an operator.
    mutating func count() throws(JSONQueryError) {
        operators += 1
        guard operators <= Self.operatorLimit else {
            throw fault("a filter has at most \(Self.operatorLimit) operators; divide it into several filters")
        }
    }

    mutating func skipBlanks() {
        while let character = next, character.isWhitespace { index += 1 }
    }

    /// Skips white space and a symbol.
    mutating func skip(_ symbol: String, unlessFollowedBy other: Character? = nil) -> Bool {
        let start = index
        skipBlanks()
        let end = index + symbol.count
        guard characters[index...].starts(with: symbol), other == nil || end >= characters.count || characters[end] != other else {
            index = start
            return false
        }
        index = end
        return true
    }

    static func isName(_ character: Character) -> Bool {
        character == "_" || character.isASCII && (character.isLetter || character.isNumber)
    }

    /// A name; nil where there is none.
    mutating func name() -> String? {
        let start = index
        guard let first = next, Self.isName(first), !first.isNumber else { return nil }
        while let character = next, Self.isName(character) { index += 1 }
        return String(characters[start..<index])
    }

    /// Skips white space and a word.
    mutating func skip(word: String) -> Bool {
        let start = index
        skipBlanks()
        if name() == word { return true }
        index = start
        return false
    }

    mutating func expect(_ symbol: String, _ opening: String, at open: Int) throws(JSONQueryError) {
        guard !skip(symbol) else { return }
        skipBlanks()
        guard let character = next else { throw fault("this \(opening) is not closed", at: open) }
        throw fault("“\(character)” is not allowed here; \(symbol) is expected")
    }

    // MARK: Operators, the weakest first

    mutating func pipe() throws(JSONQueryError) -> JSONTerm {
        try descend()
        defer { depth -= 1 }
        let term = try comma()
        guard skip("|") else { return term }
        try count()
        return .pipe(term, try pipe())
    }

    private mutating func comma() throws(JSONQueryError) -> JSONTerm {
        var term = try alternative()
        while skip(",") {
            try count()
            term = .comma(term, try alternative())
        }
        return term
    }

    mutating func alternative() throws(JSONQueryError) -> JSONTerm {
        let term = try disjunction()
        guard skip("//") else { return term }
        try count()
        try descend()
        defer { depth -= 1 }
        return .alternative(term, try alternative())
    }

    private mutating func disjunction() throws(JSONQueryError) -> JSONTerm {
        var term = try conjunction()
        while skip(word: "or") {
            try count()
            term = .or(term, try conjunction())
        }
        return term
    }

    private mutating func conjunction() throws(JSONQueryError) -> JSONTerm {
        var term = try comparison()
        while skip(word: "and") {
            try count()
            term = .and(term, try comparison())
        }
        return term
    }

    private mutating func comparison() throws(JSONQueryError) -> JSONTerm {
        let term = try sum()
        guard let comparison = JSONPathFilter.ComparisonOperator.allCases.first(where: { skip($0.rawValue) }) else {
            let end = index
            skipBlanks()
            if next == "=" { throw fault("equality is written ==; a filter changes nothing") }
            index = end
            return term
        }
        return .compare(term, comparison, try sum())
    }

    private mutating func sum() throws(JSONQueryError) -> JSONTerm {
        var term = try product()
        while true {
            let position = index
            if skip("+") {
                try count()
                term = .calculate(term, "+", try product(), position: position)
            } else if skip("-") {
                try count()
                term = .calculate(term, "-", try product(), position: position)
            } else {
                return term
            }
        }
    }

    private mutating func product() throws(JSONQueryError) -> JSONTerm {
        var term = try postfix()
        while true {
            let position = index
            if skip("*") {
                try count()
                term = .calculate(term, "*", try postfix(), position: position)
            } else if skip("/", unlessFollowedBy: "/") {
                try count()
                term = .calculate(term, "/", try postfix(), position: position)
            } else if skip("%") {
                try count()
                term = .calculate(term, "%", try postfix(), position: position)
            } else {
                return term
            }
        }
    }
}
