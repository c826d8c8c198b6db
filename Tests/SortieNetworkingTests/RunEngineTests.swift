import Support
import Testing

@testable import SortieNetworking

/// Tests the order of steps, groups, lists and sections, and what a failure, a pause and a cancellation do.
struct RunEngineTests {
    /// A step that does what its closure does, and fails where that throws.
    private struct Step: Sendable {
        let name: String
        var place = RunEngine.Place()
        var items: [String] = []
        var isExcluded = false
        var state = MemberState.waiting
        var work: @Sendable () async throws -> Void = {}
    }

    private struct Broken: Error {}

    /// Steps that note what the engine calls.
    private final class Script: RunSteps {
        let steps: Watched<[Step]>
        let notes = Watched<[String]>([])

        init(_ steps: [Step]) {
            self.steps = Watched(steps)
        }

        private func note(_ what: String, _ index: Int) {
            let name = steps.current[index].name
            notes.change { $0.append("\(what) \(name)") }
        }

        func place(of index: Int) -> RunEngine.Place? {
            let steps = steps.current
            return steps.indices.contains(index) ? steps[index].place : nil
        }

        func isWaiting(_ index: Int) -> Bool { steps.current[index].state == .waiting }

        func isComplete(_ index: Int) -> Bool { steps.current[index].state == .succeeded }

        func expand(_ index: Int) async -> Bool {
            note("expand", index)
            return steps.change { steps in
                var step = steps[index]
                guard !step.items.isEmpty else {
                    steps[index].state = .succeeded
                    return false
                }
                step.place.isList = false
                steps.replaceSubrange(
                    index...index,
                    with: step.items.map { Step(name: $0, place: step.place, work: step.work) })
                return true
            }
        }

        func admits(_ index: Int) async -> Bool {
            guard steps.current[index].isExcluded else { return true }
            steps.change { $0[index].state = .succeeded }
            return false
        }

        func run(_ index: Int) async {
            note("run", index)
            steps.change { $0[index].state = .running }
            let work = steps.current[index].work
            do {
                try await work()
                steps.change { $0[index].state = .succeeded }
            } catch {
                let isCancelled = Task.isCancelled
                steps.change { $0[index].state = isCancelled ? .cancelled : .failed }
            }
        }

        func store(_ index: Int) async { note("store", index) }
        func count(_ index: Int) { note("count", index) }
        func take(_ range: Range<Int>) { notes.change { $0.append("take \(steps.current[range].map(\.name).joined(separator: " "))") } }

        func skip(_ index: Int) { steps.change { if $0[index].state == .waiting { $0[index].state = .skipped } } }

        /// Waits until a step has started or ended.
        func wait(for note: String) async throws {
            try await notes.wait(note, within: .seconds(300)) { $0.contains(note) ? () : nil }
        }

        var states: [MemberState] { steps.current.map(\.state) }
    }

    private func run(_ script: Script, _ policy: RunEngine.FailurePolicy = .stop) async throws {
        try await run(script, RunEngine(onFailure: policy))
    }

    private func run(_ script: Script, _ engine: RunEngine) async throws {
        try await withDeadline(.seconds(300), "the run to end") {
            await withTaskCancellationHandler {
                await engine.run(script)
            } onCancel: {
                engine.cancel()
            }
        }
    }

    private func broken(_ name: String, _ place: RunEngine.Place = .init()) -> Step { Step(name: name, place: place) { throw Broken() } }

    /// A group in which both steps wait for each other.
    private func pair(of group: RunEngine.Place) -> [Step] {
        let started = Watched(0)
        let work: @Sendable () async throws -> Void = {
            started.change { $0 += 1 }
            try await started.wait("both steps", within: .seconds(300)) { $0 == 2 ? () : nil }
        }
        return ["a", "b"].map { Step(name: $0, place: group, work: work) }
    }

    @Test func `the end of a step is stored before the next step runs, which uses its values`() async throws {
        let script = Script(["a", "b"].map { Step(name: $0) })
        try await run(script)
        #expect(script.notes.current == ["run a", "store a", "count a", "take a", "run b", "store b", "count b", "take b"])
    }

    @Test func `the steps of a group run at the same time, and the next step when all have ended`() async throws {
        let script = Script(pair(of: .init(group: 1, concurrency: 2)) + [Step(name: "c")])
        try await run(script)
        #expect(script.states == [.succeeded, .succeeded, .succeeded])
        #expect(script.notes.current.suffix(5) == ["take a b", "run c", "store c", "count c", "take c"])
    }

    @Test func `a group does not exceed its limit`() async throws {
        let running = Watched((now: 0, most: 0))
        let script = Script(
            (0..<20).map { number in
                Step(name: "\(number)", place: .init(group: 1, concurrency: 3)) {
                    running.change { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                    await Task.yield()
                    running.change { $0.now -= 1 }
                }
            })
        try await run(script)
        #expect(script.states.allSatisfy { $0 == .succeeded } && running.current.most <= 3)
    }

    @Test func `lists are replaced by their items before a step of their group runs`() async throws {
        let place = RunEngine.Place(group: 1, concurrency: 1)
        var list = Step(name: "list", place: place, items: ["x", "y"])
        list.place.isList = true
        let script = Script([Step(name: "a", place: place), list, Step(name: "b", place: place)])
        try await run(script)
        #expect(
            script.notes.current.filter { !$0.hasPrefix("store") && !$0.hasPrefix("count") } == [
                "expand list", "run a", "run x", "run y", "run b", "take a x y b",
            ])
    }

