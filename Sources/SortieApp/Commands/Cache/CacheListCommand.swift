internal import ArgumentParser
internal import SortieBase
internal import SortieNetworking

internal import struct Foundation.Date

/// `sortie cache list`: lists the cached responses.
struct CacheListCommand: AsyncProgramCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the cached responses, the newest first.")

    @Option(help: ArgumentHelp("Only those of a service.", valueName: "service"), completion: .service)
    var service: String?

    @OptionGroup(title: "Workspace") var source: WorkspaceOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run(in program: ProgramContext) async throws {
        let (cache, redaction) = try CacheCommand.open(source, output, in: program)
        let entries = await CacheCommand.entries(of: cache, in: program).filter { service == nil || $0.service == service }
        let now = program.now()
        guard !output.json else {
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
            "service": .optional(entry.service), "status": .integer(entry.response.status), "contentType": .optional(entry.response.contentType),
            "bodyBytes": .integer(entry.response.body.count), "bytes": .integer(entry.size), "storedAt": .string(HistoryTime.iso8601(entry.storedAt)),
            "age": .seconds(entry.age(at: now)), "lifetime": .seconds(entry.lifetime / .seconds(1)), "fresh": .bool(entry.isFresh(at: now)),
        ]
    }
}
