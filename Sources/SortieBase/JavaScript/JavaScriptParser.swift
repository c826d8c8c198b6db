/// Parses a script: the expressions and statements of JavaScript (ECMA-262 §13 to §15) that scripts of tests, and scripts that choose a proxy, consist of.
package struct JavaScriptParser {
    /// What is read.
    package enum Extent: Sendable {
        /// The statements that may have a meaning for checks; the others, such as loops and classes, are passed as a whole.
        case checks
        /// All statements that ``JavaScriptScript`` evaluates.
        case whole
    }

    /// The deepest nesting of expressions and statements.
    private static let deepest = 64
    /// The most operators and members in one chain, which is as deep as it is long.
    private static let longest = 128
    /// The same for a whole script: scripts that choose a proxy list all hosts of a company in one condition.
    private static let longestOfWhole = 4096
    /// The binary operators by their precedence (ECMA-262 §13.5 to §13.13).
    private static let precedence: [String: Int] = [
        "??": 1, "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "===": 6, "!==": 6, "<": 7, ">": 7, "<=": 7, ">=": 7, "instanceof": 7,
        "in": 7, "<<": 8, ">>": 8, ">>>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10, "**": 11,
    ]
    private static let assignments: Set = ["=", "+=", "-=", "*=", "/=", "%=", "**=", "&&=", "||=", "??=", "<<=", ">>=", ">>>=", "&=", "|=", "^="]

    private var script: ScriptText
    let tokens: [JavaScriptToken]
    private let extent: Extent
    var index = 0
    private var depth = 0

    private init(_ script: ScriptText, _ tokens: [JavaScriptToken], _ extent: Extent) {
        (self.script, self.tokens, self.extent) = (script, tokens, extent)
    }

    /// The statements of a script.
    ///
    /// - Throws: A diagnostic with the place of the first text that is not understood.
    package static func statements(
        of script: ScriptText, _ tokens: [JavaScriptToken], _ extent: Extent = .checks
    ) throws(Diagnostic) -> [JavaScriptStatement] {
        var parser = JavaScriptParser(script, tokens, extent)
        var statements: [JavaScriptStatement] = []
        while !parser.isAtEnd { statements.append(try parser.statement()) }
        return statements
    }

    // MARK: Tokens

    var token: JavaScriptToken { tokens[min(index, tokens.count - 1)] }

    var isAtEnd: Bool { if case .end = token.kind { true } else { false } }

    func follows(_ word: String, after distance: Int = 0) -> Bool {
        index + distance < tokens.count && tokens[index + distance].isWord(word)
    }

    mutating func take(_ word: String) -> Bool {
        guard follows(word) else { return false }
        index += 1
        return true
    }

    mutating func expect(_ word: String) throws(Diagnostic) {
        guard take(word) else { throw problem() }
    }

    private mutating func name() throws(Diagnostic) -> String {
        guard case .name = token.kind else { throw problem() }
        defer { index += 1 }
        return token.text
    }

    mutating func problem() -> Diagnostic {
        let text =
            switch token.kind {
            case .end: "the script ends within a statement"
            case .name, .punctuator: "“\(token.text.count > 60 ? token.text.prefix(60) + "…" : token.text)” is not understood here"
            // The value may be a credential.
            case .number, .string, .regexp, .template: "a literal is not understood here"
            }
        return Diagnostic(script.place(at: token.range.lowerBound), text)
    }

    private mutating func nested<Result>(_ body: (inout JavaScriptParser) throws(Diagnostic) -> Result) throws(Diagnostic) -> Result {
        guard depth < Self.deepest else { throw Diagnostic(script.place(at: token.range.lowerBound), "the script is nested too deeply") }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    private mutating func chained(_ count: inout Int) throws(Diagnostic) {
        count += 1
        let most = extent == .whole ? Self.longestOfWhole : Self.longest
        guard count < most else { throw Diagnostic(script.place(at: token.range.lowerBound), "the expression is too long") }
    }

    // MARK: Statements

    mutating func statement() throws(Diagnostic) -> JavaScriptStatement {
        let start = token.range.lowerBound
        let kind = try nested { parser throws(Diagnostic) in try parser.statementKind() }
        return JavaScriptStatement(kind: kind, range: start..<tokens[max(0, index - 1)].range.upperBound)
    }

    private mutating func statementKind() throws(Diagnostic) -> JavaScriptStatement.Kind {
        if take(";") { return .empty }
        if follows("{") { return .block(try block()) }
        guard case .name = token.kind else { return try expressionStatement() }
        let isDeclaration = follows("let") || follows("const") || follows("var")
        if isDeclaration, !follows("=", after: 1), !follows(".", after: 1) { return try declaration() }
        if extent == .whole, let kind = try wholeStatement() { return kind }
        switch token.text {
        case "if":
            index += 1
            let condition = try parenthesized()
            let body = try statement()
            let otherwise = take("else") ? try statement() : nil
            return .condition(condition, body, otherwise: otherwise)
        case "return":
            index += 1
            let hasValue = !follows(";") && !follows("}") && !isAtEnd && !token.followsLineBreak
            let value = hasValue ? try expression() : nil
            try endStatement()
            return .returns(value)
        case "for":
            index += 1
            return try loop()
        case "try":
            index += 1
            let body = try block()
            var handler: [JavaScriptStatement] = []
            if take("catch") {
                if follows("(") { try passBalanced() }
                handler = try block()
            }
            if take("finally") { handler += try block() }
            return .attempt(body, handler: handler)
        case "function" where !follows("(", after: 1) && !follows("*", after: 1):
            index += 1
            let name = try name()
            return .declaration([(pattern: .name(name), value: .function(try function()))])
        case "while", "switch", "with":
            index += 1
            try passBalanced()
            if follows("{") { try passBalanced() } else { _ = try statement() }
            return .other
        case "do":
            index += 1
            _ = try statement()
            try expect("while")
            try passBalanced()
            _ = take(";")
            return .other
        case "class", "function":
            while !follows("{"), !isAtEnd { if follows("(") { try passBalanced() } else { index += 1 } }
            try passBalanced()
            return .other
        case "throw", "break", "continue", "import", "export", "debugger":
            index += 1
            if !follows(";"), !follows("}"), !isAtEnd, !token.followsLineBreak { _ = try expression() }
            try endStatement()
            return .other
        default: return try expressionStatement()
        }
    }

    private mutating func expressionStatement() throws(Diagnostic) -> JavaScriptStatement.Kind {
        let expression = try sequence()
        try endStatement()
        return .expression(expression)
    }

    /// Passes the end of a statement, which a line break is as well (ECMA-262 §12.10).
    mutating func endStatement() throws(Diagnostic) {
        guard take(";") || follows("}") || isAtEnd || token.followsLineBreak else { throw problem() }
    }

    private mutating func block() throws(Diagnostic) -> [JavaScriptStatement] {
        try expect("{")
        var statements: [JavaScriptStatement] = []
        while !take("}") {
            guard !isAtEnd else { throw problem() }
            statements.append(try statement())
        }
        return statements
    }

    /// Passes brackets with what is in them.
    private mutating func passBalanced() throws(Diagnostic) {
        guard follows("(") || follows("{") || follows("[") else { throw problem() }
        var open = 0
        repeat {
            guard !isAtEnd else { throw problem() }
            if follows("(") || follows("{") || follows("[") { open += 1 }
            if follows(")") || follows("}") || follows("]") { open -= 1 }
            index += 1
        } while open > 0
    }

    private mutating func declaration() throws(Diagnostic) -> JavaScriptStatement.Kind {
        let isLexical = extent == .whole && !follows("var")
        index += 1
        var list: [(pattern: JavaScriptPattern, value: JavaScriptExpression?)] = []
        repeat {
            let pattern = try pattern()
            list.append((pattern: pattern, value: take("=") ? try expression() : nil))
        } while take(",")
        try endStatement()
        return isLexical ? .lexical(list) : .declaration(list)
    }

    private mutating func pattern() throws(Diagnostic) -> JavaScriptPattern {
        guard follows("{") || follows("[") else { return .name(try name()) }
        let start = index
        if let members = try members() { return .members(members) }
        index = start
        try passBalanced()
        return .other
    }

    /// The members of `{a, b: c}`; nil for a pattern with anything else.
    private mutating func members() throws(Diagnostic) -> [(member: String, name: String)]? {
        guard take("{") else { return nil }
        var members: [(member: String, name: String)] = []
        while !take("}") {
            guard case .name = token.kind else { return nil }
            let member = try name()
            var variable = member
            if take(":") {
                guard case .name = token.kind else { return nil }
                variable = try name()
            }
            members.append((member: member, name: variable))
            guard take(",") || follows("}") else { return nil }
        }
        return members
    }

    /// A loop after `for`.
    private mutating func loop() throws(Diagnostic) -> JavaScriptStatement.Kind {
        let isDeclared = follows("const", after: 1) || follows("let", after: 1) || follows("var", after: 1)
        guard follows("("), isDeclared, follows("of", after: 3), case .name = tokens[index + 2].kind else {
            _ = take("await")
            try passBalanced()
            _ = try statement()
            return .other
        }
        let variable = tokens[index + 2].text
        index += 4
        let list = try expression()
        try expect(")")
        return .each(variable, list, try statement())
    }

    mutating func parenthesized() throws(Diagnostic) -> JavaScriptExpression {
        try expect("(")
        let expression = try sequence()
        try expect(")")
        return expression
    }

    // MARK: Expressions

    /// Expressions with commas between them.
    mutating func sequence() throws(Diagnostic) -> JavaScriptExpression {
        let first = try expression()
        guard follows(",") else { return first }
        var list = [first]
        while take(",") { list.append(try expression()) }
        return extent == .whole ? .sequence(list) : .other
    }

    private mutating func expression() throws(Diagnostic) -> JavaScriptExpression {
        try nested { parser throws(Diagnostic) in try parser.assignment() }
    }

    private mutating func assignment() throws(Diagnostic) -> JavaScriptExpression {
        if let function = try arrowFunction() { return .function(function) }
        let target = try conditional()
        guard case .punctuator = token.kind, Self.assignments.contains(token.text) else { return target }
        let operation = token.text
        index += 1
        return .assignment(operation, target, try expression())
    }

    /// An arrow function; nil, with nothing passed, where another expression begins.
    private mutating func arrowFunction() throws(Diagnostic) -> JavaScriptFunction? {
        let start = index
        if follows("async"), !follows("(", after: 1) || isArrow(from: index + 1) { _ = take("async") }
        var parameters: [JavaScriptPattern] = []
        if case .name = token.kind, follows("=>", after: 1) {
            parameters = [.name(try name())]
        } else if isArrow(from: index) {
            parameters = try self.parameters()
        } else {
            index = start
            return nil
        }
        try expect("=>")
        if follows("{") { return JavaScriptFunction(parameters: parameters, body: try block()) }
        let place = token.range.lowerBound
        let value = try expression()
        let range = place..<tokens[index - 1].range.upperBound
        return JavaScriptFunction(parameters: parameters, body: [JavaScriptStatement(kind: .returns(value), range: range)])
    }

    /// Whether parentheses at a token are the parameters of an arrow function.
    private func isArrow(from start: Int) -> Bool {
        guard start < tokens.count, tokens[start].isWord("(") else { return false }
        var open = 0
        for position in start..<tokens.count {
            if tokens[position].isWord("(") { open += 1 }
            if tokens[position].isWord(")") { open -= 1 }
            if open == 0 { return position + 1 < tokens.count && tokens[position + 1].isWord("=>") }
        }
        return false
    }

    private mutating func parameters() throws(Diagnostic) -> [JavaScriptPattern] {
        try expect("(")
        var result: [JavaScriptPattern] = []
        while !take(")") {
            if take("...") {
                _ = try pattern()
                result.append(.other)
            } else {
                let pattern = try pattern()
                let hasDefault = take("=")
                if hasDefault { _ = try expression() }
                result.append(hasDefault ? .other : pattern)
            }
            guard take(",") || follows(")") else { throw problem() }
        }
        return result
    }

    /// The parameters and the body of a function after its name.
    private mutating func function() throws(Diagnostic) -> JavaScriptFunction {
        JavaScriptFunction(parameters: try parameters(), body: try block())
    }

    private mutating func conditional() throws(Diagnostic) -> JavaScriptExpression {
        let condition = try binary(from: 1)
        guard take("?") else { return condition }
        let first = try expression()
        try expect(":")
        return .conditional(condition, first, try expression())
    }

    private mutating func binary(from lowest: Int) throws(Diagnostic) -> JavaScriptExpression {
        var left = try unary()
        var count = 0
        while let strength = operatorPrecedence, strength >= lowest {
            try chained(&count)
            let operation = token.text
            index += 1
            let right = try nested { parser throws(Diagnostic) in try parser.binary(from: strength + 1) }
            left = .binary(operation, left, right)
        }
        return left
    }

    private var operatorPrecedence: Int? {
        switch token.kind {
        case .name, .punctuator: Self.precedence[token.text]
        case .number, .string, .end, .regexp, .template: nil
        }
    }

    private mutating func unary() throws(Diagnostic) -> JavaScriptExpression {
        for word in ["!", "-", "+", "~", "typeof", "void", "delete", "await", "++", "--"] where follows(word) {
            index += 1
            let operand = try nested { parser throws(Diagnostic) in try parser.unary() }
            return word == "await" ? operand : .unary(word, operand)
        }
        let operand = try postfix()
        guard follows("++") || follows("--"), !token.followsLineBreak else { return operand }
        defer { index += 1 }
        return extent == .whole ? .postfix(token.text, operand) : .other
    }

    private mutating func postfix() throws(Diagnostic) -> JavaScriptExpression {
        var result = try primary()
        var count = 0
        while true {
            try chained(&count)
            if follows("?."), follows("(", after: 1) { throw problem() }
            let isOptional = take("?.")
            if take("[") {
                result = .member(result, try sequence(), isOptional: isOptional)
                try expect("]")
            } else if isOptional || take(".") {
                guard !follows("#") else { throw problem() }
                result = .member(result, .string(try name()), isOptional: isOptional)
            } else if follows("(") {
                result = .call(result, try arguments())
            } else {
                guard case .template = token.kind, !token.followsLineBreak else { return result }
                throw problem()
            }
        }
    }

    private mutating func arguments() throws(Diagnostic) -> [JavaScriptExpression] {
        try expect("(")
        return try list(until: ")")
    }

    private mutating func list(until end: String) throws(Diagnostic) -> [JavaScriptExpression] {
        var result: [JavaScriptExpression] = []
        while !take(end) {
            if take("...") {
                _ = try expression()
                result.append(.other)
            } else if follows(",") {
                result.append(.other)
            } else {
                result.append(try expression())
            }
            guard take(",") || follows(end) else { throw problem() }
        }
        return result
    }

    private mutating func primary() throws(Diagnostic) -> JavaScriptExpression {
        let token = token
        switch token.kind {
        case .string:
            index += 1
            return .string(token.text)
        case .number:
            index += 1
            return .number(token.text)
        case .regexp(let flags):
            index += 1
            return .regexp(token.text, flags: flags)
        case .template(let texts, let expressions):
            index += 1
            return .template(texts, try expressions.map { tokens throws(Diagnostic) in try templateExpression(tokens) })
        case .end: throw problem()
        case .punctuator:
            switch token.text {
            case "(": return try parenthesized()
            case "[":
                index += 1
                return .array(try list(until: "]"))
            case "{": return try object()
            default: throw problem()
            }
        case .name: break
        }
        index += 1
        switch token.text {
        case "true", "false": return .boolean(token.text == "true")
        case "null": return .null
        case "new":
            // The arguments belong to the constructor, and not to a member of the object that it makes.
            var type = try nested { parser throws(Diagnostic) in try parser.primary() }
            while take(".") { type = .member(type, .string(try name()), isOptional: false) }
            return .new(type, follows("(") ? try arguments() : [])
        case "async" where follows("function"):
            index += 1
            fallthrough
        case "function":
            guard !follows("*") else { throw problem() }
            if case .name = self.token.kind { index += 1 }
            return .function(try function())
        case "class", "yield", "super": throw problem()
        default: return .name(token.text)
        }
    }

    private func templateExpression(_ tokens: [JavaScriptToken]) throws(Diagnostic) -> JavaScriptExpression {
        var parser = JavaScriptParser(script, tokens, extent)
        parser.depth = depth
        let expression = try parser.sequence()
        guard parser.isAtEnd else { throw parser.problem() }
        return expression
    }

    private mutating func object() throws(Diagnostic) -> JavaScriptExpression {
        try expect("{")
        var members: [(name: String, value: JavaScriptExpression)] = []
        var isPlain = true
        while !take("}") {
            if take("...") {
                _ = try expression()
                isPlain = false
            } else if take("[") {
                _ = try expression()
                try expect("]")
                try expect(":")
                _ = try expression()
                isPlain = false
            } else {
                switch token.kind {
                case .name, .string, .number: break
                case .punctuator, .end, .regexp, .template: throw problem()
                }
                let name = token.text
                index += 1
                if take(":") {
                    members.append((name: name, value: try expression()))
                } else if follows("(") {
                    members.append((name: name, value: .function(try function())))
                } else {
                    // A shorthand, whose value is a variable; an accessor or a default would follow otherwise.
                    guard follows(",") || follows("}") else { throw problem() }
                    members.append((name: name, value: .name(name)))
                }
            }
            guard take(",") || follows("}") else { throw problem() }
        }
        return isPlain ? .object(members) : .other
    }
}
