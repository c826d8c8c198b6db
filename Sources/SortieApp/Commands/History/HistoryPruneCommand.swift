internal import ArgumentParser
internal import Foundation
internal import HistoryModel
internal import SortieBase
internal import SortieStorage

/// `sortie history prune`: deletes old exchanges.
struct HistoryPruneCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Delete old exchanges and free their space.",
        discussion: """
            Without options, half a year, 200,000 exchanges and 2 GB of bodies are kept; with options, only those limits apply. Pinned exchanges are \
            kept. Bodies without an exchange are always removed.
            """)

    @Option(
        name: .customLong("older-than"),
        help: ArgumentHelp("Delete exchanges older than 12h, 30d, 2w, or than a day, which is kept: 2026-11-21, today.", valueName: "time"))
    var olderThan: String?

    @Option(help: ArgumentHelp("Keep this many of the newest exchanges.", valueName: "count"))
    var keep: Int?

    @Option(name: .customLong("max-bytes"), help: ArgumentHelp("Keep this many bytes of bodies: 500MB, 2GB.", valueName: "size"))
    var maxBytes: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func run(in program: ProgramContext) throws {
        let retention = try retention(in: program)
        let store = HistoryStore.open(stateFolder: program.folders.state)
        if let problem = store.problem { throw CommandFailure(problem) }
        let gone: HistoryPruning
        do { gone = try store.prune(retention) } catch { throw CommandFailure(error) }
        if output.json {
            let record: JSONValue = ["exchanges": .integer(gone.rows), "bodies": .integer(gone.bodies), "bytes": .integer(gone.bytes)]
            program.output.write(record.text + "\n")
        } else {
            let bodies = "\(gone.bodies) \(gone.bodies == 1 ? "file" : "files") of bodies (\(ByteCount(gone.bytes).text))"
            program.output.write("\(gone.rows) \(gone.rows == 1 ? "exchange" : "exchanges") and \(bodies) removed\n")
        }
    }

    private func retention(in program: ProgramContext) throws -> HistoryRetention {
        if olderThan == nil, keep == nil, maxBytes == nil { return .standard }
        if let keep, keep < 0 { throw CommandFailure(.usage, "--keep \(keep) is not a number of exchanges", hint: "write a number of 0 or more") }
        var bytes: Int64?
        if let maxBytes {
            guard let size = ByteCount(parsing: maxBytes) else {
                throw CommandFailure(
                    .usage, "--max-bytes \(maxBytes) is not a number of bytes", hint: "write a number with an ending like kB, MB or GiB")
            }
            bytes = size.bytes
        }
        return HistoryRetention(age: try olderThan.map { try age($0, in: program) }, count: keep, bytes: bytes)
    }

    /// The seconds since the moment that `since:` of a filter denotes; for a day, since its beginning: older than a day means before it.
    private func age(_ text: String, in program: ProgramContext) throws -> Double {
        let now = program.now()
        let filter = HistoryFilter.typed("since:\"\(text)\"", now: now, utcOffset: TimeZone.current.secondsFromGMT(for: now)).filter
        guard filter.terms.count == 1, case .since(let date) = filter.terms[0].test, date <= now else {
            throw CommandFailure(.usage, "--older-than \(text) is not a duration", hint: "write 12h, 30d, 2w or a day like 2026-11-21")
        }
        return now.timeIntervalSince(date)
    }
}
