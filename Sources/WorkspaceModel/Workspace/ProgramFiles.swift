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
        var names = Set(words + words.flatMap(optionValues))
        for word in words {
            let unquoted = String(word.filter { !quotes.contains($0) })
            for text in unquoted == word ? [word] : [word, unquoted] { names.formUnion(parts(of: text)) }
        }
        return names.subtracting([""])
    }

    /// The parts of a text that may be names.
    private static func parts(of text: String) -> Set<String> {
        var parts: Set<String> = []
        // A file that the shell writes, such as a log, is no part of the program.
        var written: Set<String> = []
        var (part, before, isWritten): (String, Character, Bool) = ("", " ", false)
        for character in text + " " {
            guard separators.contains(character) else {
                part.append(character)
                continue
            }
            if !part.isEmpty {
                if isWritten {
                    written.insert(part)
                } else {
                    parts.formUnion([part] + optionValues(part) + (isComputed(part, after: before) ? endsOfPath(part) : []))
                }
                isWritten = isWritten && character == "}"
                part = ""
            }
            let isInName = "$\"'{}".contains(character) || character == " " && " >".contains(before)
            isWritten = character == ">" || isWritten && isInName
            before = character
        }
        return parts.subtracting(written)
    }

    /// What may be the value of an option of letters, as in `awk -fprogram` and `make -sfprogram`.
    private static func optionValues(_ word: String) -> [String] {
        // No file has a longer name.
        let letters = word.prefix { $0 != "/" }.count
        guard word.hasPrefix("-"), !word.hasPrefix("--"), letters > 1 else { return [] }
        return (max(2, letters - 255)...letters).map { String(word.dropFirst($0)) }
    }

    /// Whether the shell computes the folder in which a part of a text begins, as in `$PWD/program`, `$(pwd)/program` and `~+/program`.
    private static func isComputed(_ part: String, after separator: Character) -> Bool {
        part.contains("/") && ("$)}`".contains(separator) || part.hasPrefix("~"))
    }

    /// The paths below the folders of a path, the computed one among them; of a very long path the shortest ones.
    private static func endsOfPath(_ path: String) -> [String] {
        path.indices.filter { path[$0] == "/" }.suffix(64).map { String(path[path.index(after: $0)...]) }
    }

    /// The names in a text for a shell that only the shell can resolve: patterns, and paths in a computed folder that lead to no file with a digest.
    private static func unresolved(in text: String, _ digests: [String: String]) -> Set<String> {
        var found: Set<String> = []
        var (part, quote, before): (String, Character?, Character) = ("", nil, " ")
        var isPattern = false
        for character in text + " " {
            if quotes.contains(character), quote == nil || quote == character {
                quote = quote == nil && character != "\\" ? character : nil
            } else if !separators.contains(character) {
                part.append(character)
                // $? and $* are variables.
                let isSign = "*?".contains(character) && !(part.count == 1 && before == "$") || character == "]" && part.contains("[")
                isPattern = isPattern || quote == nil && isSign
            } else {
                let isKnown = endsOfPath(part).contains { digests[$0] != nil }
                if isPattern || isComputed(part, after: before) && !isKnown { found.insert(before == "$" ? "$\(part)" : part) }
                // In apostrophes, a dollar sign is one.
                (part, before, isPattern) = ("", quote == "'" ? " " : character, false)
            }
        }
        return found
    }

    /// The digests of the files that a command names, and the names that cannot be resolved, as the end of the text for which the user gives
    /// permission; empty without both.
    ///
    /// - Parameter words: The words of the command, or the text for a shell.
    static func text(in words: [String], _ digests: [String: String]) -> String {
        var files = names(in: words).sorted().compactMap { name in digests[name].map { "\(name) = sha256:\($0)" } }
        for (index, word) in words.enumerated() {
            let option = index > 0 ? words[index - 1] : ""
            guard words.count == 1 || option.hasPrefix("-") && option.hasSuffix("c") else { continue }
            files += unresolved(in: word, digests).sorted().map { "\($0) = not resolved" }
        }
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
