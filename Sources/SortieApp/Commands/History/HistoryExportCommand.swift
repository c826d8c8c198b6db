internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import HistoryModel
internal import SortieNetworking
internal import SortieStorage

/// `sortie history export`: exports exchanges as a file for other tools.
struct HistoryExportCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export exchanges as HTTP Archive (HAR 1.2), the oldest first.", discussion: HistoryFilterOptions.discussion)

    @Option(
        help: ArgumentHelp(
            "The file. Missing exchanges are added to a file of Sortie; other existing files are not changed, and pipes are written. - is stdout.",
            valueName: "file"),
        completion: .file())
    var har: String

    @OptionGroup var filter: HistoryFilterOptions

    @OptionGroup var locations: LocationOptions

    /// Additional masking; the stored exchanges are masked already.
    private func redaction(in program: ProgramContext) -> Redaction { Redaction(adding: WorkspaceSource.redactedNames(in: program)) }

    func run(in program: ProgramContext) throws {
        try locations.check(har, .writing, in: program)
        let filter = try filter.parsed(in: program)
        let store = HistoryStore.open(stateFolder: program.folders.state)
        // Opened again, `/dev/stdout` would report a reader that has closed as an error.
        let isOutput = har == "-" || ProtectedLocation.descriptor(of: program.folders.absolute(har)) == STDOUT_FILENO
        let count = try isOutput ? write(filter, of: store, in: program) : append(filter, of: store, in: program)
        try store.tellProblem(hasFound: count > 0, in: program)
        if !isOutput { program.errors.line("\(count) \(count == 1 ? "exchange" : "exchanges") in \(har)") }
    }

    private func append(_ filter: HistoryFilter, of store: HistoryStore, in program: ProgramContext) throws -> Int {
        let path = program.path(har)
        let file = try HARFile(path: path, version: NetworkingVersion.current)
        if file.isReadableByOthers { program.errors.warnReadable(path) }
        let there: ArchivedAttempts
        do { there = try file.isStream ? ArchivedAttempts() : ArchivedAttempts(inFile: path) } catch {
            throw CommandFailure(.file, "\(path) cannot be read: \(error.systemReason)")
        }
        let redaction = redaction(in: program)
        return try store.forEach(filter, warning: { program.errors.line("sortie: warning: \($0)") }) { past in
            for (index, entry) in HAR.entries(of: past.exchange, redaction: redaction).enumerated()
            where !there.contains(index + 1, of: past.exchange.id) { try file.append(entry) }
        }
    }

    private func write(_ filter: HistoryFilter, of store: HistoryStore, in program: ProgramContext) throws -> Int {
        program.output.write(HAR.head(version: NetworkingVersion.current))
        var isFirst = true
        let redaction = redaction(in: program)
        let count = try store.forEach(filter, warning: { program.errors.line("sortie: warning: \($0)") }) { past in
            for entry in HAR.entries(of: past.exchange, redaction: redaction) {
                program.output.write(HAR.separator(isFirst: isFirst) + entry.text, isEndless: true)
                isFirst = false
            }
        }
        program.output.write(HAR.tail)
        return count
    }
}

extension HistoryStore {
    /// Passes the exchanges that match a filter, the oldest first; returns their number.
    ///
    /// - Parameter warn: Receives sentences about what is damaged.
    func forEach(_ filter: HistoryFilter, warning warn: (String) -> Void, _ take: (PastExchange) throws -> Void) throws -> Int {
        var count = 0
        var place = HistoryQuery.Place.oldest
        while true {
            let page = try page(HistoryQuery(filter, at: place, limit: 200))
            for item in page.items.reversed() {
                if item.isDamaged {
                    warn(item.note)
                    continue
                }
                guard let past = try readable(item.number, warning: warn) else { continue }
                try take(past)
                count += 1
            }
            guard page.hasNewer, let newest = page.items.first else { return count }
            place = .newerThan(newest.number)
        }
    }

    /// An exchange; nil for one that was pruned in the meantime, and, with a warning, for one that cannot be read.
    private func readable(_ number: Int64, warning warn: (String) -> Void) throws(WorkspaceError) -> PastExchange? {
        do throws(WorkspaceError) {
            let past = try past(number)
            if let damage = past?.damage { warn(damage) }
            return past
        } catch {
            guard error.code == .damagedRow else { throw error }
            warn(error.remedy?.program(after: error.message) ?? error.message)
            return nil
        }
    }
}
