/// A parser for JSON paths.
struct JSONPathParser {
    private let text: String
    private let characters: [Character]
    private var index = 0

    init(_ text: String) {
        self.text = text
        characters = Array(text)
    }

    /// Whether a name needs no quotes.
    package static func isPlain(_ name: String) -> Bool { !name.isEmpty && name.allSatisfy(isPlain) }

    private static func isPlain(_ character: Character) -> Bool {
        guard character.isASCII else { return !character.isWhitespace }
        return character.isLetter || character.isNumber || "_-$@:".contains(character)
    }

    package mutating func steps() throws(JSONPathError) -> [JSONPath.Step] {
        guard next == "$" else {
            let way = next == nil ? "write $ for the whole value" : "write $\(next == "[" || next == "." ? "" : ".")\(text)"
            throw fault("a JSON path begins with $; \(way)")
        }
        index += 1
        var steps: [JSONPath.Step] = []
        while let character = next {
            switch character {
            case ".":
                index += 1
                let isRecursive = skip(".")
                if isRecursive, skip("[") {
                    steps.append(.init(try bracket(), isRecursive: true))
                } else {
                    steps.append(.init(try name(), isRecursive: isRecursive))
                }
            case "[":
                index += 1
                steps.append(.init(try bracket()))
            default:
                throw fault("“\(character)” is not allowed here; a step begins with . or [")
            }
        }
        return steps
    }

    private var next: Character? { index < characters.count ? characters[index] : nil }

    private mutating func skip(_ character: Character) -> Bool {
        guard next == character else { return false }
        index += 1
        return true
    }

    private mutating func skipBlanks() {
        while next == " " { index += 1 }
    }

    private func fault(_ message: String, at position: Int? = nil) -> JSONPathError {
        JSONPathError(path: text, message: message, position: (position ?? index) + 1)
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

    private mutating func bracket() throws(JSONPathError) -> JSONPath.Selector {
        let open = index - 1
        skipBlanks()
        let selector: JSONPath.Selector
        switch next {
        case "*":
            index += 1
            selector = .wildcard
        case "'", "\"": selector = .name(try quoted())
        case nil: throw fault("this [ is not closed; write [0], [*] or ['name']", at: open)
        default: selector = .index(try number())
        }
        skipBlanks()
        if skip("]") { return selector }
        guard let character = next else { throw fault("this [ is not closed", at: open) }
        if character == ":" { throw fault("slices are not supported; write [0] or [*]") }
        if character == "," { throw fault("lists of steps are not supported; write [0] or [*]") }
        throw fault("“\(character)” is not allowed here; ] is expected")
    }

    private mutating func number() throws(JSONPathError) -> Int {
        let start = index
        _ = skip("-")
        while let character = next, character.isASCII, character.isNumber { index += 1 }
        let digits = String(characters[start..<index])
        if let number = Int(digits) { return number }
        if digits.isEmpty || digits == "-" {
            if next == "?" { throw fault("filters are not supported; write [0], [*] or ['name']") }
            if next == ":" { throw fault("slices are not supported; write [0] or [*]") }
            throw fault("a number, * or a name in quotes is expected: [0], [*] or ['name']")
        }
        throw fault("the index \(digits) is too large", at: start)
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
                name.append(character)
                continue
            }
            guard let escaped = next else { break }
            index += 1
            switch escaped {
            case "n": name.append("\n")
            case "r": name.append("\r")
            case "t": name.append("\t")
            default: name.append(escaped)
            }
        }
        throw fault("the quote \(quote) is not closed", at: open)
    }
}
