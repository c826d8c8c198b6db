internal import SortieBase

/// A parsed script.
struct JavaScriptProgram {
    private let script: ScriptText
    private let tokens: [JavaScriptToken]
    let statements: [JavaScriptStatement]
    /// The positions of the line breaks.
    private let lineBreaks: [Int]
    /// The statements that define functions, by the names of these, or of the objects that have them.
    private let definitions: [String: Set<Int>]

    /// Parses a script.
    ///
    /// - Throws: A diagnostic with the line and the column of the first text that is not understood.
    init(_ text: String) throws(Diagnostic) {
        let script = ScriptText(text, file: "")
        var lexer = JavaScriptLexer(script)
        tokens = try lexer.all()
        statements = try JavaScriptParser.statements(of: script, tokens)
        definitions = Self.definitions(in: statements, tokens)
        lineBreaks = script.scalars.indices.filter { script.scalars[$0] == "\n" }
        self.script = script
    }

    /// A text that is one expression; nil for another one.
    static func expression(_ text: String) -> JavaScriptExpression? {
        do throws(Diagnostic) {
            let statements = try JavaScriptProgram(text).statements
            guard statements.count == 1, case .expression(let expression) = statements[0].kind else { return nil }
            return expression
        } catch { return nil }
    }

    /// The line of a position, from 0.
    func line(of position: Int) -> Int { Self.count(of: lineBreaks, before: position) { $0 } }

    /// The text at positions.
    func text(at range: Range<Int>) -> String {
        String(String.UnicodeScalarView(script.scalars[range.clamped(to: 0..<script.scalars.count)]))
    }

    private static func definitions(in statements: [JavaScriptStatement], _ tokens: [JavaScriptToken]) -> [String: Set<Int>] {
        var (definitions, index): ([String: Set<Int>], Int) = ([:], 0)
        func isWord(_ position: Int, _ words: String...) -> Bool {
            tokens.indices.contains(position) && words.contains(where: tokens[position].isWord)
        }
        for (number, statement) in statements.enumerated() {
            let start = index
            while index < tokens.count, tokens[index].range.lowerBound < statement.range.upperBound { index += 1 }
            // A method has no other word than its braces.
            guard (start..<index).contains(where: { isWord($0, "function", "=>") || isWord($0, ")") && isWord($0 + 1, "{") }) else { continue }
            for position in start..<index {
                guard case .name = tokens[position].kind else { continue }
                let isFunction = position < start + 2 || isWord(position + 2, "function", "async", "(") || isWord(position + 3, "=>")
                guard isWord(position - 1, "function") || isWord(position + 1, "=") && isFunction else { continue }
                definitions[tokens[position].text, default: []].insert(number)
            }
        }
        return definitions
    }

    /// The variables that a statement may change, also by the functions that it names, and the texts that it passes to functions whose names begin with
    /// `set` or `unset`.
    func changes(in range: Range<Int>) -> (variables: Set<String>, settings: Set<String>) {
        var (changes, pending, seen) = (ownChanges(in: range), [range], Set<Int>())
        while let range = pending.popLast() {
            for token in tokens(in: range) {
                guard case .name = token.kind, let numbers = definitions[token.text] else { continue }
                for number in numbers where seen.insert(number).inserted {
                    var others = ownChanges(in: statements[number].range)
                    // The statement gives the function its name, but that is not repeated.
                    others.variables.remove(token.text)
                    changes.variables.formUnion(others.variables)
                    changes.settings.formUnion(others.settings)
                    pending.append(statements[number].range)
                }
            }
        }
        return changes
    }

    /// The names in a part of the text.
    func names(in range: Range<Int>) -> Set<String> {
        Set(tokens(in: range).compactMap { token in if case .name = token.kind { token.text } else { nil } })
    }

