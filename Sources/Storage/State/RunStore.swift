package import Foundation
package import WorkspaceModel

/// Stores the progress of the runs of a workspace, so that a failed run can be continued after the program has ended in any way.
///
/// There is one journal for each run and environment under `$XDG_STATE_HOME/sortie/runs/WORKSPACE`, removed when the run finishes. It contains captured
/// values, such as a login's token, because later steps need them; like every state file it is private to the user. Files of version 0.1.0, which has one
/// for each run, are read, too.
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
    /// - Throws: When its file exists but cannot be read; it is not changed. A file that may be of another environment is an error only where no other
    ///   one is found.
    package func load(_ run: String, in environment: String?) throws(WorkspaceError) -> RunRecord? {
        try StateFolder.check(folder)
        let own = path(run, in: environment)
        var problem: WorkspaceError?
        for path in paths(run, in: environment) where FileManager.default.fileExists(atPath: path) {
            do {
                let record = try record(of: run, at: path)
                if record.environment == environment { return record }
            } catch {
                if path == own { throw error }
                problem = problem ?? error
            }
        }
        if let problem { throw problem }
        return nil
    }

    /// The run whose unfinished record was written last, and its environment; nil when none of the runs has one.
    ///
    /// - Parameter environment: The environment of the run; nil for any.
    /// - Throws: When a record exists but cannot be read. A file that may be of another environment is an error only where no run is found.
    package func lastUnfinished(of runs: [String], in environment: String? = nil) throws(WorkspaceError) -> (run: String, environment: String?)? {
        try StateFolder.check(folder)
        let all = runs.flatMap { run in
            let paths = environment.map { self.paths(run, in: $0) }
            return files(of: run).filter { paths?.contains($0.path) ?? true }.map { (run: run, path: $0.path, date: $0.date) }
        }
        var problem: WorkspaceError?
        for file in all.sorted(by: { $0.date > $1.date }) {
            do {
                let record = try record(of: file.run, at: file.path)
                if record.restartStep != nil, environment == nil || record.environment == environment { return (file.run, record.environment) }
            } catch {
                if environment == nil || file.path == path(file.run, in: environment) { throw error }
                problem = problem ?? error
            }
        }
        if let problem { throw problem }
        return nil
    }

    /// The files that may have the record of a run in an environment, its own one first.
    ///
    /// The other two are for a run without an environment, and of versions that have one file for each run.
    private func paths(_ run: String, in environment: String?) -> [String] { [path(run, in: environment), path(run, in: nil), oldPath(run)] }

    /// Begins the journal of a run and replaces that of an earlier start.
    package func begin(_ record: RunRecord) throws(WorkspaceError) -> RunJournal {
        let journalPath = path(record.run, in: record.environment)
        if FileManager.default.fileExists(atPath: journalPath) { try refuseNewer(record.run, journalPath) }
        let journal = try RunJournal(path: journalPath, record: record)
        for old in [path(record.run, in: nil), oldPath(record.run)] where old != journalPath {
            guard FileManager.default.fileExists(atPath: old), isReplaced(old, by: record) else { continue }
            guard unlink(old) == 0 || errno == ENOENT else {
                throw WorkspaceError(.unwritable, file: old, "the old state of the run cannot be removed: \(String(cString: strerror(errno)))")
            }
        }
        return journal
    }

    /// Whether a file of a version that has one for each run contains the record of the same environment.
    private func isReplaced(_ old: String, by record: RunRecord) -> Bool {
        do { return try self.record(of: record.run, at: old).environment == record.environment } catch {
            // A file that cannot be read stays, and is reported by the command that needs it.
            return false
        }
    }

    /// The journal of a run in an environment.
    ///
    /// No name of a run contains the @ there.
    private func path(_ run: String, in environment: String?) -> String {
        let ending = environment.map { "@" + StateFolder.name(of: $0, limit: 40) } ?? ""
        return "\(folder)/\(StateFolder.name(of: run))\(ending).journal"
    }

    /// The file of version 0.1.0.
    private func oldPath(_ run: String) -> String { "\(folder)/\(StateFolder.name(of: run)).json" }

    /// The files of a run, and when each was written.
    private func files(of run: String) -> [(path: String, date: Date)] {
        let name = StateFolder.name(of: run)
        // A folder that does not exist has no files.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { file in
            guard ["\(name).journal", "\(name).json"].contains(file) || file.hasPrefix("\(name)@") && file.hasSuffix(".journal") else { return nil }
            let path = "\(folder)/\(file)"
            // A file that is removed meanwhile has no date.
            let date = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            return date.map { (path, $0) }
        }
    }

    private func record(of run: String, at path: String) throws(WorkspaceError) -> RunRecord {
        try StateFolder.checkFile(path)
        if path.hasSuffix(".json") { return try recordOfOldVersion(run, path) }
        do {
            return try RunJournalFormat.record(of: Data(contentsOf: URL(fileURLWithPath: path)))
        } catch RunJournalFormat.Fault.newer(let version) {
            throw newer(run, path, version)
        } catch {
            throw WorkspaceError(
                .unreadable, file: path, "the steps of the run \(run) cannot be read: this file is not changed; remove it to start again")
        }
    }

    private func recordOfOldVersion(_ run: String, _ path: String) throws(WorkspaceError) -> RunRecord {
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
        try StateFolder.checkFile(path)
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
