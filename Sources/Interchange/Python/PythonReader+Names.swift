internal import SortieBase

/// The names of a program in Python.
extension PythonReader {
    /// The value of a name; nil where it is not known.
    func constant(_ name: String) -> Constant? {
        for scope in scopes.reversed() { if let found = scope.names[name] { return found } }
        return nil
    }

    /// The value of a name for its use.
    mutating func namedValue(_ name: String) throws(Diagnostic) -> SourceNode? {
        guard let constant = constant(name) else { return nil }
        usedBytes += constant.bytes
        guard usedBytes <= FetchReader.mostBytes else { throw text.problem("the values of the names are longer than \(FetchReader.mostBytes) bytes") }
        return constant.node
    }

    /// The words that begin an expression, and are no names.
    private static let keywords: Set = ["lambda", "not", "await", "yield", "print", "self"]

    /// The placeholder for a name or a path of members whose value is not known; nil for other expressions.
    mutating func unknownValue(_ word: String, at place: SourceLocation) -> String? {
        let names = word.split(separator: ".", omittingEmptySubsequences: false)
        guard let first = names.first, let scalar = first.unicodeScalars.first, scalar.properties.numericType == nil, constant(String(first)) == nil,
            constant(word) == nil, names.allSatisfy({ !$0.isEmpty }), !Self.keywords.contains(word), endsValue()
        else { return nil }
        let name = variables.text(of: word, at: place)
        usedBytes += name.utf8.count
        return name
    }

    /// Whether the position is behind a value, not within an expression that is not read.
    private func endsValue() -> Bool {
        var distance = 0
        while let scalar = text.peek(distance), scalar.isSpaceOrTab || brackets > 0 && scalar == "\n" { distance += 1 }
        guard let scalar = text.peek(distance) else { return true }
        return scalar == "+" ? text.peek(distance + 1) != "=" : ",)}];\n#".unicodeScalars.contains(scalar)
    }

    /// The placeholder for the environment variable of `os.environ["NAME"]`, `os.environ.get("NAME")` or `os.getenv("NAME")`, whose name follows; nil
    /// for another expression, and the position is not changed.
    mutating func environmentValue(_ word: String, at place: SourceLocation) throws(Diagnostic) -> String? {
        let whole = imported(word)
        let start = text.index
        func written(_ name: String) -> String { whole == "os.environ" ? "\(word)[\"\(name)\"]" : "\(word)(\"\(name)\")" }
        var name: SourceNode?
        if whole == "os.environ", text.take("[") {
            brackets += 1
            name = try value()
            try close("]")
        } else if whole == "os.getenv" || whole == "os.environ.get", text.peek() == "(" {
            name = try arguments().values.first
        }
        guard let name = name?.string, let text = variables.text(ofEnvironment: name, written: written(name), at: place) else {
            text.index = start
            return nil
        }
        usedBytes += text.utf8.count
        return text
    }

    /// Makes the value of a name unknown.
    mutating func forget(_ name: String) { scopes[scopes.count - 1].names[name] = .some(nil) }

    private mutating func forgetEverywhere(_ name: String) {
        for index in scopes.indices where scopes[index].names[name] != nil { scopes[index].names[name] = .some(nil) }
    }

    /// The scope that has a name: that of the program for the attributes of an object.
    private func owner(of name: String) -> Int { name.contains(".") ? 0 : scopes.count - 1 }

    /// Reads what follows a name at the beginning of a statement; false where it does not change the name.
    mutating func readChange(of name: String) -> Bool {
        if text.peek() == ":" {
            // The type of a variable, but not what follows `else`.
            let start = text.index
            _ = text.take { !"=\n#(\"'".unicodeScalars.contains($0) }
            guard text.peek() == "=", text.peek(1) != "=" else {
                text.index = start
                return true
            }
        }
        if text.peek() == "=", text.peek(1) != "=" {
            text.index += 1
            set(name)
            return true
        }
        if text.peek() == ",", !name.contains(".") {
            let start = text.index
            let others = names(inList: ())
            guard text.peek() == "=", text.peek(1) != "=" else {
                text.index = start
                return true
            }
            for name in [name] + others { forget(name) }
            return true
        }
        if let sign = text.peek(), "+-*/%|&@".unicodeScalars.contains(sign), text.peek(1) == "=" {
            forgetEverywhere(name)
            return true
        }
        if text.peek() == "[" { return readItem(of: name) }
        if name.hasSuffix(".cookies.set"), text.peek() == "(" { return setCookie(of: String(name.dropLast(".set".count))) }
        for method in ["update", "append", "extend", "insert", "pop", "clear", "setdefault"] where name.hasSuffix(".\(method)") && text.peek() == "("
        {
            let object = String(name.dropLast(method.count + 1))
            guard constant(object) != nil || session(of: object) != nil else { return false }
            text.index += 1
            brackets += 1
            var added: [SourceNode.Member]?
            do throws(Diagnostic) {
                let argument = try value()
                if method == "update", text.peek() == ")" { added = argument.members }
            } catch { added = nil }
            merge(added, into: object)
            return true
        }
        return false
    }

