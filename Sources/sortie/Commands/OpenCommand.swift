internal import ArgumentParser
internal import Foundation
internal import SortieBase
internal import SortieStorage

/// `sortie [WORKSPACE]`: opens the workbench.
struct OpenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open the workbench (the default).",
        discussion: "Without a folder it opens the nearest one upward that has a workspace.yaml, else the demo.")

    @Argument(help: "The workspace's folder.")
    var folder: String?

    @OptionGroup var source: WorkspaceOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        if let named = folder, !FileManager.default.fileExists(atPath: named) { try explain(named) }
        guard let found = try WorkspaceSource.folder(named: folder ?? source.workspace) else {
            try DemoSession(source: source, output: output).run()
            return
        }
        try WorkbenchProgram(
            folder: found, environment: source.environment, overrides: source.layer(.withoutForce()), usesColour: !output.noColor,
            keepsHistory: !output.noHistory, isTrusted: source.isTrusted
        ).run()
    }

    /// A word that is neither a folder nor a command is probably a misspelt command.
    private func explain(_ word: String) throws {
        let commands = SortieCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        guard !word.contains("/"), let nearest = Suggestion.nearest(to: word, in: commands) else { return }
        if nearest == word { throw CommandFailure(.usage, "the command \(word) must come before its options", hint: "write sortie \(word) …") }
        throw CommandFailure(.usage, "there is no command and no workspace “\(word)”", hint: "did you mean sortie \(nearest)?")
    }
}
