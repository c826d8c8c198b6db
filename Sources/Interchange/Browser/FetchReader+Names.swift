internal import SortieBase

/// The names of a script: declarations, changes, and the blocks in which they have their values.
extension FetchReader {
    /// The value of a name.
    struct Constant {
        var node: SourceNode
        /// The bytes of its text, with those of the names in it.
        var bytes: Int
        /// The number of blocks around its declaration.
        var depth: Int
    }

    /// The value of a name; nil where it is not known.
    func constant(_ name: String) -> Constant? {
        for scope in scopes.reversed() { if let found = scope[name] { return found } }
        return nil
    }

    /// The value of a name, or of a member of it such as `config.url`; nil where it is not known.
    mutating func namedValue(_ word: String) throws(Diagnostic) -> SourceNode? {
        let names = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let first = names.first, let constant = constant(first) else { return nil }
        usedBytes += constant.bytes
        guard usedBytes <= Self.mostBytes else { throw text.problem("the values of the names are longer than \(Self.mostBytes) bytes") }
        var node = constant.node
        for name in names.dropFirst() {
            guard let member = node[name] else { return nil }
            node = member
        }
        return node
    }

    /// The words that begin an expression, and are no names.
    private static let keywords: Set = [
        "async", "await", "class", "delete", "function", "import", "new", "return", "super", "this", "throw", "typeof", "void", "yield", "NaN",
    ]

    /// The objects whose members are environment variables.
    private static let environments = ["process.env", "import.meta.env", "Bun.env"]

    /// The placeholder for a name, a path of members or an environment variable whose value is not known; nil for other expressions.
    mutating func unknownValue(_ word: String, at place: SourceLocation) -> String? {
        let start = text.index
        let names = word.split(separator: ".", omittingEmptySubsequences: false)
        guard let first = names.first, let scalar = first.unicodeScalars.first, scalar.properties.numericType == nil, constant(String(first)) == nil,
            names.allSatisfy({ !$0.isEmpty }), !Self.keywords.contains(word)
        else { return nil }
        var environment = Self.environments.first { word.hasPrefix("\($0).") }.map { String(word.dropFirst($0.count + 1)) }
        if Self.environments.contains(word), text.take("[") {
            environment = environmentKey()
            guard environment != nil else {
                text.index = start
                return nil
            }
        }
        // The mark of a value of TypeScript that is not null.
        if text.peek() == "!", text.peek(1) != "=" { text.index += 1 }
        guard endsValue() else {
            text.index = start
            return nil
        }
        let name = environment.flatMap { variables.text(ofEnvironment: $0, written: word, at: place) } ?? variables.text(of: word, at: place)
        usedBytes += name.utf8.count
        return name
    }

    /// The name in `["NAME"]` after its bracket; nil for another text.
    private mutating func environmentKey() -> String? {
        guard let quote = text.peek(), "\"'".unicodeScalars.contains(quote) else { return nil }
        text.index += 1
        let name = text.take(while: ScriptText.isName)
        return text.take("\(quote)]") ? name : nil
    }

    /// Whether the position is behind a value, not within an expression that is not read.
    private func endsValue() -> Bool {
        var distance = 0
        while let scalar = text.peek(distance), scalar.isSpaceOrTab { distance += 1 }
        guard let scalar = text.peek(distance) else { return true }
        let next = text.peek(distance + 1)
        return switch scalar {
        case ",", ")", "}", "]", ";", "\n": true
        case "+": next != "+" && next != "="
        case "/": next == "/" || next == "*"
        default: text.follows(".toString()")
        }
    }

    // MARK: Blocks

    /// Passes a mark; brackets of blocks begin and end the values of names.
    mutating func readMark(_ scalar: Unicode.Scalar) {
        text.index += 1
        switch scalar {
        case "{":
            if parameters.isEmpty { readMethod() }
            scopes.append(Dictionary(parameters.map { ($0, nil) }) { first, _ in first })
            parameters = []
        case "}": if scopes.count > 1 { scopes.removeLast() }
        case "=" where text.peek() == ">": readArrow()
        default: break
        }
    }

    /// The names of the parameters of `function NAME(…)` have no known values in its block.
    mutating func readParameters() {
        skipSpaces()
        _ = text.take { ScriptText.isName($0) || $0 == "*" }
        skipSpaces()
        guard text.peek() == "(" else { return }
        let start = text.index
        text.index += 1
        skipParameters()
        parameters = Self.names(in: text.scalars[start..<min(text.index, text.scalars.count)])
        skipSpaces()
    }

    private mutating func skipParameters() {
        var open = 1
        while open > 0, let scalar = text.peek() {
            if scalar == "(" { open += 1 }
            if scalar == ")" { open -= 1 }
            text.index += 1
        }
    }

