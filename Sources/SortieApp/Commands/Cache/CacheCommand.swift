internal import ArgumentParser
internal import SortieBase
internal import SortieNetworking
internal import SortieStorage
internal import WorkspaceModel

internal import struct Foundation.Date

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
    static func open(_ source: WorkspaceOptions, showsSecrets: Bool = false, in program: ProgramContext) throws -> (
        cache: CachedResponses, redaction: Redaction
    ) {
        let workspace = try WorkspaceSource.load(named: source.workspace, in: program)
        var configuration = ClientConfiguration(spoolFolder: program.spoolFolder)
        configuration.cacheFolder = StateFolder.responses(of: workspace, cacheFolder: program.folders.cache)
        configuration.cacheLimit = workspace.cacheLimit ?? configuration.cacheLimit
        return (Client(configuration).cache, showsSecrets ? .none : Redaction(adding: workspace.redact))
    }

    /// The entries; damaged files are reported on stderr.
    static func entries(of cache: CachedResponses, in program: ProgramContext) async -> [CacheEntry] {
        let (entries, problems) = await cache.entries()
        for problem in problems { program.errors.line("sortie: warning: \(problem)") }
        return entries
    }

    /// Reports the number of removed entries.
    static func report(removed: Int, asJSON: Bool, in program: ProgramContext) {
        let record: JSONValue = ["removed": .integer(removed)]
        program.output.write(asJSON ? record.text + "\n" : "\(ItemCount.text(removed, "cached response")) removed\n")
    }
}

/// `sortie cache clear`: removes all cached responses, or those of a service.
struct CacheClearCommand: AsyncProgramCommand {
    static let configuration = CommandConfiguration(commandName: "clear", abstract: "Remove all cached responses.")

    @Option(help: ArgumentHelp("Only those of a service.", valueName: "service"), completion: .service)
    var service: String?

    @Flag(help: "Print one JSON record instead of text.")
    var json = false

    @OptionGroup(title: "Workspace") var source: WorkspaceOptions

    func run(in program: ProgramContext) async throws {
        let (cache, _) = try CacheCommand.open(source, in: program)
        let service = service
        CacheCommand.report(removed: await cache.remove { service == nil || $0.service == service }, asJSON: json, in: program)
    }
}

/// `sortie cache list`: lists the cached responses.
struct CacheListCommand: AsyncProgramCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the cached responses, the newest first.")

    @Option(help: ArgumentHelp("Only those of a service.", valueName: "service"), completion: .service)
    var service: String?

    @Flag(help: "Print one JSON array instead of text.")
    var json = false

    @Flag(name: .customLong("show-secrets"), help: "Print credentials instead of ••••.")
    var showSecrets = false

    @OptionGroup(title: "Workspace") var source: WorkspaceOptions

    func run(in program: ProgramContext) async throws {
        let (cache, redaction) = try CacheCommand.open(source, showsSecrets: showSecrets, in: program)
        let entries = await CacheCommand.entries(of: cache, in: program).filter { service == nil || $0.service == service }
        let now = program.now()
        guard !json else {
            return program.output.write(JSONValue.array(entries.map { Self.record($0, at: now, redaction) }).text + "\n")
        }
        for entry in entries {
            let cells = [
                entry.id, entry.method.rawValue.padded(to: 5), "\(entry.response.status)",
                ByteCount(Int64(entry.response.body.count)).text.padded(to: 7),
                "\(Int(entry.age(at: now))) s old".padded(to: 10), (entry.isFresh(at: now) ? "fresh" : "expired").padded(to: 7),
                redaction.maskedURL(entry.url.description),
            ]
            program.output.write(VisibleLine.of(cells.joined(separator: "  ")) + "\n")
        }
    }

    private static func record(_ entry: CacheEntry, at now: Date, _ redaction: Redaction) -> JSONValue {
        [
            "id": .string(entry.id), "method": .string(entry.method.rawValue), "url": .string(redaction.maskedURL(entry.url.description)),
            "service": .optional(entry.service), "status": .integer(entry.response.status),
            "contentType": .optional(entry.response.contentType.map { redaction.masked($0) }),
            "bodyBytes": .integer(entry.response.body.count), "bytes": .integer(entry.size), "storedAt": .string(HistoryTime.iso8601(entry.storedAt)),
            "age": .seconds(entry.age(at: now)), "lifetime": .seconds(entry.lifetime / .seconds(1)), "fresh": .bool(entry.isFresh(at: now)),
        ]
    }
}

/// `sortie cache remove`: removes cached responses.
struct CacheRemoveCommand: AsyncProgramCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove cached responses.")

    @Argument(help: "Identities that `sortie cache list` prints, or URLs.")
    var entries: [String]

    @Flag(help: "Print one JSON record instead of text.")
    var json = false

    @OptionGroup(title: "Workspace") var source: WorkspaceOptions

    func run(in program: ProgramContext) async throws {
        let (cache, _) = try CacheCommand.open(source, in: program)
        let known = await CacheCommand.entries(of: cache, in: program)
        if let unknown = entries.first(where: { name in !known.contains { $0.isNamed(name) } }) { throw Self.unknown(unknown) }
        let names = entries
        CacheCommand.report(removed: await cache.remove { entry in names.contains { entry.isNamed($0) } }, asJSON: json, in: program)
    }

    static func unknown(_ entry: String) -> CommandFailure {
        CommandFailure(
            .usage, name: "unknownEntry", "the cache has no response “\(entry)”", hint: "sortie cache list shows all; give an identity or a URL")
    }
}

/// `sortie cache show`: prints the body of a cached response.
struct CacheShowCommand: AsyncProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print the body of a cached response; with -i also its status line and header fields.")

    @Argument(help: "The identity that `sortie cache list` prints, or the URL.")
    var entry: String

    @Flag(name: .shortAndLong, help: "Print the status line and the header fields before the body.")
    var include = false

    @Flag(name: .customLong("show-secrets"), help: "Print credentials instead of ••••.")
    var showSecrets = false

    @OptionGroup(title: "Workspace") var source: WorkspaceOptions

    func run(in program: ProgramContext) async throws {
        let (cache, redaction) = try CacheCommand.open(source, showsSecrets: showSecrets, in: program)
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
