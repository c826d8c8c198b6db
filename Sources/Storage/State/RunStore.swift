internal import Foundation
public import Model

/// How far the runs of a workspace got, so that one that failed can go on where it failed after the program has ended, in whatever way.
///
/// One journal for each run under `$XDG_STATE_HOME/sortie/runs/WORKSPACE`, removed when the run finishes. What steps captured is in it, a login's token
/// too, because later steps need it: like every file of ours it is private to the user. What version 0.1.0 left is read, too.
public struct RunStore: Sendable {
    private let folder: String

    /// The runs of the workspace in `folder`.
    public init(workspace folder: String, stateFolder: String = StateFolder.path) {
        self.folder = StateFolder.path(in: "\(stateFolder)/sortie/runs", of: folder)
    }

    /// How far a run got that did not finish; nil when there is nothing to go on from.
    ///
    /// - Throws: when the file is there but cannot be read; it is left alone.
    public func load(_ run: String) throws(WorkspaceError) -> RunRecord? {
        let path = path(run, "journal")
        guard FileManager.default.fileExists(atPath: path) else {
            guard let record = try oldFile(run).load() else { return nil }
            let times = record.steps.compactMap(\.seconds) + [record.duration]
            guard times.allSatisfy(KeptSeconds.range.contains) else {
                throw WorkspaceError(
                    .unreadable, file: oldFile(run).path,
                    "the steps of the run \(run) cannot be read: this file is not changed; remove it to start again")
            }
            return record.interrupted
        }
        try StateFolder.check(folder)
        let reason: String
        do {
            return try RunJournalFormat.record(of: Data(contentsOf: URL(fileURLWithPath: path)))
        } catch RunJournalFormat.Fault.newer(let version) {
            reason = "a newer version of Sortie wrote them (format \(version)); use that version, or remove the file to start again"
        } catch {
            reason = "this file is not changed; remove it to start again"
        }
        throw WorkspaceError(.unreadable, file: path, "the steps of the run \(run) cannot be read: \(reason)")
    }

    /// Begins to keep how far a run is, in place of what an earlier start left.
    public func begin(_ record: RunRecord) throws(WorkspaceError) -> RunJournal {
        let journal = try RunJournal(path: path(record.run, "journal"), record: record)
        try oldFile(record.run).save(nil)
        return journal
    }

    private func path(_ run: String, _ suffix: String) -> String { "\(folder)/\(StateFolder.name(of: run)).\(suffix)" }

    /// The whole record in one file, as version 0.1.0 wrote it.
    private func oldFile(_ run: String) -> StateFile<RunRecord> {
        StateFile(path: path(run, "json"), content: "the steps of the run \(run)")
    }
}
