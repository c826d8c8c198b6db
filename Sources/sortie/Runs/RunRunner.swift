import SortieHTTP
package import SortieNetworking
internal import Synchronization
package import WorkspaceModel

/// Executes a run of a workspace, which is a batch or a chain, with its expectations, captures and data rows.
///
/// The command line and the workbench both use this type, so a run behaves the same in both.
package final class RunRunner: Sendable {
    /// Creates the request of a step with the values that earlier steps captured (`login.token`).
    ///
    /// Its task is cancelled together with the run; an error it throws then ends the step as cancelled.
    package typealias Prepare = @Sendable (_ step: RunStep, _ captures: [String: String]) async throws(Diagnostic) -> PreparedStep

    /// The number of concurrent steps of a batch whose file sets none.
    package static let defaultConcurrency = 16

    private let plan: RunPlan
    private let client: Client
    private let prepare: Prepare
    private let keep: @Sendable (RunCheckpoint) async -> Void
    private let onEvent: @Sendable (RunEvent) -> Void
    private let state: Mutex<State>

    private struct State {
        var record: RunRecord
        var hasStarted = false
        /// The start of the run.
        var start = ContinuousClock.now
        var isCancelled = false
        var batch: Batch<StepRecord>?
        var chain: Task<Void, Never>?
    }

    /// Creates a run that has not started.
    ///
    /// - Parameters:
    ///   - record: A new record of the plan, or ``WorkspaceModel/RunRecord/restarting(at:)`` of an ended one; steps that it marks as done are not sent again.
    ///   - keep: Stores a checkpoint so that it survives this process; the next step that takes the same slot starts after it returns.
    ///   - onEvent: Receives one event at a time, on any thread; must not block and must not call this object, whose lock is held.
    package init(
        _ plan: RunPlan, from record: RunRecord, client: Client, prepare: @escaping Prepare,
        keep: @escaping @Sendable (RunCheckpoint) async -> Void = { _ in }, onEvent: @escaping @Sendable (RunEvent) -> Void = { _ in }
    ) {
        self.plan = plan
        self.client = client
        self.prepare = prepare
        self.keep = keep
        self.onEvent = onEvent
        state = Mutex(State(record: record))
    }

    /// The current record.
    package var record: RunRecord { state.withLock { $0.record } }

    /// Runs the steps that are not done and returns the final record; a second call returns the current record.
    ///
    /// Cancelling the task cancels the run.
    @discardableResult
    package func run() async -> RunRecord {
        let isFirst = state.withLock { state in
            defer { state.hasStarted = true }
            state.start = ContinuousClock.now
            return !state.hasStarted
        }
        guard isFirst else { return record }
        let clock = ContinuousClock()
        let start = clock.now
        await withTaskCancellationHandler {
            await keep(.began(self.record))
            switch plan.definition.kind {
            case .chain: await runChain()
            case .batch: await runBatch()
            }
        } onCancel: {
            cancel()
        }
        let end = end(after: (clock.now - start) / .seconds(1))
        await keep(.finished(end))
        onEvent(.finished(end))
        return end
    }

    /// Cancels running steps; waiting steps are not sent, and the run ends as cancelled.
    package func cancel() {
        let (batch, chain) = state.withLock { state in
            state.isCancelled = true
            return (state.batch, state.chain)
        }
        batch?.cancel()
        chain?.cancel()
    }

    /// Whether no further step may start; true even before the task of a chain is cancelled.
    private var isCancelled: Bool { state.withLock { $0.isCancelled } }

    private func end(after seconds: Double) -> RunRecord {
        state.withLock { state in
            let isComplete = state.record.steps.allSatisfy { $0.state == .done }
            state.record.state = isComplete ? .finished : state.isCancelled ? .cancelled : .failed
            // An earlier process was interrupted during this step, and the step is not repeated.
            if state.record.failedStep == nil { state.record.failedStep = state.record.steps.firstIndex { $0.state == .interrupted } }
            state.record.duration = seconds
            return state.record
        }
    }

    // MARK: Chains

    /// Runs a chain, once for each data row.
    private func runChain() async {
        let task = Task { await self.runRows() }
        let isCancelled = state.withLock { state in
            state.chain = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
        await task.value
    }

    private func runRows() async {
        var first = 0
        while first < plan.steps.count {
            let row = plan.steps[first].row
            let end = plan.steps[first...].firstIndex { $0.row != row } ?? plan.steps.count
            let isDone = await runRow(first..<end)
            if isCancelled { return }
            if !isDone {
                let isOver = plan.definition.stopsOnFailure
                for index in first..<(isOver ? plan.steps.count : end) { change(index) { $0.skip() } }
                if isOver { return }
            }
            first = end
        }
    }

    /// Runs the remaining steps of one row, each with the captures of the earlier ones; returns false when one failed.
    private func runRow(_ indices: Range<Int>) async -> Bool {
        var captures: [String: String] = [:]
        for index in indices {
            if isCancelled { return false }
            var step = state.withLock { $0.record.steps[index] }
            if step.state != .done { step = await perform(index, captures: captures) }
            guard step.state == .done else { return false }
            for (capture, value) in step.captures { captures["\(plan.steps[index].definition.name).\(capture)"] = value }
        }
        return true
    }

    // MARK: Batches

    private func runBatch() async {
        let batch = Batch<StepRecord>(
            policy: plan.definition.stopsOnFailure ? .failFast : .collectAll,
            concurrency: plan.definition.concurrency ?? Self.defaultConcurrency)
        do {
            let waiting = record.steps.indices.filter { record.steps[$0].state == .waiting }
            for index in waiting {
                try batch.add { outcome in
                    if case .skipped = outcome { self.change(index) { $0.skip() } }
                } _: {
                    let step = await self.perform(index, captures: [:])
                    guard step.state == .done else { throw StepStopped() }
                    return step
                }
            }
            let isCancelled = state.withLock { state in
                state.batch = batch
                return state.isCancelled
            }
            if isCancelled { batch.cancel() }
            _ = try await batch.run()
        } catch {
            // Only a programming error starts a batch twice.
            assertionFailure("\(error)")
        }
    }

    // MARK: Steps

    /// Runs a step and stores its end before the next one can start.
    private func perform(_ index: Int, captures: [String: String]) async -> StepRecord {
        let step = await send(index, captures: captures)
        await keep(.ended(index, step))
        return step
    }

    /// Sends the request of one step and checks its response; the end of the step is reported exactly once.
    private func send(_ index: Int, captures: [String: String]) async -> StepRecord {
        let elapsed = (ContinuousClock.now - state.withLock { $0.start }) / .seconds(1)
        change(index) { step in
            step.state = .sending
            step.startedAfter = elapsed
        }
        let prepared: PreparedStep
        do throws(Diagnostic) { prepared = try await prepare(plan.steps[index], captures) } catch {
            if Task.isCancelled || isCancelled { return change(index) { $0.state = .cancelled } }
            return change(index) { $0.fail([StepFailure(.preparation, subject: error.location.description, actual: error.message)]) }
        }
        if !prepared.request.method.isSafe { await keep(.sending(index)) }
        let exchange = await client.exchange(prepared.request) { self.saw($0, of: index) }
        if exchange.error?.code == .cancelled {
            onEvent(.call(index, .finished(exchange)))
            return change(index) { step in
                step.seconds = exchange.duration
                step.state = .cancelled
            }
        }
        // Bodies are parsed, and a pattern may take long.
        let evaluation =
            prepared.isPlain ? StepEvaluation(exchange, prepared) : await BlockingExecutor.shared.run { StepEvaluation(exchange, prepared) }
        var checked = exchange
        checked.expectationResult = evaluation.result
        onEvent(.call(index, .finished(checked)))
        // Cancelling ends a comparison with a regular expression, which says nothing about the response then.
        let isCancelled = Task.isCancelled && !evaluation.failures.isEmpty
        return change(index) { step in
            step.status = exchange.response?.status
            step.seconds = evaluation.seconds
            guard !isCancelled else {
                step.state = .cancelled
                return
            }
            step.captures = evaluation.captures
            if evaluation.failures.isEmpty { step.state = .done } else { step.fail(evaluation.failures) }
        }
    }

    /// Forwards an event of a step's request other than its end, and updates the state of the step.
    private func saw(_ event: CallEvent, of index: Int) {
        switch event {
        case .parked(let notice): change(index) { $0.state = notice.isOut ? .sending : .parked }
        case .retrying(let seconds): change(index) { $0.state = seconds > 0 ? .retrying(seconds: seconds) : .sending }
        case .responded, .progressed, .grew: change(index) { $0.state = .sending }
        // Forwarded with the checks of the step.
        case .finished: return
        default: break
        }
        onEvent(.call(index, event))
    }

    /// Changes a step that has not ended, and reports the change.
    @discardableResult
    private func change(_ index: Int, _ work: (inout StepRecord) -> Void) -> StepRecord {
        state.withLock { state in
            let before = state.record.steps[index]
            guard !before.state.isEnd else { return before }
            work(&state.record.steps[index])
            let step = state.record.steps[index]
            if step.state == .failed, state.record.failedStep == nil { state.record.failedStep = index }
            // Reported under the lock, so that the events of a step stay in order.
            if step != before { onEvent(.step(index, step)) }
            return step
        }
    }
}

/// Marks a step that was not completed; its record contains the reason.
private struct StepStopped: Error {}

extension PreparedStep {
    /// Whether the evaluation needs neither the body of the response nor a pattern.
    fileprivate var isPlain: Bool {
        expectation.json.isEmpty && expectation.headers.isEmpty && expectation.schema == nil && expectation.snapshot == nil && captures.isEmpty
    }
}

extension StepRecord {
    fileprivate mutating func fail(_ failures: [StepFailure]) {
        state = .failed
        self.failures = failures
    }

    fileprivate mutating func skip() {
        if !state.isEnd { state = .skipped }
    }
}
