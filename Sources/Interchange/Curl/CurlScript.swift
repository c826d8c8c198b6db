internal import SortieBase

/// Reads the curl commands of a script in their order, also those in conditions, loops, functions and substitutions; nothing is run.
struct CurlScript {
    private let source: ImportSource
    private var collector: CurlCollector
    /// The values of variables, and of the expansions of arrays.
    private var variables: [String: String] = [:]
    /// The elements of arrays by the references of their expansions.
    private var arrays: [String: [ShellCommand.Word]] = [:]
    /// See ``ShellText/substituting(_:in:budget:)``.
    private var budget = Self.valueLimit
    private var isCurlFound = false
    /// The first command of another HTTP client.
    private var otherClient: Diagnostic?
    private var failure: Diagnostic?

    /// The most substitutions within each other that are read.
    private static let depthLimit = 8
    /// The most bytes that the values of variables have in all places together.
    private static let valueLimit = 1 << 20

    init(source: ImportSource) {
        self.source = source
        collector = CurlCollector(source: source)
    }

    /// What the command with a name is, with the remedy, where it sends requests and is not imported; nil for another one.
    static func remedy(ofCommand name: String) -> String? {
        switch FilePath.name(of: name) {
        case "http", "https", "xh", "xhs":
            "a command of HTTPie or xh, which is not imported; add --offline, and import the request that it prints"
        case "wget", "wget2", "aria2c": "a command of \(FilePath.name(of: name)), which is not imported; write the request as a curl command"
        default: nil
        }
    }

    /// Adds the endpoints of commands.
    mutating func read(_ commands: [ShellCommand], depth: Int = 0) {
        for command in commands { read(command, depth: depth) }
    }

    /// Reports a part of the source whose commands cannot be read.
    mutating func omit(_ problem: Diagnostic) {
        collector.report.add(.omitted, "curl", problem.message, place: problem.location)
        (isCurlFound, failure) = (true, failure ?? problem)
    }

    /// The collected workspace.
    ///
    /// - Throws: A diagnostic where there is no curl command, or the reason of the first omission where nothing can be imported.
    func workspace() throws(Diagnostic) -> ImportedWorkspace {
        guard isCurlFound else {
            let problem = Diagnostic(SourceLocation(file: source.name), "there is no curl command; a command begins with the word curl")
            throw otherClient ?? problem
        }
        if let failure, collector.isEmpty { throw failure }
        var collector = collector
        if budget < 0 {
            let reason =
                "they have more than \(ByteCount(Self.valueLimit).text) in all places together; from then on, those of the environment are used"
            collector.report.add(.changed, "values of variables", reason, place: SourceLocation(file: source.name))
        }
        return try collector.workspace()
    }

    private mutating func read(_ command: ShellCommand, depth: Int) {
        if depth < Self.depthLimit { readSubstitutions(of: command, depth: depth) }
        // `--%` of PowerShell is no option of curl.
        var words = command.words.filter { $0.text != "--%" }[...]
        // cmd does not print a command with `@`, and a line with `rem` is a comment.
        if words.first?.text.count ?? 0 > 1, words.first?.text.first == "@" { words[0].text.removeFirst() }
        if ["rem", "::"].contains(words.first?.text.lowercased()) { return }
        if words.first?.text.lowercased() == "set", words.count > 1, Self.assignment(words[1].text) != nil {
            // The value is the rest of the line.
            words = [ShellCommand.Word(text: words.dropFirst().map(\.text).joined(separator: " "), place: words[1].place)]
        }
        var own = variables
        readFiles(of: command, into: &own)
        let missing = command.defaults.filter { own[$0.name] == nil }
        for item in missing { own[item.name] = item.value }
        let isWrapped = takeAssignments(from: &words, into: &own)
        var arguments = words.flatMap { expanded($0, own) }
        Self.removePrefixes(from: &arguments, isWrapped: isWrapped)
        guard let first = arguments.first else {
            note(command.substitutions, missing)
            // A default is no assignment.
            for item in missing where own[item.name] == item.value && !Self.assigns(item.name, command) { own[item.name] = nil }
            variables = own
            return
        }
        guard Self.isCurl(first.text) else {
            let other = Self.remedy(ofCommand: first.text)
            collector.report.add(
                .omitted, ShellText.display(first.text), other.map { "this is \($0)" } ?? "only curl commands are imported; this one is not run",
                place: command.place)
            if let other, otherClient == nil { otherClient = Diagnostic(command.place, "this is \(other)") }
            return
        }
        note(command.substitutions, missing)
        let further = Set(
            command.substitutions.filter { Self.isFurther($0.text) }.flatMap { word in
                [ShellText.substitution(word.text), ShellText.Piece.variable("$argument \(word.text.dropFirst())")].map { ShellText.text(of: [$0]) }
            })
        arguments.removeAll { further.contains($0.text) }
        isCurlFound = true
        for word in command.words.prefix(while: { !Self.isCurl($0.text) }) {
            if let reason = Self.changing[word.text] { collector.report.add(.changed, word.text, reason, place: word.place) }
        }
        var input = command.input
        if case .text(let text) = input { input = .text(ShellText.substituting(own, in: text, budget: &budget)) }
        if case .file(let path) = input { input = .file(ShellText.substituting(own, in: path, budget: &budget)) }
        do throws(Diagnostic) {
            if let problem = command.problem { throw problem }
            let options = try CurlConfiguration.inserted(into: Array(arguments.dropFirst()), from: source)
            var curlVariables = CurlVariables(source)
            let groups = try CurlArguments.groups(of: options, &curlVariables)
            collector.report.entries += curlVariables.notes
            for group in groups where !group.options.isEmpty { try collector.add(group, input: input, at: command.place) }
        } catch {
            collector.report.add(.omitted, ShellText.display(first.text), error.message, place: error.location)
            if failure == nil { failure = error }
        }
    }