    /// Reads `SESSION.cookies.set(NAME, VALUE)`.
    private mutating func setCookie(of cookies: String) -> Bool {
        guard session(of: cookies) != nil else { return false }
        let start = text.index
        do throws(Diagnostic) {
            let values = try arguments().values
            guard values.count >= 2, let name = values[0].text else { return changed(cookies, start) }
            merge([SourceNode.Member(name, values[1])], into: cookies)
        } catch {
            brackets = max(0, brackets - 1)
            return changed(cookies, start)
        }
        return true
    }

    private mutating func names(inList: Void) -> [String] {
        var names: [String] = []
        while let scalar = text.peek(), ScriptText.isName(scalar) || scalar == "," || scalar == " " {
            if ScriptText.isName(scalar) { names.append(text.take(while: ScriptText.isName)) } else { text.index += 1 }
        }
        return names
    }

    /// Reads `NAME["KEY"] = VALUE`.
    private mutating func readItem(of name: String) -> Bool {
        guard constant(name) != nil || session(of: name) != nil else { return false }
        let start = text.index
        text.index += 1
        do throws(Diagnostic) {
            brackets += 1
            let key = try value().text
            brackets -= 1
            guard text.take("]") else { return changed(name, start) }
            skipSpaces()
            guard text.peek() == "=", text.peek(1) != "=" else {
                text.index = start
                return true
            }
            text.index += 1
            let value = try value()
            merge(key.map { [SourceNode.Member($0, value)] }, into: name)
        } catch {
            brackets = max(0, brackets - 1)
            return changed(name, start)
        }
        return true
    }

    private mutating func changed(_ name: String, _ start: Int) -> Bool {
        merge(nil, into: name)
        text.index = start
        return true
    }

    /// The name and the attribute of a session, as in `session.headers`.
    private func session(of word: String) -> (name: String, attribute: String)? {
        guard let dot = word.lastIndex(of: ".") else { return nil }
        let name = String(word[..<dot])
        guard constant(name)?.node.instance(of: .session) != nil else { return nil }
        return (name, String(word[word.index(after: dot)...]))
    }

    /// Adds members to a dictionary, or to an attribute of a session; nil makes it unknown.
    private mutating func merge(_ members: [SourceNode.Member]?, into word: String) {
        if let session = session(of: word) {
            let old = constant(session.name)?.node.instance(of: .session)?[session.attribute]
            let merged = members.flatMap { Self.merged(old?.members ?? [], with: $0) }
            return setAttribute(session, to: merged.map { SourceNode(.object($0), line: 1, column: 1) })
        }
        guard var constant = constant(word) else { return }
        guard let members, let old = constant.node.members, constant.indent == indent, scopes[scopes.count - 1].names[word] != nil else {
            return forgetEverywhere(word)
        }
        constant.node.content = .object(Self.merged(old, with: members))
        constant.bytes += 64
        scopes[scopes.count - 1].names[word] = constant
    }

    /// Members with others, which replace those of the same name.
    static func merged(_ members: [SourceNode.Member], with others: [SourceNode.Member]) -> [SourceNode.Member] {
        let names = Set(others.map(\.name))
        return members.filter { !names.contains($0.name) } + others
    }

    /// Sets an attribute of a session; nil makes the session unknown.
    private mutating func setAttribute(_ session: (name: String, attribute: String), to value: SourceNode?) {
        guard var constant = constant(session.name), let options = constant.node.instance(of: .session)?.members else { return }
        guard let value else {
            unknownSessions.insert(session.name)
            return forgetEverywhere(session.name)
        }
        let merged = Self.merged(options, with: [.init(session.attribute, value)])
        constant.node = SourceNode(.object(merged), line: constant.node.line, column: constant.node.column).made(.session)
        for index in scopes.indices.reversed() where scopes[index].names[session.name] != nil {
            scopes[index].names[session.name] = constant
            return
        }
    }

    /// Gives a name the value at the position; the position stays before a value that is not read.
    private mutating func set(_ name: String) {
        let (start, before, open) = (text.index, usedBytes, brackets)
        let owner = owner(of: name)
        let session = session(of: name)
        // A branch or a loop changes the value of the lines around it.
        let isBranch = scopes[owner].names[name].map { $0.map { $0.indent != indent } ?? false } ?? false
        do throws(Diagnostic) {
            let node = try value()
            skipSpaces()
            guard text.peek().map({ "\n#;".unicodeScalars.contains($0) }) ?? true else { throw text.problem("") }
            if let session { return setAttribute(session, to: node) }
            guard !isBranch else { return forgetEverywhere(name) }
            // The name itself is asked for where its value is only another name.
            if let other = variables.name(in: node.string), !other.isEnvironment { return forget(name) }
            scopes[owner].names[name] = Constant(node: node, bytes: text.index - start + usedBytes - before, indent: indent)
        } catch {
            // A call in the expression is read as one.
            (text.index, brackets) = (start, open)
            if let session { setAttribute(session, to: nil) } else { scopes[owner].names[name] = .some(nil) }
        }
    }
}
