internal import Synchronization

/// The steps of a run: their places, their states, and what each of them does.
///
/// An index is the position of a step at that moment: a list that is replaced by its items, and a step that is added, move the steps behind them.
/// Methods are called concurrently where steps run concurrently; no lock of the engine is held.
package protocol RunSteps: Sendable {
    /// The place of a step in the order of the run; nil after the last step.
    func place(of index: Int) -> RunEngine.Place?

    /// Whether a step has to be run: it has not started, in this run and in those that this one continues.
    func isWaiting(_ index: Int) -> Bool

    /// Whether a step needs nothing further, so that the steps after it may run.
    func isComplete(_ index: Int) -> Bool

    /// Replaces a step that stands for a list by one step for each item.
    ///
    /// - Returns: False where it has ended the step instead.
    func expand(_ index: Int) async -> Bool

    /// Decides whether a step is run; ends the step where it is not.
    func admits(_ index: Int) async -> Bool

    /// Runs a step up to its end; the task is cancelled where the step shall stop.
    ///
    /// The step may add further ones behind itself, such as its repetition.
    func run(_ index: Int) async

    /// Stores the end of a step; a step that waits for this end starts after that.
    func store(_ index: Int) async

    /// Counts the end of a step; called after each end, one at a time.
    func count(_ index: Int)

    /// Uses the values of completed steps for the steps after them; called for each place in order, also for steps of an earlier run.
    func take(_ steps: Range<Int>)

    /// Ends a step that still waits and is not run, because a step before it failed; called for steps that have ended, too.
    func skip(_ index: Int)
}

extension RunSteps {
    package func expand(_ index: Int) async -> Bool { false }
    package func admits(_ index: Int) async -> Bool { true }
    package func store(_ index: Int) async {}
    package func count(_ index: Int) {}
    package func take(_ steps: Range<Int>) {}
    package func skip(_ index: Int) {}
}

