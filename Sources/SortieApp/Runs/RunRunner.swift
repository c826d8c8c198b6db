import SortieHTTP
package import SortieNetworking
internal import Synchronization
package import WorkspaceModel

/// A run of a workspace, which is a batch or a chain: its requests, expectations, captures, data rows and journal, as the steps of a `RunEngine`.
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
            (self.reasonToSkip, self.items, self.reasonToRepeat) = (reasonToSkip, items, reasonToRepeat)
        }
    }

    /// The number of concurrent steps of a batch whose file sets none.
    package static let defaultConcurrency = 16

    private let plan: RunPlan
    private let client: Client
    private let prepare: Prepare
    private let contract: @Sendable (_ target: String) -> EndpointContract?
    private let control: Control
    private let keep: @Sendable (RunCheckpoint) async -> Void
    private let onEvent: @Sendable (RunEvent) -> Void
    private let engine: RunEngine
    private let state: Mutex<State>

    private struct State {
        var record: RunRecord
        /// The steps of the record.
        var steps: [RunStep]
        /// The start of the run; nil before it.
        var start: ContinuousClock.Instant?
        /// The values that the steps of a row captured.
        var captures: [String: String] = [:]
        /// The row of the captured values.
        var rowOfCaptures = 0

        /// The time since the start of the run, in seconds.
        var elapsed: Double { start.map { (.now - $0) / .seconds(1) } ?? 0 }

        /// A step, and the values that the steps of its row captured before its turn.
        func turn(of index: Int) -> (RunStep, [String: String]) {
            (steps[index], steps[index].row == rowOfCaptures ? captures : [:])
        }
    }

    /// Creates a run that has not started.
    ///
    /// - Parameters:
    ///   - record: A new record of the plan, or ``WorkspaceModel/RunPlan/continuing(_:at:)`` of an ended one; steps that it marks as done are not sent again.
    ///   - contract: Returns the description with which the exchanges of an endpoint are compared.
    ///   - control: Evaluates the conditions and the lists of steps.
    ///   - keep: Stores a checkpoint so that it survives this process; the next step that takes the same slot starts after it returns.
    ///   - onEvent: Receives one event at a time, on any thread; must not block and must not call this object, whose lock is held.
    package init(
        _ plan: RunPlan, from record: RunRecord, client: Client, prepare: @escaping Prepare,
        contract: @escaping @Sendable (_ target: String) -> EndpointContract? = { _ in nil }, control: Control = Control(),
        keep: @escaping @Sendable (RunCheckpoint) async -> Void = { _ in }, onEvent: @escaping @Sendable (RunEvent) -> Void = { _ in }
    ) {
        (self.plan, self.client, self.prepare, self.contract, self.control) = (plan, client, prepare, contract, control)
        (self.keep, self.onEvent) = (keep, onEvent)
        engine = RunEngine(onFailure: !plan.definition.stopsOnFailure ? .proceed : plan.definition.kind == .batch ? .cancel : .stop)
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
            guard state.start == nil else { return false }
            state.start = .now
            return true
        }
        guard isFirst else { return record }
        await withTaskCancellationHandler {
            await keep(.began(self.record))
            await engine.run(self)
        } onCancel: {
            cancel()
        }
        // The waiting steps of a cancelled batch are skipped; those of a chain keep waiting.
        if plan.definition.kind == .batch, engine.isCancelled { record.steps.indices.forEach(skip) }
        let end = end()
        await keep(.finished(end))
        onEvent(.finished(end))
        return end
    }

    /// Cancels running steps; waiting steps are not sent, and the run ends as cancelled.
    package func cancel() { engine.cancel() }

    /// Pauses the run before its next steps, or continues it; steps that are being sent are not interrupted.
    ///
    /// Without effect on a run that has ended or was cancelled.
    package func setPaused(_ isPaused: Bool) {
        state.withLock { state in
            if state.record.state == .running, engine.setPaused(isPaused) { onEvent(.paused(isPaused)) }
        }
    }

    private func end() -> RunRecord {
        let isCancelled = engine.isCancelled
        return state.withLock { state in
            let isComplete = state.record.steps.allSatisfy(\.isComplete)
            state.record.state = isComplete ? .finished : isCancelled ? .cancelled : .failed
            // Steps that run at the same time fail in any order; a run continues at the first one.
            state.record.failedStep = state.record.steps.firstIndex { $0.state == .failed } ?? state.record.failedStep
            // An earlier process was interrupted during this step, and the step is not repeated.
            if state.record.failedStep == nil { state.record.failedStep = state.record.steps.firstIndex { $0.state == .interrupted } }
            state.record.duration = state.elapsed
            return state.record
        }
    }

    /// Changes a step that has not ended, and reports the change.
    private func change(_ index: Int, _ work: (inout StepRecord) -> Void) {
        state.withLock { state in
            let before = state.record.steps[index]
            guard !before.state.isEnd else { return }
            work(&state.record.steps[index])
            let step = state.record.steps[index]
            if step.state == .failed, state.record.failedStep == nil { state.record.failedStep = index }
            // Reported under the lock, so that the events of a step stay in order.
            if step != before { onEvent(.step(index, step)) }
        }
    }

    /// Ends a step that a condition or an empty list excludes.
    private func exclude(_ index: Int, _ reason: String) {
        change(index) { step in
            step.reason = reason
            step.state = .skipped
        }
    }

    private func fail(_ index: Int, _ problem: Diagnostic) {
        let isCancelled = Task.isCancelled || engine.isCancelled
        change(index) { if isCancelled { $0.state = .cancelled } else { $0.fail([StepFailure(problem)]) } }
    }
}

