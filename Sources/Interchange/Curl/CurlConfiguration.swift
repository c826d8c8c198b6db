internal import SortieBase

/// The configuration files of curl, `-K FILE` (curl manual page, --config).
enum CurlConfiguration {
    /// The most files that a command reads; each can name the one after it several times.
    private static let fileLimit = 100

    /// The words after `curl`, with the options of configuration files in place of `-K FILE`.
    ///
    /// - Throws: A diagnostic with the place of a file that is not in the folder of the source, because its options are not known.
    static func inserted(into words: [ShellCommand.Word], from source: ImportSource) throws(Diagnostic) -> [ShellCommand.Word] {
        var filesLeft = fileLimit
        return try inserted(into: words, from: source, &filesLeft)
    }

    private static func inserted(
        into words: [ShellCommand.Word], from source: ImportSource, _ filesLeft: inout Int
    ) throws(Diagnostic) -> [ShellCommand.Word] {
        var result: [ShellCommand.Word] = []
        var index = 0
        while index < words.count {
            let word = words[index]
            index += 1
            let (name, joined, before) = option(word.text)
            guard name == "config", let path = joined ?? (index < words.count ? words[index].text : nil) else {
                result.append(word)
                // The value of another option is no option, also where it looks like one.
                if let name, joined == nil, CurlOptions.withValue.contains(name), index < words.count {
                    result.append(words[index])
                    index += 1
                }
                continue
            }
            if joined == nil { index += 1 }
            if let before { result.append(ShellCommand.Word(text: before, place: word.place)) }
            guard filesLeft > 0 else { throw Diagnostic(word.place, "-K: the command reads more than \(fileLimit) files with options") }
            filesLeft -= 1
            guard ShellText.isPlain(path), let bytes = source.file(path) else {
                throw Diagnostic(
                    word.place, "-K: the file \(ShellText.display(path)) with options of curl cannot be read in the folder of the source")
            }
            result += try inserted(into: Self.words(of: bytes, file: path), from: source, &filesLeft)
        }
        return result
    }

    /// The name of the option with a value in a word, its value in the same word, and the short options before it, as in `-sK FILE`.
    private static func option(_ text: String) -> (name: String?, joined: String?, before: String?) {
        guard text.hasPrefix("-"), text != "-", text != "--" else { return (nil, nil, nil) }
        if text.hasPrefix("--") { return (CurlOptions.name(String(text.dropFirst(2))), nil, nil) }
        for (offset, letter) in text.dropFirst().enumerated() {
            guard let name = CurlOptions.short[letter] else { return (nil, nil, nil) }
            guard CurlOptions.withValue.contains(name) else { continue }
            let value = String(text.dropFirst(offset + 2))
            return (name, value.isEmpty ? nil : value, offset == 0 ? nil : String(text.prefix(offset + 1)))
        }
        return (nil, nil, nil)
    }

    /// The words of the lines: `name = value`, `name: value`, `name value`, `--name value` or `-n value`; `#` begins a comment.
    private static func words(of bytes: [UInt8], file: String) throws(Diagnostic) -> [ShellCommand.Word] {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Diagnostic(SourceLocation(file: file), "-K: the file is not UTF-8")
        }
        var result: [ShellCommand.Word] = []
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isLineBreak).enumerated() {
            let line = line.drop(while: \.isSpaceOrTab)
            guard let first = line.first, first != "#", first != "/", first != "<" else { continue }
            let place = SourceLocation(file: file, line: number + 1)
            let name = line.prefix { !" \t=:".contains($0) || $0 == ":" && line.hasPrefix("-:") }
            let rest = line[name.endIndex...].drop { " \t=:".contains($0) }
            let typed = name.hasPrefix("-") ? String(name) : "--" + name
            result.append(ShellCommand.Word(text: typed, place: place))
            let letter = typed.dropFirst().first.flatMap { CurlOptions.short[$0] }
            guard let known = typed.hasPrefix("--") ? CurlOptions.name(String(typed.dropFirst(2))) : letter, CurlOptions.withValue.contains(known)
            else { continue }
            result.append(ShellCommand.Word(text: ShellText.text(of: value(rest).utf8.map(ShellText.Piece.byte)), place: place))
        }
        return result
    }

    /// A value in double quotes with `\\`, `\"`, `\t`, `\n`, `\r` and `\v`, or a word.
    private static func value(_ text: Substring) -> String {
        guard text.first == "\"" else { return String(text.prefix { !$0.isWhitespace }) }
        var result = ""
        var rest = text.dropFirst()
        while let character = rest.popFirst(), character != "\"" {
            guard character == "\\", let next = rest.popFirst() else {
                result.append(character)
                continue
            }
            let escapes: [Character: Character] = ["t": "\t", "n": "\n", "r": "\r", "v": "\u{0b}"]
            result.append(escapes[next] ?? next)
        }
        return result
    }
}