    /// Removes assignments and the programs that run a command, such as `env` and `time`; returns whether the last of them has options.
    private mutating func takeAssignments(from words: inout ArraySlice<ShellCommand.Word>, into own: inout [String: String]) -> Bool {
        var isWrapped = false
        while let word = words.first {
            if let elements = word.array {
                // The name of an assignment with `+=` ends in a plus.
                let name = word.text.last == "+" ? String(word.text.dropLast()) : word.text
                let added = elements.flatMap { expanded($0, own) }
                for expansion in Set(Self.expansions(ofArray: name)) {
                    if name == word.text { arrays[expansion] = [] }
                    arrays[expansion, default: []] += added
                }
            } else if let (name, value) = Self.assignment(word.text) ?? Self.powerShellAssignment(words) {
                let known = ShellText.substituting(own, in: value, budget: &budget)
                if name.last == "+" {
                    let name = String(name.dropLast())
                    own[name, default: ShellText.text(of: [.variable(name)])] += known
                } else {
                    own[name] = Self.value(known, assignedTo: name)
                }
                // `$NAME = value` is three words.
                if words.dropFirst().first?.text == "=" { words.removeFirst(2) }
            } else if Self.isPrefix(word.text) {
                isWrapped = Self.wrappers.contains(word.text)
            } else if !(isWrapped && (word.text.hasPrefix("-") || word.text.first?.isNumber == true)) {
                break
            }
            words.removeFirst()
        }
        return isWrapped
    }

    /// The value of a variable; where a substitution that is asked for is all of it, it is asked for by the name of the variable, which is shorter.
    private static func value(_ value: String, assignedTo name: String) -> String {
        let pieces = ShellText.pieces(of: value)
        guard pieces.count == 1, case .variable(let reference) = pieces[0], reference.first == "$" else { return value }
        return ShellText.text(of: [.variable("$" + name)])
    }

