internal import SortieBase

/// Reads the curl commands of a script in their order, also those in conditions, loops, functions and substitutions; nothing is run.
struct CurlScript {
    private let source: ImportSource
    private var collector: CurlCollector
    /// The values of variables, and of the expansions of arrays.
    private var variables: [String: String] = [:]
    /// The elements of arrays by the references of their expansions.
    private var arrays: [String: [ShellCommand.Word]] = [:]
    private var isCurlFound = false
    private var failure: Diagnostic?

    /// The most substitutions within each other that are read.
    private static let depthLimit = 8

    init(source: ImportSource) {
        self.source = source
        collector = CurlCollector(source: source)
    }

    /// Adds the endpoints of commands.
    mutating func read(_ commands: [ShellCommand], depth: Int = 0) {
        for command in commands { read(command, depth: depth) }
    }

    /// The collected workspace.
    ///
    /// - Throws: A diagnostic where there is no curl command, or the reason of the first omission where nothing can be imported.
    func workspace() throws(Diagnostic) -> ImportedWorkspace {
        guard isCurlFound else {
            throw Diagnostic(SourceLocation(file: source.name), "there is no curl command; a command begins with the word curl")
        }
        if let failure, collector.isEmpty { throw failure }
        return try collector.workspace()
    }

    private mutating func read(_ command: ShellCommand, depth: Int) {
        if depth < Self.depthLimit { readSubstitutions(of: command, depth: depth) }
        var words = command.words[...]
        var own = variables
        var isWrapped = false
        while let word = words.first {
            if let elements = word.array {
                for expansion in Self.expansions(ofArray: word.text) { arrays[expansion] = elements.flatMap { expanded($0, own) } }
            } else if let (name, value) = Self.assignment(word.text) {
                own[name] = ShellText.substituting(own, in: value)
            } else if Self.isPrefix(word.text) {
                isWrapped = Self.wrappers.contains(word.text)
            } else if !(isWrapped && (word.text.hasPrefix("-") || word.text.first?.isNumber == true)) {
                break
            }
            words.removeFirst()
        }
        let arguments = words.flatMap { expanded($0, own) }
        guard let first = arguments.first else {
            note(command.substitutions)
            variables = own
            return
        }
        guard Self.isCurl(first.text) else {
            collector.report.add(
                .omitted, ShellText.display(first.text), "only curl commands are imported; this one is not run", place: command.place)
            return
        }
        note(command.substitutions)
        isCurlFound = true
        var input = command.input
        if case .text(let text) = input { input = .text(ShellText.substituting(own, in: text)) }
        if case .file(let path) = input { input = .file(ShellText.substituting(own, in: path)) }
        do throws(Diagnostic) {
            if let problem = command.problem { throw problem }
            for group in try CurlArguments.groups(of: Array(arguments.dropFirst())) where !group.options.isEmpty {
                try collector.add(group, input: input, at: command.place)
            }
        } catch {
            collector.report.add(.omitted, ShellText.display(first.text), error.message, place: error.location)
            if failure == nil { failure = error }
        }
    }

    /// Reads the commands in substitutions, such as `TOKEN=$(curl …)`.
    private mutating func readSubstitutions(of command: ShellCommand, depth: Int) {
        for text in command.substitutions where text.text.contains("curl") {
            do throws(Diagnostic) { read(try ShellLexer.commands(ofSubstitution: text), depth: depth + 1) } catch {
                collector.report.add(.omitted, ForeignText.short(text.text), error.message, place: error.location)
            }
        }
    }

    /// Reports what is asked for.
    private mutating func note(_ substitutions: [ShellCommand.Word]) {
        for text in substitutions where arrays[ShellText.text(of: [ShellText.substitution(text.text)])] == nil {
            collector.report.add(
                .changed, ForeignText.short(text.text), "the shell would replace this by a value that is not known; it is asked for",
                place: text.place)
        }
    }

    /// The words that a word stands for, with the values of known variables and arrays.
    private func expanded(_ word: ShellCommand.Word, _ values: [String: String]) -> [ShellCommand.Word] {
        if let elements = arrays[word.text] { return elements }
        let text = ShellText.substituting(values, in: word.text)
        let texts = word.isSplit && text != word.text ? ShellText.fields(of: text) : [text]
        return texts.map { ShellCommand.Word(text: $0, place: word.place) }
    }

    /// The references for all elements of an array.
    private static func expansions(ofArray name: String) -> [String] {
        ["@", "*"].map { ShellText.text(of: [ShellText.substitution("${\(name)[\($0)]}")]) }
    }

    /// Whether a word is the name of curl.
    static func isCurl(_ word: String) -> Bool {
        let name = word.split { $0 == "/" || $0 == "\\" }.last.map { $0.lowercased() }
        return name == "curl" || name == "curl.exe"
    }

    /// Whether a word stands before a command: a prompt, an assignment, a reserved word, the name of a function, a command that runs another one.
    static func isPrefix(_ word: String) -> Bool {
        prompts.contains(word) || reservedWords.contains(word) || wrappers.contains(word) || word.hasSuffix("()") || assignment(word) != nil
    }

    private static let prompts: Set = ["$", "%", ">", "&"]

    private static let reservedWords: Set = ["!", "{", "}", "if", "then", "elif", "else", "fi", "while", "until", "do", "done", "esac"]

    /// Commands that run the command after their options.
    private static let wrappers: Set = [
        "sudo", "time", "exec", "command", "env", "export", "nohup", "timeout", "nice", "local", "readonly", "declare", "typeset",
    ]

    /// The name and the value of `NAME=value`.
    private static func assignment(_ word: String) -> (name: String, value: String)? {
        guard let equals = word.firstIndex(of: "="), let first = word.first, first == "_" || first.isLetter,
            word[..<equals].allSatisfy({ $0.isASCII && ($0 == "_" || $0.isLetter || $0.isNumber) })
        else { return nil }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }
}
