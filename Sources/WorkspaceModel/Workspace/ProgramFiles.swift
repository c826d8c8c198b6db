/// The files of a workspace that a command names, such as its script: their content is part of the permission for the command.
package enum ProgramFiles {
    /// The characters between names in a word.
    private static let separators: Set<Character> = [
        " ", "\t", "\n", ";", "&", "|", "(", ")", "{", "}", "<", ">", "\"", "'", "`", "$", "=", ":", ",", "@",
    ]

    /// The characters that a shell removes: `bin/'h'.sh` is `bin/h.sh`.
    private static let quotes: Set<Character> = ["\"", "'", "\\"]

    /// The names that may be files: the words, and the parts of words, such as the value of an option or the programs in a text for a shell.
    package static func names(in words: [String]) -> Set<String> {
        var parts: Set<String> = []
        // A file that the shell writes, such as a log, is no part of the program.
        var written: Set<String> = []
        for word in words {
            // The value of an option of one letter, as in awk -fprogram.
            if word.hasPrefix("-"), !word.hasPrefix("--") { parts.insert(String(word.dropFirst(2))) }
            let unquoted = String(word.filter { !quotes.contains($0) })
            for text in unquoted == word ? [word] : [word, unquoted] {
                var part = ""
                var isWritten = false
                for character in text + " " {
                    guard separators.contains(character) else {
                        part.append(character)
                        continue
                    }
                    if !part.isEmpty {
                        if isWritten { written.insert(part) } else { parts.insert(part) }
                        isWritten = false
                        part = ""
                    }
                    if character != " " { isWritten = character == ">" }
                }
            }
        }
        return parts.subtracting(written).union(words).subtracting([""])
    }

    /// The digests of the files among the names, as the end of the text for which the user gives permission; empty without a file.
    static func text(_ names: Set<String>, _ digests: [String: String]) -> String {
        let files = names.sorted().compactMap { name in digests[name].map { "\(name) = sha256:\($0)" } }
        return files.isEmpty ? "" : "  (\(files.joined(separator: ", ")))"
    }
}

extension SecretSource {
    /// The names in the command that may be files.
    package var fileNames: Set<String> {
        guard case .command(let text) = self else { return [] }
        return ProgramFiles.names(in: [text])
    }
}

extension Workspace {
    /// The names in all commands of the workspace that may be files: those of hooks, secrets and tunnels, and the scripts that choose a proxy.
    package var programFiles: Set<String> {
        let scripts = ([proxy] + services.map(\.proxy)).compactMap { $0?.scriptFile }
        let commands = allHooks.map(\.fileNames) + secrets.values.map(\.fileNames) + services.compactMap { $0.tunnel?.fileNames }
        return commands.reduce(into: Set(scripts)) { $0.formUnion($1) }
    }
}