    @Test func `the items of a list that is in no group run one after the other`() async throws {
        let script = Script([Step(name: "list", place: .init(isList: true), items: ["x", "y"]), Step(name: "b")])
        try await run(script)
        #expect(script.notes.current.filter { $0.hasPrefix("take") } == ["take x", "take y", "take b"])
    }

    @Test func `a list without items and an excluded step are stored and counted, and do not run`() async throws {
        var excluded = Step(name: "excluded")
        excluded.isExcluded = true
        let script = Script([Step(name: "empty", place: .init(isList: true)), excluded])
        try await run(script)
        #expect(
            script.notes.current == [
                "expand empty", "store empty", "count empty", "take empty", "store excluded", "count excluded", "take excluded",
            ])
    }

    @Test func `a step that is added behind a running step runs after it`() async throws {
        let script = Script([Step(name: "a"), Step(name: "b")])
        script.steps.change { steps in
            steps[0].work = { [weak script] in
                script?.steps.change { $0.insert(Step(name: "again"), at: 1) }
            }
        }
        try await run(script)
        #expect(script.notes.current.filter { $0.hasPrefix("run") } == ["run a", "run again", "run b"])
    }

    @Test func `the delay of a step is for steps that follow one of the same run`() async throws {
        let long = RunEngine.Place(delay: .seconds(100_000))
        let script = Script([Step(name: "a", place: long)])
        try await run(script)
        #expect(script.states == [.succeeded])
    }

    @Test func `a cancellation ends the delay of a step`() async throws {
        let script = Script([Step(name: "a"), Step(name: "b", place: .init(delay: .seconds(100_000)))])
        let engine = RunEngine(onFailure: .stop)
        let running = Task { try await run(script, engine) }
        try await script.wait(for: "take a")
        engine.cancel()
        try await running.value
        #expect(script.states == [.succeeded, .waiting] && engine.isCancelled)
    }

    @Test func `completed steps do not run again, and their values are used`() async throws {
        let script = Script([Step(name: "a", state: .succeeded), Step(name: "b")])
        try await run(script)
        #expect(script.notes.current == ["take a", "run b", "store b", "count b", "take b"])
    }

    @Test func `a step that neither waits nor is complete ends the run`() async throws {
        let script = Script([Step(name: "a", state: .failed), Step(name: "b")])
        try await run(script)
        #expect(script.notes.current.isEmpty && script.states == [.failed, .skipped])
    }

    @Test(arguments: [RunEngine.FailurePolicy.proceed, .stop])
    func `a failure ends its section, and the run unless it proceeds`(policy: RunEngine.FailurePolicy) async throws {
        let second = RunEngine.Place(section: 1)
        let script = Script([broken("a"), Step(name: "b"), Step(name: "c", place: second)])
        try await run(script, policy)
        #expect(script.states == [.failed, .skipped, policy == .proceed ? .succeeded : .skipped])
    }

    /// A group of a step that is running when the other one fails, and of a third one that may not start.
    private func group(onFailure policy: RunEngine.FailurePolicy) async throws -> [MemberState] {
        let group = RunEngine.Place(group: 1, concurrency: 2)
        let (failed, script) = (Watched(false), Watched<Script?>(nil))
        let steps = Script([
            Step(name: "a", place: group) {
                // Cancelled by the failure, or released by the test after the failure was stored.
                try await failed.wait("the failure", within: .seconds(300)) { $0 ? () : nil }
            },
            Step(name: "b", place: group) {
                try await script.current?.wait(for: "run a")
                throw Broken()
            }, Step(name: "c", place: group),
        ])
        script.change { $0 = steps }
        let running = Task { try await run(steps, policy) }
        try await steps.wait(for: "store b")
        failed.change { $0 = policy != .cancel }
        try await running.value
        script.change { $0 = nil }
        return steps.states
    }

    @Test func `with the policy to stop, running steps end and no further one starts`() async throws {
        #expect(try await group(onFailure: .stop) == [.succeeded, .failed, .skipped])
    }

    @Test func `with the policy to cancel, running steps are cancelled and no further one starts`() async throws {
        #expect(try await group(onFailure: .cancel) == [.cancelled, .failed, .skipped])
    }

    @Test func `with the policy to proceed, all steps of a group run`() async throws {
        #expect(try await group(onFailure: .proceed) == [.succeeded, .failed, .succeeded])
    }

    @Test func `a pause holds the next step until the run continues`() async throws {
        let engine = RunEngine(onFailure: .stop)
        let isContinued = Watched(false)
        let script = Script([
            Step(name: "a") { #expect(engine.setPaused(true) && !engine.setPaused(true)) },
            Step(name: "b") { #expect(isContinued.current, "the step started while the run was paused") },
        ])
        let running = Task { try await run(script, engine) }
        try await script.wait(for: "take a")
        // A run that ignores the pause has time to start the next step.
        for _ in 0..<100 { await Task.yield() }
        isContinued.change { $0 = true }
        #expect(engine.setPaused(false))
        try await running.value
        #expect(script.states == [.succeeded, .succeeded])
    }

    @Test func `a cancelled run does not start, and cannot be paused`() async throws {
        let script = Script([Step(name: "a")])
        let engine = RunEngine(onFailure: .stop)
        engine.cancel()
        #expect(!engine.setPaused(true))
        try await run(script, engine)
        #expect(script.notes.current.isEmpty && script.states == [.waiting])
    }
}