    /// Removes what comes before the name of the command.
    private static func removePrefixes(from arguments: inout [ShellCommand.Word], isWrapped: Bool) {
        // The options of the command before it may have values, and a container has a name.
        if isWrapped, let start = arguments.firstIndex(where: { isCurl($0.text) }) { arguments.removeFirst(start) }
        // The pattern of `case` before the command.
        if let pattern = arguments.firstIndex(where: { $0.text.hasSuffix(")") }), pattern == 0 || arguments[0].text == "case",
            arguments.dropFirst(pattern + 1).first.map({ isCurl($0.text) }) == true
        {
            arguments.removeFirst(pattern + 1)
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
    private mutating func note(_ substitutions: [ShellCommand.Word], _ defaults: [(name: String, value: String, place: SourceLocation)]) {
        for item in defaults {
            collector.report.add(
                .changed, "${\(item.name):-…}", "its default is used; the shell would use the value of the environment variable where it is set",
                place: item.place)
        }
        for text in substitutions where Self.isFurther(text.text) {
            collector.report.add(
                .omitted, ForeignText.short(text.text), "the arguments of the function or the script are not known", place: text.place)
        }
        for text in substitutions
        where !Self.isFurther(text.text) && path(ofSubstitution: text) == nil
            && arrays[ShellText.text(of: [ShellText.substitution(text.text)])] == nil
        {
            collector.report.add(
                .changed, ForeignText.short(text.text), "the shell would replace this by a value that is not known; it is asked for",
                place: text.place)
        }
    }

    /// Whether a substitution stands for all arguments of a function or a script, also for those from a position on.
    private static func isFurther(_ text: String) -> Bool { ["$@", "$*", "${@", "${*"].contains(where: text.hasPrefix) }

    /// Gives the substitutions `$(cat FILE)` and `$(<FILE)` the content of the file.
    private mutating func readFiles(of command: ShellCommand, into values: inout [String: String]) {
        for text in command.substitutions {
            guard let path = path(ofSubstitution: text), var bytes = source.file(path), case .variable(let name) = ShellText.substitution(text.text)
            else { continue }
            while bytes.last == 0x0a { bytes.removeLast() }
            values[name] = ShellText.text(of: bytes.map(ShellText.Piece.byte))
            collector.report.add(
                .changed, ForeignText.short(text.text), "the content of the file is copied into the endpoint", place: text.place)
        }
    }

    /// The path of the file in the folder of the source whose content a substitution stands for; nil for another one.
    private func path(ofSubstitution text: ShellCommand.Word) -> String? {
        if text.text.hasPrefix("$(<") {
            let path = text.text.dropFirst(3).dropLast().trimmingBlanks
            let isPlain = path.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-/".contains($0)) }
            return isPlain && source.file(path) != nil ? path : nil
        }
        guard text.text.hasPrefix("$(cat ") || text.text.hasPrefix("`cat ") else { return nil }
        let commands: [ShellCommand]
        do throws(Diagnostic) { commands = try ShellLexer.commands(ofSubstitution: text) } catch { return nil }
        guard commands.count == 1, let command = commands.first, command.substitutions.isEmpty, command.problem == nil else { return nil }
        var path: String?
        if case .file(let input) = command.input, command.words.count < 2 { path = input }
        if command.input == .inherited, command.words.count == 2, command.words[0].text == "cat" { path = command.words[1].text }
        guard let path, ShellText.isPlain(path), !path.hasPrefix("-"), source.file(path) != nil else { return nil }
        return path
    }

    /// Whether the command assigns a variable, as in `NAME=${NAME:-value}`.
    private static func assigns(_ name: String, _ command: ShellCommand) -> Bool {
        command.words.contains { assignment($0.text)?.name == name }
    }

    /// The words that a word stands for, with the values of known variables and arrays.
    private mutating func expanded(_ word: ShellCommand.Word, _ values: [String: String]) -> [ShellCommand.Word] {
        if let elements = arrays[word.text] {
            return ShellText.spend(elements.reduce(0) { $0 + $1.text.utf8.count + 100 }, of: &budget) ? elements : [word]
        }
        let text = ShellText.substituting(values, in: word.text, budget: &budget)
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
        // An image of a container may have a tag.
        return name == "curl" || name == "curl.exe" || name?.hasPrefix("curl:") == true
    }

    /// Whether words before a pipe or a semicolon are a curl command.
    static func namesCurl(_ words: [String]) -> Bool {
        let rest = words.drop(while: isPrefix)
        guard let first = rest.first, !isCurl(first) else { return !rest.isEmpty }
        // The options of a command that runs curl.
        guard first.hasPrefix("-") || ["run", "exec"].contains(first) else { return false }
        return words.prefix(words.count - rest.count).contains(where: wrappers.contains) && rest.contains(where: isCurl)
    }

    /// Whether a word stands before a command: a prompt, an assignment, a reserved word, the name of a function, a command that runs another one.
    static func isPrefix(_ word: String) -> Bool {
        prompts.contains(word) || reservedWords.contains(word) || wrappers.contains(word) || word.hasSuffix("()") || assignment(word) != nil
    }

    /// Whether words are an assignment alone, whose value is one word or in quotes.
    static func isAssignment(_ words: ArraySlice<String>) -> Bool {
        guard let first = words.first, let value = assignment(first)?.value else { return false }
        return words.count == 1 || ["\"", "'", "$("].contains { value.hasPrefix($0) && !value.dropFirst().contains($0) }
    }

    private static let prompts: Set = ["$", "%", ">", "&"]

    private static let reservedWords: Set = ["!", "{", "}", "if", "then", "elif", "else", "fi", "while", "until", "do", "done", "esac"]

    /// Commands that run the command after their options.
    private static let wrappers: Set = [
        "sudo", "time", "exec", "command", "env", "export", "nohup", "timeout", "nice", "local", "readonly", "declare", "typeset", "watch", "xargs",
        "docker", "podman", "kubectl", "noglob", "nocorrect", "builtin",
    ]

    /// Commands that run the command elsewhere, or with further arguments.
    private static let changing = [
        "xargs": "further arguments from standard input are not known", "docker": "the request is sent from this machine, not from a container",
        "podman": "the request is sent from this machine, not from a container",
        "kubectl": "the request is sent from this machine, not from a container",
    ]

    /// The name and the value of `$NAME = value` or `$env:NAME=value`.
    private static func powerShellAssignment(_ words: ArraySlice<ShellCommand.Word>) -> (name: String, value: String)? {
        let pieces = ShellText.pieces(of: words.first?.text ?? "")
        guard case .variable(let name)? = pieces.first, name.first?.isLetter == true else { return nil }
        let rest = pieces.dropFirst()
        if rest.first == .byte(0x3d), rest.count > 1 { return (name, ShellText.text(of: Array(rest.dropFirst()))) }
        guard rest.isEmpty, words.count == 3, words.dropFirst().first?.text == "=", let value = words.last?.text else { return nil }
        return (name, value)
    }

    /// The name and the value of `NAME=value`, or of `NAME+=value` with a plus at the end of the name.
    private static func assignment(_ word: String) -> (name: String, value: String)? {
        guard let equals = word.firstIndex(of: "="), let first = word.first, first == "_" || first.isLetter,
            (word[..<equals].last == "+" ? word[..<equals].dropLast() : word[..<equals])
                .allSatisfy({ $0.isASCII && ($0 == "_" || $0.isLetter || $0.isNumber) })
        else { return nil }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }
}
