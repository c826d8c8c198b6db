package import SortieBase

/// Imports calls of requests, httpx and `http.client` in Python: literal values, and names with such values.
package enum PythonImport: ImportFormat {
    package static let name = "python"
    package static let title = "Python with calls of requests, httpx or http.client"
    package static let endings = [".py"]

    package static func recognizes(_ source: ImportSource) -> Bool {
        source.hasLine { line in
            let words = line.split(maxSplits: 2) { $0.isWhitespace || $0 == "," }
            guard words.count > 1, words[0] == "import" || words[0] == "from" && line.contains(" import ") else {
                return ["requests.", "httpx."].contains { line.drop(while: \.isWhitespace).hasPrefix($0) } && line.contains("(")
            }
            return PythonReader.modules.contains { words[1] == $0 || words[1].hasPrefix("\($0).") }
        }
    }

    package static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        try PythonReader.workspace(from: source, item: "Python", request: "request")
    }
}

/// Reads the calls of a program in Python that send requests.
struct PythonReader: ScriptReader {
    /// The value of a name.
    struct Constant {
        var node: SourceNode
        /// The bytes of its text, with those of the names in it.
        var bytes: Int
        /// The number of spaces before its line.
        var indent: Int
    }

    /// The names in a function or a class; nil for one whose value is not known.
    struct Scope {
        var names: [String: Constant?] = [:]
        /// The number of spaces before its first line.
        var indent = -1
    }

    /// The modules that send requests, of which the last ones are refused.
    static let modules = ["requests", "httpx", "http.client", "aiohttp", "urllib.request", "urllib3"]
    static let methods: Set = ["get", "options", "head", "post", "put", "patch", "delete"]

    var text: ScriptText
    var variables: ScriptVariables
    var scopes = [Scope()]
    /// The bytes of the values of the names that were used.
    var usedBytes = 0
    /// The number of brackets around the position, in which lines continue.
    var brackets = 0
    /// The names of sessions with a setting that is not known.
    var unknownSessions: Set<String> = []
    var indent = 0
    /// The modules by the names that the program gives them, and the functions that it imports from them.
    var imports: [String: String] = [:]
    private var isStart = true

    init(_ text: String, file: String) {
        self.text = ScriptText(text, file: file)
        variables = ScriptVariables(of: text)
    }

    /// The next call; nil at the end.
    mutating func next() -> Result<ScriptRequest, Diagnostic>? {
        while let scalar = text.peek() {
            if isStart {
                isStart = false
                beginLine()
                continue
            }
            switch scalar {
            case "#": text.skipLine()
            case "\\":
                text.index += 1
                _ = text.take("\n")
            case "\n", ";":
                text.index += 1
                isStart = brackets == 0
            case "(", "[", "{":
                brackets += 1
                text.index += 1
            case ")", "]", "}":
                brackets = max(0, brackets - 1)
                text.index += 1
            case _ where isString():
                let start = text.index
                do throws(Diagnostic) { _ = try string() } catch { text.index = max(text.index, start + 1) }
            case _ where ScriptText.isName(scalar):
                let place = text.place(at: text.index)
                do throws(Diagnostic) {
                    if let request = try call(of: text.take { ScriptText.isName($0) || $0 == "." }, at: place) { return .success(request) }
                } catch {
                    return .failure(error)
                }
            default: text.index += 1
            }
        }
        return nil
    }

    // MARK: Statements

    /// Reads the beginning of a statement: what it does with names.
    private mutating func beginLine() {
        if text.index == 0 || text.scalars[text.index - 1] == "\n" {
            let start = text.index
            _ = text.take(while: \.isSpaceOrTab)
            guard let scalar = text.peek(), scalar != "\n", scalar != "#" else { return }
            indent = text.index - start
            while scopes.count > 1, indent <= scopes[scopes.count - 1].indent { scopes.removeLast() }
        }
        skipSpaces()
        guard let scalar = text.peek(), ScriptText.isName(scalar), !isString() else { return }
        let start = text.index
        let word = text.take { ScriptText.isName($0) || $0 == "." }
        skipSpaces()
        switch word {
        case "async":
            isBeginning()
        case "def", "class": readDefinition()
        case "import": readImports(from: nil)
        case "from":
            let module = text.take { ScriptText.isName($0) || $0 == "." }
            skipSpaces()
            if text.take("import") { readImports(from: module) }
        case "for", "global", "nonlocal", "del", "except":
            for name in names(before: ["in", "as"]) { forget(name) }
        case "with": readManager()
        default: if !readChange(of: word) { text.index = start }
        }
    }

    /// The next word begins a statement, too.
    private mutating func isBeginning() { isStart = true }

    /// The names to a word or the end of the line.
    private mutating func names(before ends: Set<String>) -> [String] {
        var names: [String] = []
        while let scalar = text.peek(), scalar != "\n", scalar != ":", scalar != ";" {
            guard ScriptText.isName(scalar) else {
                text.index += 1
                continue
            }
            let name = text.take(while: ScriptText.isName)
            if ends.contains(name) { return names }
            names.append(name)
        }
        return names
    }

    /// Reads `def NAME(PARAMETERS)`: the parameters have no known values in the function.
    private mutating func readDefinition() {
        _ = text.take(while: ScriptText.isName)
        var scope = Scope(indent: indent)
        if text.take("(") {
            var open = 1
            while open > 0, let scalar = text.peek() {
                if ScriptText.isName(scalar) {
                    scope.names[text.take(while: ScriptText.isName)] = .some(nil)
                    continue
                }
                if scalar == "(" || scalar == "[" { open += 1 }
                if scalar == ")" || scalar == "]" { open -= 1 }
                text.index += 1
            }
        }
        scopes.append(scope)
    }

    /// Reads `import requests as r`, or `from requests import get as g`.
    private mutating func readImports(from module: String?) {
        repeat {
            skipSpaces()
            let hasBracket = text.take("(")
            if hasBracket { _ = text.take { $0.properties.isWhitespace } }
            let name = text.take { ScriptText.isName($0) || $0 == "." }
            guard !name.isEmpty else { return }
            skipSpaces()
            var alias = name
            if text.take("as ") {
                skipSpaces()
                alias = text.take(while: ScriptText.isName)
            }
            imports[alias] = module.map { "\($0).\(name)" } ?? name
            skipSpaces()
        } while text.take(",")
    }

    /// Reads `with VALUE as NAME`.
    private mutating func readManager() {
        let start = text.index
        do throws(Diagnostic) {
            let (node, before) = (try value(), usedBytes)
            skipSpaces()
            guard text.take("as ") else {
                text.index = start
                return
            }
            skipSpaces()
            let name = text.take(while: ScriptText.isName)
            scopes[scopes.count - 1].names[name] = Constant(node: node, bytes: text.index - start + usedBytes - before, indent: indent)
        } catch {
            // The call in it may send a request; the name after it is that of a response or of a file.
            text.index = start
        }
    }
}
