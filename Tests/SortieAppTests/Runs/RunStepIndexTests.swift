import SortieHTTP
import SortieNetworking
import Support
import Testing
import WorkspaceModel

@testable import SortieApp

/// Tests that events name the step to which they belong, while lists, repetitions and groups change the indices.
@Suite(.serialized)
struct RunStepIndexTests {
    private func step(_ name: String, group: Int? = nil, loop: StepLoop? = nil) -> RunDefinition.Step {
        var step = RunDefinition.Step(target: "s/\(name)", name: name)
        step.group = group.map { StepGroup(number: $0) }
        step.loop = loop
        return step
    }

    @Test func `the exchange of a step is reported with the index of the step at that time`() async throws {
        let list = StepLoop.forEach(variable: "item", .template("{{login.items}}"))
        let steps = [
            step("login"), step("list", loop: list), step("before", group: 1), step("members", group: 1, loop: list), step("after", group: 1),
            step("poll", loop: .repeats(while: [], every: .zero, limit: 3)), step("pair", group: 2, loop: list), step("twin", group: 2, loop: list),
            step("last"),
        ]
        let server = try ScriptedServer(answering: .ok())
        let caller = try RunClient()
        let plan = RunPlan(RunDefinition(name: "r", kind: .chain, steps: steps))
        let events = Watched<[RunEvent]>([])
        let url = server.url
        let runner = RunRunner(
            plan, from: plan.newRecord(environment: nil), client: caller.client,
            prepare: { step, _ throws(Diagnostic) in
                do {
                    return PreparedStep(
                        request: Request(url: try HTTPURL(parsing: "\(url)/\(step.name.replacing("#", with: "-"))")), expectation: .init(),
                        captures: [])
                } catch { throw Diagnostic(SourceLocation(file: step.name), "\(error)") }
            },
            control: RunRunner.Control(
                items: { _, _ in ["a", "b", "c"] },
                reasonToRepeat: { step, _ in (step.repetition?.number ?? 1) < 3 ? "again" : nil }),
            onEvent: { event in events.change { $0.append(event) } })
        let end = try await withDeadline(.seconds(300), "the run to end") { await runner.run() }
        #expect(end.state == .finished && end.steps.count == 19, "\(end.steps.map(\.name))")
        var record = plan.newRecord(environment: nil)
        var reported: [String] = []
        for event in events.current {
            switch event {
            case .expanded(let expansion): record.apply(expansion)
            case .step(let index, let step): #expect(record.steps[index].name == step.name)
            case .call(let index, .finished(let exchange)):
                reported.append(record.steps[index].name)
                #expect(exchange.request.url.path == "/\(record.steps[index].name.replacing("#", with: "-"))")
            case .call, .paused, .finished: break
            }
        }
        #expect(reported.sorted() == end.steps.map(\.name).sorted())
    }
}
