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
            let related = isProgram ? Array(names.dropFirst()) : [names[0]] + ManualExamples.related(to: command.name).map { "\(names[0])-\($0)" }
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
        if isProgram { page.paragraphs(ManualExamples.introduction) }
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
            page.paragraphs(ManualExamples.files)
            for (heading, folder) in ManualExamples.folders {
                for row in Self.table("files", heading) { page.tagged(bold: "\(folder)/\(row[0].prefix { $0 != "," })", row[1]) }
            }
            page.section("ENVIRONMENT")
            for row in Self.table("files", "Environment variables") { page.tagged(bold: row[0], row[1]) }
        } else {
            page.section("FILES")
            page.paragraphs(["The files and the environment variables of all commands are in sortie(1)."])
        }
        let examples = ManualExamples.examples(of: command.name)
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
