package import Foundation
package import WorkspaceModel

/// Stores the progress of the runs of a workspace, so that a failed run can be continued after the program has ended in any way.
///
/// There is one journal for each run and environment under `$XDG_STATE_HOME/sortie/runs/WORKSPACE`, removed when the run finishes. It contains captured
/// values, such as a login's token, because later steps need them; like every state file it is private to the user.
package struct RunStore: Sendable {
    private let folder: String

    /// Creates the store of the workspace in `folder`.
    package init(workspace folder: String, stateFolder: String) {
        self.folder = StateFolder.path(in: "\(stateFolder)/sortie/runs", of: folder)
    }

    /// The record of an unfinished run in the environment that it was in last; nil when there is none to continue.
    ///
    /// - Throws: When the file exists but cannot be read; it is not changed.
    package func load(_ run: String) throws(WorkspaceError) -> RunRecord? { try latest(run)?.record }

    /// The same record, and when it was written last.
    package func latest(_ run: String) throws(WorkspaceError) -> (record: RunRecord, date: Date)? {
        try StateFolder.check(folder)
        guard let file = files(of: run).max(by: { $0.date < $1.date }) else { return nil }
        return (try record(of: run, at: file.path), file.date)
    }

    /// The record of an unfinished run in an environment; nil when there is none to continue.
    ///
    /// - Throws: When its file exists but cannot be read; it is not changed.
    package func load(_ run: String, in environment: String?) throws(WorkspaceError) -> RunRecord? {
        try StateFolder.check(folder)
        let path = path(run, in: environment)
        return FileManager.default.fileExists(atPath: path) ? try record(of: run, at: path) : nil
    }

    /// The run whose unfinished record was written last, and its environment; nil when none of the runs has one.
    ///
    /// - Parameter environment: The environment of the run; nil for any.
    /// - Throws: When a record exists but cannot be read.
    package func lastUnfinished(of runs: [String], in environment: String? = nil) throws(WorkspaceError) -> (run: String, environment: String?)? {
        try StateFolder.check(folder)
        let all = runs.flatMap { run in
            files(of: run).filter { environment == nil || $0.path == path(run, in: environment) }.map { (run: run, path: $0.path, date: $0.date) }
        }
        for file in all.sorted(by: { $0.date > $1.date }) {
            let record = try record(of: file.run, at: file.path)
            if record.restartStep != nil { return (file.run, record.environment) }
        }
        return nil
    }

    /// Begins the journal of a run and replaces that of an earlier start.
    package func begin(_ record: RunRecord) throws(WorkspaceError) -> RunJournal {
        let journalPath = path(record.run, in: record.environment)
        if FileManager.default.fileExists(atPath: journalPath) { try refuseNewer(record.run, journalPath) }
        return try RunJournal(path: journalPath, record: record)
    }

    /// The journal of a run in an environment.
    ///
    /// No name of a run contains the @ there.
    private func path(_ run: String, in environment: String?) -> String {
        let ending = environment.map { "@" + StateFolder.name(of: $0, limit: 40) } ?? ""
        return "\(folder)/\(StateFolder.name(of: run))\(ending).journal"
    }

    /// The files of a run, and when each was written.
    private func files(of run: String) -> [(path: String, date: Date)] {
        let name = StateFolder.name(of: run)
        // A folder that does not exist has no files.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { file in
            guard file == "\(name).journal" || file.hasPrefix("\(name)@") && file.hasSuffix(".journal") else { return nil }
            let path = "\(folder)/\(file)"
            // A file that is removed meanwhile has no date.
            let date = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            return date.map { (path, $0) }
        }
    }

    private func read(_ path: String) throws -> RunRecord {
        try RunJournalFormat.record(of: Data(WorkspaceFile.bytes(at: path, limit: StateFolder.largestFile)))
    }

    private func record(of run: String, at path: String) throws(WorkspaceError) -> RunRecord {
        try StateFolder.checkFile(path)
        do {
            return try read(path)
        } catch RunJournalFormat.Fault.newer(let version) {
            throw newer(run, path, version)
        } catch let error as WorkspaceError {
            throw error
        } catch {
            throw WorkspaceError(
                .unreadable, file: path, "the steps of the run \(run) cannot be read: this file is not changed; remove it to start again")
        }
    }

    /// Refuses to replace the journal of a newer version.
    private func refuseNewer(_ run: String, _ path: String) throws(WorkspaceError) {
        try StateFolder.checkFile(path)
        do { _ = try read(path) } catch RunJournalFormat.Fault.newer(let version) {
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
