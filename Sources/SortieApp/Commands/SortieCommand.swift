internal import ArgumentParser

/// The command line; without a subcommand it opens the workbench.
struct SortieCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sortie", abstract: "A terminal workbench for HTTP.", version: VersionReport.line,
        subcommands: [
            OpenCommand.self, InitCommand.self, DemoCommand.self, ServeCommand.self, ListCommand.self, CheckCommand.self,
            SendCommand.self, DownloadCommand.self, UploadCommand.self, RunCommand.self, ListenCommand.self, BenchCommand.self, MockCommand.self,
            HistoryCommand.self,
            ImportCommand.self, ExportCommand.self, BundleCommand.self, CacheCommand.self, TrustCommand.self,
            StoredSecretsCommand.self, TokenCommand.self, SchemaCommand.self,
            GuideCommand.self, ConfigCommand.self, DecodeImageCommand.self, GenerateDocumentsCommand.self,
        ], defaultSubcommand: OpenCommand.self)
}
