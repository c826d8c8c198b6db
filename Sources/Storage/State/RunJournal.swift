internal import Foundation
internal import SortieBase
internal import Synchronization
package import WorkspaceModel

/// The file to which a run appends its progress: one line for each step that ends, so that the cost of a step does not grow with the number of
/// steps.
///
/// When a method returns, the line has been written to the system and survives the end of the process. It is on disk within ``syncInterval`` of
/// the next line, and at the end of the run.
package final class RunJournal: Sendable {
    /// The maximum delay before lines are synchronised to disk.
    static let syncInterval = Duration.milliseconds(250)

    private struct State {
        var size: off_t
        var lastSync = ContinuousClock.now
    }

    private let path: String
    private let run: String
    private let descriptor: Int32
    private let state: Mutex<State>

    /// Replaces the journal of an earlier start of the run.
    ///
    /// - Throws: When the file cannot be written.
    init(path: String, record: RunRecord) throws(WorkspaceError) {
        self.path = path
        run = record.run
        do {
            try StateFolder.make(FilePath.folder(of: path))
            try StateFolder.checkFile(path)
            let bytes = try RunJournalFormat.bytes(of: record)
            try AtomicFile.write(bytes, to: path, mode: 0o600)
            descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
            guard descriptor >= 0 else {
                let reason = String(cString: strerror(errno))
                unlink(path)
                throw Self.failure(path, record.run, reason)
            }
            state = Mutex(State(size: off_t(bytes.count)))
        } catch let error as WorkspaceError {
            // A journal that does not get the steps would continue the run by sending all of them again.
            if error.code == .unsynced { unlink(path) }
            throw error
        } catch {
            throw Self.failure(path, record.run, "\(error)")
        }
    }

    deinit { close(descriptor) }

    /// Records that a step is about to be sent.
    package func noteSending(_ index: Int) throws(WorkspaceError) {
        try append(RunJournalFormat.Line(step: index, state: StepRecord.State.sending.name))
    }

    /// Records steps that are added.
    package func noteExpansion(_ expansion: RunExpansion) throws(WorkspaceError) {
        try append(RunJournalFormat.Line(expansion))
    }

    /// Records the end of a step.
    package func noteEnd(of index: Int, _ step: StepRecord) throws(WorkspaceError) {
        try append(RunJournalFormat.Line(index, step))
    }

    /// Records the end of the run; the file of a finished run is removed.
    package func finish(_ record: RunRecord) throws(WorkspaceError) {
        guard record.state == .finished else {
            try append(RunJournalFormat.Line(end: record.state, failedStep: record.failedStep, duration: record.duration), isLast: true)
            return
        }
        var ours = stat()
        var there = stat()
        // Another process may have started the same run in the meantime; its file must not be removed.
        guard fstat(descriptor, &ours) == 0, stat(path, &there) == 0, ours.st_ino == there.st_ino, ours.st_dev == there.st_dev else { return }
        guard unlink(path) == 0 || errno == ENOENT else { throw Self.failure(path, run, String(cString: strerror(errno))) }
    }

    private func append(_ line: RunJournalFormat.Line, isLast: Bool = false) throws(WorkspaceError) {
        let bytes: [UInt8]
        do { bytes = try line.bytes() } catch { throw Self.failure(path, run, "\(error)") }
        let problem: Int32? = state.withLock { state in
            let code = bytes.withUnsafeBytes { AtomicFile.write($0, to: descriptor) }
            guard code == 0 else {
                // An incomplete line must not precede the next one.
                _ = ftruncate(descriptor, state.size)
                return code
            }
            state.size += off_t(bytes.count)
            guard isLast || ContinuousClock.now - state.lastSync >= Self.syncInterval else { return nil }
            state.lastSync = .now
            return fdatasync(descriptor) == 0 ? nil : errno
        }
        if let problem { throw Self.failure(path, run, String(cString: strerror(problem))) }
    }

    private static func failure(_ path: String, _ run: String, _ reason: String) -> WorkspaceError {
        WorkspaceError(.unwritable, file: path, "the steps of the run \(run) cannot be stored: \(reason)")
    }
}
