internal import ArgumentParser
internal import SortieNetworking

/// `sortie cache remove`: removes cached responses.
struct CacheRemoveCommand: AsyncProgramCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove cached responses.")

    @Argument(help: "Identities that `sortie cache list` prints, or URLs.")
    var entries: [String]

    @OptionGroup(title: "Workspace") var source: WorkspaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run(in program: ProgramContext) async throws {
        let (cache, _) = try CacheCommand.open(source, output, in: program)
        let known = await CacheCommand.entries(of: cache, in: program)
        if let unknown = entries.first(where: { name in !known.contains { $0.isNamed(name) } }) { throw Self.unknown(unknown) }
        let names = entries
        CacheCommand.report(removed: await cache.remove { entry in names.contains { entry.isNamed($0) } }, output, in: program)
    }

    static func unknown(_ entry: String) -> CommandFailure {
        CommandFailure(
            .usage, name: "unknownEntry", "the cache has no response “\(entry)”", hint: "sortie cache list shows all; give an identity or a URL")
    }
}