    /// Reads the names before `=>`.
    private mutating func readArrow() {
        var end = text.index - 1
        while end > 0, text.scalars[end - 1].properties.isWhitespace { end -= 1 }
        var start = end
        if end > 0, text.scalars[end - 1] == ")" {
            while start > 0, text.scalars[start - 1] != "(", end - start < 1024 { start -= 1 }
        } else {
            while start > 0, ScriptText.isName(text.scalars[start - 1]), end - start < 1024 { start -= 1 }
        }
        let names = Self.names(in: text.scalars[start..<end])
        text.index += 1
        skipSpaces()
        if text.peek() == "{" {
            parameters = names
            return
        }
        for name in names where constant(name) != nil {
            // Such a name has its value again after the expression; a script of many of them is read to its end for the first ones only.
            if arrowsLeft > 0 {
                arrowsLeft -= 1
                let begin = text.index
                skipExpression()
                arrows.append((end: text.index, scope: scopes.count - 1, name, scopes[scopes.count - 1][name]))
                text.index = begin
            }
            forget(name)
        }
    }

    /// Gives the names of expressions that have ended their values again.
    mutating func endArrows() {
        while let arrow = arrows.last, arrow.end <= text.index {
            arrows.removeLast()
            if arrow.scope < scopes.count { scopes[arrow.scope][arrow.name] = arrow.value }
        }
    }

    /// The names of the parameters of a method, `NAME(…) {`, have no known values in its block.
    private mutating func readMethod() {
        var end = text.index - 1
        while end > 0, text.scalars[end - 1].properties.isWhitespace { end -= 1 }
        guard end > 0, text.scalars[end - 1] == ")" else { return }
        var start = end
        while start > 0, text.scalars[start - 1] != "(", end - start < 1024 { start -= 1 }
        let names = Self.names(in: text.scalars[start..<end])
        guard start > 0, !names.isEmpty else { return }
        var before = start - 1
        while before > 0, text.scalars[before - 1].properties.isWhitespace { before -= 1 }
        let word = text.scalars[..<before].suffix(6).reversed().prefix(while: ScriptText.isName).reversed()
        guard !["if", "while", "switch", "for", "with"].contains(String(String.UnicodeScalarView(word))) else { return }
        parameters = names
    }

    private static func names(in part: ArraySlice<Unicode.Scalar>) -> [String] {
        part.split { !ScriptText.isName($0) }.map { String(String.UnicodeScalarView($0)) }
    }

    // MARK: Declarations

    /// Makes the value of a name unknown.
    private mutating func forget(_ name: String) { scopes[scopes.count - 1][name] = .some(nil) }

    /// Reads `const NAME = VALUE`, with further names after commas.
    ///
    /// A variable of a loop has no known value.
    mutating func readDeclaration(from start: Int) {
        let isLoop = lastMark(before: start) == "("
        repeat {
            skipSpaces()
            let name = text.take(while: ScriptText.isName)
            guard !name.isEmpty else { return forgetPattern() }
            forget(name)
            skipSpaces()
            // The type of a variable of TypeScript.
            if text.peek() == ":" { _ = text.take { !"=;,\n".unicodeScalars.contains($0) } }
            guard !isLoop, text.peek() == "=", text.peek(1) != "=", text.peek(1) != ">" else { return }
            text.index += 1
            guard set(name) else { return }
            skipSpaces()
        } while text.take(",")
    }

    /// Names in brackets, such as `const {url, id} = …`, have no known values.
    private mutating func forgetPattern() {
        guard text.peek() == "{" || text.peek() == "[" else { return }
        let start = text.index
        _ = text.take { $0 != "=" && $0 != ";" && $0 != "\n" }
        for name in Self.names(in: text.scalars[start..<text.index]) { forget(name) }
    }

    /// Gives a name the value at the position; false, and the position before the value, where it is not read.
    private mutating func set(_ name: String) -> Bool {
        skipSpaces()
        let (start, before) = (text.index, usedBytes)
        guard rereadLeft > 0 else { return false }
        do throws(Diagnostic) {
            let node = try value()
            // An operator after the value makes another one of it.
            guard text.peek().map({ "?*/%&|<>=.([`-".unicodeScalars.contains($0) }) != true else {
                rereadLeft -= text.index - start
                text.index = start
                return false
            }
            // The name itself is asked for where its value is only another name.
            if let other = variables.name(in: node.string), !other.isEnvironment { return true }
            scopes[scopes.count - 1][name] = Constant(node: node, bytes: text.index - start + usedBytes - before, depth: scopes.count)
            return true
        } catch {
            rereadLeft -= text.index - start
            text.index = start
            // The requests of such an object have a line.
            if text.follows("axios.create") {
                let unknown = SourceNode(.null, line: 1, column: 1).made(.axios)
                scopes[scopes.count - 1][name] = Constant(node: unknown, bytes: 0, depth: scopes.count)
            }
            // A call of fetch or axios in the expression is read as one.
            return false
        }
    }

    /// The last scalar before a position that is no space.
    private func lastMark(before position: Int) -> Unicode.Scalar? {
        var index = position
        while index > 0, text.scalars[index - 1].properties.isWhitespace { index -= 1 }
        return index > 0 ? text.scalars[index - 1] : nil
    }

