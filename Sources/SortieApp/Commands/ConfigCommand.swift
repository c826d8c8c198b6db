internal import ArgumentParser
internal import SortieBase
internal import SortieStorage
internal import SortieWorkbench
internal import WorkspaceModel

/// `sortie config`: edits and checks the settings.
struct ConfigCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Edit and check the settings.",
        discussion: "Opens the settings file in the editor, creates it if there is none, and reports invalid lines afterwards.")

    @Flag(help: "Only report invalid lines, as FILE:LINE:COLUMN: message; exit 3 if there are any.")
    var check = false

    @Flag(help: "Only print the path of the file.")
    var path = false

    func validate() throws {
        if check && path { throw ValidationError("--check and --path exclude each other") }
    }

    func run(in program: ProgramContext) throws {
        let file = SettingsFile.path(program.folders)
        if path {
            program.output.write(file + "\n")
            return
        }
        if !check {
            guard program.output.isTerminal else {
                throw CommandFailure(
                    .usage, name: "terminal", "the editor needs a terminal", hint: "sortie config --path prints the path of the file")
            }
            try SettingsFile.create(file)
            if case .failed(let reason) = Editor.open(file: file, command: SettingsFile.load(program.folders).editor, in: program) {
                throw CommandFailure(.file, name: "editor", reason)
            }
        }
        let problems = AppState.problems(of: SettingsFile.load(program.folders))
        for problem in problems { program.output.write(VisibleLine.of(problem.description) + "\n") }
        guard problems.isEmpty else {
            throw CommandFailure(
                .file, name: "settings", "\(problems.count) problem\(problems.count == 1 ? "" : "s") in \(file)",
                hint: "an invalid value has its default; the other values apply")
        }
    }
}
