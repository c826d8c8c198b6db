internal import ArgumentParser
internal import SortieNetworking

/// The command line; without a subcommand it opens the workbench.
struct SortieCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sortie", abstract: "A terminal workbench for HTTP.", version: "sortie \(NetworkingVersion.current)",
        subcommands: [
            OpenCommand.self, InitCommand.self, DemoCommand.self, ServeCommand.self, ListCommand.self, CheckCommand.self,
            SendCommand.self, DownloadCommand.self, UploadCommand.self, RunCommand.self, HistoryCommand.self, CacheCommand.self, TrustCommand.self,
            GuideCommand.self, ConfigCommand.self,
        ], defaultSubcommand: OpenCommand.self)
}