/// Runs the steps of batches, chains, uploads and runs of workspaces: in which order, how many at the same time, and until when.
///
/// ```
/// section, section, …    one after the other; a failure ends its section, and the run unless the policy is to proceed
///   place, place, …      one after the other: a step, or the adjacent steps of a group, which run at the same time
///     step               lists are replaced by their items; then: pause · condition · run · store · count
/// ```
///
/// Steps that are complete are not run, so that a run continues at a failed step when it begins again with that step waiting.
package final class RunEngine: Sendable {
    /// The effect of a failure, which is the end of a step that is not complete.
    package enum FailurePolicy: Hashable, Sendable {
        /// The other steps of the group run; the next section runs.
        case proceed
        /// No further step starts; running ones end.
        case stop
        /// No further step starts; running ones are cancelled.
        case cancel
    }

    /// The place of a step in the order of a run.
    package struct Place: Hashable, Sendable {
        /// The section, such as a row of data; the steps of a section are adjacent.
        package var section: Int
        /// The group whose adjacent steps run at the same time; nil for a step without a group.
        package var group: Int?
        /// The maximum number of steps of the group that run at the same time; nil for no limit.
        package var concurrency: Int?
        /// Whether the step stands for a list, which is replaced by its items when its turn comes.
        package var isList: Bool
        /// The time before the step, where a step of its section was run before it; nil for none.
        package var delay: Duration?

        /// Creates a place.
        package init(section: Int = 0, group: Int? = nil, concurrency: Int? = nil, isList: Bool = false, delay: Duration? = nil) {
            (self.section, self.group, self.concurrency, self.isList, self.delay) = (section, group, concurrency, isList, delay)
        }
    }

    private struct State {
        var isCancelled = false
        /// Whether a failure prevents further steps.
        var hasStopped = false
        /// What the next steps wait for while the run is paused.
        var pause: Latch?
        var task: Task<Void, Never>?

        /// Whether a further step may start, except for a pause.
        var mayStart: Bool { !isCancelled && !hasStopped }
    }

    private let policy: FailurePolicy
    private let state = Mutex(State())

    /// Creates an engine for one run.
    package init(onFailure policy: FailurePolicy) {
        self.policy = policy
    }

    /// Runs the steps that wait, and returns when those that were started have ended.
    ///
    /// The steps run in a separate task: cancelling the task of the caller has no effect, ``cancel()`` has.
    package func run(_ steps: some RunSteps) async {
        let task = state.withLock { state in
            let task = Task { await self.runSections(of: steps) }
            state.task = task
            return task
        }
        await task.value
        state.withLock { $0.task = nil }
    }

    /// Whether the run was cancelled.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Cancels the running steps and starts no further one; final, also before the start of the run.
    package func cancel() {
        let (task, pause) = state.withLock { state in
            state.isCancelled = true
            return (state.task, state.pause)
        }
        task?.cancel()
        pause?.open()
    }

    /// Pauses the run before its next steps, or continues it; running steps are not interrupted.
    ///
    /// - Returns: Whether this changes anything; false after ``cancel()``.
    @discardableResult
    package func setPaused(_ isPaused: Bool) -> Bool {
        let (isChanged, pause) = state.withLock { state -> (Bool, Latch?) in
            guard !state.isCancelled, isPaused != (state.pause != nil) else { return (false, nil) }
            defer { state.pause = isPaused ? Latch() : nil }
            return (true, state.pause)
        }
        pause?.open()
        return isChanged
    }

    private func runSections(of steps: some RunSteps) async {
        var next = 0
        while !isCancelled, let section = steps.place(of: next)?.section {
            let end = await runSection(section, of: steps, from: next)
            next = end.index
            guard !end.isComplete, !isCancelled else { continue }
            while let place = steps.place(of: next), policy != .proceed || place.section == section {
                steps.skip(next)
                next += 1
            }
        }
    }

    /// Runs the places of a section in order; returns the index after it, or that of the first place that is not complete.
    private func runSection(_ section: Int, of steps: some RunSteps, from first: Int) async -> (index: Int, isComplete: Bool) {
        var next = first
        var hasRun = false
        while let place = steps.place(of: next), place.section == section {
            guard !isCancelled else { return (next, false) }
            let group = next..<(await end(of: place, of: steps, from: next))
            if hasRun, let delay = place.delay, steps.isWaiting(next) {
                do { try await Task.sleep(for: delay) } catch { return (next, false) }
            }
            if await runGroup(group, of: steps, atMost: place.concurrency) { hasRun = true }
            guard group.allSatisfy({ steps.isComplete($0) }) else { return (next, false) }
            steps.take(group)
            next = group.upperBound
        }
        return (next, true)
    }

    /// The index after the steps that run together with the first one, in which the lists are replaced by their items.
    ///
    /// The lists are replaced before a step runs, because each moves the steps behind it.
    private func end(of place: Place, of steps: some RunSteps, from first: Int) async -> Int {
        var end = first
        while let next = steps.place(of: end), end == first || place.group != nil && next.group == place.group && next.section == place.section {
            if next.isList, !isCancelled, steps.isWaiting(end) {
                if await steps.expand(end) { continue }
                await finish(end, of: steps)
                steps.count(end)
            }
            end += 1
        }
        return end
    }

    /// Runs those of some steps that wait, and returns whether there was one.
    private func runGroup(_ group: Range<Int>, of steps: some RunSteps, atMost limit: Int?) async -> Bool {
        if group.count == 1 {
            guard steps.isWaiting(group.lowerBound) else { return false }
            if await runStep(group.lowerBound, of: steps) { steps.count(group.lowerBound) }
            return true
        }
        return await withTaskGroup(of: Int?.self) { tasks in
            var started = 0
            for index in group where steps.isWaiting(index) {
                if let limit, started >= limit, case .some(.some(let ended)) = await tasks.next() { steps.count(ended) }
                guard state.withLock({ $0.mayStart }) else { break }
                tasks.addTask { await self.runStep(index, of: steps) ? index : nil }
                started += 1
            }
            for await case let ended? in tasks { steps.count(ended) }
            return started > 0
        }
    }

    /// Runs a step as soon as the run is not paused; returns false where the run is over before.
    private func runStep(_ index: Int, of steps: some RunSteps) async -> Bool {
        guard await waitWhilePaused() else { return false }
        if await steps.admits(index) { await steps.run(index) }
        await finish(index, of: steps)
        return true
    }

    /// Applies the policy to a step that has ended, and stores its end.
    private func finish(_ index: Int, of steps: some RunSteps) async {
        if policy != .proceed, !steps.isComplete(index) { stop() }
        await steps.store(index)
    }

    /// Starts no further step, also where the run is paused.
    private func stop() {
        let (task, pause) = state.withLock { state in
            state.hasStopped = true
            return (policy == .cancel ? state.task : nil, state.pause)
        }
        task?.cancel()
        pause?.open()
    }

    /// Waits while the run is paused; returns whether a further step may start.
    private func waitWhilePaused() async -> Bool {
        while let pause = state.withLock({ $0.mayStart ? $0.pause : nil }) { await pause.wait() }
        return state.withLock { $0.mayStart }
    }
}
