internal import ArgumentParser
internal import Foundation
internal import SortieHTTP
internal import SortieStorage
internal import SortieWorkbench
internal import WorkspaceModel

/// `sortie [WORKSPACE|URL]`: opens the workbench.
struct OpenCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open the workbench (the default).",
        discussion: """
            Without a folder it opens the nearest one upward that has a workspace.yaml, else the scratch workspace in \
            $XDG_DATA_HOME/sortie/scratch with an empty request. A URL is opened as a new request of that workspace. A file of another tool \
            (.http, .rest, .hurl, .bru), or a folder of them, is opened in place.
            """)

    @Argument(help: "The workspace's folder, a file of another tool, or a URL.", completion: .directory)
    var folder: String?

    @OptionGroup var source: WorkspaceOptions
    @OptionGroup var output: ScreenOptions

    func run(in program: ProgramContext) throws {
        try WorkspaceFolderOption.check(folder, "the folder")
        if let url = folder, isURL(url, in: program) {
            if let project = try project(in: program) {
                return try open(project, isTrusted: source.isTrusted, newRequest: .init(url: url), in: program)
            }
            return try openScratch(url: url, in: program)
        }
        if let named = folder, !FileManager.default.fileExists(atPath: program.path(named)) { try explain(named, in: program) }
        guard let found = try WorkspaceSource.folder(named: folder ?? source.workspace, in: program) else {
            return try openScratch(url: nil, in: program)
        }
        let isScratch = ScratchWorkspace.contains(found)
        try open(found, isTrusted: source.isTrusted || isScratch, in: program)
    }

    private func open(_ folder: WorkspaceFolder, isTrusted: Bool, newRequest: WorkbenchProgram.NewRequest? = nil, in program: ProgramContext) throws {
        let next = try WorkbenchProgram(
            program: program, folder: folder, environment: try source.environment, overrides: source.layer(.init(isForced: false), in: program),
            usesColour: !output.noColor,
            keepsHistory: !output.noHistory, isTrusted: isTrusted, newRequest: newRequest
        ).run()
        if let next { try NextWorkspace.open(next, output, in: program) }
    }

    /// The workspace for a URL; nil for the scratch workspace, where the one here or above has no service or belongs to another user.
    private func project(in program: ProgramContext) throws -> WorkspaceFolder? {
        if let named = source.workspace { return WorkspaceFolder(path: named, program.folders) }
        do throws(WorkspaceError) {
            guard let path = try WorkspaceFolder.find(from: program.folders.current) else { return nil }
            let folder = WorkspaceFolder(path: path, program.folders)
            return try folder.load().services.isEmpty || ScratchWorkspace.contains(folder) ? nil : folder
        } catch {
            guard error.code == .notOwned else { throw error }
            return nil
        }
    }

    /// Opens the scratch workspace with a new request.
    private func openScratch(url: String?, in program: ProgramContext) throws {
        try open(ScratchWorkspace.open(program.folders), isTrusted: true, newRequest: .init(url: url), in: program)
    }

    /// Whether an argument is a URL or a curl command and not a folder: it has a scheme, or it is no existing file and begins with a host.
    private func isURL(_ word: String, in program: ProgramContext) -> Bool {
        PastedCommand.isCommand(word) || HTTPURL.isAbsolute(word)
            || !FileManager.default.fileExists(atPath: program.path(word)) && TypedURL.hasHost(word) && !ForeignFiles.isFileName(word)
    }

    /// A word that is neither a folder nor a command is probably a misspelt command.
    private func explain(_ word: String, in program: ProgramContext) throws {
        if SortieCommand.configuration.subcommands.contains(where: { $0.configuration.commandName == word }) {
            throw CommandFailure(.usage, "the command \(word) must come before its options", hint: "write sortie \(word) …")
        }
        if let folder = try WorkspaceSource.folder(named: source.workspace, in: program), try folder.load().endpoint(word) != nil {
            throw CommandFailure(.usage, "\(word) is an endpoint, and no folder of a workspace", hint: "did you mean sortie send \(word)?")
        }
        guard let command = UsageHint.command(for: word) else { return }
        throw CommandFailure(.usage, "there is no command and no workspace “\(word)”", hint: "did you mean \(command)?")
    }
}
