internal import ArgumentParser
internal import SortieNetworking
internal import SortieStorage
internal import WorkspaceModel

/// `sortie cache`: the cached responses of a workspace on disk, for scripts.
struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "List, show and remove cached responses.",
        discussion: """
            Endpoints with cache: {on: disk} keep their responses for later commands and sessions, private to the user. Responses that contain \
            credentials or other masked values are never on disk.
            """,
        subcommands: [CacheListCommand.self, CacheShowCommand.self, CacheRemoveCommand.self, CacheClearCommand.self],
        defaultSubcommand: CacheListCommand.self)

    /// The cache of a workspace, and the masking rules of its output.
    static func open(_ source: WorkspaceOptions, _ output: OutputOptions, in program: ProgramContext) throws -> (
        cache: CachedResponses, redaction: Redaction
    ) {
        let workspace = try WorkspaceSource.load(named: source.workspace, in: program)
        var configuration = Client.Configuration(spoolFolder: program.spoolFolder)
        configuration.cacheFolder = StateFolder.responses(of: workspace, cacheFolder: program.folders.cache)
        configuration.cacheLimit = workspace.cacheLimit ?? configuration.cacheLimit
        return (Client(configuration).cache, output.showSecrets ? .none : Redaction(adding: workspace.redact))
    }

    /// The entries; damaged files are reported on stderr.
    static func entries(of cache: CachedResponses, in program: ProgramContext) async -> [CacheEntry] {
        let (entries, problems) = await cache.entries()
        for problem in problems { program.errors.line("sortie: warning: \(problem)") }
        return entries
    }

    /// Reports the number of removed entries.
    static func report(removed: Int, _ output: OutputOptions, in program: ProgramContext) {
        let record: JSONValue = ["removed": .integer(removed)]
        program.output.write(output.json ? record.text + "\n" : "\(removed) cached response\(removed == 1 ? "" : "s") removed\n")
    }
}
