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

    /// Evaluates the conditions and the lists of steps with the values that earlier steps captured.
    package struct Control: Sendable {
        /// The reason why a step is not sent; nil where it is sent.
        package var reasonToSkip: @Sendable (_ step: RunStep, _ captures: [String: String]) async throws(Diagnostic) -> String?
        /// The items for which a step is repeated.
        package var items: @Sendable (_ step: RunStep, _ captures: [String: String]) async throws(Diagnostic) -> [String]
        /// The condition that holds after a step, so that it is sent again; nil where it is not.
        package var reasonToRepeat: @Sendable (_ step: RunStep, _ captures: [String: String]) async throws(Diagnostic) -> String?

        /// Creates a value; without closures each step is sent once.
        package init(
            reasonToSkip: @escaping @Sendable (RunStep, [String: String]) async throws(Diagnostic) -> String? = { _, _ in nil },
            items: @escaping @Sendable (RunStep, [String: String]) async throws(Diagnostic) -> [String] = { _, _ in [] },
            reasonToRepeat: @escaping @Sendable (RunStep, [String: String]) async throws(Diagnostic) -> String? = { _, _ in nil }
        ) {
            self.reasonToSkip = reasonToSkip
            self.items = items
            self.reasonToRepeat = reasonToRepeat
        }
    }

    /// The number of concurrent steps of a batch whose file sets none.
    package static let defaultConcurrency = 16

    private let plan: RunPlan
    private let client: Client
    private let prepare: Prepare
    private let control: Control
    private let keep: @Sendable (RunCheckpoint) async -> Void
    private let onEvent: @Sendable (RunEvent) -> Void
    private let state: Mutex<State>

    private struct State {
        var record: RunRecord
        /// The steps of the record.
        var steps: [RunStep]
        var hasStarted = false
        /// The start of the run.
        var start = ContinuousClock.now
        var isCancelled = false
        var isPaused = false
        /// Whether a step failed and the run stops at a failure.
        var hasStopped = false
        /// The steps that are not sent while the run is paused.
        var waiting: [CheckedContinuation<Void, Never>] = []
        var batch: Batch<StepRecord>?
        var chain: Task<Void, Never>?

        /// Removes the steps that wait, to be continued outside the lock.
        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            defer { waiting = [] }
            return waiting
        }
    }

    /// Creates a run that has not started.
    ///
    /// - Parameters:
    ///   - record: A new record of the plan, or ``WorkspaceModel/RunPlan/continuing(_:at:)`` of an ended one; steps that it marks as done are not sent again.
    ///   - control: Evaluates the conditions and the lists of steps.
    ///   - keep: Stores a checkpoint so that it survives this process; the next step that takes the same slot starts after it returns.
    ///   - onEvent: Receives one event at a time, on any thread; must not block and must not call this object, whose lock is held.
    package init(
        _ plan: RunPlan, from record: RunRecord, client: Client, prepare: @escaping Prepare, control: Control = Control(),
        keep: @escaping @Sendable (RunCheckpoint) async -> Void = { _ in }, onEvent: @escaping @Sendable (RunEvent) -> Void = { _ in }
    ) {
        self.plan = plan
        self.client = client
        self.prepare = prepare
        self.control = control
        self.keep = keep
        self.onEvent = onEvent
        state = Mutex(State(record: record, steps: plan.steps(of: record) ?? plan.steps))
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
        let (batch, chain, waiting) = state.withLock { state in
            state.isCancelled = true
            return (state.batch, state.chain, state.takeWaiting())
        }
        batch?.cancel()
        chain?.cancel()
        for continuation in waiting { continuation.resume() }
    }

    /// Pauses the run before its next steps, or continues it; steps that are being sent are not interrupted.
    ///
    /// Without effect on a run that has ended or was cancelled.
    package func setPaused(_ isPaused: Bool) {
        let waiting = state.withLock { state in
            guard !state.isCancelled, state.isPaused != isPaused, state.record.state == .running else {
                return [CheckedContinuation<Void, Never>]()
            }
            state.isPaused = isPaused
            onEvent(.paused(isPaused))
            return isPaused ? [] : state.takeWaiting()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits while the run is paused; returns whether a further step may be sent.
    ///
    /// A failure that stops the run ends the waiting, like cancelling the run.
    private func waitWhilePaused() async -> Bool {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isOver = state.withLock { state in
                let isOver = !state.isPaused || state.isCancelled || state.hasStopped
                if !isOver { state.waiting.append(continuation) }
                return isOver
            }
            if isOver { continuation.resume() }
        }
        return maySend
    }

    /// Whether a further step may be sent: the run is not cancelled, and no failure stopped it.
    private var maySend: Bool { state.withLock { !$0.isCancelled && !$0.hasStopped } }

    /// Whether no further step may start; true even before the task of a chain is cancelled.
    private var isCancelled: Bool { state.withLock { $0.isCancelled } }

    private func end(after seconds: Double) -> RunRecord {
        state.withLock { state in
            let isComplete = state.record.steps.allSatisfy(\.isComplete)
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
        while let row = step(at: first)?.row {
            let isDone = await runRow(row, from: first)
            if isCancelled { return }
            // The row may have more steps than before.
            let (end, count) = state.withLock { state in (state.steps[first...].firstIndex { $0.row != row } ?? state.steps.count, state.steps.count)
            }
            if !isDone {
                let isOver = plan.definition.stopsOnFailure
                for index in first..<(isOver ? count : end) { change(index) { $0.skip() } }
                if isOver { return }
            }
            first = end
        }
    }

    /// The step at an index; nil after the last one.
    private func step(at index: Int) -> RunStep? { state.withLock { $0.steps.indices.contains(index) ? $0.steps[index] : nil } }

    /// Runs the remaining steps of one row, each with the captures of the earlier ones; returns false when one failed.
    private func runRow(_ row: Int, from first: Int) async -> Bool {
        var captures: [String: String] = [:]
        var index = first
        var hasSent = false
        while let planned = step(at: index), planned.row == row {
            if isCancelled { return false }
            if let group = planned.definition.group {
                let end = await runGroup(group, of: row, from: index, captures: captures)
                let steps = state.withLock { Array(zip($0.steps[index..<end], $0.record.steps[index..<end])) }
                guard steps.allSatisfy(\.1.isComplete) else { return false }
                for (planned, step) in steps {
                    for (capture, value) in step.captures { captures["\(planned.definition.name).\(capture)"] = value }
                }
                index = end
                hasSent = true
                continue
            }
            var step = state.withLock { $0.record.steps[index] }
            // An interrupted step that is not named is not sent again.
            if step.state == .interrupted { return false }
            if !step.isComplete {
                if planned.isUnknownList, await expand(index, planned, captures: captures) { continue }
                if hasSent, planned.isRepeatedByCondition {
                    guard await waitToRepeat(planned) else { return false }
                }
                step = planned.isUnknownList ? state.withLock { $0.record.steps[index] } : await perform(index, captures: captures)
                hasSent = true
            }
            guard step.isComplete else { return false }
            for (capture, value) in step.captures { captures["\(planned.definition.name).\(capture)"] = value }
            index += 1
        }
        return true
    }

    /// Runs the waiting steps of a parallel group, each with the captures of the steps before the group; returns the index after the group.
    ///
    /// A failure does not end the steps that are being sent. Others of the group are not sent after it, where the run stops at a failure.
    private func runGroup(_ group: StepGroup, of row: Int, from first: Int, captures: [String: String]) async -> Int {
        var end = first
        // The lists are evaluated before a step is sent, because each changes the indices of the later steps.
        while let planned = step(at: end), planned.row == row, planned.definition.group == group {
            let isWaiting = state.withLock { $0.record.steps[end].state == .waiting }
            if isWaiting, planned.isUnknownList, !isCancelled, await expand(end, planned, captures: captures) { continue }
            end += 1
        }
        let waiting = (first..<end).filter { index in state.withLock { $0.record.steps[index].state == .waiting } }
        await withTaskGroup(of: Void.self) { tasks in
            for (count, index) in waiting.enumerated() {
                if count >= group.concurrency ?? Self.defaultConcurrency { await tasks.next() }
                guard maySend else { return }
                // A paused run waits there; a failure meanwhile ends the waiting, and the step is not sent.
                tasks.addTask { _ = await self.perform(index, captures: captures) }
            }
        }
        return end
    }

    // MARK: Loops

    /// Replaces a step by its repetitions for the items of a list; returns false where it ended instead: without items, or by an error.
    private func expand(_ index: Int, _ step: RunStep, captures: [String: String]) async -> Bool {
        let items: [String]
        do throws(Diagnostic) {
            // A condition that does not use the item decides before the list is evaluated, which may need what is missing.
            if !step.conditionsUseItem, let reason = try await control.reasonToSkip(step, captures) {
                await skip(index, reason)
                return false
            }
            items = try await control.items(step, captures)
        } catch {
            let ended = fail(index, error)
            await keep(.ended(index, ended))
            return false
        }
        guard !items.isEmpty else {
            await skip(index, "the list of forEach is empty")
            return false
        }
        let repeated = items.enumerated().map { step.repeated(StepRepetition(number: $0 + 1, item: $1, isAdded: true)) }
        await add(repeated, at: index, replacing: true)
        return true
    }

    private func add(_ steps: [RunStep], at index: Int, replacing: Bool) async {
        let expansion = RunExpansion(position: index, replacesStep: replacing, steps: steps.map(\.newRecord))
        state.withLock { state in
            state.steps.replaceSubrange(expansion.range, with: steps)
            state.record.apply(expansion)
            onEvent(.expanded(expansion))
        }
        await keep(.expanded(expansion))
    }

    @discardableResult
    private func skip(_ index: Int, _ reason: String) async -> StepRecord {
        let ended = change(index) { step in
            step.reason = reason
            step.state = .skipped
        }
        await keep(.ended(index, ended))
        return ended
    }

    @discardableResult
    private func fail(_ index: Int, _ problem: Diagnostic) -> StepRecord {
        if Task.isCancelled || isCancelled { return change(index) { $0.state = .cancelled } }
        return change(index) { $0.fail([StepFailure(problem)]) }
    }

    /// Waits before a step is sent again; returns false when the run is cancelled.
    private func waitToRepeat(_ step: RunStep) async -> Bool {
        guard case .repeats(_, let every, _) = step.definition.loop else { return true }
        do { try await Task.sleep(for: every) } catch { return false }
        return !isCancelled
    }

    /// Adds a further repetition of a step whose condition holds; returns the reason why the step failed, where it reached its limit.
    private func repeatIfNeeded(_ index: Int, _ step: RunStep, captures: [String: String], own: [String: String]) async -> [StepFailure] {
        guard case .repeats(_, _, let limit) = step.definition.loop else { return [] }
        var captures = captures
        for (name, value) in own { captures["\(step.definition.name).\(name)"] = value }
        do throws(Diagnostic) {
            guard let reason = try await control.reasonToRepeat(step, captures) else { return [] }
            let number = step.repetition?.number ?? 1
            guard number < limit else {
                return [StepFailure(.expectation, subject: "while", actual: "still holds after \(limit) repetitions, see limit: \(reason)")]
            }
            var first = step
            // The name of the first repetition has no number.
            if step.repetition != nil { first.name = String(step.name.dropLast(StepRepetition.name(of: "", number).count)) }
            await add([first.repeated(StepRepetition(number: number + 1, isAdded: true))], at: index + 1, replacing: false)
            return []
        } catch {
            return [StepFailure(error)]
        }
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
                    guard step.isComplete else { throw StepStopped() }
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
        // The waiting steps of a batch that is over are skipped; those of a chain keep waiting.
        guard await waitWhilePaused() else { return change(index) { if plan.definition.kind == .batch { $0.skip() } } }
        if let planned = step(at: index), planned.mayBeSkipped {
            do throws(Diagnostic) {
                if let reason = try await control.reasonToSkip(planned, captures) { return await skip(index, reason) }
            } catch {
                let ended = fail(index, error)
                await keep(.ended(index, ended))
                return ended
            }
        }
        let step = await send(index, captures: captures)
        await keep(.ended(index, step))
        return step
    }

    /// Sends the request of one step and checks its response; the end of the step is reported exactly once.
    private func send(_ index: Int, captures: [String: String]) async -> StepRecord {
        let (planned, start) = state.withLock { ($0.steps[index], $0.start) }
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        change(index) { step in
            step.state = .sending
            step.startedAfter = elapsed
        }
        let prepared: PreparedStep
        do throws(Diagnostic) { prepared = try await prepare(planned, captures) } catch { return fail(index, error) }
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
        let failures =
            evaluation.failures.isEmpty
            ? await repeatIfNeeded(index, planned, captures: captures, own: evaluation.captures) : evaluation.failures
        return change(index) { step in
            step.status = exchange.response?.status
            step.seconds = evaluation.seconds
            guard !isCancelled else {
                step.state = .cancelled
                return
            }
            step.captures = evaluation.captures
            if !step.captures.isEmpty { step.origins = checked.captureOrigins.sorted() }
            if failures.isEmpty { step.state = .done } else { step.fail(failures) }
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
        let (step, waiting) = state.withLock { state -> (StepRecord, [CheckedContinuation<Void, Never>]) in
            let before = state.record.steps[index]
            guard !before.state.isEnd else { return (before, []) }
            work(&state.record.steps[index])
            let step = state.record.steps[index]
            if step.state == .failed, state.record.failedStep == nil { state.record.failedStep = index }
            // Reported under the lock, so that the events of a step stay in order.
            if step != before { onEvent(.step(index, step)) }
            guard step.state.isEnd, !step.isComplete, plan.definition.stopsOnFailure else { return (step, []) }
            state.hasStopped = true
            return (step, state.takeWaiting())
        }
        for continuation in waiting { continuation.resume() }
        return step
    }
}

/// Marks a step that was not completed; its record contains the reason.
private struct StepStopped: Error {}

extension RunStep {
    /// Whether the step was sent before because its condition held.
    fileprivate var isRepeatedByCondition: Bool { repetition.map { $0.isAdded && $0.item == nil } ?? false }

    /// Whether conditions are evaluated before the step; those of a step that is repeated by a condition only before the first time.
    fileprivate var mayBeSkipped: Bool { !definition.conditions.isEmpty && !isRepeatedByCondition }

    /// Whether a condition of `if:` names the item of the list.
    fileprivate var conditionsUseItem: Bool {
        guard let variable = definition.loop?.variable else { return false }
        return definition.conditions.contains { condition in
            condition.name == variable
                || [condition.name, condition.value].contains { text in
                    Template(text).segments.contains { if case .variable(variable, _) = $0 { true } else { false } }
                }
        }
    }
}

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