    /// The texts that the program passes to functions that read variables, `get`, or set them, `set`: `pm.environment.get("x")`, `bru.getVar("x")`.
    func variables(passedTo verb: String) -> Set<String> {
        let scopes = ["environment", "collectionVariables", "globals", "variables", "baseEnvironment", "iterationData", "global"]
        var names: Set<String> = []
        for (index, token) in tokens.enumerated() {
            guard case .name = token.kind, index + 2 < tokens.count, tokens[index + 1].isWord("("), case .string = tokens[index + 2].kind else {
                continue
            }
            let isMethod = token.text == verb && index > 1 && scopes.contains(where: tokens[index - 2].isWord)
            let isFunction = token.text.hasPrefix(verb) && (token.text.hasSuffix("Var") || token.text.hasSuffix("Variable"))
            if isMethod || isFunction { names.insert(tokens[index + 2].text) }
        }
        return names
    }

    private func ownChanges(in range: Range<Int>) -> (variables: Set<String>, settings: Set<String>) {
        let part = Array(tokens(in: range))
        let methods: Set = ["push", "pop", "shift", "unshift", "splice", "sort", "reverse", "fill", "assign"]
        var (variables, settings): (Set<String>, Set<String>) = ([], [])
        for (index, token) in part.enumerated() {
            let next = index + 1 < part.count ? part[index + 1] : nil
            if case .name = token.kind, let next, next.isWord("("), index + 2 < part.count, case .string = part[index + 2].kind,
                token.text.hasPrefix("set") || token.text.hasPrefix("unset")
            {
                settings.insert(part[index + 2].text)
            }
            let isChange = token.isWord("++") || token.isWord("--") || token.isWord("delete") || Self.isAssignment(token)
            guard isChange || methods.contains(token.text) && next?.isWord("(") == true else { continue }
            if let root = Self.root(before: index, in: part) { variables.insert(root) }
            if let next, case .name = next.kind, !Self.isAssignment(token) { variables.insert(next.text) }
        }
        return (variables, settings)
    }

    /// Whether a statement may end the function or the loop that it is in, so that what follows depends on it.
    func mayLeave(_ statement: JavaScriptStatement) -> Bool {
        switch statement.kind {
        case .returns: true
        case .condition(_, let then, let otherwise): mayLeave(then) || otherwise.map(mayLeave) == true
        case .block(let statements): statements.contains(where: mayLeave)
        case .attempt(let statements, let handler): (statements + handler).contains(where: mayLeave)
        case .each(_, _, let body): mayLeave(body)
        case .expression, .declaration, .lexical, .empty: false
        case .loop, .keys, .selection, .leaves, .continues, .other:
            tokens(in: statement.range).contains { token in ["return", "break", "continue"].contains { token.isWord($0) } }
        }
    }

    /// The tokens that begin in a range; found by halving, because a script of many statements is searched for each of them.
    private func tokens(in range: Range<Int>) -> ArraySlice<JavaScriptToken> {
        let first = Self.count(of: tokens, before: range.lowerBound, \.range.lowerBound)
        return tokens[first..<max(first, Self.count(of: tokens, before: range.upperBound, \.range.lowerBound))]
    }

    /// The number of elements, in the order of their positions, that are before a position.
    private static func count<Element>(of elements: [Element], before position: Int, _ place: (Element) -> Int) -> Int {
        var (low, high) = (0, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if place(elements[middle]) < position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func isAssignment(_ token: JavaScriptToken) -> Bool {
        guard case .punctuator = token.kind else { return false }
        return token.text.hasSuffix("=") && !["==", "===", "!=", "!==", "<=", ">="].contains(token.text)
    }

    /// The first name of the members before a token: `a` of `a.b[0] =`.
    private static func root(before index: Int, in tokens: [JavaScriptToken]) -> String? {
        var position = index - 1
        while position >= 0 {
            let token = tokens[position]
            if token.isWord("]") {
                var open = 0
                repeat {
                    if tokens[position].isWord("]") { open += 1 }
                    if tokens[position].isWord("[") { open -= 1 }
                    position -= 1
                } while open > 0 && position >= 0
                continue
            }
            if token.isWord(".") || token.isWord("?.") {
                position -= 1
                continue
            }
            guard case .name = token.kind else { return nil }
            if position > 0, tokens[position - 1].isWord(".") || tokens[position - 1].isWord("?.") {
                position -= 2
                continue
            }
            return token.text
        }
        return nil
    }
}
