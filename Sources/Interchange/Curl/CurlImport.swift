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

/// The reasons why options of curl are not part of an endpoint.
enum CurlUnsupported {
    /// The reason, with the remedy where there is one.
    static func reason(_ name: String) -> String {
        reasons[name] ?? "an endpoint has no such setting"
    }

    private static let reasons: [String: String] = [
        "netrc": "use sortie send --netrc", "netrc-optional": "use sortie send --netrc", "netrc-file": "use sortie send --netrc",
        "unix-socket": "use sortie send --unix-socket PATH", "abstract-unix-socket": "abstract sockets are not supported",
        "limit-rate": "a rate is set by download: {limitRate: …} or uploadRate:", "max-filesize": "use sortie send --max-body SIZE",
        "config": "the file is not read; import its options as a command",
        "aws-sigv4": "only the provider aws is supported, with a region and a service in the option or the host",
        "http1.0": "HTTP/1.0 is not supported; HTTP/1.1 is sent",
        "http3": "HTTP/3 is not supported", "http3-only": "HTTP/3 is not supported", "http0.9": "HTTP/0.9 responses are errors",
        "proxytunnel": "plain http goes through a proxy without a tunnel", "proxy-header": "fields for the proxy cannot be set",
        "tr-encoding": "a transfer coding is not requested",
        "capath": "name one file with authorities: trust: {ca: FILE}", "raw": "responses are always decoded by their transfer coding",
        "retry-delay": "delays grow by themselves, and Retry-After is honoured", "retry-max-time": "use timeout: to limit the call",
        "speed-limit": "use timeout: {idle: …}", "speed-time": "use timeout: {idle: …}",
        "junk-session-cookies": "session cookies end with the program",
        "expect100-timeout": "the time is fixed", "variable": "import the command with the values in it",
    ]
}
