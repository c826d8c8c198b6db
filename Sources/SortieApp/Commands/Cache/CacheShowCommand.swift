internal import ArgumentParser
internal import SortieNetworking

/// `sortie cache show`: prints the body of a cached response.
struct CacheShowCommand: AsyncProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print the body of a cached response; with -i also its status line and header fields.")

    @Argument(help: "The identity that `sortie cache list` prints, or the URL.")
    var entry: String

    @Flag(name: .shortAndLong, help: "Print the status line and the header fields before the body.")
    var include = false

    @OptionGroup(title: "Workspace") var source: WorkspaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run(in program: ProgramContext) async throws {
        let (cache, redaction) = try CacheCommand.open(source, output, in: program)
        guard let found = await CacheCommand.entries(of: cache, in: program).first(where: { $0.isNamed(entry) }) else {
            throw CacheRemoveCommand.unknown(entry)
        }
        var response = found.response
        response.headers = redaction.masked(response.headers)
        response.body = BodyBytes(redaction.maskedBody(response.body.prefix(response.body.count), contentType: response.contentType))
        ResponseOutput(output: program.output, errors: program.errors, response: response, includesHeader: include).write()
    }
}

extension CacheEntry {
    /// Whether a text of the command line is the identity or the URL of the entry.
    func isNamed(_ text: String) -> Bool { id == text || url.description == text }
}
