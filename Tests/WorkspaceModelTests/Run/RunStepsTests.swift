import Testing
import WorkspaceModel

/// Tests building a run from endpoints, and arranging its steps.
@Suite struct RunStepsTests {
    /// The names of the steps; those of a parallel group in parentheses.
    private func outline(_ run: RunDefinition) -> String {
        run.turns.map { turn in
            let names = turn.map(\.name).joined(separator: " ")
            return turn.first?.group.map { "(\($0.number): \(names))" } ?? names
        }.joined(separator: " ")
    }

    private func run(_ kind: RunDefinition.Kind = .chain) -> RunDefinition {
        RunDefinition(name: "r", kind: kind, sending: ["s/a", "s/b", "s/c", "s/d"])
    }

    @Test func `a step of a chain whose endpoint has the name of another one gets a number`() {
        let run = RunDefinition(name: "r", kind: .chain, sending: ["s/list", "t/list", "s/list"])
        #expect(run.steps.map(\.name) == ["list", "list-2", "list-3"])
        #expect(RunDefinition(name: "r", kind: .batch, sending: ["s/list", "t/list"]).steps.map(\.name) == ["list", "list"])
    }

    @Test func `a step moves up and down, and not past the ends`() {
        var run = run()
        #expect(run.moveStep(1, down: false) == 0)
        #expect(outline(run) == "b a c d")
        #expect(run.moveStep(0, down: false) == nil && run.moveStep(3, down: true) == nil)
        #expect(outline(run) == "b a c d")
    }

    @Test func `a step joins the group above, and leaves it again`() throws {
        var run = run()
        #expect(try run.toggleParallel(1) == 1)
        #expect(try run.toggleParallel(2) == 2)
        #expect(outline(run) == "(1: a b c) d")
        #expect(try run.toggleParallel(1) == 2)
        #expect(outline(run) == "(1: a c) b d")
        #expect(try run.toggleParallel(1) == 1)
        #expect(outline(run) == "a c b d")
    }

    @Test func `groups are numbered in their order`() throws {
        var run = run()
        _ = try run.toggleParallel(3)
        _ = try run.toggleParallel(1)
        #expect(outline(run) == "(1: a b) (2: c d)")
        #expect(run.moveStep(0, down: true) == 1)
        #expect(outline(run) == "(1: b a) (2: c d)")
    }

    @Test func `a step moves within its group, out of it, and past another group`() throws {
        var run = run()
        _ = try run.toggleParallel(1)
        #expect(run.moveStep(1, down: true) == 1)
        #expect(outline(run) == "a b c d")
        _ = try run.toggleParallel(2)
        #expect(outline(run) == "a (1: b c) d")
        #expect(run.moveStep(0, down: true) == 2)
        #expect(outline(run) == "(1: b c) a d")
        #expect(run.moveStep(2, down: false) == 0)
        #expect(outline(run) == "a (1: b c) d")
    }

    @Test func `a removed step dissolves a group of two`() throws {
        var run = run()
        _ = try run.toggleParallel(1)
        run.removeStep(0)
        #expect(outline(run) == "b c d")
        run.removeStep(2)
        #expect(outline(run) == "b c")
    }

    @Test func `a step is added after the group of a step`() throws {
        var run = run()
        _ = try run.toggleParallel(1)
        #expect(run.addStep(sending: "s/e", after: 0) == 2)
        #expect(outline(run) == "(1: a b) e c d")
        #expect(run.addStep(sending: "s/f", after: nil) == 5)
    }

    @Test func `a step without one above, a repeated one and that of a batch are in no group`() {
        var first = run()
        #expect { try first.toggleParallel(0) } throws: { "\($0)" == "there is no step above a" }
        var repeated = run()
        repeated.steps[1].loop = .repeats(while: [Parameter("b.state", "open")], every: .seconds(1), limit: 3)
        #expect { try repeated.toggleParallel(1) } throws: { "\($0)".contains("b is repeated while a condition holds") }
        var batch = run(.batch)
        #expect { try batch.toggleParallel(1) } throws: { "\($0)".contains("at the same time anyway") }
    }
}
