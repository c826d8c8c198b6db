internal import Foundation
internal import SortieNetworking
internal import SortieStorage
internal import SortieWorkbench
internal import Synchronization
internal import WorkspaceModel

/// The runs of the workbench.
final class RunEffects: Sendable {
    private let mailbox: Mailbox
    private let permission: WorkspacePermission
    /// Called with the values of secrets that are used.
    private let hide: @Sendable (String) -> Void
    private let redaction: LiveRedaction
    private let state = Mutex(State())

    private struct State {
        var runners: [RunID: RunRunner] = [:]
        /// Runs that were cancelled before they started.
        var cancelled: Set<RunID> = []
        /// What the user entered for the prompts of runs that have not started.
        var promptValues: [RunID: [String: String]] = [:]
    }

    init(mailbox: Mailbox, permission: WorkspacePermission, redaction: LiveRedaction, hide: @escaping @Sendable (String) -> Void) {
        self.mailbox = mailbox
        self.permission = permission
        self.redaction = redaction
        self.hide = hide
    }

    /// The records of runs that an earlier session left unfinished, the one that ended last at the end.
    ///
    /// - Parameter permission: The permissions of the workspace. A run with a data file that may not be read is skipped.
    static func leftRuns(of workspace: Workspace, permission: WorkspacePermission, notices: inout [String]) -> [RunRecord] {
        let store = RunStore(workspace: workspace.folder)
        var left: [(record: RunRecord, date: Date)] = []
        for run in workspace.runs where run.dataFile.map({ permission.permitsReading($0) }) ?? true {
            do {
                guard let latest = try store.latest(run.name), try RunSetup.plan(run, permission: permission).matches(latest.record) else { continue }
                left.append(latest)
            } catch let failure as CommandFailure {
                notices.append(failure.message)
            } catch {
                notices.append("\(error)")
            }
        }
        let records = left.sorted { $0.date < $1.date }.map(\.record)
        if let last = records.last { notices.append("The run \(last.run) did not finish; r in Runs continues it") }
        return records
    }

    /// Supplies what the user entered for the prompts of a run that is started next.
    func supply(_ values: [String: String], for id: RunID) { state.withLock { $0.promptValues[id] = values } }

    /// Starts a run in the background and posts its events.
    func start(
        _ id: RunID, _ name: String, environment: String?, from record: RunRecord?, in workspace: Workspace, overrides: [String: String],
        client: Client
    ) {
        let (mailbox, permission, redaction, hide) = (mailbox, permission, redaction, hide)
        // A run that does not start uses its values up too, because they may be secret.
        let promptValues = state.withLock { $0.promptValues.removeValue(forKey: id) } ?? [:]
        guard let definition = workspace.run(named: name) else {
            mailbox.post(.run(id, .failedToStart("The workspace no longer has a run \(name)")))
            return
        }
        BlockingExecutor.shared.start { [self] in
            do {
                let setup = RunSetup(
                    workspace: workspace, environment: environment, overrides: overrides, plan: try RunSetup.plan(definition, permission: permission),
                    promptValues: promptValues, permission: permission, hide: hide)
                // A changed file may have other steps, so the old record does not apply.
                let isSame = record.map(setup.plan.matches) ?? true
                if !isSame { mailbox.post(.log(LogEntry(.warning, source: name, "the run's file changed; it starts from the beginning"))) }
                let start = isSame ? record ?? setup.plan.newRecord(environment: environment) : setup.plan.newRecord(environment: environment)
                let journal = RunWriter(RunStore(workspace: workspace.folder), redaction: { redaction.always }) {
                    mailbox.post(.log(LogEntry(.warning, source: name, $0)))
                }
                let runner = setup.runner(from: start, client: client, keep: { await journal.keep($0) }) { event in
                    if let update = RunUpdate(event) { mailbox.post(.run(id, update)) }
                }
                let isCancelled = state.withLock { state in
                    state.runners[id] = runner
                    return state.cancelled.remove(id) != nil
                }
                if isCancelled { runner.cancel() }
                mailbox.post(.run(id, .began(start)))
                await runner.run()
                state.withLock { $0.runners[id] = nil }
            } catch let failure as CommandFailure {
                mailbox.post(.run(id, .failedToStart(failure.message)))
            } catch {
                mailbox.post(.run(id, .failedToStart("\(error)")))
            }
        }
    }

    /// Cancels a run.
    func cancel(_ id: RunID) {
        let runner = state.withLock { state in
            if state.runners[id] == nil { state.cancelled.insert(id) }
            return state.runners[id]
        }
        runner?.cancel()
    }

    /// Pauses a run before its next steps, or continues it.
    func setPaused(_ id: RunID, _ isPaused: Bool) {
        state.withLock { $0.runners[id] }?.setPaused(isPaused)
    }

    /// Cancels all runs.
    func cancelAll() {
        for runner in state.withLock({ Array($0.runners.values) }) { runner.cancel() }
    }
}

extension RunUpdate {
    /// The update for the workbench; nil for an event that it does not show.
    fileprivate init?(_ event: RunEvent) {
        switch event {
        case .step(let index, let step): self = .step(index, step)
        case .expanded(let expansion): self = .expanded(expansion)
        case .call(let index, .progressed(let progress)): self = .progressed(index, progress)
        case .call(let index, .finished(let exchange)): self = .exchanged(index, exchange)
        case .call: return nil
        case .paused(let isPaused): self = .paused(isPaused)
        case .finished(let record): self = .finished(record)
        }
    }
}