/// The parts of the steps of a workspace that ``RunSteps`` requires: rows, groups, lists, conditions, requests, captured values, and the journal.
extension RunRunner: RunSteps {
    package func place(of index: Int) -> RunEngine.Place? {
        state.withLock { state in
            guard state.steps.indices.contains(index) else { return nil }
            guard plan.definition.kind == .chain else {
                return RunEngine.Place(group: 0, concurrency: plan.definition.concurrency ?? Self.defaultConcurrency)
            }
            let step = state.steps[index]
            let group = step.definition.group
            return RunEngine.Place(
                section: step.row, group: group?.number, concurrency: group?.concurrency ?? Self.defaultConcurrency, isList: step.isUnknownList,
                delay: step.delay)
        }
    }

    package func isWaiting(_ index: Int) -> Bool { state.withLock { $0.record.steps[index].state == .waiting } }

    package func isComplete(_ index: Int) -> Bool { state.withLock { $0.record.steps[index].isComplete } }

    package func expand(_ index: Int) async -> Bool {
        let (step, captures) = state.withLock { $0.turn(of: index) }
        do throws(Diagnostic) {
            // A condition that does not use the item decides before the list is evaluated, which may need what is missing.
            if !step.conditionsUseItem, let reason = try await control.reasonToSkip(step, captures) {
                exclude(index, reason)
                return false
            }
            let items = try await control.items(step, captures)
            guard !items.isEmpty else {
                exclude(index, "the list of forEach is empty")
                return false
            }
            let repeated = items.enumerated().map { step.repeated(StepRepetition(number: $0 + 1, item: $1, isAdded: true)) }
            await add(repeated, at: index, replacing: true)
            return true
        } catch {
            fail(index, error)
            return false
        }
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

    package func admits(_ index: Int) async -> Bool {
        let (step, captures) = state.withLock { $0.turn(of: index) }
        guard step.mayBeSkipped else { return true }
        do throws(Diagnostic) {
            guard let reason = try await control.reasonToSkip(step, captures) else { return true }
            exclude(index, reason)
        } catch { fail(index, error) }
        return false
    }

    /// Sends the request of one step and checks its response; the end of the step is reported exactly once.
    package func run(_ index: Int) async {
        let ((planned, captures), elapsed) = state.withLock { ($0.turn(of: index), $0.elapsed) }
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
        let contract = contract(planned.definition.target)
        let evaluation =
            prepared.isPlain && contract == nil
            ? StepEvaluation(exchange, prepared)
            : await BlockingExecutor.shared.run { StepEvaluation(exchange, prepared, contract: contract) }
        var checked = exchange
        checked.expectationResult = evaluation.result
        onEvent(.call(index, .finished(checked)))
        // Cancelling ends a comparison with a regular expression, which says nothing about the response then.
        let isCancelled = Task.isCancelled && !evaluation.failures.isEmpty
        let failures =
            evaluation.failures.isEmpty
            ? await repeatIfNeeded(index, planned, captures: captures, own: evaluation.captures) : evaluation.failures
        change(index) { step in
            step.status = exchange.response?.status
            step.grpcStatus = exchange.response?.grpcStatus?.code
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
        case .changed(.waiting(let seconds, _)): change(index) { $0.state = .retrying(seconds: seconds) }
        case .changed(.sending), .responded, .progressed, .grew: change(index) { $0.state = .sending }
        // Forwarded with the checks of the step.
        case .finished: return
        default: break
        }
        onEvent(.call(index, event))
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

    package func store(_ index: Int) async {
        await keep(.ended(index, state.withLock { $0.record.steps[index] }))
    }

    package func take(_ steps: Range<Int>) {
        guard plan.definition.kind == .chain else { return }
        state.withLock { state in
            for index in steps {
                let step = state.steps[index]
                if step.row != state.rowOfCaptures { (state.captures, state.rowOfCaptures) = ([:], step.row) }
                for (capture, value) in state.record.steps[index].captures { state.captures["\(step.definition.name).\(capture)"] = value }
            }
        }
    }

    package func skip(_ index: Int) {
        change(index) { $0.state = .skipped }
    }
}

extension RunStep {
    /// Whether the step was sent before because its condition held.
    fileprivate var isRepeatedByCondition: Bool { repetition.map { $0.isAdded && $0.item == nil } ?? false }

    /// Whether conditions are evaluated before the step; those of a step that is repeated by a condition only before the first time.
    fileprivate var mayBeSkipped: Bool { !definition.conditions.isEmpty && !isRepeatedByCondition }

    /// The pause before the step is sent again because its condition held; nil for others.
    fileprivate var delay: Duration? {
        guard isRepeatedByCondition, case .repeats(_, let every, _) = definition.loop else { return nil }
        return every
    }

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
        expectation.conditions.isEmpty && expectation.schema == nil && expectation.snapshot == nil && captures.isEmpty
    }
}

extension StepRecord {
    fileprivate mutating func fail(_ failures: [StepFailure]) {
        state = .failed
        self.failures = failures
    }
}
