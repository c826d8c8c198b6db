import Support
import Testing

/// Tests that the borders of panes are moved by mouse and by key, and where they are after a restart.
@Suite(.serialized) struct LayoutRobotTests {
    private static let endpoint = ["api/a.yaml": "name: First\npath: http://127.0.0.1:9/a\n"]

    /// Waits until the title of a pane begins at this cell.
    private func see(_ title: String, row: Int, column: Int, _ terminal: PseudoTerminal) async throws {
        try await terminal.waitUntil("“\(title)” at row \(row), column \(column)", within: Sortie.patience) { screen in
            screen.position(of: title).map { $0.row == row && $0.column == column } ?? false
        }
    }

    @Test func `a dragged border stays where it was released, also after a restart`() async throws {
        let bench = try await Bench.open(Self.endpoint)
        try await bench.see("First", "Commands")
        let before = try #require(bench.terminal.display.position(of: "┌ Request"))
        bench.terminal.drag(from: (4, before.column - 1), to: (4, 39))
        try await see("┌ Request", row: 0, column: 40, bench.terminal)
        // The rows below are drawn after the first one.
        try await bench.terminal.waitUntil("a narrower Response", within: Sortie.patience) { $0.position(of: "├ Response")?.column == 40 }
        let response = try #require(bench.terminal.display.position(of: "├ Response"))
        bench.terminal.drag(from: (response.row, 60), to: (12, 60))
        try await see("├ Response", row: 12, column: 40, bench.terminal)
        try await bench.quit()
        let again = Bench(terminal: try await bench.sortie.open("ws"), sortie: bench.sortie)
        try await see("┌ Request", row: 0, column: 40, again.terminal)
        try await see("├ Response", row: 12, column: 40, again.terminal)
        again.press(.control("p"))
        again.terminal.type("Reset layout\r")
        try await see("┌ Request", row: 0, column: before.column, again.terminal)
        try await again.quit()
    }

    @Test(arguments: Bench.sizes) func `keys make the focused pane larger and smaller`(size: Bench.Size) async throws {
        let bench = try await Bench.open(Self.endpoint, size)
        try await bench.see("First", "Commands")
        let before = try #require(bench.terminal.display.position(of: "┌ Request"))
        bench.terminal.type("1>>")
        try await bench.terminal.waitUntil("a wider Services", within: Sortie.patience) { screen in
            screen.position(of: "┌ Request").map { $0.column > before.column } ?? false
        }
        bench.terminal.type("<<")
        try await see("┌ Request", row: 0, column: before.column, bench.terminal)
        try await bench.quit()
    }

    @Test func `a border is not dragged beyond the least size of a pane`() async throws {
        let bench = try await Bench.open(Self.endpoint)
        try await bench.see("First", "Commands")
        let before = try #require(bench.terminal.display.position(of: "┌ Request"))
        bench.terminal.drag(from: (4, before.column - 1), to: (4, 79))
        try await bench.terminal.waitUntil("a wider Services", within: Sortie.patience) { screen in
            screen.position(of: "┌ Request").map { $0.column > before.column } ?? false
        }
        try await bench.see("GET", "http://127.0.0.1:9/a")
        bench.terminal.drag(from: (4, try #require(bench.terminal.display.position(of: "┌ Request")).column - 1), to: (4, 0))
        try await bench.terminal.waitUntil("a narrower Services", within: Sortie.patience) { screen in
            screen.position(of: "┌ Request").map { $0.column < before.column } ?? false
        }
        try await bench.see("Services")
        try await bench.quit()
    }
}
