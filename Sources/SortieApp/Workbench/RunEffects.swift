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
    /// Called with each call whose step has ended.
    private let ended: @Sendable (RequestID) -> Void
    private let state = Mutex(State())

    private struct State {
        var runners: [RunID: RunRunner] = [:]
        /// Runs that were cancelled before they started.
        var cancelled: Set<RunID> = []
        /// What the user entered for the prompts of runs that have not started.
        var promptValues: [RunID: [String: String]] = [:]
        /// Whether the program ends, so that nothing more is sent.
        var isEnding = false
    }

    init(
        mailbox: Mailbox, permission: WorkspacePermission, redaction: LiveRedaction, hide: @escaping @Sendable (String) -> Void,
        ended: @escaping @Sendable (RequestID) -> Void
    ) {
        (self.mailbox, self.permission, self.redaction, self.hide, self.ended) = (mailbox, permission, redaction, hide, ended)
    }

    /// The records of runs that an earlier session left unfinished, the one that ended last at the end.
    ///
    /// - Parameter permission: The permissions of the workspace. A run with a data file that may not be read is skipped.
    static func leftRuns(of workspace: Workspace, permission: WorkspacePermission, notices: inout [String]) -> [RunRecord] {
        let store = RunStore(workspace: workspace.identity, stateFolder: permission.program.folders.state)
        var left: [(record: RunRecord, date: Date)] = []
        for run in workspace.runs where run.dataFile.map({ permission.permitsReading($0) }) ?? true {
            do {
                guard let latest = try store.latest(run.name), try RunSetup.plan(run, permission: permission).matches(latest.record)
                else { continue }
                left.append(latest)
            } catch let failure as CommandFailure {
                notices.append(failure.message)
            } catch {
                notices.append("\(error)")
            }
        }
        let records = left.sorted { $0.date < $1.date }.map(\.record)
        if let last = records.last { notices.append("The run \(last.run) did not finish; r in Runs resumes it") }
        return records
    }

    /// Supplies what the user entered for the prompts of a run that is started next.
    func supply(_ values: [String: String], for id: RunID) { state.withLock { $0.promptValues[id] = values } }

    /// Starts a run in the background, in one environment after the other, and posts its events.
    ///
    /// After a run that is cancelled, the others are not started, as on the command line.
    func start(_ starts: [RunStart], of name: String, in workspace: Workspace, overrides: [String: String], client: Client) {
        // A run that does not start uses its values up too, because they may be secret.
        let promptValues = state.withLock { state in starts.map { state.promptValues.removeValue(forKey: $0.id) ?? [:] } }
        guard let definition = workspace.run(named: name) else {
            for start in starts { mailbox.post(.run(start.id, .failedToStart("The workspace no longer has a run \(name)"))) }
            return
        }
        BlockingExecutor.shared.start { [self] in
            let plan: RunPlan
            do { plan = try RunSetup.plan(definition, permission: permission) } catch {
                for start in starts {
                    mailbox.post(.run(start.id, .failedToStart((error as? CommandFailure)?.message ?? CommandFailure.sentence(error))))
                }
                return
            }
            if let notice = plan.emptyNotice { mailbox.post(.log(LogEntry(.warning, source: name, notice))) }
            var isCancelled = false
            for (index, (start, promptValues)) in zip(starts, promptValues).enumerated() {
                if index > 0, state.withLock({ $0.cancelled.remove(start.id) != nil || $0.isEnding }) || isCancelled {
                    isCancelled = true
                    mailbox.post(.run(start.id, .cancelledBeforeStart))
                    continue
                }
                let setup = RunSetup(
                    workspace: workspace, environment: start.environment, overrides: overrides, plan: plan, promptValues: promptValues,
                    permission: permission, hide: hide)
                isCancelled = await carryOut(start, setup, client: client).state == .cancelled
            }
        }
    }

    /// Runs the steps in one environment, and returns the record at the end.
    private func carryOut(_ start: RunStart, _ setup: RunSetup, client: Client) async -> RunRecord {
        let (id, name) = (start.id, setup.plan.definition.name)
        // A changed file may have other steps, so the old record does not apply.
        let isSame = start.from.map(setup.plan.matches) ?? true
        if !isSame { mailbox.post(.log(LogEntry(.warning, source: name, "the run's file changed; it starts from the beginning"))) }
        let record = (isSame ? start.from : nil) ?? setup.plan.newRecord(environment: setup.environment)
        let journal = RunWriter(
            RunStore(workspace: setup.workspace.identity, stateFolder: permission.program.folders.state),
            redaction: { [redaction] in redaction.always }
        ) { [mailbox] in
            mailbox.post(.log(LogEntry(.warning, source: name, $0)))
        }
        let log = CallLog(mailbox)
        let runner = setup.runner(from: record, client: client, ended: ended, keep: { await journal.keep($0) }) { [mailbox] event in
            log.receive(event)
            if let update = RunUpdate(event) { mailbox.post(.run(id, update)) }
        }
        let isCancelled = state.withLock { state in
            state.runners[id] = runner
            return state.cancelled.remove(id) != nil || state.isEnding
        }
        if isCancelled { runner.cancel() }
        mailbox.post(.run(id, .began(record)))
        let end = await runner.run()
        state.withLock { $0.runners[id] = nil }
        return end
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

    /// Cancels all runs, and starts no further one.
    func cancelAll() {
        let runners = state.withLock { state in
            state.isEnding = true
            return Array(state.runners.values)
        }
        for runner in runners { runner.cancel() }
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
