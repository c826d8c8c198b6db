internal import ArgumentParser
internal import Interchange
internal import SortieBase
internal import SortieStorage

/// `sortie init`: creates a workspace.
struct InitCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Create a workspace.",
        discussion: "It has one service with one endpoint, and comments that explain the files. Existing files are never replaced.")

    @Argument(help: "The folder of the workspace; by default the current one.", completion: .directory)
    var folder = "."

    @Flag(help: "Permit a protected location, such as a dot folder of the home folder.")
    var force = false

    func run(in program: ProgramContext) throws {
        do throws(WorkspaceError) {
            let (created, files) = try WorkspaceFolder.create(at: folder, program.folders, isForced: force)
            for file in files { program.output.write(VisibleLine.of(FilePath.joining(created.path, file)) + "\n") }
        } catch {
            if error.code == .protected { throw CommandFailure(.file, name: "protected", error.description, hint: "to write there anyway: --force") }
            throw CommandFailure(error)
        }
        let place = folder == "." ? "" : " \(ShellQuote.quoted(folder))"
        program.errors.line("sortie\(place) opens it; its endpoint works with the server of: sortie serve")
    }
}
