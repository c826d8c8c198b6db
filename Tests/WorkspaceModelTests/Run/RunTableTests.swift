import Testing
import WorkspaceModel

struct RunTableTests {
    private func steps(_ names: String...) -> [StepRecord] { names.map { StepRecord(name: $0, target: "t") } }

    @Test func `a step that only a later environment has follows the one before it there`() {
        let table = RunTable([steps("a", "c"), steps("a", "b#1", "b#2", "c")])
        #expect(table.rows.map(\.name) == ["a", "b#1", "b#2", "c"])
        #expect(table.rows.map(\.steps) == [[0, 0], [nil, 1], [nil, 2], [1, 3]])
        #expect(table.row(ofStep: 1, inColumn: 0) == 3 && table.row(ofStep: 2, inColumn: 1) == 2)
        #expect(table.row(ofStep: 4, inColumn: 1) == nil && table.row(ofStep: 0, inColumn: 2) == nil)
    }

    @Test func `outcomes differ by state, by status, and where a step is missing`() {
        var done = steps("a")[0]
        (done.state, done.status) = (.done, 200)
        var created = done
        created.status = 201
        #expect(!RunTable.differ([done, done]) && !RunTable.differ([]) && !RunTable.differ([nil, nil]))
        #expect(RunTable.differ([done, created]) && RunTable.differ([done, nil]) && RunTable.differ([steps("a")[0], done]))
    }
}
