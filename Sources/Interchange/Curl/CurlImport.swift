package import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Imports curl command lines: each URL becomes an endpoint of a service for its server.
package enum CurlImport: ImportFormat {
    package static let name = "curl"
    package static let title = "curl command lines"
    package static let endings = [".sh", ".bash", ".zsh", ".curl"]

    package static func recognizes(_ source: ImportSource) -> Bool {
        let start = source.start(1 << 16)
        return start.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }).contains { line in
            String(decoding: line, as: UTF8.self).split(separator: "|").contains { part in
                part.split(whereSeparator: { $0 == " " || $0 == "\t" }).first { word in !isPrefix(String(word)) }.map { isCurl(String($0)) } ?? false
            }
        }
    }

    package static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        let commands = try ShellLexer.commands(in: try source.text(), file: source.name)
        var collector = CurlCollector(source: source)
        var variables: [String: String] = [:]
        var isCurlFound = false
        var failure: Diagnostic?
        for command in commands {
            var words = command.words[...]
            var own = variables
            while let word = words.first, isPrefix(word.text) {
                if let (name, value) = assignment(word.text) { own[name] = ShellText.substituting(own, in: value) }
                words.removeFirst()
            }
            if words.first.map({ isCurl($0.text) }) ?? true {
                for text in command.substitutions {
                    collector.report.add(
                        .changed, ForeignText.short(text.text), "the shell would replace this by a value that is not known; it is asked for",
                        place: text.place)
                }
            }
            guard let first = words.first else {
                variables = own
                continue
            }
            guard isCurl(first.text) else {
                collector.report.add(
                    .omitted, ShellText.display(first.text), "only curl commands are imported; this one is not run", place: command.place)
                continue
            }
            isCurlFound = true
            let arguments = words.dropFirst().map { word in
                ShellCommand.Word(text: ShellText.substituting(own, in: word.text), place: word.place)
            }
            var input = command.input
            if case .text(let text) = input { input = .text(ShellText.substituting(own, in: text)) }
            if case .file(let path) = input { input = .file(ShellText.substituting(own, in: path)) }
            do throws(Diagnostic) {
                if let problem = command.problem { throw problem }
                for group in try CurlArguments.groups(of: arguments) where !group.options.isEmpty {
                    try collector.add(group, input: input, at: command.place)
                }
            } catch {
                collector.report.add(.omitted, ShellText.display(first.text), error.message, place: error.location)
                if failure == nil { failure = error }
            }
        }
        guard isCurlFound else {
            throw Diagnostic(SourceLocation(file: source.name), "there is no curl command; a command begins with the word curl")
        }
        if let failure, collector.isEmpty { throw failure }
        return try collector.workspace()
    }

    /// Whether a word is the name of curl.
    private static func isCurl(_ word: String) -> Bool {
        let name = word.split { $0 == "/" || $0 == "\\" }.last.map { $0.lowercased() }
        return name == "curl" || name == "curl.exe"
    }

    /// Whether a word stands before a command: a prompt, an assignment, a command that runs another one.
    private static func isPrefix(_ word: String) -> Bool {
        ["$", "%", ">", "!", "&", "sudo", "time", "exec", "command", "env", "export", "nohup"].contains(word) || assignment(word) != nil
    }

    /// The name and the value of `NAME=value`.
    private static func assignment(_ word: String) -> (name: String, value: String)? {
        guard let equals = word.firstIndex(of: "="), let first = word.first, first == "_" || first.isLetter,
            word[..<equals].allSatisfy({ $0.isASCII && ($0 == "_" || $0.isLetter || $0.isNumber) })
        else { return nil }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }
}
