internal import Foundation
package import WorkspaceModel

/// Stores the progress of the runs of a workspace, so that a failed run can be continued after the program has ended in any way.
///
/// There is one journal for each run under `$XDG_STATE_HOME/sortie/runs/WORKSPACE`, removed when the run finishes. It contains captured values,
/// such as a login's token, because later steps need them; like every state file it is private to the user. Files of version 0.1.0 are read, too.
package struct RunStore: Sendable {
    private let folder: String

    /// Creates the store of the workspace in `folder`.
    package init(workspace folder: String, stateFolder: String = StateFolder.path) {
        self.folder = StateFolder.path(in: "\(stateFolder)/sortie/runs", of: folder)
    }

    /// The record of an unfinished run; nil when there is none to continue.
    ///
    /// - Throws: When the file exists but cannot be read; it is not changed.
    package func load(_ run: String) throws(WorkspaceError) -> RunRecord? {
        let path = path(run, "journal")
        guard FileManager.default.fileExists(atPath: path) else {
            return try loadOld(run)
        }
        try StateFolder.check(folder)
        do {
            return try RunJournalFormat.record(of: Data(contentsOf: URL(fileURLWithPath: path)))
        } catch RunJournalFormat.Fault.newer(let version) {
            throw newer(run, path, version)
        } catch {
            throw WorkspaceError(
                .unreadable, file: path, "the steps of the run \(run) cannot be read: this file is not changed; remove it to start again")
        }
    }

    /// The run whose unfinished record was written last; nil when none of the runs has one.
    ///
    /// - Throws: When a record exists but cannot be read.
    package func lastUnfinished(of runs: [String]) throws(WorkspaceError) -> String? {
        var last: (name: String, date: Date)?
        for run in runs {
            guard try load(run)?.restartStep != nil else { continue }
            let dates = ["journal", "json"].compactMap { suffix -> Date? in
                // A file that is missing has no date.
                let attributes = try? FileManager.default.attributesOfItem(atPath: path(run, suffix))
                return attributes?[.modificationDate] as? Date
            }
            guard let date = dates.max(), last.map({ date > $0.date }) ?? true else { continue }
            last = (run, date)
        }
        return last?.name
    }

    /// Begins the journal of a run and replaces that of an earlier start.
    package func begin(_ record: RunRecord) throws(WorkspaceError) -> RunJournal {
        let journalPath = path(record.run, "journal")
        if FileManager.default.fileExists(atPath: journalPath) { try refuseNewer(record.run, journalPath) }
        let journal = try RunJournal(path: journalPath, record: record)
        let old = path(record.run, "json")
        guard unlink(old) == 0 || errno == ENOENT else {
            throw WorkspaceError(.unwritable, file: old, "the old state of the run cannot be removed: \(String(cString: strerror(errno)))")
        }
        return journal
    }

    private func path(_ run: String, _ suffix: String) -> String { "\(folder)/\(StateFolder.name(of: run)).\(suffix)" }

    /// The record in the file of version 0.1.0; nil when there is none.
    private func loadOld(_ run: String) throws(WorkspaceError) -> RunRecord? {
        let path = path(run, "json")
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        try StateFolder.check(folder)
        do {
            if let record = RunMigration.record(of: Array(try Data(contentsOf: URL(fileURLWithPath: path)))) { return record }
        } catch {
            throw WorkspaceError(.unreadable, file: path, "the steps of the run \(run) cannot be read: \(error.localizedDescription)")
        }
        throw WorkspaceError(
            .unreadable, file: path, "the steps of the run \(run) cannot be read: this file is not changed; remove it to start again")
    }

    /// Refuses to replace the journal of a newer version.
    private func refuseNewer(_ run: String, _ path: String) throws(WorkspaceError) {
        do { _ = try RunJournalFormat.record(of: Data(contentsOf: URL(fileURLWithPath: path))) } catch RunJournalFormat.Fault.newer(let version) {
            throw newer(run, path, version)
        } catch {
            // A journal that cannot be read is replaced, as its error says.
            return
        }
    }

    private func newer(_ run: String, _ path: String, _ version: Int) -> WorkspaceError {
        WorkspaceError(
            .newer, file: path,
            "the steps of the run \(run) cannot be read: a newer version of Sortie wrote them (format \(version)); use that version, "
                + "or remove the file to start again")
    }
}