    /// Reads what is done with a name: appending to its object is read, another change makes its value unknown, and a use of it is passed.
    mutating func readChange(of name: String, from start: Int) {
        guard var constant = constant(name) else { return }
        let isKnownPlace =
            constant.depth == scopes.count && lastMark(before: start).map { ";}{".unicodeScalars.contains($0) || isLineStart(start) } ?? true
        skipSpaces()
        if text.take(".append(") || text.take(".set(") {
            let isSet = text.scalars[text.index - 4] == "s"
            if isKnownPlace, let node = appended(to: constant.node, replaces: isSet) {
                constant.node = node
                constant.bytes += text.index - start
                scopes[scopes.count - 1][name] = constant
            } else {
                forgetEverywhere(name)
            }
        } else if text.peek() == "=", text.peek(1) != "=", text.peek(1) != ">" {
            text.index += 1
            guard !isKnownPlace || !set(name) else { return }
            forgetEverywhere(name)
        } else if Self.changes.contains(where: { text.follows($0) }) || isChangeOfMember()
            || ["++", "--", "+=", "-=", "??=", "||=", "&&="].contains(where: { text.follows($0) })
        {
            forgetEverywhere(name)
        }
    }

    /// The methods that change what they are called for.
    private static let changes = [".delete(", ".push(", ".unshift(", ".pop(", ".shift(", ".splice(", ".sort(", ".reverse("]

    private mutating func forgetEverywhere(_ name: String) {
        for index in scopes.indices where scopes[index][name] != nil { scopes[index][name] = .some(nil) }
    }

    private func isLineStart(_ position: Int) -> Bool {
        var index = position
        while index > 0, text.scalars[index - 1] != "\n" {
            guard text.scalars[index - 1].properties.isWhitespace else { return false }
            index -= 1
        }
        // The body of a condition without braces.
        return lastMark(before: position) != ")"
    }

    /// Whether `.NAME =` or `[…] =` is at the position.
    private func isChangeOfMember() -> Bool {
        var index = text.index
        while index < min(text.scalars.count, text.index + 1024) {
            let scalar = text.scalars[index]
            if scalar == "." {
                index += 1
                while index < text.scalars.count, ScriptText.isName(text.scalars[index]) { index += 1 }
            } else if scalar == "[" {
                while index < text.scalars.count, text.scalars[index] != "]", text.scalars[index] != "\n" { index += 1 }
                index += 1
            } else if scalar.properties.isWhitespace, index > text.index {
                index += 1
            } else {
                return scalar == "=" && index > text.index
                    && !(index + 1 < text.scalars.count && "=>".unicodeScalars.contains(text.scalars[index + 1]))
            }
        }
        return false
    }

    /// The object with a row of the arguments of `append` or `set`; nil where they are not known.
    private mutating func appended(to node: SourceNode, replaces: Bool) -> SourceNode? {
        do throws(Diagnostic) {
            for type in [ScriptClass.headers, .parameters] {
                guard let rows = node.instance(of: type) else { continue }
                let arguments = try arguments(of: "append")
                guard arguments.count == 2, let name = Self.textual(arguments[0]), let value = Self.textual(arguments[1]), var items = rows.items
                else {
                    return nil
                }
                if replaces { items.removeAll { $0.items?.first?.text?.lowercased() == name.lowercased() } }
                func text(_ value: String) -> SourceNode { SourceNode(.string(value), line: node.line, column: node.column) }
                items.append(SourceNode(.array([text(name), text(value)]), line: node.line, column: node.column))
                return SourceNode(.array(items), line: node.line, column: node.column).made(type)
            }
            guard let parts = node.instance(of: .form), let items = parts.items, !replaces else { return nil }
            return SourceNode(.array(items + [try part()]), line: node.line, column: node.column).made(.form)
        } catch { return nil }
    }

    /// The arguments of `append` of a form: a name with a text, or with a file and its name.
    private mutating func part() throws(Diagnostic) -> SourceNode {
        let place = text.place(at: text.index)
        func node(_ content: SourceNode.Content) -> SourceNode { SourceNode(content, line: place.line, column: place.column) }
        var members: [SourceNode.Member] = [.init("name", try value())]
        guard text.take(",") else { throw text.problem("“,” is expected here") }
        skipSpaces()
        let start = text.index
        let word = text.take { ScriptText.isName($0) || ".[]".unicodeScalars.contains($0) }
        if word == "fs.createReadStream" || word == "fs.readFileSync", text.take("(") {
            members.append(.init("fileName", try value()))
            guard text.take(")") else { throw text.problem("“)” is expected here; only one argument is read") }
        } else if word.hasSuffix(".files[0]") {
            members.append(.init("fileName", node(.string("file"))))
        } else {
            text.index = start
            members.append(.init("value", try value()))
        }
        skipSpaces()
        if text.take(",") {
            let further = try value()
            if further.string != nil { members.append(.init("fileName", further)) }
        }
        skipSpaces()
        guard text.take(")") else { throw text.problem("“)” is expected here") }
        return node(.object(members))
    }
}
