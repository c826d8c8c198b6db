internal import ArgumentParser
internal import SortieNetworking

/// `sortie cache clear`: removes all cached responses, or those of a service.
struct CacheClearCommand: AsyncProgramCommand {
    static let configuration = CommandConfiguration(commandName: "clear", abstract: "Remove all cached responses.")

    @Option(help: ArgumentHelp("Only those of a service.", valueName: "service"), completion: .service)
    var service: String?

    @OptionGroup(title: "Workspace") var source: WorkspaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run(in program: ProgramContext) async throws {
        let (cache, _) = try CacheCommand.open(source, output, in: program)
        let service = service
        CacheCommand.report(removed: await cache.remove { service == nil || $0.service == service }, output, in: program)
    }
}
