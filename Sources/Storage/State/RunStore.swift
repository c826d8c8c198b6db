internal import Foundation
public import Model

/// Stores the progress of the runs of a workspace, so that a failed run can be continued after the program has ended in any way.
///
/// There is one journal for each run under `$XDG_STATE_HOME/sortie/runs/WORKSPACE`, removed when the run finishes. It contains captured values,
/// such as a login's token, because later steps need them; like every state file it is private to the user. Files of version 0.1.0 are read, too.
public struct RunStore: Sendable {
    private let folder: String

    /// Creates the store of the workspace in `folder`.
    public init(workspace folder: String, stateFolder: String = StateFolder.path) {
        self.folder = StateFolder.path(in: "\(stateFolder)/sortie/runs", of: folder)
    }

    /// The record of an unfinished run; nil when there is none to continue.
    ///
    /// - Throws: When the file exists but cannot be read; it is not changed.
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

    /// Begins the journal of a run and replaces that of an earlier start.
    public func begin(_ record: RunRecord) throws(WorkspaceError) -> RunJournal {
        let journal = try RunJournal(path: path(record.run, "journal"), record: record)
        try oldFile(record.run).save(nil)
        return journal
    }

    private func path(_ run: String, _ suffix: String) -> String { "\(folder)/\(StateFolder.name(of: run)).\(suffix)" }

    /// The complete record in one file, as written by version 0.1.0.
    private func oldFile(_ run: String) -> StateFile<RunRecord> {
        StateFile(path: path(run, "json"), content: "the steps of the run \(run)")
    }
}
