internal import ArgumentParser
internal import Foundation
internal import SortieBase
internal import SortieNetworking

/// `sortie generate-documents`: writes the pages of the manual and the completion scripts, for `make install` and the packages.
struct GenerateDocumentsCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate-documents", abstract: "Write the manual and the completion scripts.", shouldDisplay: false)

    @Argument(help: "The folder, which is created.")
    var folder: String

    func run(in program: ProgramContext) throws {
        let pages = ManualPage.pages(of: try ManualCommand(of: SortieCommand.self), version: NetworkingVersion.current)
        let files = pages.map { ("\($0.name).1", $0.text) } + CompletionScripts.files(of: SortieCommand.self).map { ($0.name, $0.text) }
        do {
            try FileManager.default.createDirectory(atPath: program.path(folder), withIntermediateDirectories: true)
            for (name, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: FilePath.joining(program.path(folder), name))) }
        } catch {
            throw CommandFailure(.file, name: "documents", "\(folder) cannot be written: \(error.localizedDescription)")
        }
    }
}
