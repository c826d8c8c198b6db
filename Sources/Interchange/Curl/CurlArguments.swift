internal import SortieBase

/// The options of a curl command line, one group for each part between `--next`.
struct CurlArguments {
    /// An option as it is given.
    struct Option {
        /// The long name.
        var name: String
        /// The value; empty for a flag.
        var value: String
        /// The option as it is written, for messages.
        var written: String
        /// The place of the word.
        var place: SourceLocation
    }

    /// The options and URLs of one group, in order; a URL is the option `url`.
    var options: [Option] = []

    /// The groups of a command.
    ///
    /// - Parameter words: The words after `curl`.
    /// - Throws: A diagnostic with the place of an option that curl does not have, because it is not known whether the next word is its value.
    static func groups(of words: [ShellCommand.Word]) throws(Diagnostic) -> [CurlArguments] {
        var groups = [CurlArguments()]
        var index = 0
        var endsOptions = false

        func value(of name: String, joined: String?) throws(Diagnostic) -> String {
            if let joined { return joined }
            guard index < words.count else {
                throw Diagnostic(words[index - 1].place, "the option --\(name) has no value; the command may be incomplete")
            }
            index += 1
            return words[index - 1].text
        }
        func add(_ name: String, joined: String?, written: String, at place: SourceLocation) throws(Diagnostic) {
            if name == "next" { return groups.append(CurlArguments()) }
            let plain = name.hasPrefix("expand-") ? String(name.dropFirst(7)) : name
            let hasValue = CurlOptions.withValue.contains(plain)
            groups[groups.count - 1].options.append(
                Option(name: plain, value: hasValue ? try value(of: name, joined: joined) : "", written: written, place: place))
        }

        while index < words.count {
            let word = words[index]
            index += 1
            let text = word.text
            if endsOptions || !text.hasPrefix("-") || text == "-" {
                groups[groups.count - 1].options.append(Option(name: "url", value: text, written: text, place: word.place))
            } else if text == "--" {
                endsOptions = true
            } else if text.hasPrefix("--") {
                // curl has no `--name=value`, but people write it.
                let parts = text.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                guard let name = CurlOptions.name(parts[0]) else { throw unknown("--" + parts[0], at: word.place) }
                try add(name, joined: parts.count == 2 ? parts[1] : nil, written: "--\(name)", at: word.place)
            } else {
                var letters = text.dropFirst()
                while let letter = letters.popFirst() {
                    guard let name = CurlOptions.short[letter] else { throw unknown("-\(letter)", at: word.place) }
                    guard CurlOptions.withValue.contains(name) else {
                        try add(name, joined: nil, written: "-\(letter)", at: word.place)
                        continue
                    }
                    try add(name, joined: letters.isEmpty ? nil : String(letters), written: "-\(letter)", at: word.place)
                    break
                }
            }
        }
        return groups
    }

    private static func unknown(_ option: String, at place: SourceLocation) -> Diagnostic {
        let known = CurlOptions.withValue.union(CurlOptions.flags).sorted()
        let nearest = option.hasPrefix("--") ? Suggestion.nearest(to: String(option.dropFirst(2)), in: known) : nil
        return Diagnostic(place, "curl has no option \(ShellText.display(option))" + (nearest.map { "; did you mean --\($0)?" } ?? "; remove it"))
    }
}
