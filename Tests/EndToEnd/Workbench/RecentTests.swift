import Foundation
import Support
import Testing

/// Tests that the workbench goes back to where it was left, and opens other workspaces.
@Suite(.serialized)
struct RecentTests {
    private static func files(_ name: String, _ folder: String) -> [String: String] {
        [
            "\(folder)/workspace.yaml": "name: \(name)\nenvironments: {first: {variables: {}}, second: {variables: {}}}\n",
            "\(folder)/api/service.yaml": "name: Api of \(name)\n", "\(folder)/api/a.yaml": "name: A of \(name)\npath: http://127.0.0.1:9/a\n",
            "\(folder)/api/b.yaml": "name: B of \(name)\npath: http://127.0.0.1:9/b\n",
        ]
    }

    private func sortie() throws -> Sortie {
        let sortie = try Sortie()
        for (file, text) in Self.files("One", "one").merging(Self.files("Two", "two"), uniquingKeysWith: { $1 }) { try sortie.write(file, text) }
        return sortie
    }

    @Test func `the open endpoint and the environment are those of the last time`() async throws {
        let sortie = try sortie()
        let bench = Bench(terminal: try await sortie.open("one"), sortie: sortie)
        try await bench.see("B of One", "http://127.0.0.1:9/a", "first")
        bench.choose("B of One")
        bench.press(.control("e"))
        try await bench.see("Environment")
        bench.press(.down, .enter)
        try await bench.see("The environment is second now")
        try await bench.quit()
        let again = Bench(terminal: try await sortie.open("one"), sortie: sortie)
        try await again.see("http://127.0.0.1:9/b", "second · Api of One")
        try await again.quit()
        let chosen = Bench(terminal: try await sortie.open("one", "-e", "first"), sortie: sortie)
        try await chosen.see("http://127.0.0.1:9/b", "first · Api of One")
    }

    @Test func `a recent workspace is opened from the palette, and another one by its folder`() async throws {
        let sortie = try sortie()
        let bench = Bench(terminal: try await sortie.open("one"), sortie: sortie)
        try await bench.see("A of One")
        bench.press(.control("p"))
        bench.terminal.type("Open another workspace\r")
        try await bench.see("Open a workspace", "Another folder")
        bench.press(.enter)
        try await bench.see("Folder of the workspace")
        bench.terminal.type("nowhere")
        bench.press(.enter)
        try await bench.see("Folder of the workspace", "nowhere: the folder does not")
        bench.press(.control("u"))
        bench.terminal.type("two")
        bench.press(.enter)
        try await bench.see("A of Two")
        bench.press(.control("p"))
        bench.terminal.type("Open another workspace\r")
        try await bench.see("Open a workspace", "One", "\(sortie.work)/one")
        bench.press(.enter)
        try await bench.see("A of One")
        try await bench.quit()
    }

    @Test func `unsaved edits are asked about before another workspace is opened, and Ctrl-Q afterwards ends the program`() async throws {
        let sortie = try sortie()
        try await Bench(terminal: try await sortie.open("two"), sortie: sortie).quitWhenOpen("A of Two")
        let bench = Bench(terminal: try await sortie.open("one"), sortie: sortie)
        try await bench.see("A of One")
        bench.terminal.type("2p/typed\r")
        try await bench.see("edited")
        bench.press(.control("p"))
        bench.terminal.type("Open another workspace\r")
        try await bench.see("Open a workspace", "Two")
        bench.press(.enter)
        try await bench.see("Quit?", "1 endpoint not saved")
        bench.press(.enter, .control("q"))
        try await bench.see("Quit?")
        bench.press(.down, .down, .enter)
        #expect(try await bench.terminal.exitStatus(within: Sortie.patience) == .exited(0))
    }
}

extension Bench {
    fileprivate func quitWhenOpen(_ text: String) async throws {
        try await see(text)
        try await quit()
    }
}
