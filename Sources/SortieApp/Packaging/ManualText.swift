/// Text in the format of `man` (the macros of groff_man(7)).
struct ManualText {
    private(set) var text = ""

    private mutating func macro(_ words: String) { text += ".\(words)\n" }

    /// A line of text; one that begins with a period or a quote is no macro.
    private mutating func line(_ line: String) {
        let escaped = Self.escaped(line)
        text += (escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" : "") + escaped + "\n"
    }

    /// Replaces what groff would interpret: backslashes, and hyphens, which are to be copied as they are typed.
    static func escaped(_ text: String) -> String { text.replacing("\\", with: "\\e").replacing("-", with: "\\-") }

    private static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }
    private static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

    /// The head of the page.
    mutating func begin(name: String, version: String) {
        text += ".\\\" Generated from the help of the program by sortie generate\\-documents.\n"
        macro("TH \(Self.escaped(name.uppercased())) 1 \"\" \"sortie \(version)\" \"Sortie manual\"")
        // No hyphenation, and no spaces between words that fill the line.
        macro("nh")
        macro("ad l")
    }

    /// The line of NAME, which `apropos` reads.
    mutating func title(_ name: String, _ summary: String) {
        text += "\(Self.escaped(name)) \\- \(Self.escaped(summary))\n"
    }

    mutating func section(_ title: String) { macro("SH \(title)") }

    mutating func subsection(_ title: String) { macro("SS \(Self.escaped(title))") }

    /// Paragraphs, without empty ones.
    mutating func paragraphs(_ paragraphs: [String]) {
        for paragraph in paragraphs where !paragraph.isEmpty {
            macro("PP")
            line(paragraph.split(separator: "\n").joined(separator: " "))
        }
    }

    /// A command line with all arguments, and its options in short.
    mutating func synopsis(_ command: ManualCommand) {
        macro("PP")
        var words = [Self.bold(command.words.joined(separator: " "))]
        if command.arguments.contains(where: { !$0.names.isEmpty && $0.isOptional }) { words.append("[" + Self.italic("options") + "]") }
        for argument in command.arguments where !argument.names.isEmpty && !argument.isOptional {
            words.append(Self.bold(argument.names[0]) + " " + Self.italic(argument.value ?? ""))
        }
        for argument in command.arguments where argument.names.isEmpty {
            let word = Self.italic(argument.value ?? "") + (argument.isRepeating ? " ..." : "")
            words.append(argument.isOptional ? "[\(word)]" : word)
        }
        text += words.joined(separator: " ") + "\n"
    }

    /// A term with its explanation.
    mutating func tagged(bold term: String, _ explanation: String) {
        macro("TP")
        text += Self.bold(term) + "\n"
        line(explanation)
    }

    /// An argument or an option with its explanation.
    mutating func tagged(_ argument: ManualCommand.Argument) {
        macro("TP")
        let value = argument.value.map { Self.italic($0) }
        text += argument.names.isEmpty ? (value ?? "") : argument.names.map(Self.bold).joined(separator: ", ") + (value.map { " " + $0 } ?? "")
        text += "\n"
        line(argument.summary + (argument.defaultValue.map { " The default is \($0)." } ?? ""))
    }

    /// A command line, and what it does.
    mutating func example(_ command: String, _ meaning: String) {
        macro("PP")
        line(meaning)
        macro("PP")
        macro("RS 4")
        macro("nf")
        line(command)
        macro("fi")
        macro("RE")
    }

    /// The names of other pages.
    mutating func references(_ names: [String]) {
        macro("PP")
        text += names.map { Self.bold($0) + "(1)" }.joined(separator: ",\n") + "\n"
    }
}
