internal import SortieGuide

/// A page of the manual, made of the help of a command and of tables of the guide.
struct ManualPage {
    /// The command: the program itself, or one of its commands.
    let command: ManualCommand
    /// The version of the program.
    let version: String
    /// The names of the other pages.
    let related: [String]

    /// The pages of a program: one for itself, and one for each command, which includes the commands below it.
    static func pages(of program: ManualCommand, version: String) -> [ManualPage] {
        let all = [program] + program.subcommands
        let names = all.map { Self.name(of: $0) }
        return all.map { command in
            let isProgram = command.words.count == 1
            let related = isProgram ? Array(names.dropFirst()) : [names[0]] + ManualTexts.related(to: command.name).map { "\(names[0])-\($0)" }
            return ManualPage(command: command, version: version, related: related)
        }
    }

    /// The name: `sortie-send`.
    var name: String { Self.name(of: command) }

    private static func name(of command: ManualCommand) -> String { command.words.joined(separator: "-") }

    private var isProgram: Bool { command.words.count == 1 }

    /// The text in the format of `man`.
    var text: String {
        var page = ManualText()
        page.begin(name: name, version: version)
        page.section("NAME")
        page.title(name, command.abstract.withoutPeriod)
        page.section("SYNOPSIS")
        for synopsis in synopses { page.synopsis(synopsis) }
        page.section("DESCRIPTION")
        describe(command, in: &page)
        if isProgram { page.paragraphs(ManualTexts.introduction) }
        if command.subcommands.isEmpty || isProgram {
            page.section("OPTIONS")
            options(of: isProgram ? opened : command, in: &page)
        } else {
            page.section("SUBCOMMANDS")
            for subcommand in command.subcommands {
                page.subsection(subcommand.words.dropFirst().joined(separator: " "))
                page.synopsis(subcommand)
                describe(subcommand, in: &page)
                options(of: subcommand, in: &page)
            }
        }
        if isProgram {
            page.section("COMMANDS")
            for subcommand in command.subcommands { page.tagged(bold: "\(Self.name(of: subcommand))(1)", subcommand.abstract) }
        }
        end(&page)
        return page.text
    }

    /// The command lines of the synopsis.
    private var synopses: [ManualCommand] {
        guard isProgram else { return command.subcommands.isEmpty ? [command] : command.subcommands }
        var any = command
        any.arguments = [
            ManualCommand.Argument(names: [], value: "command", summary: "", isOptional: false, isRepeating: false),
            ManualCommand.Argument(names: [], value: "argument", summary: "", isOptional: true, isRepeating: true),
        ]
        var opened = opened
        opened.words = command.words
        return [opened, any]
    }

    /// The command that is meant where none is given.
    private var opened: ManualCommand { command.subcommands.first { $0.name == command.defaultSubcommand } ?? command }

    private func describe(_ command: ManualCommand, in page: inout ManualText) {
        page.paragraphs([command.abstract] + command.discussion.split(separator: "\n\n").map(String.init))
        guard let name = command.defaultSubcommand, command.words.count > 1 else { return }
        page.paragraphs(["Without a subcommand, \(name) is meant."])
    }

    /// The arguments first, then the options without a section, then those of each section.
    private func options(of command: ManualCommand, in page: inout ManualText) {
        let isBelow = command.words.count > 2
        var sections: [String] = []
        for argument in command.arguments {
            if let section = argument.section, !sections.contains(section) { sections.append(section) }
        }
        for argument in command.arguments where argument.names.isEmpty { page.tagged(argument) }
        for argument in command.arguments where !argument.names.isEmpty && argument.section == nil {
            // Each command has them; the pages of the program and of its commands name them once.
            if isBelow, argument.names.contains("--version") || argument.names.contains("--help") { continue }
            page.tagged(argument)
        }
        for section in sections {
            if !isBelow { page.subsection(section) }
            for argument in command.arguments where argument.section == section { page.tagged(argument) }
        }
    }

    private func end(_ page: inout ManualText) {
        page.section("EXIT STATUS")
        for row in Self.table("scripting", "Exit codes") { page.tagged(bold: row[0], row[1]) }
        if isProgram {
            page.section("FILES")
            page.paragraphs(ManualTexts.files)
            for (heading, folder) in ManualTexts.folders {
                for row in Self.table("files", heading) { page.tagged(bold: "\(folder)/\(row[0].prefix { $0 != "," })", row[1]) }
            }
            page.section("ENVIRONMENT")
            for row in Self.table("files", "Environment variables") { page.tagged(bold: row[0], row[1]) }
        } else {
            page.section("FILES")
            page.paragraphs(["The files and the environment variables of all commands are in sortie(1)."])
        }
        let examples = CommandExamples.all[command.name] ?? []
        if !examples.isEmpty {
            page.section("EXAMPLES")
            for example in examples { page.example(example.line, example.meaning) }
        }
        page.section("SEE ALSO")
        page.references(related)
        page.paragraphs(["sortie guide lists the articles of the guide, which is inside the program; sortie guide TOPIC shows one."])
    }

    /// The rows of a table of the guide with at least two cells.
    private static func table(_ topic: String, _ heading: String) -> [[String]] {
        (Guide.article(topic)?.table(below: heading) ?? []).filter { $0.count >= 2 }
    }
}

extension String {
    /// The text without a period at its end.
    fileprivate var withoutPeriod: String { hasSuffix(".") ? String(dropLast()) : self }
}

/// What the manual has in addition to the help: texts of sortie(1), and which pages refer to each other.
enum ManualTexts {
    /// The text of sortie(1) about the program.
    static let introduction = [
        """
        sortie shows the services and endpoints of a workspace, which is a folder of YAML files, and sends their requests. Without a command it opens the \
        workbench, a program for the terminal in which ? shows the keys and F1 the guide. The commands do the same for scripts.
        """
    ]

    /// The text before the list of files.
    static let files = [
        """
        Where they are not set, $XDG_STATE_HOME is ~/.local/state, $XDG_DATA_HOME ~/.local/share, $XDG_CACHE_HOME ~/.cache and $XDG_CONFIG_HOME \
        ~/.config. The settings are in $XDG_CONFIG_HOME/sortie/config.yaml; sortie config edits them. The files of workspaces are in their folders.
        """
    ]

    /// The headings of the tables of files in the guide, with the folder of the files.
    static let folders = [
        ("State", "$XDG_STATE_HOME/sortie"), ("Data", "$XDG_DATA_HOME/sortie"), ("Cache", "$XDG_CACHE_HOME/sortie"),
    ]

    /// The commands that the page of a command refers to.
    static func related(to command: String) -> [String] {
        groups.first { $0.contains(command) }?.filter { $0 != command } ?? []
    }

    /// Commands about the same subject.
    private static let groups = [
        ["open", "demo", "serve", "init", "config", "guide", "self"],
        ["send", "download", "upload", "run", "listen", "bench", "mock", "history", "cache"],
        ["list", "check", "trust", "secret", "token"], ["import", "export"],
    ]
}

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
