/// The statements that only a whole script has.
extension JavaScriptParser {
    /// The most branches of one chain of `else if`.
    private static let mostBranches = 4096

    /// A statement that is passed in a script of tests; nil, with nothing passed, where another one begins.
    mutating func wholeStatement() throws(Diagnostic) -> JavaScriptStatement.Kind? {
        switch token.text {
        case "if": return try branches()
        case "for":
            index += 1
            return try wholeLoop()
        case "while":
            index += 1
            let condition = try parenthesized()
            return .loop(nil, condition, step: nil, try statement(), isAfter: false)
        case "do":
            index += 1
            let body = try statement()
            try expect("while")
            let condition = try parenthesized()
            _ = take(";")
            return .loop(nil, condition, step: nil, body, isAfter: true)
        case "switch":
            index += 1
            return try selection()
        case "break", "continue":
            let kind: JavaScriptStatement.Kind = follows("break") ? .leaves : .continues
            index += 1
            try endStatement()
            return kind
        case "class", "with", "try", "throw", "import", "export", "debugger": throw problem()
        default: return nil
        }
    }

    /// A chain of `if` and `else if`, which is as deep as it is long.
    private mutating func branches() throws(Diagnostic) -> JavaScriptStatement.Kind {
        var list: [(condition: JavaScriptExpression, body: JavaScriptStatement, start: Int)] = []
        var otherwise: JavaScriptStatement?
        repeat {
            guard list.count < Self.mostBranches else { throw problem() }
            let start = token.range.lowerBound
            try expect("if")
            list.append((condition: try parenthesized(), body: try statement(), start: start))
            guard take("else") else { break }
            if !follows("if") { otherwise = try statement() }
        } while otherwise == nil
        let end = tokens[index - 1].range.upperBound
        while let branch = list.popLast() {
            let kind = JavaScriptStatement.Kind.condition(branch.condition, branch.body, otherwise: otherwise)
            if list.isEmpty { return kind }
            otherwise = JavaScriptStatement(kind: kind, range: branch.start..<end)
        }
        throw problem()
    }

    /// A loop after `for`: over names, over elements, or with a condition.
    private mutating func wholeLoop() throws(Diagnostic) -> JavaScriptStatement.Kind {
        let isDeclared = ["var", "let", "const"].contains { follows($0, after: 1) }
        let word = isDeclared ? 3 : 2
        if follows("in", after: word) || follows("of", after: word), case .name = tokens[index + word - 1].kind {
            let (name, isKeys) = (tokens[index + word - 1].text, follows("in", after: word))
            index += word + 1
            let list = try sequence()
            try expect(")")
            return isKeys ? .keys(name, list, try statement()) : .each(name, list, try statement())
        }
        try expect("(")
        // The statement before the first semicolon, which ends it.
        let start = try statement()
        let condition = follows(";") ? nil : try sequence()
        try expect(";")
        let step = follows(")") ? nil : try sequence()
        try expect(")")
        return .loop(start, condition, step: step, try statement(), isAfter: false)
    }

    /// The value and the branches after `switch`.
    private mutating func selection() throws(Diagnostic) -> JavaScriptStatement.Kind {
        let value = try parenthesized()
        try expect("{")
        var cases: [(label: JavaScriptExpression?, body: [JavaScriptStatement])] = []
        while !take("}") {
            let isDefault = take("default")
            if !isDefault { try expect("case") }
            let label = isDefault ? nil : try sequence()
            try expect(":")
            var body: [JavaScriptStatement] = []
            while !follows("case"), !follows("default"), !follows("}") {
                guard !isAtEnd else { throw problem() }
                body.append(try statement())
            }
            cases.append((label: label, body: body))
        }
        return .selection(value, cases)
    }
}
